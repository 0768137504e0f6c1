"""The calls of the page: files come in, tables and drawings are asked for, files go out.

The files are in a folder of this Python, under their own names, so that every message is the one that the command has
for them. What is computed is kept until other files come.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from valet_xl.engine.options import OPTIONS, Option, Options
from valet_xl.errors import ArgumentError, FileError, ValetError, one_of
from valet_xl.messages import Progress, counted, error_line
from valet_xl.rankings.listing import Listing, printable
from valet_xl.rankings.ranking import Ranking
from valet_xl.reading.files import Content, read_content, sheets_of
from valet_xl.sheets.board_of_file import BoardOfFile, board_of
from valet_xl.sheets.listing_file import listing_csv
from valet_xl.sheets.rank_files import RankedFiles, rank_files, refuse_twice
from valet_xl.sheets.said import columns_line, summary_lines
from valet_xl.sheets.score_file import ScoredFile, scored_file
from valet_xl_web.browser.answers import Answer, Calls, Request
from valet_xl_web.browser.said import in_page
from valet_xl_web.browser.tables import Table

NAMES = "names.txt"
"""The file that has the players' names of Valet text."""
MOST_FILES = 200
_LONGEST_NAME = 200  # bytes of a file's name; more fit no system
_AT_ONCE = 500  # rows that a page gets for one question
_CHART = ("overall", "low", "high")


@dataclass(slots=True)
class _Session:
    """The files of the page, and what was made of them.

    folder : where they are, and where Python is
    paths : of the files of results, as messages name them
    tables : what is shown, by name
    contents : what was read last, by all that it depends on
    sheets : of files, the names of their sheets, and the one that is scored when none is named, "" if none was yet
    """

    folder: Path
    paths: list[Path] = field(default_factory=list)
    tables: dict[str, Table] = field(default_factory=dict)
    contents: dict[object, Content] = field(default_factory=dict)
    sheets: dict[Path, tuple[tuple[str, ...], str]] = field(default_factory=dict)
    scored: tuple[Path, ScoredFile] | None = None
    scored_as: Mapping[str, Any] = field(default_factory=dict)
    ranked: RankedFiles | None = None
    ranking_options: Mapping[str, Any] = field(default_factory=dict)
    board: BoardOfFile | None = None

    def path(self, at: object) -> Path:
        """The file that the page asks for."""
        if not isinstance(at, int) or not 0 <= at < len(self.paths):
            raise FileError("there is no such file any more (choose it again)")
        return self.paths[at]


_session = _Session(Path("/tmp/valet_xl_page"))


def open_files(request: Request) -> Answer:
    """Take files, in place of those before.

    Given are their `names`, and the bytes of each. Names of folders are left out; of two files of one name the second
    is in a folder `2`. A file `names.txt` goes with the others.
    """
    global _session  # noqa: PLW0603 - one page, one set of files
    names = [str(name) for name in request.given["names"]]
    if len(names) > MOST_FILES:
        raise FileError(f"{counted(len(names), 'file')} are too many at once (at most {MOST_FILES} expected)")
    folder = _session.folder
    os.chdir("/")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    os.chdir(folder)
    _session = _Session(folder)
    for name, data in zip(names, request.files, strict=True):
        path = _free(Path(_safe(name)))
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
        _session.paths.append(path)
    if len(_session.paths) > 1:
        _session.paths = [path for path in _session.paths if path.name.casefold() != NAMES]
    shown = [{"name": printable(str(path)), "size": path.stat().st_size} for path in _session.paths]
    return Answer({"files": shown})


def sheets(request: Request) -> Answer:
    """The sheets of a `file`, and the one that was scored when none was named; none where it cannot be read."""
    path = _session.path(request.given["file"])
    if path not in _session.sheets:
        try:
            _session.sheets[path] = sheets_of(path), ""
        except ValetError:  # which is said where the file is read for its results
            _session.sheets[path] = (), ""
    names, used = _session.sheets[path]
    return Answer({"sheets": [{"name": name, "label": printable(name)} for name in names], "used": printable(used)})


