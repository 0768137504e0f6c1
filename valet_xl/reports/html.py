"""Pages that need nothing but themselves: one HTML file with its style, without scripts and without requests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape as _escape

from valet_xl.rankings.listing import Heading, Listing, printable, shown

_STYLE = """
:root { color-scheme: light dark; --page: #ffffff; --ink: #1f2a1b; --soft: #545b4d; --line: #b7c79c; --head: #e8f0db;
  --band: #f6f9f0; --link: #00557f; --bid: #0072b2; --declarer: #f0e442; --lead: #d55e00; --defence: #000000;
  --gain: #56b4e9; --loss: #d55e00; --edge: #6b7264; --own: #fff3b0; }
@media (prefers-color-scheme: dark) { :root { --page: #15191c; --ink: #e9ede4; --soft: #b4bcac; --line: #4d5a3d;
  --head: #2a3420; --band: #1b2022; --link: #7cc4f5; --bid: #3b9fd8; --declarer: #f0d020; --defence: #f2f2f2;
  --edge: #9aa192; --own: #4a4310; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 75rem; padding: 1rem; background: var(--page); color: var(--ink);
  font: 1rem/1.45 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; overflow-wrap: anywhere; }
a { color: var(--link); }
h1 { font-size: 1.6rem; margin: .2rem 0; }
h2 { font-size: 1.3rem; margin: 2rem 0 .5rem; border-bottom: 2px solid var(--line); }
h3 { font-size: 1.1rem; margin: 1.2rem 0 .4rem; }
p.soft, figcaption, caption { color: var(--soft); }
nav ul { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; list-style: none; padding: 0; margin: .5rem 0; }
.wide { overflow-x: auto; margin: .5rem 0; }
.wide:focus-visible, summary:focus-visible, a:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
table { border-collapse: collapse; font-size: .875rem; }
caption { text-align: left; padding: .2rem 0; }
th, td { padding: .15rem .5rem; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap; }
th { background: var(--head); vertical-align: bottom; overflow-wrap: normal; }
tbody th { background: none; font-weight: 600; }
tbody th, tfoot th { vertical-align: middle; }
.text { text-align: left; white-space: normal; min-width: 3rem; }
th.text.long, td.text.long { min-width: 12rem; }
.faded td, .faded th { color: var(--soft); font-weight: 400; }
.own td, .own th { background: var(--own); }
tfoot td, tfoot th { background: var(--band); border-top: 2px solid var(--line); }
figure { margin: .8rem 0; }
svg { max-width: 100%; height: auto; display: block; }
svg text { fill: var(--ink); stroke: var(--page); stroke-width: 3px; paint-order: stroke;
  font: 12px system-ui, "Segoe UI", "DejaVu Sans", sans-serif; }
svg .title { font-weight: 600; font-size: 14px; }
svg .grid { stroke: var(--line); stroke-width: 1; }
svg .axis { stroke: var(--edge); stroke-width: 1.5; }
svg .error { stroke: var(--edge); stroke-width: 1.5; fill: none; }
svg .line { stroke: var(--bid); stroke-width: 2; fill: none; }
svg .funnel { fill: var(--band); stroke: var(--line); }
svg .dot { fill: var(--bid); } svg .others { fill: var(--edge); }
svg .bid { fill: var(--bid); } svg .declarer { fill: var(--declarer); } svg .lead { fill: var(--lead); }
svg .defence { fill: var(--defence); } svg .gain { fill: var(--gain); } svg .loss { fill: var(--loss); }
svg rect.bar { stroke: var(--edge); stroke-width: .7; }
details { border: 1px solid var(--line); border-radius: .4rem; padding: .3rem .8rem; margin: .4rem 0; }
summary { cursor: pointer; padding: .2rem 0; font-weight: 600; }
dl { display: grid; grid-template-columns: minmax(8rem, max-content) 1fr; gap: .1rem 1rem; font-size: .875rem; }
dt { font-weight: 600; } dd { margin: 0; }
@media (max-width: 40rem) { dl { grid-template-columns: 1fr; } dd { margin: 0 0 .4rem; } }
@media print { details:not([open]) { display: none; } body { max-width: none; } nav { display: none; } }
"""

_LONG = 20  # characters of the width of a heading from which its texts are long


def escape(text: object) -> str:
    """A text as HTML has it, in elements and in attributes, without what does not print.

    >>> escape('<b "x">' + chr(27))
    '&lt;b &quot;x&quot;&gt; '
    """
    return _escape(printable(str(text)), quote=True)


def document(title: str, body: Iterable[str]) -> str:
    """A whole page. Its policy keeps a browser from loading or running anything, whatever is in it."""
    return "".join(
        [
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n',
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n",
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n',
            '<meta name="generator" content="valet_xl">\n',
            f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n",
            *body,
            "</body>\n</html>\n",
        ]
    )


def table(
    listing: Listing,
    caption: str,
    *,
    links: Mapping[tuple[int, str], str] | None = None,
    faded: int | None = None,
    own: int = -1,
    feet: Sequence[Mapping[str, str]] = (),
) -> str:
    """A table for people.

    Parameters
    ----------
    listing : the table; its first column of texts names the rows
    caption : what it shows
    links : the place on the page that a cell leads to, by row and heading
    faded : the row from which on all are grey
    own : the row that is marked
    feet : rows under it: texts by the names of headings
    """
    links = links or {}
    headings = listing.headings
    naming = next((at for at, heading in enumerate(headings) if heading.format == "@"), -1)
    head = "".join(
        f'<th scope="col"{_kind(each)} title="{escape(each.says)}">{escape(each.name)}</th>' for each in headings
    )
    rows = []
    for at, cells in enumerate(listing.rows):
        looks = " ".join(
            name for name, there in (("faded", faded is not None and at >= faded), ("own", at == own)) if there
        )
        out = []
        for column, (heading, cell) in enumerate(zip(headings, cells, strict=True)):
            text = escape(shown(cell, heading.format))
            if (target := links.get((at, heading.name))) is not None:
                text = f'<a href="#{target}">{text}</a>'
            tag, scope = ("th", ' scope="row"') if column == naming and text else ("td", "")
            out.append(f"<{tag}{scope}{_kind(heading)}>{text}</{tag}>")
        rows.append(f"<tr{_class(looks)}>{''.join(out)}</tr>\n")
    under = []
    for foot in feet:
        cells_of_foot = []
        for at, heading in enumerate(headings):
            tag, scope = ("th", ' scope="row"') if at == naming else ("td", "")
            cells_of_foot.append(f"<{tag}{scope}{_kind(heading)}>{escape(foot.get(heading.name, ''))}</{tag}>")
        under.append(f"<tr>{''.join(cells_of_foot)}</tr>\n")
    last = f"<tfoot>{''.join(under)}</tfoot>\n" if under else ""
    return (
        f'<div class="wide" role="region" aria-label="{escape(caption)}" tabindex="0"><table><caption>{escape(caption)}'
        f"</caption>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{''.join(rows)}</tbody>\n{last}</table></div>\n"
    )


def figure(drawing: str, caption: str) -> str:
    """A chart and what it shows."""
    return f"<figure>{drawing}<figcaption>{escape(caption)}</figcaption></figure>\n"


def folded(summary: str, content: str, place: str = "") -> str:
    """Something that opens on a click, and when a link leads to its place."""
    there = f' id="{place}"' if place else ""
    return f"<details><summary>{escape(summary)}</summary><div{there}>\n{content}</div></details>\n"


def paragraph(lines: Iterable[str], looks: str = "") -> str:
    """Sentences one after the other."""
    return f"<p{_class(looks)}>{' '.join(map(escape, lines))}</p>\n"


def _kind(heading: Heading) -> str:
    if heading.format != "@":
        return ""
    return ' class="text long"' if heading.width >= _LONG else ' class="text"'


def _class(looks: str) -> str:
    return f' class="{looks}"' if looks else ""
