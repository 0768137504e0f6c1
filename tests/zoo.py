"""The whole path on every workbook of a folder: read, given results, scored three times, and compared with what it was.

python -m tests.zoo FOLDER [--judges] [--show N]

Each workbook whose sheet has no results gets a small table of them in a free place of the sheet that it opens with, and
is then scored again and again. Its other parts must stay byte for byte, its sheet must stay as it was around the new
cells, later runs must change nothing, and no judge may find a new problem. A workbook may be refused, but only by a
sentence of ours; nothing may appear on the terminal. The status is 1 if that was not so of some workbook.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import multiprocessing
import os
import re
import shutil
import signal
import sys
import tempfile
import traceback
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from lxml import etree

from valet_xl.documents.cell_names import Area, column_name, place_of
from valet_xl.documents.ods import OdsBook
from valet_xl.documents.page import Block, Cell, Column, Page
from valet_xl.documents.xlsx import Workbook
from valet_xl.engine.options import Options
from valet_xl.errors import FileError, ValetError
from valet_xl.messages import one_line
from valet_xl.reading.grid import read_grid
from valet_xl.sheets.score_file import Outcome, score_file

sys.path.insert(0, str(Path(__file__).parent))
import validators

SUFFIXES = (".xlsx", ".xlsm", ".ods")
PATIENCE = 120  # seconds for one workbook; Calc gets more
MAY_CHANGE = ("sheet", "table", "styles", "workbook")  # kinds of parts that scoring changes, if it has to

_ROWS: list[tuple[str, float, str, str, float]] = [
    (f"Pair {4 * at + pair}", board, contract, seat, tricks)
    for at, (board, contract) in enumerate([(1.0, "3NT"), (2.0, "4S"), (3.0, "2H")])
    for pair, (seat, tricks) in enumerate([("N", 9.0), ("S", 10.0), ("N", 8.0), ("S", 9.0)])
]
_HEADINGS = ("Pair", "Board", "Contract", "By", "Tricks")
_FORMATS = ("@", "0", "@", "@", "0")
_DEEPER = (0, 40, 120, 1000)  # rows between what there is and the results
_LAST_TOP = 180  # a heading row is looked for in the first 200 rows


@dataclass(frozen=True, slots=True)
class Found:
    """What became of a workbook.

    what : "scored", "read" (an .ods file without Calc), or why it was refused
    problems : what should not have been
    """

    path: Path
    what: str
    problems: tuple[str, ...] = ()


def results(page: Page, deeper: int = 0) -> Block:
    """A table of results for a free place of a sheet: below all that there is, or else right of it."""
    height = max([len(page.cells), *(table.bottom + 1 for table in page.tables)]) + deeper
    width = max(map(len, page.cells), default=0)
    below = height <= _LAST_TOP
    columns = tuple(
        Column(name, form, 9.0, list(cells))
        for name, form, cells in zip(_HEADINGS, _FORMATS, zip(*_ROWS, strict=True), strict=True)
    )
    return Block(height + 2 if below else 0, 0 if below else width + 1, columns, 0)


def has_results(page: Page) -> bool:
    """Whether a sheet has results of its own."""
    try:
        read_grid(page.cells, Options(), page.tables)
    except ValetError:
        return False
    return True


def new_cells(page: Page, planted: Block | None) -> Area:
    """The cells of a scored sheet that are new."""
    reading = read_grid(page.cells, Options(), page.tables)
    left = reading.left if planted is None else planted.left
    return Area(reading.headings.row, left, len(page.cells) - 1, reading.left + reading.replaces - 1)


def tried(path: Path, *, judges: bool = False) -> Found:
    """Take one workbook through the whole path."""
    with tempfile.TemporaryDirectory(prefix="zoo_") as folder:
        copied = Path(folder, f"original{path.suffix.lower()}")
        shutil.copyfile(path, copied)
        try:
            with _silent() as said:
                found = _ods(copied) if copied.suffix == ".ods" else _excel(copied, judges)
        except Exception as error:
            return Found(path, "failed", (f"{type(error).__name__}: {one_line(error)}", _where(error)))
        problems = [*found.problems, *(f"on the terminal: {one_line(text)[:200]}" for text in said if text)]
        return Found(path, found.what, tuple(problems))


def _excel(path: Path, judges: bool) -> Found:
    try:
        book = Workbook.open(path)
        for name in book.sheet_names:
            book.read(name)
        sheet = book.active
        planted, block = path, None
        if not has_results(book.read(sheet)):
            planted, block = path.with_stem("planted"), _planted(book, sheet)
            book.save(planted)
    except ValetError as error:
        return Found(path, _reason(error, path))
    scored = [path.with_stem(f"scored{run}") for run in (1, 2, 3)]
    try:
        done = [_score(source, to, sheet) for source, to in itertools.pairwise([planted, *scored])]
    except ValetError as error:
        ours = [str(error)] if "damaged" in str(error) and planted != path else []
        return Found(path, _reason(error, path), tuple(ours))
    return Found(path, "scored", tuple(_compared(path, scored, sheet, block, done, judges)))


def _planted(book: Workbook, sheet: str) -> Block:
    """Put results into a sheet, further down where there are merged cells or formulas without a value."""
    page = book.read(sheet)
    for deeper in _DEEPER:
        block = results(page, deeper)
        try:
            book.put(sheet, block)
        except FileError:
            if deeper == _DEEPER[-1]:
                raise
        else:
            break
    return block


def _score(source: Path, target: Path, sheet: str) -> Outcome:
    return score_file(source, target, sheet=sheet)


def _compared(
    path: Path, scored: Sequence[Path], sheet: str, block: Block | None, done: Sequence[Outcome], judges: bool
) -> Iterator[str]:
    """What is not as it must be after scoring."""
    counts = {outcome.summary.scored for outcome in done}
    # Right of other cells, theirs may be read as columns of the results.
    if len(counts) > 1 or (block is not None and not block.left and counts != {len(_ROWS)}):
        yield f"scored {[outcome.summary.scored for outcome in done]} of {len(_ROWS)} results"
    runs = [each.read_bytes() for each in scored]
    if len(set(runs)) > 1:
        changed = [name for name in _parts(scored[0]) if _parts(scored[0])[name] != _parts(scored[2]).get(name)]
        yield f"a later run changes {', '.join(changed) or 'the package'}"
    before, after = _parts(path), _parts(scored[0])
    if list(before) != list(after):
        yield "parts came, went or moved"
    for name in before.keys() & after.keys():
        if before[name] != after[name] and not any(kind in name.lower() for kind in MAY_CHANGE):
            yield f"{name} changed"
    old, new = Workbook.open(path), Workbook.open(scored[2])
    area = new_cells(new.read(sheet), block)
    for name in old.sheet_names:
        ours = area if name == sheet else None
        yield from (f"sheet {name!r}, {text}" for text in _cells(old.read(name), new.read(name), ours))
    changed = [name for name in before if before[name] != after.get(name) and b"<sheetData" in before[name][:100_000]]
    for name in changed:
        was, is_now = etree.fromstring(before[name]), etree.fromstring(after[name])
        if columns := changed_looks(looks(was), looks(is_now), area, hidden=block is None):
            yield f"{name}, columns {', '.join(columns[:5])} look otherwise"
        if around(was, area) != around(is_now, area):
            yield f"{name} changed outside the new cells"
    if judges:
        known = set(map(_plain, validators.problems(path)))
        yield from (text for text in validators.problems(scored[2]) if _plain(text) not in known)
    else:
        yield from _own(path, scored[2])


def _own(before: Path, after: Path) -> Iterator[str]:
    """What our own judge finds new; a workbook that it cannot read as it was is none of its."""
    try:
        known = set(map(_plain, validators.own(before)))
    except (ValueError, LookupError, etree.XMLSyntaxError):
        return
    yield from (text for text in validators.own(after) if _plain(text) not in known)


def _ods(path: Path) -> Found:

    try:
        book = OdsBook.open(path)
        for name in book.sheet_names:
            book.read(name)
        sheet = book.active
        planted, block = path, None
        if not has_results(book.read(sheet)):
            planted, block = path.with_stem("planted"), results(book.read(sheet))
            book.put(sheet, block)
            book.save(planted)
        scored = [path.with_stem(stem) for stem in ("scored1", "scored2")]
        done = [score_file(source, to, sheet=sheet) for source, to in itertools.pairwise([planted, *scored])]
    except ValetError as error:
        return Found(path, _reason(error, path))
    problems = [] if len({each.summary.scored for each in done}) == 1 else ["a later run scores other results"]
    first, second = (OdsBook.open(each) for each in scored)
    problems += [] if scored[0].read_bytes() == scored[1].read_bytes() else ["a second run gives other bytes"]
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(scored[1]) as new:
        kept = [name for name in old.namelist() if name != "content.xml"]
        problems += [f"{name!r} changed" for name in kept if old.read(name) != new.read(name)]
    area = new_cells(second.read(sheet), block)
    for name in book.sheet_names:
        ours = area if name == sheet else None
        problems += [f"sheet {name!r}, {text}" for text in _cells(book.read(name), second.read(name), ours)]
        problems += [f"a second run: {text}" for text in _cells(first.read(name), second.read(name), None)]
    return Found(path, "scored", tuple(problems))


def _cells(old: Page, new: Page, area: Area | None) -> Iterator[str]:
    """The first cell that a reader finds changed outside of an area."""
    for row in range(max(len(old.cells), len(new.cells))):
        width = max(len(page.cells[row]) if row < len(page.cells) else 0 for page in (old, new))
        for column in range(width):
            here = Area(row, column, row, column)
            if (area is None or not area.meets(here)) and not _same(old.cell(row, column), new.cell(row, column)):
                yield f"{here} was {old.cell(row, column)!r}, is {new.cell(row, column)!r}"
                return


def _same(old: Cell, new: Cell) -> bool:
    return old == new or (old != old and new != new)  # noqa: PLR0124 - NaN


def looks(root: etree._Element) -> dict[int, dict[str, str]]:
    """What a sheet says about its columns, by their numbers from 0, however it puts them together."""
    found = {}
    for element in root.iterfind("{*}cols/{*}col"):
        look = {str(name): str(text) for name, text in element.items() if name not in ("min", "max")}
        found.update(dict.fromkeys(range(int(element.get("min", 1)) - 1, int(element.get("max", 0))), look))
    return found


def changed_looks(
    was: dict[int, dict[str, str]], is_now: dict[int, dict[str, str]], area: Area, *, hidden: bool
) -> list[str]:
    """The columns whose look changed without need.

    A column of the new cells gets a width if it had none, and it is shown with a width if it was hidden. It may stay
    `hidden` if the workbook came with the results, as it may have come with their scores.
    """

    def right(column: int) -> bool:
        old, new = was.get(column), is_now.get(column)
        if not area.left <= column <= area.right:
            return old == new
        if new is None or _hidden(new):
            return hidden and old == new
        return old == new or old is None or (_hidden(old) and _without_width(old) == _without_width(new))

    every = was.keys() | is_now.keys() | set(range(area.left, area.right + 1))
    return [column_name(column) for column in sorted(every) if not right(column)]


def _hidden(look: dict[str, str]) -> bool:
    return look.get("hidden") in ("1", "true") or look.get("width") in ("0", "0.0")


def _without_width(look: dict[str, str]) -> dict[str, str]:
    return {name: text for name, text in look.items() if name not in ("hidden", "width", "customWidth")}


def around(root: etree._Element, area: Area) -> bytes:
    """A sheet's text without its columns' looks, an area's cells, and what says where they are; the tree is used up."""
    for cell in root.iter("{*}c"):
        name = cell.get("r")
        if name and area.meets(Area(*place_of(name), *place_of(name))):
            cell.getparent().remove(cell)
    for row in root.iterfind("{*}sheetData/{*}row"):
        row.attrib.pop("spans", None)
        if not len(row) and row.keys() == ["r"]:
            row.getparent().remove(row)
    for element in root.xpath("/*/*[local-name()='cols' or local-name()='dimension']"):
        element.getparent().remove(element)
    for element in root.iter("{*}c"):
        if element.get("r") is None:
            element.set("r", "?")
    etree.strip_tags(root, etree.Comment)
    return _written(root)