def score(request: Request) -> Answer:
    """Score a file: given are `file`, `options`, and of a workbook perhaps a `sheet`."""
    path, (options, asked) = _session.path(request.given["file"]), _options(request.given)
    _session.scored = None
    with _about(path):
        scored_as: dict[str, Any] = {"sheet": request.given.get("sheet") or None, "options": options, "asked": asked}
        scored = scored_file(path, step=request.step, **scored_as)
    request.step("showing")
    if scored_as["sheet"] is None:
        _session.sheets[path] = scored.sheets, scored.sheet
    _session.scored, _session.scored_as = (path, scored), scored_as
    _session.tables["scored"] = table = Table.of_scored(scored)
    lines = summary_lines(scored.summary, " (each has its reason in the column Note)")
    return Answer(
        {
            "said": _said(*scored.taken, *lines, columns_line(scored.shape, scored.read, scored.unread)),
            "complete": scored.summary.complete,
            "place": scored.place,
            "target": _download(path, scored),
            "other": _other(path, scored),
            "table": table.described(),
        }
    )


def rank(request: Request) -> Answer:
    """Rank the files: given are `options`, the options of rankings `who`, `order`, `minimum` and so on, and perhaps
    the `sheets` of some of them, by the numbers of the files."""
    options, asked = _options(request.given)
    chosen = _ranking_options(request.given.get("ranking", {}))
    refuse_twice(_session.paths)
    given = request.given.get("sheets", {}).items()
    sheets = {_session.path(int(at)): str(sheet) for at, sheet in given if sheet}
    ranked = rank_files(_session.paths, options=options, asked=asked, sheets=sheets, step=request.step, **chosen)
    request.step("showing")
    _session.ranked, _session.ranking_options = ranked, chosen
    groups = []
    for at, part in enumerate(ranked.ranking.parts):
        _session.tables[f"ranking{at}"] = table = Table.of_listing(part.listing)
        groups.append({"name": part.group, "table": table.described(), "chart": _chart(part)})
    tables = [("teams", ranked.teams.teams), ("matches", ranked.teams.played)] if ranked.teams else []
    for name, listing in tables:
        _session.tables[name] = Table.of_listing(listing)
    return Answer(
        {
            "title": ranked.title,
            "said": _said(*ranked.said(reliability=True)),
            "complete": ranked.event.summary.complete,
            "unit": "per cent" if ranked.event.totals.in_percent else "IMPs",
            "by": ranked.ranking.by_name,
            "groups": groups,
            "others": [{"name": name, "table": _session.tables[name].described()} for name, _ in tables],
        }
    )


def boards(request: Request) -> Answer:
    """The boards of a file: given are `file`, `options`, and of a workbook perhaps a `sheet`."""
    results = _content(request).results
    counts = np.bincount(results.board[results.board >= 0].astype(np.intp), minlength=len(results.boards)).tolist()
    return Answer(
        [
            {"round": in_round, "number": number, "results": count}
            for (in_round, number), count in zip(results.boards, counts, strict=True)
        ]
    )


def board(request: Request) -> Answer:
    """The tableau of a board: given are also its `number`, its `round`, and whose `side` the parts are."""
    given, (options, asked) = request.given, _options(request.given)
    path = _session.path(given["file"])
    content = _content(request)
    with _about(path):
        found = board_of(
            path.name,
            content,
            str(given["number"]),
            in_round=given.get("round"),
            side=str(given.get("side", "declarer")),
            options=options,
            asked=asked,
            step=request.step,
        )
    _session.board = found
    _session.tables["board"] = table = Table.of_listing(found.listing)
    return Answer({"title": found.title, "said": _said(*found.said, *found.problems), "table": table.described()})


