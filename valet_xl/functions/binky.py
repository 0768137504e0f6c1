"""Worksheet functions of hands: Binky points, what two hands may expect to take, and what cards are worth."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from valet_xl.binky.hands import Hands, ReadHands, clash, holding_of, pattern_of, read_hands, read_holdings
from valet_xl.binky.points import KINDS, ORDERS, card_values, holding_index, shipped, tricks, values
from valet_xl.binky.unknown import opposite_any
from valet_xl.engine.arrays import Floats
from valet_xl.errors import ValetError
from valet_xl.functions.arguments import cells, word
from valet_xl.functions.registry import Cell, CellError, Cells, ErrorCell, as_block, as_cells, worksheet_function
from valet_xl.messages import counted

_HAND = cells("hand", "hands, each in a cell (AKx.KQxx.x.Axxxx) or in four cells side by side, spades first")
_PARTNER = cells("partner", "their partners' hands in the same order, or one for all")
_HOLDING = cells("holding", "holdings in a suit, such as AKxxx")
_PATTERN = cells("pattern", "patterns such as 5-4-4-0, lengths in any order")
_ORDER = word("order", "which honours come first", ORDERS, "average")
_KIND = word("kind", "tricks in notrump, in the best suit, or against the opponents'", KINDS, "suit")
_ALL = "all"
_KINDS = word("kind", "the kind of tricks, or all kinds", (*KINDS, _ALL), "suit")


@dataclass(frozen=True, slots=True)
class _Block:
    """A block of cells as the hands in it: what was read, as texts, and the rows and columns of hands."""

    reading: ReadHands
    texts: list[str]
    width: int


@worksheet_function(
    "VALET_BINKY",
    "tricks, a cell a hand; with all, four columns: notrump, suit and the defence against them",
    '=VALET_BINKY("AKx.KQxx.x.Axxxx","suit")',
    *(_HAND, _KINDS),
)
def valet_binky(hand: Cells, *, kind: str) -> Cells:
    """Binky points: what a hand is worth; with its partner's they add up to the tricks expected double dummy."""
    return _valued(hand, values, kind)


@worksheet_function(
    "VALET_BINKY_ALONE",
    "tricks, a cell a hand; with all, four columns: notrump, suit and the defence against them",
    '=VALET_BINKY_ALONE("AKx.KQxx.x.Axxxx","suit")',
    *(_HAND, _KINDS),
)
def valet_binky_alone(hand: Cells, *, kind: str) -> Cells:
    """Double-dummy tricks that a hand may expect opposite a partner who may have any of the other cards."""
    return _valued(hand, opposite_any, kind)


def _valued(hand: Cells, valuation: Callable[[Hands], Floats], kind: str) -> Cells:
    """Hands by a valuation, in one kind of tricks or in all."""
    block = _hands(hand)
    worth = valuation(block.reading.hands)
    if kind != _ALL:
        return _rows(_column(worth[:, KINDS.index(kind)], block.reading.errors), block.width)
    if block.width > 1:
        raise CellError(f"hands in {block.width} columns (expected one column for all kinds)")
    return _table(worth, block.reading.errors)


@worksheet_function(
    "VALET_BINKY_TRICKS",
    "a row a pair of hands: expected tricks, their standard error, and the chances of 0 to 13 tricks",
    '=VALET_BINKY_TRICKS("KJT.Axx.KQx.AJTx","A9xx.Kxx.Axx.K9x","notrump")',
    *(_HAND, _PARTNER, _KIND),
)
def valet_binky_tricks(hand: Cells, partner: Cells, *, kind: str) -> Cells:
    """Double-dummy tricks that two partners may expect, their standard error, and the chance of each number."""
    block, other = _hands(hand), _hands(partner)
    hands, partners, errors = _pairs(block, other)
    chosen = KINDS.index(kind)
    found = tricks(hands, partners)
    return _table(
        np.column_stack([found.expected[:, chosen], found.error[:, chosen], found.chances[:, chosen]]), errors
    )


@worksheet_function(
    "VALET_BINKY_PATTERN",
    "tricks",
    '=VALET_BINKY_PATTERN("5-4-4-0","suit")',
    *(_PATTERN, _KIND),
    shape="pattern",
)
def valet_binky_pattern(pattern: Cells, *, kind: str) -> Cells:
    """What a hand's pattern is worth in tricks, which includes the average cards of its lengths."""
    width, texts = len(pattern[0]), _texts(cell for row in pattern for cell in row)
    worth: list[Cell] = []
    for given in texts:
        try:
            worth.append(float(shipped().pattern[pattern_of(given), KINDS.index(kind)]) if given.strip() else None)
        except ValetError:
            worth.append(ErrorCell.VALUE)
    return _rows(worth, width)


@worksheet_function(
    "VALET_BINKY_HOLDING",
    "tricks",
    '=VALET_BINKY_HOLDING("AQJ9","suit")',
    *(_HOLDING, _KIND),
    shape="holding",
)
def valet_binky_holding(holding: Cells, *, kind: str) -> Cells:
    """What a holding in one suit is worth, without its length, which counts with the hand's pattern."""
    width, texts = len(holding[0]), _texts(cell for row in holding for cell in row)
    reading = read_holdings(texts)
    worth = shipped().holding[holding_index(reading.hands)[:, 0], KINDS.index(kind)]
    worth[[not text.strip() for text in texts]] = np.nan
    return _rows(_column(worth, reading.errors), width)


