"""The functions as a sheet sees them, cells in and cells out, and their registry, from which every host takes them."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import chain
from typing import Any

import numpy as np

from valet_xl.butler import ROUNDINGS, RULES, butler, datum, par
from valet_xl.comparison import DIVISORS, cross_imps, matchpoint_percent, matchpoints
from valet_xl.errors import ValetError
from valet_xl.laws import IMP_ROUNDINGS, Floats, imps
from valet_xl.results import Results, Status
from valet_xl.rows import RESULTS_ARE, read_rows
from valet_xl.scoring import Options
from valet_xl.scoring_sheet import read_grid
from valet_xl.valet import LEADS, METHODS, valet

LONGEST_TEXT = 255  # characters that the function wizards show


class CellError(ValetError):
    """An argument that a worksheet function cannot use; the sheet shows #VALUE!."""


class ErrorCell(Enum):
    """A cell that is an error, to be shown as the host's own error value."""

    VALUE = "#VALUE!"


class Missing(Enum):
    """An argument that was left out."""

    ARGUMENT = "left out"


_NUMERIC = {float, int, type(None)}
Cell = float | str | bool | None | ErrorCell
Cells = list[list[Cell]]


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of a worksheet function.

    name, sentence : what it is called, and what it is, for the function wizards
    read : makes of a cell or a block of cells, as a host hands it over, what the function takes
    default : what the function takes where the argument is left out or a single blank cell; Missing for a required one
    """

    name: str
    sentence: str
    read: Callable[[object], Any]
    default: Any = Missing.ARGUMENT

    @property
    def optional(self) -> bool:
        """Whether it may be left out."""
        return self.default is not Missing.ARGUMENT


@dataclass(frozen=True, slots=True)
class Function:
    """A worksheet function: its name, what computes it, one sentence, its arguments, what it gives, and an example."""

    name: str
    compute: Callable[..., Any]
    sentence: str
    arguments: tuple[Argument, ...]
    result: str
    example: str

    def __call__(self, *values: object) -> Cells:
        """Compute from what a host hands over, a cell or a block of cells for each argument, Missing.ARGUMENT for none.

        Returns
        -------
        a block of cells, of which a single value is the only one; an argument that cannot be used gives one #VALUE!
        """
        try:
            return _block(self.compute(*self.read(values)))
        except ValueError:
            return [[ErrorCell.VALUE]]

    @property
    def usage(self) -> str:
        """The function with its arguments, those that may be left out in brackets.

        >>> REGISTRY["VALET_IAF"].usage
        'VALET_IAF(scores, [divisor])'
        """
        names = (f"[{argument.name}]" if argument.optional else argument.name for argument in self.arguments)
        return f"{self.name}({', '.join(names)})"

    def read(self, values: Sequence[object]) -> list[Any]:
        """The function's arguments from a host's.

        Raises
        ------
        CellError : where one cannot be used, or too many or too few are there
        """
        if len(values) > len(self.arguments):
            raise CellError(f"{self.name}: {len(values)} arguments (expected at most {len(self.arguments)})")
        padded = (*values, *[Missing.ARGUMENT] * (len(self.arguments) - len(values)))
        return [self._argument(argument, value) for argument, value in zip(self.arguments, padded, strict=True)]

    def _argument(self, argument: Argument, value: object) -> Any:
        if value is Missing.ARGUMENT and not argument.optional:
            raise CellError(f"{self.name}: no {argument.name} (expected {argument.sentence})")
        if argument.optional and (value is Missing.ARGUMENT or as_cells(value) == [[None]]):
            return argument.default
        try:
            return argument.read(value)
        except CellError as error:
            raise CellError(f"{self.name}, {argument.name}: {error}") from error


REGISTRY: dict[str, Function] = {}


def worksheet_function(
    name: str, result: str, example: str, *arguments: Argument
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register a function under its name in sheets; the first line of its docstring is the sentence that explains it.

    Raises
    ------
    ValueError : for a name that sheets take for a cell, a text that is missing or too long for the function wizards, or
        arguments that are not the function's own by place
    """

    def register(compute: Callable[..., Any]) -> Callable[..., Any]:
        sentence = (inspect.getdoc(compute) or "").split("\n", 1)[0]
        function = Function(name, compute, sentence, arguments, result, example)
        check(function)
        REGISTRY[name] = function
        return compute

    return register


