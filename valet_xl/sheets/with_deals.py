"""Results of a file and the deals in another: what they give together, solved once and kept in a file beside them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from valet_xl.documents.workers import Workers
from valet_xl.engine.results import Results
from valet_xl.messages import Progress, counted

if TYPE_CHECKING:  # loaded for files of deals alone
    from valet_xl.deals.against import Against

SOLVING = "solving"
_SHOWN = 3  # deals that cannot be read


@dataclass(frozen=True, slots=True)
class DealsFile:
    """A file of deals, and where what was solved of them is kept.

    path : the file of deals
    kept : the file with what was solved; made if there is none
    sheet : of a workbook, the sheet
    virtual : whether the double-dummy result counts as a table of the clouds
    """

    path: Path
    kept: Path
    sheet: str | None = None
    virtual: bool = False

    @classmethod
    def beside(cls, results: Path, deals: Path, sheet: str | None = None, virtual: bool = False) -> DealsFile:
        """The file of deals of a file of results, with a file of its own for what is solved.

        >>> DealsFile.beside(Path("club.xlsx"), Path("hands.pbn")).kept.name
        'club-double-dummy.npz'
        """
        kept = results.with_name(f"{results.stem}-double-dummy.npz")
        return cls(deals, kept, sheet if results == deals else None, virtual)


def with_deals(results: Results, deals: DealsFile | None, step: Progress, on: Workers | None = None) -> Against | None:
    """Put results beside their deals; None without a file of deals.

    on : who solves; without it this process

    Raises
    ------
    FileError : where the file of deals, or that with what was solved, cannot be used
    ValetError : where something is to be solved and the solver is not installed
    """
    if deals is None:
        return None
    from valet_xl.deals.against import WEIGHT, against, is_small_field  # noqa: PLC0415
    from valet_xl.deals.kept import Solved  # noqa: PLC0415
    from valet_xl.reading.deals import deals_for  # noqa: PLC0415

    placed = deals_for(deals.path, deals.sheet, results)
    size = int((placed.owners[:, 0] < 4).sum())
    step(f"{SOLVING} {counted(size, 'deal')}")
    found = against(
        results, placed.owners, Solved(deals.kept, on), lambda done: step(f"{SOLVING} {counted(size, 'deal')}", done)
    )
    said = [f"{deals.path.name}: {error}" for error in placed.errors[:_SHOWN]]
    if len(placed.errors) > _SHOWN:
        said.append(f"{deals.path.name}: {counted(len(placed.errors) - _SHOWN, 'more deal')} that cannot be read")
    remarks = (*said, *placed.remarks, *found.remarks)
    if deals.virtual:
        return replace(found, remarks=remarks, virtual=found.virtual_table(WEIGHT))
    return replace(found, remarks=(*remarks, *([_OFFER] if is_small_field(results) else [])))


_OFFER = "a small field: --virtual-table adds the double-dummy result to the clouds of Bid, Play and Lead"
