"""Which rows are of one board: by board, round and occasion, and whether a number in another round is a new deal."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from valet_xl.engine.arrays import Index, Ints, Mask, count_by, distinct_keys, first_of_each, number_keys
from valet_xl.reading.cells import board_number
from valet_xl.reading.columns import Columns

OCCASIONS = ("event", "date", "session")  # boards of another one are other deals


def label_boards(cells: Columns) -> tuple[Index, list[str], Ints]:
    """What boards are called: (n,) index into the labels, the labels, and (n,) the boards' numbers, 0 for none.

    `Board 12` and `12.` are called 12.
    """
    known: dict[str, int] = {}

    def code(text: str) -> int:
        number = board_number(text)
        return known.setdefault(str(number) if number else text, len(known))

    label = cells["board"].each(code)
    return label, list(known), cells["board"].each(board_number).astype(np.int64)


def find_boards(
    cells: Columns, label: Index, labels: Sequence[str], used: Mask, played: Mask, sides: Index, rounds: str
) -> tuple[Index, tuple[tuple[str, str], ...], str]:
    """The board of each row.

    Parameters
    ----------
    cells : the columns of n rows
    label, labels : as `label_boards` gives them
    used, played : (n,) which rows have a board, and which of them were played
    sides : (n, 2) the sides as numbers, -1 where they are not known
    rounds : as in `read_rows`

    Returns
    -------
    (n,) the boards, -1 where they are not known; for each its round and number; and what rounds are: "new" or "same"
    where it makes a difference, else ""
    """
    occasion, in_round = _occasions(cells)
    apart, alike = (each.astype(np.int64) * len(labels) + label for each in (in_round, occasion))
    matters = len(distinct_keys(apart[used])) > len(distinct_keys(alike[used]))
    same = rounds == "same" or (
        rounds == "auto" and matters and _one_deal_a_number(cells, apart, alike, in_round, used & played, sides)
    )
    board = np.full(cells.size, -1, dtype=np.intp)
    _, board[used] = number_keys((alike if same else apart)[used])
    first = first_of_each(board[used])
    parts = [*OCCASIONS, *(() if same else ("round",))]
    at = np.flatnonzero(used)[first]
    said = [(cells[part].texts, cells[part].index[at].tolist()) for part in parts if any(cells[part].texts)]
    rounds_of = [
        " ".join(filter(None, of)) for of in zip(*([texts[place] for place in of] for texts, of in said), strict=True)
    ]
    names = zip(rounds_of or [""] * len(at), map(labels.__getitem__, label[at].tolist()), strict=True)
    return board, tuple(names), ("same" if same else "new") if matters else ""


def rounds_by_play(cells: Columns, used: Mask, played: Mask, sides: Index) -> str:
    """What `find_boards` takes rounds for where it is to decide itself: "new", "same" or ""; parameters as there."""
    label, labels, _ = label_boards(cells)
    return find_boards(cells, label, labels, used, played, sides, "auto")[2]


def _occasions(cells: Columns) -> tuple[Index, Index]:
    """(n,) the occasion of each row, and (n,) its round, as numbers."""
    occasion = np.zeros(cells.size, dtype=np.intp)
    for field in (field for field in OCCASIONS if field in cells.columns):
        days = [text.split(" ")[0] if field == "date" else text for text in cells[field].texts]  # without the time
        of_day = np.unique(days, return_inverse=True)[1][cells[field].index]
        occasion = number_keys(occasion.astype(np.int64) * (len(days) + 1) + of_day)[1]
    return occasion, occasion.astype(np.int64) * len(cells["round"].texts) + cells["round"].index


def _one_deal_a_number(cells: Columns, apart: Index, alike: Index, in_round: Index, played: Mask, sides: Index) -> bool:
    """Whether a board number is the same deal in all rounds, as in a movement, where nobody plays a board twice.

    Where sides are not named but tables are: whether the tables of a round mostly play different boards. Where neither:
    whether most boards would have a single result if each round had deals of its own.
    """
    named = played & (sides[:, 0] >= 0)
    if 2 * np.count_nonzero(named) > np.count_nonzero(played):
        once = len(distinct_keys(sides[named, 0].astype(np.int64) * (int(alike.max()) + 1) + alike[named]))
        return bool(10 * (np.count_nonzero(named) - once) < np.count_nonzero(named))
    _, index = number_keys(apart[played])
    first, results = first_of_each(index), count_by(index)
    if "table" not in cells.columns:
        return bool(2 * np.count_nonzero(results == 1) > len(results))
    places = cells["section"].index.astype(np.int64) * len(cells["table"].texts) + cells["table"].index
    size = len(cells["section"].texts) * len(cells["table"].texts)
    seats = distinct_keys(in_round[played] * size + places[played]) // size
    tables = {at: int(count) for at, count in zip(*np.unique(seats, return_counts=True), strict=True)}
    shares = results / np.array([tables[at] for at in in_round[played][first].tolist()])
    return bool(len(shares) and np.mean(shares) < 0.5)