@worksheet_function(
    "VALET_BINKY_CARDS",
    "a row for each honour, the card and its tricks; the last row is x, the holding without them",
    '=VALET_BINKY_CARDS("AQJ9","suit")',
    *(_HOLDING, _KIND, _ORDER),
)
def valet_binky_cards(holding: Cells, *, kind: str, order: str) -> Cells:
    """What each honour of a holding is worth: averaged over all orders of adding them, or top-down, or bottom-up."""
    texts = _texts(cell for row in holding for cell in row)
    if len(texts) != 1:
        raise CellError("a range (expected one holding)")
    if not texts[0].strip():
        return [[None, None]]
    return [[card, worth] for card, worth in card_values(holding_of(texts[0]), KINDS.index(kind), order=order)]


@worksheet_function(
    "VALET_BINKY_CHECK",
    "a line for each hand that is wrong, or one that says all is well",
    "=VALET_BINKY_CHECK(A2:A101)",
    replace(_HAND, read=as_cells),  # of cells that are no block it says so
    cells("partner", "their partners' hands in the same order, or one for all", None),
)
def valet_binky_check(hand: Cells, partner: Cells | None) -> list[Cell]:
    """What is wrong with hands: where, what it is and what was expected."""
    try:
        block = _hands(hand)
        if partner is None:
            other, errors = None, block.reading.errors
        else:
            other = _hands(partner)
            errors = _pairs(block, other)[2]
    except ValetError as error:
        return [str(error)]
    size = max(len(block.texts), len(other.texts) if other else 0)
    if not errors:
        there = sum(bool(text.strip()) for text in block.texts)
        return [f"nothing wrong: {counted(there, 'hand') if other is None else counted(size, 'pair')}"]
    return [f"{_place(at, block.width, size)}{error}" for at, error in sorted(errors.items())]


def _place(at: int, width: int, size: int) -> str:
    """Where a hand is in its range, if there is more than one."""
    if size == 1:
        return ""
    return f"row {at // width + 1}, " + (f"column {at % width + 1}, " if width > 1 else "")


def _hands(block: Cells) -> _Block:
    """The hands of a block: four columns are a hand's suits, unless one of the cells is a hand by itself."""
    width = len(as_block(block)[0])
    texts = _texts(cell for row in block for cell in row)
    if width == 4 and not (read_hands(texts).hands.patterns >= 0).any():
        suits = [texts[at : at + width] for at in range(0, len(texts), width)]
        texts = [".".join(four) if any(suit.strip() for suit in four) else "" for four in suits]
        width = 1
    return _Block(read_hands(texts), texts, width)


def _texts(given: Iterable[Cell]) -> list[str]:
    """Cells as texts; a number is the spots that a sheet took for one."""
    return [cell if isinstance(cell, str) else "" if cell is None else _digits(cell) for cell in given]


def _digits(cell: Cell) -> str:
    if isinstance(cell, ErrorCell):
        return cell.value
    if isinstance(cell, bool):
        return str(cell).upper()
    return str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell)


def _pairs(block: _Block, other: _Block) -> tuple[Hands, Hands, dict[int, ValetError]]:
    """The hands and their partners, as many of both, and what is wrong with a hand, a partner or the two together."""
    size = max(len(block.texts), len(other.texts))
    sides: list[Hands] = []
    errors: dict[int, ValetError] = {}
    for side in (block, other):
        if side.width > 1:
            raise CellError(f"hands in {side.width} columns (expected one column)")
        count = len(side.texts)
        if count not in (1, size):
            partners, hands = counted(len(other.texts), "partner"), counted(len(block.texts), "hand")
            raise CellError(f"{partners} next to {hands} (expected as many, or one)")
        at = np.zeros(size, dtype=np.intp) if count == 1 else np.arange(size)
        sides.append(Hands(side.reading.hands.named[at], side.reading.hands.unnamed[at]))
        for place, row in enumerate(at.tolist()):
            if row in side.reading.errors:
                errors.setdefault(place, side.reading.errors[row])
    return sides[0], sides[1], {**clash(*sides), **errors}


def _column(worth: Floats, errors: dict[int, ValetError]) -> list[Cell]:
    """A cell for each value: blank for NaN, an error where the hand is wrong."""
    column: list[Cell] = [None if value != value else value for value in worth.tolist()]  # noqa: PLR0124
    for at in errors:
        column[at] = ErrorCell.VALUE
    return column


def _table(worth: Floats, errors: dict[int, ValetError]) -> Cells:
    """The same for rows of values."""
    return [list(row) for row in zip(*(_column(column, errors) for column in worth.T), strict=True)]


def _rows(column: Sequence[Cell], width: int) -> Cells:
    return [list(column[at : at + width]) for at in range(0, len(column), width)]
