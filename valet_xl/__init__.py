"""Bridge scores for analysts and clubs: Butler, cross-IMPs, matchpoints and the Valet split, in the spreadsheet."""

from valet_xl.engine.butler import butler, datum, par
from valet_xl.engine.comparison import cross_imps, matchpoint_percent, matchpoints
from valet_xl.engine.laws import contract_score, imps, vulnerability
from valet_xl.engine.options import Options
from valet_xl.engine.results import Results, join
from valet_xl.engine.valet import Components, valet
from valet_xl.errors import ArgumentError, FileError, NotationError, OptionError, RowError, SheetError, ValetError
from valet_xl.rankings.strength import strengths
from valet_xl.rankings.totals import totals
from valet_xl.reading.files import read_results

__all__ = [
    "ArgumentError",
    "Components",
    "FileError",
    "NotationError",
    "OptionError",
    "Options",
    "Results",
    "RowError",
    "SheetError",
    "ValetError",
    "butler",
    "contract_score",
    "cross_imps",
    "datum",
    "imps",
    "join",
    "matchpoint_percent",
    "matchpoints",
    "par",
    "read_results",
    "strengths",
    "totals",
    "valet",
    "vulnerability",
]
