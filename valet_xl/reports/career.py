"""Careers as a workbook and as a page: strengths, components of variance, forecasts, and how they were made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from valet_xl.messages import counted
from valet_xl.rankings.career import COLUMNS, Career
from valet_xl.rankings.career_tables import career_listing, components_listing, order_of
from valet_xl.rankings.forecast import Forecast, forecast_listing
from valet_xl.rankings.listing import Heading, Listing, Value
from valet_xl.reports.book import COLOURS, Book
from valet_xl.reports.html import document, escape, figure, paragraph, table
from valet_xl.reports.svg import intervals
from valet_xl.version import __version__

ROWS = 20_000  # that a workbook lists
ON_PAGE = 2_000  # that a page lists
DRAWN = 40  # of the first, in the chart
MODEL = (
    "A strength is what one scores above the average of all, drawn to it as far as chance requires by these events.",
    "SE: standard error; Low and High: 95 % interval.",
)
_PARTS = "What varies, as standard deviations, and how reliable that makes the average of one event."
_FORECASTS = "Each event forecast from those before it alone, and how much of what came that explains."


def career_book(career: Career, title: str, order: str, minimum: int | None, found: Sequence[Forecast] = ()) -> bytes:
    """The bytes of an .xlsx workbook; the parameters are those of `career_listing`, and forecasts if there are any."""
    book = Book(title)
    sheets: list[tuple[str, str, tuple[str, ...], Listing]] = [
        (
            "Strengths",
            title,
            (" ".join([_said(career), *MODEL]), " ".join(_reliable(career))),
            career_listing(career, order, minimum).slice(0, ROWS),
        )
    ]
    sheets.append(("Components", "Components of variance", (_PARTS,), components_listing(career)))
    if found:
        sheets.append(("Forecasts", "Forecasts of the next event", (_FORECASTS,), forecast_listing(found)))
    sheets.append(("About", "About these figures", (), _about(career, [each for *_, each in sheets])))
    for (name, heading, remarks, listing), colour in zip(sheets, COLOURS.values(), strict=False):
        book.table(book.sheet(book.names.give(name), heading, remarks, colour), listing, wrapped=name == "About")
    return book.close()


def career_page(career: Career, title: str, order: str, minimum: int | None, found: Sequence[Forecast] = ()) -> bytes:
    """The bytes of an HTML file that needs nothing but itself."""
    return document(title, _body(career, title, order, minimum, found)).encode("utf-8")


def _body(career: Career, title: str, order: str, minimum: int | None, found: Sequence[Forecast]) -> Iterator[str]:
    yield f"<header><h1>{escape(title)}</h1></header>\n<main>\n<h2>Strengths</h2>\n"
    yield paragraph([_said(career), *MODEL, *_reliable(career)], "soft")
    rows, places = order_of(career, order, minimum)
    first = rows[places > 0][:DRAWN]
    unit = "per cent" if career.in_percent else "IMPs"
    factor = 50.0 if career.in_percent else 1.0
    solved = career.columns[order].solved
    if len(first) and not np.isnan(solved.error[first]).all():
        low, high = career.interval(order)
        names = [f"{place}  {name}" for place, name in zip(places[places > 0], career.names[first], strict=False)]
        says = f"The strengths of the first {len(first)} in {COLUMNS[order]}, {unit} above the average of all"
        drawing = intervals(
            names,
            factor * solved.strength[first],
            factor * low[first],
            factor * high[first],
            f"{unit} above average",
            says,
        )
        yield figure(drawing, f"{says}, with their 95 % intervals.")
    listing = career_listing(career, order, minimum).slice(0, ON_PAGE)
    kept = listing.only([heading.name for heading in listing.headings if heading.need <= 3])
    feet = []
    for says, shares in _reliabilities(career).items():
        feet.append({COLUMNS[name]: f"{share:.2f}" for name, share in shares.items()} | {kept.names[1]: says})
    yield table(kept, "Strengths", faded=int(np.count_nonzero(places[:ON_PAGE])), feet=feet)
    yield f"<h2>Components of variance</h2>\n{paragraph([_PARTS], 'soft')}"
    components = components_listing(career)
    yield table(components, "Components of variance")
    if found:
        yield f"<h2>Forecasts of the next event</h2>\n{paragraph([_FORECASTS], 'soft')}"
        yield table(forecast_listing(found), "Forecasts of the next event")
    yield "<h2>About these figures</h2>\n<dl>"
    for what, value in _about(career, [kept, components, *([forecast_listing(found)] if found else [])]).rows:
        yield f"<dt>{escape(what)}</dt><dd>{escape(value)}</dd>"
    yield "</dl>\n</main>\n"


def _said(career: Career) -> str:
    kind = career.who.removesuffix("s")
    return (
        f"{counted(len(career.names), kind)}, {counted(len(career.labels), 'event')}; "
        f"{career.repeated:,} played in more than one."
    )


def _reliabilities(career: Career) -> dict[str, dict[str, float]]:
    """How reliable the average of one event is in each column, by what is said of it; what is not known is left out."""
    columns = career.columns.items()
    found = {
        "Reliability of the average of one event": {name: column.reliability() for name, column in columns},
        "The same by halves of the event": {name: column.halves for name, column in columns},
    }
    return {
        says: {name: share for name, share in shares.items() if not np.isnan(share)} for says, shares in found.items()
    }


def _reliable(career: Career) -> list[str]:
    """The same in sentences."""
    return [
        f"{says}: {', '.join(f'{COLUMNS[name]} {share:.2f}' for name, share in shares.items())}."
        for says, shares in _reliabilities(career).items()
    ]


def _about(career: Career, listings: Sequence[Listing]) -> Listing:
    said: list[tuple[str, Value]] = [("Program", f"valet_xl {__version__}, numpy {np.__version__}")]
    said += [(f"Event {at}", label) for at, label in enumerate(career.labels, start=1)]
    said += [(f"Column {heading.name}", heading.says) for listing in listings for heading in listing.headings]
    headings = (Heading("What", "", "@", 24), Heading("Is", "", "@", 110))
    return Listing(headings, ([what for what, _ in said], [value for _, value in said]))
