"""What two drawings of a chart have in common, whichever version of matplotlib drew them."""

from __future__ import annotations

from xml.etree import ElementTree

import matplotlib

_SVG = "{http://www.w3.org/2000/svg}"


def texts(svg: str) -> list[str]:
    """The title, labels and numbers of a drawing, in alphabetical order."""
    return sorted("".join(text.itertext()) for text in ElementTree.fromstring(svg).iter(f"{_SVG}text"))


def shapes(svg: str) -> list[str]:
    """What is drawn within the axes: the kind of each shape, in alphabetical order."""
    drawn = ElementTree.fromstring(svg).iter(f"{_SVG}g")
    return sorted(group.get("id", "").rstrip("0123456789") for group in drawn)


def assert_same_chart(one: str, other: str) -> None:
    """Two drawings have the same texts and shapes; if this matplotlib drew both, they are the same to the byte."""
    assert texts(one) == texts(other)
    assert shapes(one) == shapes(other)
    if all(f"Matplotlib v{matplotlib.__version__}," in svg for svg in (one, other)):
        assert one == other