def check(function: Function) -> None:
    """Refuse a function that a host could not offer (see `worksheet_function`)."""
    name = function.name
    if not re.fullmatch(r"[A-Z][A-Z0-9_]{2,30}", name):
        raise ValueError(f"{name}: no name for a function (expected capitals, digits and _)")
    if re.fullmatch(r"[A-Z]{1,3}[0-9]+|R[0-9]*C[0-9]*", name):
        raise ValueError(f"{name}: is the address of a cell")
    if name in REGISTRY:
        raise ValueError(f"{name}: is registered already")
    texts = [function.sentence, function.result, function.example]
    texts += [text for argument in function.arguments for text in (argument.name, argument.sentence)]
    for text in texts:
        if not text or len(text) > LONGEST_TEXT:
            raise ValueError(f"{name}: text of {len(text)} characters (expected 1 to {LONGEST_TEXT}): {text!r}")
    parameters = inspect.signature(function.compute).parameters.values()
    if any(parameter.kind is not parameter.POSITIONAL_OR_KEYWORD for parameter in parameters):
        raise ValueError(f"{name}: has arguments that cannot be given by place")
    if [parameter.name for parameter in parameters] != [argument.name for argument in function.arguments]:
        raise ValueError(f"{name}: arguments do not match the function's")
    optional = [argument.optional for argument in function.arguments]
    if optional != sorted(optional):
        raise ValueError(f"{name}: a required argument after an optional one")


# -- cells to values


def as_cells(value: Any) -> Cells:
    """A host's value as a block of cells: rows of cells, an empty text as blank.

    >>> as_cells(((1.0, ""),))
    [[1.0, None]]
    """
    rows = value if isinstance(value, (list, tuple)) else [[value]]
    blocks = (row if isinstance(row, (list, tuple)) else [row] for row in rows)
    return [[None if cell == "" else cell for cell in row] for row in blocks]


def _numbers(value: Any) -> Floats:
    """A block of numbers, NaN for blank."""
    rows = value
    if not isinstance(value, list) or not isinstance(value[0], list) or not _numeric(value):
        rows = as_cells(value)
        if not _numeric(rows):
            cell = next(cell for row in rows for cell in row if type(cell) not in _NUMERIC)
            raise CellError(f"{_shown(cell)} (expected numbers)")
    if len(set(map(len, rows))) > 1:
        raise CellError("rows of unequal lengths (expected a block)")
    return np.array(rows, dtype=np.float64)


def _numeric(rows: Sequence[Sequence[object]]) -> bool:
    return set(map(type, chain.from_iterable(rows))) <= _NUMERIC


def _single(value: object) -> Cell:
    cells = as_cells(value)
    if len(cells) != 1 or len(cells[0]) != 1:
        raise CellError("a range (expected one cell)")
    return cells[0][0]


def _number(value: object) -> float:
    cell = _single(value)
    if isinstance(cell, bool) or not isinstance(cell, (int, float)) or not math.isfinite(cell):
        raise CellError(f"{_shown(cell)} (expected a number)")
    return float(cell)


def _switch(value: object) -> bool:
    cell = _single(value)
    if cell not in (0, 1, True, False):
        raise CellError(f"{_shown(cell)} (expected TRUE or FALSE)")
    return bool(cell)


def _shown(cell: object) -> str:
    return cell.value if isinstance(cell, ErrorCell) else repr(cell)


def _block(value: object) -> Cells:
    """Cells from what a function computed: an array, a list of texts (a column), or a single value."""
    if isinstance(value, np.ndarray):
        rows = value.tolist() if value.ndim == 2 else [[cell] for cell in value.tolist()]
        return [[None if cell != cell else cell for cell in row] for row in rows]  # noqa: PLR0124 - NaN is not itself
    if isinstance(value, list):
        return value if value and isinstance(value[0], list) else [[cell] for cell in value]
    return [[None if isinstance(value, float) and math.isnan(value) else value]]  # type: ignore[list-item]


def block(name: str, sentence: str) -> Argument:
    """An argument that takes a block of numbers, with blanks."""
    return Argument(name, sentence, _numbers)


def cells(name: str, sentence: str, default: Any = Missing.ARGUMENT) -> Argument:
    """An argument that takes a block of any cells."""
    return Argument(name, sentence, as_cells, default)


def number(name: str, sentence: str, default: Any = Missing.ARGUMENT) -> Argument:
    """An argument that takes one number."""
    return Argument(name, sentence, _number, default)


def switch(name: str, sentence: str) -> Argument:
    """An argument that takes TRUE or FALSE, FALSE if left out."""
    return Argument(name, f"{sentence} (FALSE)", _switch, False)


