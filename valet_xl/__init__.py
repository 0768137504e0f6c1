"""Bridge scores for analysts and clubs: Butler, cross-IMPs, matchpoints and the Valet split, in the spreadsheet."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from valet_xl.version import __version__

if TYPE_CHECKING:
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
    from valet_xl.sheets.frames import frame_results, rank_frame, score_frame
    from valet_xl.sheets.score_file import score_file

_MODULES = {
    "engine.butler": ("butler", "datum", "par"),
    "engine.comparison": ("cross_imps", "matchpoint_percent", "matchpoints"),
    "engine.laws": ("contract_score", "imps", "vulnerability"),
    "engine.options": ("Options",),
    "engine.results": ("Results", "join"),
    "engine.valet": ("Components", "valet"),
    "errors": ("ArgumentError", "FileError", "NotationError", "OptionError", "RowError", "SheetError", "ValetError"),
    "rankings.strength": ("strengths",),
    "rankings.totals": ("totals",),
    "reading.files": ("read_results",),
    "sheets.frames": ("frame_results", "rank_frame", "score_frame"),
    "sheets.score_file": ("score_file",),
}
_PLACES = {name: module for module, names in _MODULES.items() for name in names}

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
    "__version__",
    "butler",
    "contract_score",
    "cross_imps",
    "datum",
    "frame_results",
    "imps",
    "join",
    "matchpoint_percent",
    "matchpoints",
    "par",
    "rank_frame",
    "read_results",
    "score_file",
    "score_frame",
    "strengths",
    "totals",
    "valet",
    "vulnerability",
]


def __getattr__(name: str) -> Any:
    """A public name, whose module is loaded when the name is first used, so that nobody waits for what is not."""
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """All public names, used or not."""
    return sorted({*globals(), *__all__})
