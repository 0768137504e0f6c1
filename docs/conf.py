"""How the pages of docs/ become a site: sphinx-build -W docs build/site (nox -s site)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from valet_xl.version import __version__

if TYPE_CHECKING:
    from pathlib import Path

    from sphinx.application import Sphinx

project = "valet_xl"
project_copyright = "the authors of valet_xl"
version = release = __version__
html_title = f"valet_xl {version}"
html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["wrapped.css"]
default_role = "code"
html_copy_source = False
html_show_sourcelink = False
templates_path: list[str] = []
extensions = ["myst_parser", "sphinx.ext.autodoc"]
autodoc_type_aliases = {name: name for name in ("ArrayLike", "Floats", "Index", "Ints", "Mask", "Small")}
autodoc_typehints_format = "short"
python_maximum_signature_line_length = 80
myst_heading_anchors = 4  # #headings are the anchors that a browser of repositories gives them

REPOSITORY_PAGES = {"CHANGELOG.md": "changes.md", "CONTRIBUTING.md": "contributing.md", "README.md": "index.md"}
"""The pages in the folder above that a page of the site includes, and that page."""


def from_docs(text: str) -> str:
    """A page of the folder above with its links written as from docs/."""

    def link(match: re.Match[str]) -> str:
        path, anchor = match[1], match[2] or ""
        if re.match(r"\w+:", path) or not path:
            return match[0]
        if path.startswith("docs/"):
            return f"]({path.removeprefix('docs/')}{anchor})"
        return f"]({REPOSITORY_PAGES.get(path, f'../{path}')}{anchor})"

    return re.sub(r"\]\(([^)#\s]*)(#[^)\s]*)?\)", link, text)


def include_read(app: Sphinx, path: Path, page: str, content: list[str]) -> None:
    """Turn the links of an included page into those of the page that includes it."""
    content[0] = from_docs(content[0])


_TITLE = re.compile(r"-{3,}$")
_FIELD = re.compile(r"(?P<names>[A-Za-z_]\w*(?:, \w+)*) : (?P<text>.*)")


def docstring(app: Sphinx, what: str, name: str, thing: object, options: object, lines: list[str]) -> None:
    """Write a docstring as reStructuredText: its titles in bold, and its fields as a list."""
    out: list[str] = []
    in_field = False
    for line, after in zip(lines, [*lines[1:], ""], strict=True):
        field = _FIELD.match(line)
        if _TITLE.match(line):
            continue
        if _TITLE.match(after):
            out += ["", f"**{line}**", ""]
        elif field:
            out += [*([] if in_field else [""]), f"- **{field['names']}**: {field['text']}"]
        else:
            out += ["", line] if in_field and line and not line.startswith(" ") else [line.replace("    ", "  ", 1)]
        in_field = bool(field) or (in_field and line.startswith(" "))
    lines[:] = out


def setup(app: Sphinx) -> None:
    """What the configuration cannot say."""
    app.connect("include-read", include_read)
    app.connect("autodoc-process-docstring", docstring)
