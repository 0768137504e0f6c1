"""Worksheet functions of results with their heading row: the Valet split, and what is wrong in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from valet_xl.engine.options import Options
from valet_xl.engine.score_results import split
from valet_xl.errors import ValetError
from valet_xl.functions.answers import down
from valet_xl.functions.arguments import option_argument, results_table
from valet_xl.functions.registry import Cell, Cells, worksheet_function
from valet_xl.messages import counted
from valet_xl.reading.grid import need_rows, read_grid

_RESULTS = results_table("Board, Contract, By, Tricks or Result; Lead, Vul, Round")
_METHOD = option_argument("method")
_LEAD = option_argument("lead")
_CLOUD = option_argument("cloud")
_PLAY_PERCENT = option_argument("play_percent")

PARTS = ("overall", "bid", "play", "lead", "defence")


def _components(results: Cells, parts: Sequence[str], **chosen: Any) -> Cells:
    """Columns of the parts, a row for each row under the headings."""
    options = Options(**chosen)
    reading = read_grid(results, options)
    need_rows(reading)
    computed = split(reading.results, options)
    first = reading.headings.row + 2
    size = len(results) - reading.headings.row - 1
    columns = [down(reading.results, getattr(computed, part), size, first) for part in parts]
    return [list(row) for row in zip(*columns, strict=True)] or [[None] * len(parts)]


@worksheet_function(
    "VALET_COMPONENTS",
    "overall, bid, play (the declaring side's), lead, defence: a row a result",
    "=VALET_COMPONENTS(A1:F105)",
    *(_RESULTS, _METHOD, _LEAD, _CLOUD, _PLAY_PERCENT),
)
def valet_components(results: Cells, *, method: str, lead: str, cloud: bool, play_percent: str) -> Cells:
    """The Valet split of every result: overall, bid, play, lead and defence, a row for each row under the headings."""
    return _components(results, PARTS, method=method, lead=lead, cloud=cloud, play_percent=play_percent)


def _register_part(part: str, sentence: str) -> None:
    def compute(results: Cells, *, method: str, lead: str, cloud: bool, play_percent: str) -> Cells:
        return _components(results, (part,), method=method, lead=lead, cloud=cloud, play_percent=play_percent)

    compute.__doc__ = sentence
    name = f"VALET_{part.upper()}"
    arguments = (_RESULTS, _METHOD, _LEAD, _CLOUD, _PLAY_PERCENT)
    worksheet_function(name, "a row a result", f"={name}(A1:F105)", *arguments)(compute)


_register_part("bid", "What the declaring side's bidding was worth in each result.")
_register_part("play", "What declarer's play was worth in each result.")
_register_part("lead", "What the opening lead was worth in each result, to the defenders.")
_register_part("defence", "What the rest of the defence was worth in each result.")


@worksheet_function(
    "VALET_CHECK", "a line for each row that is wrong, or one that says all is well", "=VALET_CHECK(A1:F105)", _RESULTS
)
def valet_check(results: Cells) -> list[Cell]:
    """What is wrong in the rows of results: the row of the range, the column, what is in it and what was expected."""
    try:
        found = read_grid(results, Options()).results
    except ValetError as error:
        return [str(error)]
    if not found.errors:
        played = int(np.count_nonzero(found.in_field))
        return [f"nothing wrong: {counted(played, 'result')} on {counted(len(found.boards), 'board')}"]
    return [str(error) for error in found.errors]
