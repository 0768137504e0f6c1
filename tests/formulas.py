"""The registry's formulas with cells for their areas: a small tournament, and scores of one board."""

from __future__ import annotations

from typing import Any

from simulate import tournament

from valet_xl.engine.notation import Card, Contract, Double, Seat, Strain
from valet_xl.engine.results import Results
from valet_xl.functions.catalogue import REGISTRY
from valet_xl.functions.examples import arguments_of


def sheet_of(results: Results) -> list[list[Any]]:
    """Results as a sheet has them, under headings."""
    rows: list[list[Any]] = [["Round", "Board", "Contract", "By", "Tricks", "Lead"]]
    for at, board in enumerate(results.board.tolist()):
        level = int(results.level[at])
        if not level:
            rows.append([1, board + 1, "Pass", None, None, None])
            continue
        contract = Contract(level, Strain(int(results.strain[at])), Double(int(results.double[at])))
        lead = Card(Strain(int(results.lead_suit[at])), int(results.lead_rank[at]))
        by = Seat(int(results.declarer[at]))
        rows.append([1, board + 1, str(contract), str(by), int(results.tricks[at]), str(lead)])
    return rows


SCORES = [[score] for score in (420, 450, -50, 430, None, 400, 170, -100, 620, 620, -100)] * 2
SHEET = sheet_of(tournament(13, 8))
SHEET[7][2] = "8H"  # no such contract
SHEET[9] = [None] * 6
PAIRS: list[list[Any]] = [
    [*row, "Remark" if row is SHEET[0] else None, *sides]
    for row, sides in zip(
        SHEET, [("NS pair", "EW pair"), *((at % 8 + 1, at % 8 + 11) for at in range(len(SHEET) - 1))], strict=True
    )
]
RESULTS = {"F105": SHEET, "I105": PAIRS}


def cells_of(area: str) -> list[list[Any]]:
    """Results for an area that begins at A1, else scores."""
    first, last = area.split(":")
    if first == "A1":
        return RESULTS[last]
    columns, rows = ord(last[0]) - ord(first[0]) + 1, int(last[1:]) - int(first[1:]) + 1
    return [[SCORES[(row * columns + column) % len(SCORES)][0] for column in range(columns)] for row in range(rows)]


def example(formula: str) -> list[Any]:
    """The arguments of a formula in the registry, with cells for its ranges."""
    return [value for _, value in arguments_of(formula, cells_of)]


def required(name: str) -> list[Any]:
    """The arguments that a function cannot do without, from its example."""
    if name == "VALET_SCORE":
        return ["4SE="]
    if name == "VALET_WEIGHTED":
        return [[[420.0], [-50.0]], [[60.0], [40.0]], cells_of("C2:C12")]
    function = REGISTRY[name]
    return example(function.example)[: sum(not argument.optional for argument in function.arguments)]
