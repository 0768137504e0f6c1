"""Tables of programs: BridgeWebs' page, the table of a Bridgemate file, and BBO's results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from valet_xl.documents.cell_rows import CellRows
from valet_xl.reading.bridgemate import WRONG_WAY, Entry, is_ruling, other_declarers
from valet_xl.reading.headings import Grid, column_cells, columns_of
from valet_xl.reading.shape import SAMPLE, SEARCHED, Shape, Table, is_blank, mostly_results, renamed, row_with, word
from valet_xl.reading.standard import standard_table
from valet_xl.reading.text_grid import TextGrid
from valet_xl.reading.travellers import traveller_table

# -- BridgeWebs

_BRIDGEWEBS = frozenset(("bid", "by", "tks"))
_BRIDGEWEBS_NAMES = {"bid": "Contract", "tks": "Tricks", "ld": "Lead"}


def _bridgewebs(grid: Grid) -> Table | None:
    top = row_with(grid, _BRIDGEWEBS)
    if top is None or "contract" in map(word, grid[top]):  # Bid is then a column that scoring wrote
        return None
    cells = [renamed(row, _BRIDGEWEBS_NAMES) if set(map(word, row)) >= _BRIDGEWEBS else row for row in grid]
    return traveller_table(cells) or standard_table(cells)


BRIDGEWEBS = Shape(
    "BridgeWebs' page",
    "a heading row with `Bid`, `By` and `Tks`; the board is in a column, or above its traveller",
    _bridgewebs,
)

# -- Bridgemate

_BRIDGEMATE = frozenset(("board", "pairns", "pairew", "ns/ew", "contract"))
_BRIDGEMATE_NAMES: Mapping[str, str | None] = {
    **{"pairns": "NS pair", "pairew": "EW pair", "ns/ew": "By", "leadcard": "Lead", "remarks": "Score"},
    **{"declarer": None, "south": None, "west": None},
}
_INDIVIDUAL_NAMES = {**_BRIDGEMATE_NAMES, "pairns": "North", "pairew": "East", "south": "South", "west": "West"}
_TRUE = frozenset(("1", "-1", "true", "yes", "ja", "oui", "wahr", "waar", "vrai"))


def _bridgemate(grid: Grid) -> Table | None:
    top = row_with(grid, _BRIDGEMATE)
    if top is None:
        return None
    at = {word(cell): column for column, cell in reversed(list(enumerate(grid[top])))}
    sides = ("pairns", "pairew", "south", "west")
    individual = any(_number(row, at.get(name)) for row in grid[top + 1 :] for name in sides[2:])
    names = _INDIVIDUAL_NAMES if individual else _BRIDGEMATE_NAMES
    cells: list[Sequence[object]] = [*grid[:top], renamed(grid[top], names)]
    declared: list[Entry] = []
    for number, row in enumerate(grid[top + 1 :], top + 2):
        new = [*row, *[None] * (len(grid[top]) - len(row))]
        if _text(new, at.get("erased")).casefold() in _TRUE:
            new = [None] * len(new)
        remark = _text(new, at.get("remarks"))
        exchanged = remark.upper() == WRONG_WAY
        for name in sides[:2]:  # 0 sits out
            new[at[name]] = None if _text(new, at[name]) == "0" else new[at[name]]
        declarer = 0 if exchanged else _number(new, at.get("declarer"))
        declared.append((number, _text(new, at["ns/ew"]), declarer, [_number(new, at.get(name)) for name in sides]))
        if remark and not exchanged and not is_ruling(remark) and is_blank(new[at["contract"]]):
            new[at["contract"]] = remark  # what is not known must not pass for not played
        if "remarks" in at:
            new[at["remarks"]] = remark if is_ruling(remark) else None
        if exchanged:
            new[at["pairns"]], new[at["pairew"]] = new[at["pairew"]], new[at["pairns"]]
        cells.append(new)
    return Table(cells, top, wrong={error.row: error for error in other_declarers(declared).values()})


def _text(row: Sequence[object], column: int | None) -> str:
    cell = row[column] if column is not None and column < len(row) else None
    return (
        str(int(cell)) if isinstance(cell, float) and cell.is_integer() else "" if cell is None else str(cell).strip()
    )


def _number(row: Sequence[object], column: int | None) -> int:
    text = _text(row, column)
    return int(text) if text.isdecimal() and len(text) < 10 else 0


BRIDGEMATE = Shape(
    "Bridgemate table",
    "the headings `PairNS`, `PairEW`, `NS/EW` and `Contract` of a Bridgemate file's table",
    _bridgemate,
)

# -- BBO

_EXTRACTOR = frozenset(("#board", "north", "result", "contract", "declarer", "tricks"))
_EXTRACTOR_NAMES = {"#board": "Board", "result": None, "nspair": "NS pair", "ewpair": "EW pair", "percent": None}


def _bbo_extractor(grid: Grid) -> Table | None:
    marked = _marked(grid)
    top = next((at for at in marked if set(map(word, grid[at])) >= _EXTRACTOR), None)
    if top is None:
        return None
    end = next((at for at in marked if at > top), len(grid))
    heading: Sequence[object] = renamed(grid[top], _EXTRACTOR_NAMES)
    return Table([*[()] * top, heading, *grid[top + 1 : end], *[()] * (len(grid) - end)], top)


def _marked(grid: Grid) -> list[int]:
    """The rows whose first cell starts with #."""
    if isinstance(grid, TextGrid | CellRows):
        return grid.starting_with("#").tolist()
    first = column_cells(grid, range(len(grid)), 0)
    return [at for at, cell in enumerate(first) if isinstance(cell, str) and cell.startswith("#")]


BBO_EXTRACTOR = Shape(
    "BBO Extractor's table",
    "a row that begins with `#Board` and has `North`, `Result`, `Contract`, `Declarer` and `Tricks`; it"
    " ends before the next row that begins with `#`",
    _bbo_extractor,
)


def _bbo_results(grid: Grid) -> Table | None:
    for top, row in enumerate(grid[:SEARCHED]):
        columns = columns_of(row)
        if not {"board", "result"} <= columns.keys() or "contract" in columns:
            continue
        said = columns["result"]
        if mostly_results([under[said] for under in grid[top + 1 : top + 1 + SAMPLE] if said < len(under)]):
            heading = list(row)
            heading[said] = "Contract"
            score = columns.get("score", -1)
            if "points" in map(word, row) and word(row[score]) == "score":  # which is then IMPs or per cent
                heading[score] = None
            return Table([*grid[:top], heading, *grid[top + 1 :]], top)
    return None


BBO_RESULTS = Shape(
    "BBO's results",
    "a column `Result` of whole results such as `3NTN=`, and a column of boards but none of contracts",
    _bbo_results,
)
