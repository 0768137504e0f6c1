"""The registry of worksheet functions, from which every host takes them: cells in, cells out."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import chain
from typing import Any

import numpy as np

from valet_xl.engine.arrays import NO_MORE_THAN_ROUNDING, Floats
from valet_xl.errors import ValetError
from valet_xl.messages import counted

LONGEST_TEXT = 255  # characters that the function wizards show
MOST = (
    1e15  # the size of a number in a cell: so many a sheet shows to the unit, and no sum or product of them overflows
)


class CellError(ValetError):
    """An argument that a worksheet function cannot use; the sheet shows #VALUE!."""


class ErrorCell(Enum):
    """A cell that is an error, to be shown as the host's own error value."""

    VALUE = "#VALUE!"


class Missing(Enum):
    """An argument that was left out."""

    ARGUMENT = "left out"


Cell = float | str | bool | None | ErrorCell
Cells = list[list[Cell]]
Quick = Callable[..., list[float] | float | None]

MOST_QUICK = 64  # numbers that are computed without arrays
_ROWS = frozenset({list, tuple})
_FLOATS = frozenset({float})


class Kind(Enum):
    """What the cells of an argument contain."""

    NUMBER = "number"
    SWITCH = "TRUE or FALSE"
    WORD = "one of some words"
    TEXT = "text or number"
    ANY = "anything; the function itself says what it cannot use"
    TABLE = "a table with its heading row, as ANY; it is in cells, and no constant"


class Shape(Enum):
    """How many cells an argument takes."""

    CELL = "one cell"
    BLOCK = "a block of cells"
    COLUMN = "one column of cells"
    SAME = "as many cells as the first argument"
    SAME_OR_ONE = "as many cells as the first argument, or one"