def rows(request: Request) -> Answer:
    """Rows of a `table`: given are `start`, `count`, and perhaps the `column` that they are in the order of."""
    given = request.given
    if given["table"] not in _session.tables:
        raise FileError("there is no such table any more (choose the file again)")
    table = _session.tables[given["table"]]
    count = min(int(given["count"]), _AT_ONCE)
    found = table.rows(int(given["start"]), count, given.get("column"), down=bool(given.get("down")))
    return Answer({"rows": found, "of": len(table)})


def save(request: Request) -> Answer:
    """A file to download: given is `what`, one of `_SAVED`."""
    what = str(request.given["what"])
    one_of("what", what, _SAVED)
    name, data = _SAVED[what](request.step)
    return Answer({"name": name}, (data,))


CALLS: Calls = {
    "open": open_files,
    "sheets": sheets,
    "score": score,
    "rank": rank,
    "boards": boards,
    "board": board,
    "rows": rows,
    "save": save,
}


# -- what is asked for


def _options(given: Mapping[str, Any]) -> tuple[Options, frozenset[str]]:
    """The options of scoring, and the names of those that were chosen."""
    chosen = {name: _value(OPTIONS[name], word) for name, word in given.get("options", {}).items() if name in OPTIONS}
    return Options(**chosen), frozenset(chosen)


def _value(option: Option, given: object) -> Any:
    """What was chosen for an option; a number may be a text."""
    if option.is_switch:
        return bool(given)
    if option.words or option.text:
        return str(given)
    try:
        number = float(str(given).replace(",", "."))
    except ValueError:
        raise ArgumentError(f"{option.label}: {given!r} is no number") from None
    if (option.least is not None and not number >= option.least) or (option.whole and number != int(number)):
        kind = "a whole number" if option.whole else "a number"
        raise ArgumentError(f"{option.label}: {number:g} (expected {kind}, at least {option.least:g})")
    return int(number) if option.whole else number


def _ranking_options(given: Mapping[str, Any]) -> dict[str, Any]:
    """The options of rankings that were chosen."""
    from valet_xl.rankings.options import RANKING_OPTIONS  # noqa: PLC0415 - with the rankings

    chosen = {
        name: _value(RANKING_OPTIONS[name], given[name])
        for name in ("who", "order", "minimum", "compensation", "scale")
        if name in given
    }
    return chosen | {name: bool(given[name]) for name in ("strengths", "one_event") if name in given}


@contextmanager
def _about(path: Path) -> Iterator[None]:
    """Errors about a file name it, as the command's do."""
    try:
        yield
    except ValetError as error:
        raise FileError(error_line(error, path)) from error


def _content(request: Request) -> Content:
    """The rows and results of a file, which is read once for the same options."""
    path, (options, _) = _session.path(request.given["file"]), _options(request.given)
    sheet = request.given.get("sheet") or None
    key = (path, sheet, options.result_is, options.rounds, options.language)
    if key not in _session.contents:
        request.step("reading")
        with _about(path):
            content = read_content(path, sheet, None, options)
        _session.contents = {key: content}
    return _session.contents[key]


def _said(*lines: str) -> list[str]:
    """Lines of the engine, in the words of a page."""
    return [in_page(line) for line in lines]


# -- files


def _safe(name: str) -> str:
    """The name of a file without folders, and no longer than systems allow.

    >>> _safe("C:\\\\a\\\\b.csv"), _safe("../c.csv"), _safe(".."), _safe("a" * 300 + ".csv")[-6:]
    ('b.csv', 'c.csv', 'file', 'aa.csv')
    """
    last = name.replace("\\", "/").rpartition("/")[2].replace("\0", "")
    if last.strip(". ") == "":
        return "file"
    stem, dot, suffix = last.rpartition(".")
    while len(last.encode("utf-8", "replace")) > _LONGEST_NAME and len(stem) > 1:
        stem = stem[:-1]
        last = stem + dot + suffix
    return last if len(last.encode("utf-8", "replace")) <= _LONGEST_NAME else "file"


def _free(path: Path) -> Path:
    """A path that no file has yet."""
    number = 2
    free = path
    while free.exists():
        free, number = Path(str(number), path.name), number + 1
    return free


