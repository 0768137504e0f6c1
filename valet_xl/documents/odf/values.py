"""What the cells of an OpenDocument spreadsheet contain, by the attributes and texts that they have."""

from __future__ import annotations

import datetime
import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from valet_xl.documents.odf.names import CALC, COVERED, OFFICE, TABLE
from valet_xl.documents.ooxml.sheet_data import NOT_COMPUTED
from valet_xl.documents.page import Cell
from valet_xl.errors import FileError

TYPE, FORMULA = f"{OFFICE}value-type", f"{TABLE}formula"
ROWS, COLUMNS = f"{TABLE}number-rows-repeated", f"{TABLE}number-columns-repeated"
LOOK_OF_ROW = f"{TABLE}default-cell-style-name"
_STYLE_NAME, _CALC_TYPE, _STRING = f"{TABLE}style-name", f"{CALC}value-type", f"{OFFICE}string-value"
_SPANNED = tuple(  # what says how many columns, and how many rows, a cell covers or its formula fills
    frozenset((f"{TABLE}number-{what}-spanned", f"{TABLE}number-matrix-{what}-spanned")) for what in ("columns", "rows")
)
_LAYOUT = re.compile(r"[ \t\r\n]+")
_REPEATED = re.compile("[0-9]{1,9}")
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_DATE = re.compile(r"(\d{4}-\d\d-\d\d)(?:(T\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?)?", re.ASCII)
_DURATION = re.compile(
    r"(-?)P(?:(\d{1,9})D)?(?:T(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})(\.\d{1,15})?S)?)?", re.ASCII
)
_DAY = 86_400  # seconds


class CellForm(NamedTuple):
    """A cell as it is written, in whichever places: sheets repeat most of their cells. Bytes count from its first.

    value : what it contains
    used : whether the sheet is used up to it, though it may show nothing
    repeats : how many columns it is repeated over
    style : its own; "" for none
    covered, spans : whether another cell covers it, and the columns and rows that it covers or its formula fills
    formula : whether it has one
    size : how many bytes it has
    inside, inside_end : where its content begins and ends
    texts : where each of its paragraphs begins and ends
    keeps : whether there is anything in it besides its text
    wrong : why it cannot be read; "" if it can
    """

    value: Cell
    used: bool
    repeats: int
    style: str
    covered: bool
    spans: tuple[int, int]
    formula: bool
    size: int
    inside: int
    inside_end: int
    texts: tuple[int, ...]
    keeps: bool
    wrong: str

    def kept(self, data: bytes, start: int) -> bytes:
        """What is in a cell of this form besides its text, such as a comment."""
        edges = [self.inside, *self.texts, self.inside_end]
        return b"".join(data[start + edges[at] : start + edges[at + 1]] for at in range(0, len(edges), 2))


def form_of(
    name: str,
    attributes: Mapping[str, str],
    said: Sequence[str],
    texts: tuple[int, ...],
    size: int,
    inside: int,
    inside_end: int,
) -> CellForm:
    """The form of a cell.

    Parameters
    ----------
    name, attributes : its own, as expat gives them
    said : its paragraphs
    texts, size, inside, inside_end : as in `CellForm`
    """
    count, wrong = repeated(attributes, COLUMNS) if COLUMNS in attributes else (1, "")
    formula = FORMULA in attributes
    used = bool(said) or formula or TYPE in attributes
    value: Cell = None
    if used:
        try:
            value = _value(attributes, "\n".join(said), bool(said))
        except FileError as error:
            wrong = wrong or str(error)
    spans = 1, 1
    if not (_SPANNED[0].isdisjoint(attributes) and _SPANNED[1].isdisjoint(attributes)):
        wide, high = (max(repeated(attributes, each)[0] for each in names) for names in _SPANNED)
        spans = wide, high
    style, covered = attributes.get(_STYLE_NAME, ""), name == COVERED
    keeps = inside_end - inside > sum(texts[1::2]) - sum(texts[::2])
    about = used, count, style, covered, spans, formula
    return CellForm(value, *about, size, inside, inside_end, texts, keeps, wrong)


