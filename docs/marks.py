"""Lines of a page that a script writes: they are between two comments with a name."""

from __future__ import annotations

from collections.abc import Iterable


def put(page: str, name: str, lines: Iterable[str]) -> str:
    """The page with the lines between the marks of a name.

    Raises
    ------
    ValueError : where the page has no such marks
    """
    start, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
    before, begun, rest = page.partition(start)
    _, ended, after = rest.partition(end)
    if not begun or not ended:
        raise ValueError(f"{name}: the page has no such marks (expected {start.strip()} and {end})")
    return before + start + "\n".join(lines).rstrip() + "\n" + end + after