@dataclass(frozen=True, slots=True)
class Range:
    """The numbers that an argument takes.

    least, most : the smallest and the largest
    above : whether `least` itself is refused
    whole : whether fractions are refused
    """

    least: float = -MOST
    most: float = MOST
    above: bool = False
    whole: bool = False

    def __str__(self) -> str:
        """Such as: whole numbers from 1 to 1,000.

        >>> str(Range(0, above=True)), str(Range(1, 1000, whole=True)), str(Range())
        ('numbers above 0', 'whole numbers from 1 to 1,000', 'numbers')
        """
        text = "whole numbers" if self.whole else "numbers"
        if self.least > -MOST:
            text += f" {'above' if self.above else 'from'} {self.least:,g}"
        return f"{text} to {self.most:,g}" if self.most < MOST else text

    @property
    def one(self) -> str:
        """What is said of a single number: a whole number from 1 to 1,000."""
        return f"a {self}".replace("numbers", "number", 1)

    def has(self, values: Sequence[float]) -> bool:
        """Whether all of some numbers are among these, by a look at the least and the greatest; False where in doubt.

        >>> Range(0, 100).has([1.0, 99.5]), Range(0, whole=True).has([1.0])
        (True, False)
        """
        return not self.above and not self.whole and self.least <= min(values) and max(values) <= self.most

    def refuse(self, values: Floats, expected: str) -> None:
        """Refuse numbers that are not among these; NaN is a blank cell, which is not refused.

        expected : what the error says instead

        Raises
        ------
        CellError : names the first of them
        """
        bad = (values < self.least) | (values > self.most)
        if self.above:
            bad |= values == self.least
        if self.whole:
            bad |= ~np.isnan(values) & (values != np.trunc(values))
        if bad.any():
            most = f" up to {MOST:g}" if abs(values[bad][0]) > MOST else ""
            raise CellError(f"{values[bad][0]:g} (expected {expected}{most})")


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of a worksheet function.

    name, sentence : what it is called, and what it is, for the function wizards
    read : makes of a cell or a block of cells, as a host hands it over, what the function takes
    default : what the function takes where the argument is left out or a single blank cell; Missing for a required one
    kind, shape : what its cells contain, and how many there are
    range : the numbers that it takes, for the kind NUMBER
    words : the words that it takes, for the kind WORD
    """

    name: str
    sentence: str
    read: Callable[[object], Any]
    default: Any = Missing.ARGUMENT
    kind: Kind = Kind.ANY
    shape: Shape = Shape.BLOCK
    range: Range = Range()
    words: tuple[str, ...] = ()

    @property
    def optional(self) -> bool:
        """Whether it may be left out."""
        return self.default is not Missing.ARGUMENT


@dataclass(frozen=True, slots=True)
class Function:
    """A worksheet function: its name, what computes it, one sentence, its arguments, what it gives, and an example.

    shape : the argument whose shape the result has; '' for a function whose result has a shape of its own
    quick : computes the same from few numbers, at most `MOST_QUICK`, row by row, and the other arguments by name. It
        gives a list or one number, `settled`, or None where it does not apply
    """

    name: str
    compute: Callable[..., Any]
    sentence: str
    arguments: tuple[Argument, ...]
    result: str
    example: str
    shape: str = ""
    quick: Quick | None = None
    _defaults: Mapping[str, Any] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Keep what `quick` gets for arguments that are left out."""
        object.__setattr__(self, "_defaults", {each.name: each.default for each in self.arguments[1:]})

    def __call__(self, *values: object) -> Cells:
        """Compute from what a host hands over, a cell or a block of cells for each argument, Missing.ARGUMENT for none.

        Returns
        -------
        a block of cells, of which a single value is the only one; an argument that cannot be used gives one #VALUE!
        """
        try:
            found = self.quickly(values)
            if found is not None:
                return list(map(list, in_rows(*found)))
            return _block(self.compute(**self.read(values)))
        except ValetError:
            return [[ErrorCell.VALUE]]

    def from_arrays(self, *values: object) -> Cells:
        """What a call gives, without `quick`.

        Raises
        ------
        ValetError : for an argument that cannot be used
        """
        return _block(self.compute(**self.read(values)))

    def quickly(self, values: Sequence[object]) -> tuple[list[float], int] | None:
        """The cells of a call computed with `quick`, row by row, and how many of them are a row; else None.

        It applies if the first argument is a block of few numbers without blanks, and the others can be used. None is
        an argument left out too.
        """
        quick = self.quick
        if quick is None or not 0 < len(values) <= len(self.arguments):
            return None
        given = _few_numbers(values[0])
        if given is None:
            return None
        flat, width = given
        others = self._defaults
        try:
            for at in range(1, len(values)):
                value = values[at]
                if value is not None and value is not Missing.ARGUMENT:
                    argument = self.arguments[at]
                    others = {**others, argument.name: self._argument(argument, value)}
        except CellError:  # the other way says so
            return None
        found = quick(flat, **others)
        if isinstance(found, list):
            return found, width
        return None if found is None else ([found], 1)

    @property
    def usage(self) -> str:
        """The function with its arguments, those that may be left out in brackets.

        >>> REGISTRY["VALET_IAF"].usage
        'VALET_IAF(scores, [divisor])'
        """
        names = (f"[{argument.name}]" if argument.optional else argument.name for argument in self.arguments)
        return f"{self.name}({', '.join(names)})"

    def read(self, values: Sequence[object]) -> dict[str, Any]:
        """The function's arguments by their names, from a host's.

        Raises
        ------
        CellError : where one cannot be used, or too many or too few are there
        """
        if len(values) > len(self.arguments):
            raise CellError(f"{self.name}: {counted(len(values), 'argument')} (expected at most {len(self.arguments)})")
        left_out = [Missing.ARGUMENT] * (len(self.arguments) - len(values))
        read = list(map(self._argument, self.arguments, [*values, *left_out]))
        for argument, value in zip(self.arguments, read, strict=True):
            if argument.shape not in _OF_A_SIZE or value is argument.default:
                continue
            try:
                _fit(argument.shape, read[0], value)
            except CellError as error:
                raise CellError(f"{self.name}, {argument.name}: {error}") from error
        return {argument.name: value for argument, value in zip(self.arguments, read, strict=True)}

    def _argument(self, argument: Argument, value: object) -> Any:
        optional = argument.default is not Missing.ARGUMENT
        if value is Missing.ARGUMENT or (optional and as_cells(value) == [[None]]):
            if not optional:
                raise CellError(f"{self.name}: no {argument.name} (expected {argument.sentence})")
            return argument.default
        try:
            return argument.read(value)
        except CellError as error:
            raise CellError(f"{self.name}, {argument.name}: {error}") from error


def _few_numbers(value: Any) -> tuple[Sequence[float], int] | None:
    """A block of few numbers without blanks, row by row, and the cells of a row; None for anything else."""
    rows = ((value,),) if type(value) is float else value
    if type(rows) not in _ROWS or not 0 < len(rows) <= MOST_QUICK or not _ROWS.issuperset(map(type, rows)):
        return None
    flat, width = rows[0], len(rows[0])
    if len(rows) > 1:
        flat = list(chain.from_iterable(rows))
        if len(flat) != width * len(rows) or set(map(len, rows)) != {width}:
            return None
    return (flat, width) if 0 < len(flat) <= MOST_QUICK and _FLOATS.issuperset(map(type, flat)) else None


def in_rows(cells: Sequence[Cell], width: int) -> Iterator[tuple[Cell, ...]]:
    """Cells that are given row by row, as rows of so many.

    >>> list(in_rows([1.0, 2.0, 3.0, 4.0], 2))
    [(1.0, 2.0), (3.0, 4.0)]
    """
    if len(cells) == width:  # an iterator for each cell of a row takes as long as to read the row
        return iter([tuple(cells)])
    return zip(*[iter(cells)] * width, strict=True)