def word(name: str, sentence: str, words: Collection[str], default: str) -> Argument:
    """An argument that takes one of some words, in any case; the sentence lists them, the default first."""

    def read(given: object) -> str:
        cell = _single(given)
        text = str(cell).strip().lower() if isinstance(cell, str) else ""
        if text not in words:
            raise CellError(f"{_shown(cell)} (expected one of {', '.join(words)})")
        return text

    others = ", ".join(other for other in words if other != default)
    return Argument(name, f"{sentence}: {default}, {others}", read, default)


# -- the functions

_SCORES = block("scores", "North-South scores of one board, blank where not played")
_RULE = word("rule", "the datum", RULES, "mean")
_LEAVE_OUT = number("leave_out", "for a trimmed datum: scores left out at each end (1), or a share such as 0.05", None)
_ROUNDING = word("rounding", "of the datum", ROUNDINGS, "none")
_RESULTS = cells("results", "results with their heading row: Board, Contract, By, Tricks or Result; Lead, Vul, Round")
_METHOD = word("method", "what the parts are parts of", METHODS, "iaf")
_LEAD = word("lead", "which leads are alike", LEADS, "suit")
_CLOUD = switch("cloud", "compare with what the others' contracts are worth")


@worksheet_function(
    "VALET_SCORE",
    "points, the shape of contract",
    '=VALET_SCORE("4S","E","+1","EW")',
    cells("contract", "contracts such as 4SX, or with declarer and result in them, W3NT+2"),
    cells("declarer", "N, E, S or W, as many cells as contract or one for all", None),
    cells("result", "against the contract (=, +1, -2), or tricks if result_is says so", None),
    cells("vulnerability", "None, NS, EW or Both, as many cells as contract or one for all", None),
    word("result_is", "what result holds", RESULTS_ARE, "made"),
)
def valet_score(
    contract: Cells, declarer: Cells | None, result: Cells | None, vulnerability: Cells | None, result_is: str
) -> Cells:
    """North-South's score of a contract, or of many at once."""
    width = len(contract[0])
    flat = [cell for row in contract for cell in row]

    def beside(given: Cells | None, blank: Cell = None) -> list[Cell]:
        values = [blank] if given is None else [cell for row in given for cell in row]
        if len(values) == 1:
            values *= len(flat)
        if len(values) != len(flat):
            raise CellError(f"{len(values)} cells beside {len(flat)} contracts (expected as many, or one)")
        return [
            None if cell is None else blank if value is None else value
            for cell, value in zip(flat, values, strict=True)
        ]

    fields: dict[str, Sequence[object]] = {
        "contract": [_plain(cell) for cell in flat],
        "declarer": beside(declarer),
        "result": beside(result),
        "vulnerability": beside(vulnerability, "None"),
        "board": list(range(1, len(flat) + 1)),  # a board each: they are not compared
    }
    results = read_rows(fields, range(len(flat)), result_is=result_is)
    column = _down(results, results.score, len(flat), first=0)
    return [column[at : at + width] for at in range(0, len(flat), width)]


@worksheet_function(
    "VALET_IMP",
    "IMPs, the shape of difference",
    "=VALET_IMP(430)",
    block("difference", "differences in points"),
    word("rounding", "of a difference that is no multiple of 10", IMP_ROUNDINGS, "nearest"),
)
def valet_imp(difference: Floats, rounding: str) -> Floats:
    """International match points for a difference in points."""
    return np.asarray(imps(difference, rounding))


@worksheet_function(
    "VALET_PAR",
    "points",
    "=VALET_PAR(B2:B23)",
    _SCORES,
    number("delta", "the par is a multiple of this many points (10)", 10.0),
)
def valet_par(scores: Floats, delta: float) -> float:
    """The zero-sum Butler par of a board, as the VBA function par of 2009 computes it."""
    return par(scores, delta)


@worksheet_function("VALET_DATUM", "points", '=VALET_DATUM(B2:B23,"trimmed")', _SCORES, _RULE, _LEAVE_OUT, _ROUNDING)
def valet_datum(scores: Floats, rule: str, leave_out: float | None, rounding: str) -> float:
    """The datum of a board."""
    datums = datum(scores, rule, leave_out, rounding)
    played = datums[~np.isnan(datums)]
    return float(played[0]) if played.size else math.nan


@worksheet_function(
    "VALET_BUTLER",
    "IMPs, the shape of scores",
    '=VALET_BUTLER(B2:B23,"trimmed",1,"nearest")',
    *(_SCORES, _RULE, _LEAVE_OUT, _ROUNDING),
    switch("double", "half the IMPs of twice the difference"),
)
def valet_butler(scores: Floats, rule: str, leave_out: float | None, rounding: str, double: bool) -> Floats:
    """Butler scores of a board: IMPs against its datum."""
    return butler(scores, rule, leave_out, rounding, double)