def _download(path: Path, scored: ScoredFile) -> str:
    """What the scored file is called: a workbook that is scored in place gets a name of its own."""
    target = scored.target
    return f"{path.stem}-scored{path.suffix}" if target == path else target.name


def _other(path: Path, scored: ScoredFile) -> str:
    """What the scored file is called as one of the other kind, CSV or a new workbook."""
    return f"{path.stem}-scored{'.xlsx' if scored.target.suffix.lower() == '.csv' else '.csv'}"


def _written(name: str, write: Callable[[Path], None]) -> tuple[str, bytes]:
    """The name and bytes of a file that is written for a download."""
    folder = _session.folder / "out"
    folder.mkdir(exist_ok=True)
    target = folder / name
    try:
        write(target)
        return name, target.read_bytes()
    finally:
        target.unlink(missing_ok=True)


def _scored_saved(step: Progress) -> tuple[str, bytes]:
    if _session.scored is None:
        raise FileError("nothing is scored yet (choose a file first)")
    step("writing")
    path, scored = _session.scored
    return _written(_download(path, scored), scored.write)


def _other_saved(step: Progress) -> tuple[str, bytes]:
    if _session.scored is None:
        raise FileError("nothing is scored yet (choose a file first)")
    path, scored = _session.scored
    name = _other(path, scored)
    other = scored_file(path, _session.folder / "out" / name, step=step, **_session.scored_as)
    step("writing")
    return _written(name, other.write)


def _ranking_saved(step: Progress) -> tuple[str, bytes]:
    ranked = _ranked()
    step("writing")
    return f"{_file_name(ranked.title)}-ranking.csv", listing_csv(ranked.ranking.listing)


def _report_saved(step: Progress) -> tuple[str, bytes]:
    from valet_xl.reports.report import report  # noqa: PLC0415 - its library is loaded for a report alone

    ranked = _ranked()
    step("writing")
    order = _session.ranking_options.get("order")
    by = {"order_of_players" if _session.ranking_options.get("who") == "players" else "order": order}
    data = report(ranked.event, ranked.title, teams=ranked.teams, step=step, **by)
    return f"{_file_name(ranked.title)}-report.xlsx", data


def _board_saved(step: Progress) -> tuple[str, bytes]:
    if _session.board is None:
        raise FileError("no board is shown yet (choose a board first)")
    step("writing")
    title = _session.board.title.partition(":")[0].partition(",")[0]
    return f"{_file_name(title)}.csv", listing_csv(_session.board.listing)


_SAVED = {
    "scored": _scored_saved,
    "other": _other_saved,
    "ranking": _ranking_saved,
    "report": _report_saved,
    "board": _board_saved,
}


def _ranked() -> RankedFiles:
    if _session.ranked is None:
        raise FileError("nothing is ranked yet (choose a file first)")
    return _session.ranked


def _file_name(title: str) -> str:
    """A title as the name of a file on every system.

    >>> _file_name('Round 2/3: "final"')
    'Round 2_3_ _final_'
    """
    return "".join("_" if char in '<>:"/\\|?*' or not char.isprintable() else char for char in title)[:80] or "results"


# -- drawings


def _chart(part: Ranking) -> list[dict[str, Any]]:
    """The intervals of a ranking, in its order; none where it is ranked by something that has none."""
    return list(_intervals(part.listing, part.by_name))


def _intervals(listing: Listing, by: str) -> Iterator[dict[str, Any]]:
    names = listing.names
    wanted = (by, f"{by} Low", f"{by} High")
    if not set(wanted) <= set(names):
        return
    columns = [listing.columns[names.index(name)] for name in wanted]
    who: Sequence[object] = next(
        column for heading, column in zip(listing.headings, listing.columns, strict=True) if heading.name in _WHO
    )
    places = listing.columns[names.index("Rank")]
    for name, place, *figures in zip(who, places, *columns, strict=True):
        yield {"name": printable(str(name)), "place": place, **dict(zip(_CHART, figures, strict=True))}


_WHO = ("Pair", "Player")
