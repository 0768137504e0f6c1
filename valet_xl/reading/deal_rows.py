"""The deals in a file, before it is known which boards they are of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from valet_xl.reading.boards import OCCASIONS
from valet_xl.reading.columns import CodedColumn
from valet_xl.reading.source import Source


@dataclass(frozen=True, slots=True)
class DealRows:
    """The deals in a file, (n,) each.

    occasions : what the event, date, session and round of each are called; "" where the file does not say
    boards : the boards' numbers as they are written
    texts : the cards, as `deal_of` reads them; "" where there are none
    rows : where they are in the file, as people count
    rows_are : what those numbers count: "line", "row" ...
    heading : what the file calls the cards
    """

    occasions: Sequence[tuple[str, ...]]
    boards: Sequence[str]
    texts: Sequence[str]
    rows: Sequence[int]
    rows_are: str
    heading: str = "Deal"

    @classmethod
    def of(cls, source: Source) -> DealRows | None:
        """The deals beside the rows of a file of results, each once; None where it has no such column."""
        if "deal" not in source.fields:
            return None
        names = ("board", "deal", *OCCASIONS, "round")
        columns = [_coded(source, name) for name in names]
        first: dict[tuple[int, ...], int] = {}
        for at, key in enumerate(zip(*(column.index.tolist() for column in columns), strict=True)):
            first.setdefault(key, at)
        board, deal, *occasions = ([columns[k].texts[key[k]] for key in first] for k in range(len(names)))
        rows = source.rows
        return cls(
            list(zip(*occasions, strict=True)),
            board,
            deal,
            [rows[at] for at in first.values()],
            source.rows_are,
            source.headings.get("deal", "Deal"),
        )


def _coded(source: Source, name: str) -> CodedColumn:
    cells = source.fields.get(name)
    if cells is None:
        return CodedColumn.of([None] * len(source.rows))
    return cells if isinstance(cells, CodedColumn) else CodedColumn.of(cells)