def with_number(form: CellForm, value: float, longer: int, text: int) -> CellForm:
    """The form of a cell with a number and one paragraph, but with another number.

    Parameters
    ----------
    longer : by how many bytes the number is longer in the start tag
    text : how many bytes the paragraph has
    """
    inside = form.inside + longer
    end = inside + text
    size = end + form.size - form.inside_end
    about = form[1:7]
    return CellForm(value, *about, size, inside, end, (inside, end), form.keeps, form.wrong)


def laid_out(text: str) -> str:
    """A part of a paragraph's text: spaces and line ends are one space, however many there are in the XML."""
    return _LAYOUT.sub(" ", text)


def repeated(attributes: Mapping[str, str], name: str) -> tuple[int, str]:
    """How often something is repeated, and why that cannot be read: then it is there once."""
    text = attributes.get(name, "1")
    if not _REPEATED.fullmatch(text) or not int(text):
        return 1, f"invalid {name.partition('}')[2]}: {text!r} (1 or more expected)"
    return int(text), ""


def _value(cell: Mapping[str, str], text: str, has_text: bool) -> Cell:
    """What a cell contains.

    Parameters
    ----------
    cell : its attributes
    text : what it shows
    has_text : whether it has a paragraph at all
    """
    kind = cell.get(TYPE, "")
    if cell.get(_CALC_TYPE) == "error":
        return text or None
    if kind in _READ:
        attribute, read = _READ[kind]
        said = cell.get(attribute)
        return read(said) if said else None
    if not kind and not has_text:
        formula = re.sub(r"\A\w+:(?==)", "", cell[FORMULA])
        return f"{formula}{NOT_COMPUTED}"
    return cell.get(_STRING, text) or None


def _number(text: str) -> Cell:
    """A number; as a text where it has no end."""
    if not _NUMBER.fullmatch(text):
        raise FileError(f"cannot be read, a cell has the number {text[:40]!r}")
    number = float(text)
    return number if math.isfinite(number) else text


def _date(text: str) -> Cell:
    """A date, with its time if it has one; a text that is none stays one.

    >>> _date("2026-04-03"), _date("2026-04-03T18:30:00.5"), _date("2026-04-31")
    (datetime.date(2026, 4, 3), datetime.datetime(2026, 4, 3, 18, 30, 0, 500000), '2026-04-31')
    """
    found = _DATE.fullmatch(text)
    if found is None:
        return text
    day, time, fraction = found.groups()
    try:
        if time is None:
            return datetime.date.fromisoformat(day)
        return datetime.datetime.fromisoformat(f"{day}{time}.{(fraction or '0'):0<6.6}")
    except ValueError:
        return text


def _time(text: str) -> Cell:
    """A time of the day, another duration in days; a text that is none stays one.

    >>> _time("PT18H30M"), _time("PT36H"), _time("noon")
    (datetime.time(18, 30), 1.5, 'noon')
    """
    seconds = _seconds(text)
    if seconds is None:
        return text
    if not 0 <= seconds < _DAY:
        return seconds / _DAY
    microseconds = min(round(seconds * 1e6), _DAY * 1_000_000 - 1)
    return (datetime.datetime.min + datetime.timedelta(microseconds=microseconds)).time()


def _seconds(duration: str) -> float | None:
    """A duration in seconds; None for what is none.

    >>> _seconds("PT42H00M00.5S"), _seconds("-P1D"), _seconds("noon")
    (151200.5, -86400.0, None)
    """
    found = _DURATION.fullmatch(duration)
    if found is None:
        return None
    sign, *parts = found.groups(default="0")
    days, hours, minutes, seconds, fraction = map(float, parts)
    return (-1 if sign == "-" else 1) * (((days * 24 + hours) * 60 + minutes) * 60 + seconds + fraction)


_READ: dict[str, tuple[str, Callable[[str], Cell]]] = {
    **dict.fromkeys(("float", "percentage", "currency"), (f"{OFFICE}value", _number)),
    "boolean": (f"{OFFICE}boolean-value", lambda text: text.lower() == "true"),
    "date": (f"{OFFICE}date-value", _date),
    "time": (f"{OFFICE}time-value", _time),
}
"""By the type of a cell, the attribute that has its value, and what reads that."""
