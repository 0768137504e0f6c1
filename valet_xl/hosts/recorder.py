"""What is to be done to a sheet, as a list: for a host that is handed what to do, and not asked cell by cell."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from inspect import isfunction, signature
from typing import Any

from valet_xl.documents.cell_names import Area
from valet_xl.hosts.surface import Surface

_ASKED = {"refuse", "size", "filtered", "has_formula", "has_merged", "changing"}
STEPS = tuple(
    name for name, value in vars(Surface).items() if isfunction(value) and name[0] != "_" and name not in _ASKED
)
"""The methods of a `Surface` that do something."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step: the name of a method of `Surface`, and what it is given by the names of its parameters."""

    do: str
    given: dict[str, Any]

    @property
    def carried(self) -> dict[str, Any]:
        """The step as JSON carries it, an area as its corners: first row, first column, last row, last column."""
        return {"do": self.do, **{name: _carried(value) for name, value in self.given.items()}}


def _carried(value: object) -> object:
    return [value.top, value.left, value.bottom, value.right] if isinstance(value, Area) else value


class Recorder:
    """The half of a `Surface` that changes something: it changes nothing, but keeps what is to be done.

    Attributes
    ----------
    steps : what is to be done, in order
    """

    def __init__(self) -> None:
        self.steps: list[Step] = []

    @contextmanager
    def changing(self, title: str) -> Iterator[None]:
        """Nothing fails halfway here: what puts all back is what does the steps."""
        yield


def _recorded(name: str) -> Callable[..., None]:
    names = [*signature(getattr(Surface, name)).parameters][1:]

    def record(self: Recorder, *given: object) -> None:
        self.steps.append(Step(name, dict(zip(names, given, strict=True))))

    return record


for _name in STEPS:
    setattr(Recorder, _name, _recorded(_name))
