"""The registry of worksheet functions, from which every host takes them: cells in, cells out."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np

from valet_xl.errors import ValetError

LONGEST_TEXT = 255  # characters that the function wizards show


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
        except ValetError:
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
        left_out = [Missing.ARGUMENT] * (len(self.arguments) - len(values))
        return list(map(self._argument, self.arguments, [*values, *left_out]))

    def _argument(self, argument: Argument, value: object) -> Any:
        if value is Missing.ARGUMENT or (argument.optional and as_cells(value) == [[None]]):
            if not argument.optional:
                raise CellError(f"{self.name}: no {argument.name} (expected {argument.sentence})")
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
        rows: Cells = value.tolist() if value.ndim == 2 else [[cell] for cell in value.tolist()]
        if not np.isnan(value).any():
            return rows
        return [[None if cell != cell else cell for cell in row] for row in rows]  # noqa: PLR0124 - NaN is not itself
    if isinstance(value, list):
        table = value if value and isinstance(value[0], list) else [[cell] for cell in value]
        return [[float(cell) if type(cell) is int else cell for cell in row] for row in table]
    return [[None if isinstance(value, float) and math.isnan(value) else value]]  # type: ignore[list-item]