def _written(root: etree._Element) -> bytes:
    """A tree as text, wherever its namespaces are declared."""
    spaces: list[str] = []
    for element in root.iter("*"):
        spaces.append(f"{element.tag}{sorted(element.attrib.items())}{(element.text or '').strip()}")
    return "\n".join(spaces).encode()


def _parts(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {member.filename: archive.read(member) for member in archive.infolist()}


def _plain(problem: str) -> str:
    """A problem without the numbers that it counts."""
    return re.sub(r"\d+", "0", problem)


def _reason(error: ValetError, path: Path) -> str:
    """Why a workbook was refused, without what is its own."""
    text = one_line(error).replace(path.name, "FILE").replace(str(path.parent), "")
    return "refused: " + re.sub(r"\d[\d,.]*", "0", re.sub(r"'[^']*'|\"[^\"]*\"", "'...'", text))[:110]


def _where(error: BaseException) -> str:
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"at {Path(last.filename).name}:{last.lineno}, {last.name}"


@contextlib.contextmanager
def _silent() -> Iterator[list[str]]:
    """Catch what is written to the terminal, by other languages' libraries too."""
    said: list[str] = []
    sys.stdout.flush()
    sys.stderr.flush()
    with tempfile.TemporaryFile() as caught:
        kept = [os.dup(handle) for handle in (1, 2)]
        for handle in (1, 2):
            os.dup2(caught.fileno(), handle)
        try:
            yield said
        finally:
            for handle, old in zip((1, 2), kept, strict=True):
                os.dup2(old, handle)
                os.close(old)
            caught.seek(0)
            said.append(caught.read().decode(errors="replace"))


def _limited(work: Callable[[Path], Found], patience: int, path: Path) -> Found:
    """Work on a file that must end in time."""

    def late(*_: object) -> None:
        raise TimeoutError(f"more than {patience} seconds")

    signal.signal(signal.SIGALRM, late)
    signal.alarm(patience)
    try:
        return work(path)
    except TimeoutError as error:
        return Found(path, "failed", (str(error),))
    finally:
        signal.alarm(0)


def workbooks(folder: Path) -> list[Path]:
    """The workbooks of a folder and the folders in it."""
    return sorted(path for path in folder.rglob("*") if path.suffix.lower() in SUFFIXES and path.is_file())


def run(folder: Path, *, judges: bool, processes: int) -> list[Found]:
    """Take every workbook of a folder through the whole path."""
    work = partial(_limited, partial(tried, judges=judges), PATIENCE)
    with multiprocessing.get_context("fork").Pool(processes, maxtasksperchild=50) as pool:
        return list(pool.imap_unordered(work, workbooks(folder), chunksize=1))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run, and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument(
        "--judges", action="store_true", help="ask every judge of tests/validators.py, not our own alone"
    )
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--show", type=int, default=30, help="how many problems are listed")
    asked = parser.parse_args(arguments)
    found = run(asked.folder, judges=asked.judges, processes=asked.processes)
    for what, count in Counter(each.what for each in found).most_common():
        print(f"{count:6,}  {what}")
    wrong = sorted((each for each in found if each.problems), key=lambda each: each.path)
    for each in wrong[: asked.show]:
        print(f"{each.path.relative_to(asked.folder)}: {'; '.join(each.problems[:3])}")
    print(f"{len(found):,} workbooks, {len(wrong):,} with problems")
    return 1 if wrong or not found else 0


if __name__ == "__main__":
    sys.exit(main())