REGISTRY: dict[str, Function] = {}


def worksheet_function(
    name: str, result: str, example: str, *arguments: Argument, shape: str = "", quick: Quick | None = None
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register a function under its name in sheets; the first line of its docstring is the sentence that explains it.

    Parameters
    ----------
    name, example, arguments, shape, quick : of the record
    result : what the function gives; the shape is added where it is an argument's

    Raises
    ------
    ValueError : for a name that sheets take for a cell, a text that is missing or too long for the function wizards, or
        arguments that are not the function's own by name
    """
    given = f"{result}, the shape of {shape}" if shape else result

    def register(compute: Callable[..., Any]) -> Callable[..., Any]:
        sentence = (inspect.getdoc(compute) or "").split("\n", 1)[0]
        function = Function(name, compute, sentence, arguments, given, example, shape, quick)
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
    if any(parameter.kind not in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY) for parameter in parameters):
        raise ValueError(f"{name}: has arguments that cannot be given by name")
    if [parameter.name for parameter in parameters] != [argument.name for argument in function.arguments]:
        raise ValueError(f"{name}: arguments do not match the function's")
    optional = [argument.optional for argument in function.arguments]
    if optional != sorted(optional):
        raise ValueError(f"{name}: a required argument after an optional one")


_OF_A_SIZE = frozenset({Shape.COLUMN, Shape.SAME, Shape.SAME_OR_ONE})


def _fit(shape: Shape, first: Any, value: Any) -> None:
    """Make sure that an argument has as many cells as it should have, all arguments being read.

    Raises
    ------
    CellError : where it has not, and where one blank cell is to count for several that are not
    """
    if shape is Shape.COLUMN and _size(value)[1] != 1:
        raise CellError("several columns (expected one)")
    if shape not in (Shape.SAME, Shape.SAME_OR_ONE):
        return
    size, wanted = _size(value), _size(first)
    if size == (1, 1) and shape is Shape.SAME_OR_ONE:
        if isinstance(value, np.ndarray) and np.isnan(value).all() and not _blank(first):
            raise CellError("a blank cell (expected a number)")
    elif size != wanted and (isinstance(value, np.ndarray) or math.prod(size) != math.prod(wanted)):
        one = ", or one" if shape is Shape.SAME_OR_ONE else ""
        raise CellError(f"{_sized(size)} next to {_sized(wanted)} (expected as many{one})")


def _size(value: Any) -> tuple[int, int]:
    """Rows and columns of what an argument was read to."""
    return value.shape if isinstance(value, np.ndarray) else (len(value), len(value[0]))


def _sized(size: tuple[int, int]) -> str:
    return f"{size[0]} x {size[1]} cells"


def _blank(value: Any) -> bool:
    return (
        bool(np.isnan(value).all())
        if isinstance(value, np.ndarray)
        else all(cell is None for row in value for cell in row)
    )


def as_block(value: object) -> Cells:
    """A host's value as a block of cells.

    Raises
    ------
    CellError : for no cells, and rows of unequal lengths
    """
    rows = as_cells(value)
    if not rows or not rows[0]:
        raise CellError("no cells (expected a block)")
    if any(len(row) != len(rows[0]) for row in rows):
        raise CellError("rows of unequal lengths (expected a block)")
    return rows


def as_cells(value: Any) -> Cells:
    """A host's value as a block of cells: rows of cells, an empty text as blank.

    >>> as_cells(((1.0, ""),))
    [[1.0, None]]
    """
    rows = value if isinstance(value, (list, tuple)) else [[value]]
    blocks = (row if isinstance(row, (list, tuple)) else [row] for row in rows)
    return [[None if cell == "" else cell for cell in row] for row in blocks]


def _block(value: object) -> Cells:
    """Cells from what a function computed: an array, a list of texts (a column), or a single value."""
    if isinstance(value, np.ndarray):
        rows = value.tolist() if value.ndim == 2 else [[cell] for cell in value.tolist()]
        return [[cell if abs(cell) > NO_MORE_THAN_ROUNDING else _settled(cell) for cell in row] for row in rows]
    if isinstance(value, list):
        table = value if value and isinstance(value[0], list) else [[cell] for cell in value]
        return [[float(cell) if type(cell) is int else cell for cell in row] for row in table]
    if isinstance(value, float):
        return [[_settled(float(value))]]
    return [[value]]  # type: ignore[list-item]


def _settled(number: float) -> float | None:
    """A number as cells show it (see `settled`), a blank for NaN."""
    if math.isnan(number):
        return None
    return 0.0 if abs(number) <= NO_MORE_THAN_ROUNDING else number