@worksheet_function(
    "VALET_IAF",
    "IMPs, the shape of scores",
    "=VALET_IAF(B2:B23)",
    _SCORES,
    word("divisor", "what the sum of IMPs is divided by, n being the number of scores", DIVISORS, "n-1"),
)
def valet_iaf(scores: Floats, divisor: str) -> Floats:
    """Cross-IMPs (IMPs across the field) of a board: each score against all others."""
    return cross_imps(scores, divisor)


_EXPECTED = number("expected", "scores that the board should have, if some were adjusted (Neuberg)", None)


@worksheet_function("VALET_MP", "matchpoints, the shape of scores", "=VALET_MP(B2:B23)", _SCORES, _EXPECTED)
def valet_mp(scores: Floats, expected: float | None) -> Floats:
    """Matchpoints of a board: 2 for each score beaten, 1 for each equalled."""
    return matchpoints(scores, expected)


@worksheet_function(
    "VALET_MP_PERCENT", "per cent, the shape of scores", "=VALET_MP_PERCENT(B2:B23)", _SCORES, _EXPECTED
)
def valet_mp_percent(scores: Floats, expected: float | None) -> Floats:
    """Matchpoints of a board as percentages."""
    return matchpoint_percent(scores, expected)


PARTS = ("overall", "bid", "play", "lead", "defence")


def _components(results: Cells, method: str, lead: str, cloud: bool, parts: Sequence[str]) -> Cells:
    """Columns of the parts, a row for each row under the headings."""
    reading = read_grid(results, Options(method=method, lead=lead, cloud=cloud))
    computed = valet(reading.results, method, cloud, lead)
    first = reading.headings.row + 2
    size = len(results) - reading.headings.row - 1
    columns = [_down(reading.results, getattr(computed, part), size, first) for part in parts]
    return [list(row) for row in zip(*columns, strict=True)] or [[None] * len(parts)]


@worksheet_function(
    "VALET_COMPONENTS",
    "overall, bid, play (the declaring side's), lead, defence: a row a result",
    "=VALET_COMPONENTS(A1:F105)",
    *(_RESULTS, _METHOD, _LEAD, _CLOUD),
)
def valet_components(results: Cells, method: str, lead: str, cloud: bool) -> Cells:
    """The Valet split of every result: overall, bid, play, lead and defence, a row for each row under the headings."""
    return _components(results, method, lead, cloud, PARTS)


def _register_part(part: str, sentence: str) -> None:
    def compute(results: Cells, method: str, lead: str, cloud: bool) -> Cells:
        return _components(results, method, lead, cloud, (part,))

    compute.__doc__ = sentence
    name = f"VALET_{part.upper()}"
    worksheet_function(name, "a row a result", f"={name}(A1:F105)", _RESULTS, _METHOD, _LEAD, _CLOUD)(compute)


_register_part("bid", "What the declaring side's bidding was worth in each result.")
_register_part("play", "What declarer's play was worth in each result.")
_register_part("lead", "What the opening lead was worth in each result, to the defenders.")
_register_part("defence", "What the rest of the defence was worth in each result.")


@worksheet_function(
    "VALET_CHECK", "a line for each row that is wrong, or one that says all is well", "=VALET_CHECK(A1:F105)", _RESULTS
)
def valet_check(results: Cells) -> list[Cell]:
    """What is wrong in the rows of results: the row of the range, the column, what it holds and what was expected."""
    try:
        found = read_grid(results, Options()).results
    except ValetError as error:
        return [str(error)]
    if not found.errors:
        played = int(np.count_nonzero(found.in_field))
        return [f"nothing wrong: {played} results on {len(found.boards)} boards"]
    return [str(error) for error in found.errors]


def _down(results: Results, values: Floats, size: int, first: int) -> list[Cell]:
    """A cell for each of the rows from the row `first` on: a value, blank, or an error where the row is one."""
    column: list[Cell] = [None] * size
    for row, value, status in zip(results.row.tolist(), values.tolist(), results.status.tolist(), strict=True):
        if status == Status.ERROR:
            column[row - first] = ErrorCell.VALUE
        elif not math.isnan(value):
            column[row - first] = value
    return column


def _plain(cell: Cell) -> Cell:
    return cell.value if isinstance(cell, ErrorCell) else cell
