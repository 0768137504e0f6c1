"""How the pages of docs/ become a site: sphinx-build -W docs build/site (nox -s site)."""

from __future__ import annotations

import re
from importlib.metadata import version as installed
from typing import TYPE_CHECKING

from pygments.lexers.special import TextLexer

if TYPE_CHECKING:
    from pathlib import Path

    from sphinx.application import Sphinx

project = "valet_xl"
project_copyright = "the authors of valet_xl"
version = release = installed("valet-xl")
html_title = f"valet_xl {version}"
html_theme = "furo"
html_copy_source = False
html_show_sourcelink = False
templates_path: list[str] = []
extensions = ["myst_parser"]
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
    """Write the links of an included page anew."""
    content[0] = from_docs(content[0])


def setup(app: Sphinx) -> None:
    """What the configuration cannot say."""
    app.connect("include-read", include_read)
    app.add_lexer("mermaid", TextLexer)
