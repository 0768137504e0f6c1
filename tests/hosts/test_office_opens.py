"""A real office opens what `put` and `save` wrote, and finds the new cells there."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pytest
from office import ALWAYS_RECALCULATE, CSV, Office, needs_calc, program
from workbook_samples import SAMPLES, Sample, parts, plain, rich

from valet_xl.documents.page import Block, Column
from valet_xl.documents.xlsx import Workbook

pytestmark = needs_calc

DATUM = [float(10 * row - 50) for row in range(12)]
BUTLER = [row / 7 for row in range(12)]
NOTES = [None] * 10 + ["=1+1 <&> 'text'", " x "]


@pytest.fixture(scope="session")
def office(tmp_path_factory: pytest.TempPathFactory) -> Office:
    """An office with a new profile."""
    return Office(program() or "", tmp_path_factory.mktemp("profile"))


def block(sample: Sample, replaces: int = 0) -> Block:
    """Columns as scoring writes them."""
    columns = (
        Column("Datum", "0", 8.0, [*DATUM]),
        Column("Butler", "0.00", 8.0, [*BUTLER]),
        Column("Valet note", "@", 30.0, [*NOTES]),
    )
    return Block(sample.top, sample.left, columns, replaces)


def sheet(folder: Path, name: str) -> list[list[str]]:
    """The cells of a sheet that the office wrote as CSV."""
    (file,) = folder.glob(f"*-{name}.csv")
    with file.open(encoding="utf-8", newline="") as lines:
        return list(csv.reader(lines))


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_new_cells_are_found_by_an_office(sample: Sample, office: Office, tmp_path: Path) -> None:
    """Numbers, texts that look like formulas, and the cells that were there before."""
    path = tmp_path / f"scored{sample.suffix}"
    sample.make(path)
    book = Workbook.open(path)
    before = book.read("Results").cells
    book.put("Results", block(sample))
    book.save(path)
    cells = sheet(office.convert(path, tmp_path / "out", CSV), "Results")
    new = [row[sample.left : sample.left + 3] for row in cells[sample.top : sample.top + 13]]
    assert new[0] == ["Datum", "Butler", "Valet note"]
    assert [float(row[0]) for row in new[1:]] == DATUM
    assert [float(row[1]) for row in new[1:]] == pytest.approx(BUTLER)
    assert [row[2] or None for row in new[1:]] == NOTES
    assert [row[sample.left - 3] for row in cells[sample.top : sample.top + 13]] == [
        row[sample.left - 3] for row in before[sample.top : sample.top + 13]
    ]


def test_formula_on_another_sheet_is_computed_again(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A sum over cells that were empty shows the new sum after loading, where LibreOffice is set to recalculate."""
    office = Office(program() or "", tmp_path_factory.mktemp("recalculating"))
    office.set_up(ALWAYS_RECALCULATE)
    path = tmp_path / "scored.xlsx"
    plain(path)
    book = Workbook.open(path)
    book.put("Results", block(Sample(plain)))
    book.save(path)
    assert b"<v>0</v>" in parts(path)["xl/worksheets/sheet2.xml"]
    assert float(sheet(office.convert(path, tmp_path / "out", CSV), "Summary")[0][0]) == sum(DATUM) != 0


@pytest.mark.parametrize("make", [plain, rich], ids=lambda make: make.__name__)
def test_workbook_that_an_office_saved_is_scored(make: Callable[[Path], None], office: Office, tmp_path: Path) -> None:
    """LibreOffice's own .xlsx is read, written to twice with equal bytes, and opened again."""
    source = tmp_path / "made.xlsx"
    make(source)
    path = office.convert(source, tmp_path / "saved", "xlsx") / "made.xlsx"
    before = parts(path)
    results = []
    for replaces in (0, 3):
        book = Workbook.open(path)
        book.put("Results", block(Sample(plain), replaces))
        book.save(path)
        results.append(parts(path))
    assert results[0] == results[1]
    assert list(before) == list(results[0])
    changed = {name for name in before if before[name] != results[0][name]}
    assert changed <= {"xl/worksheets/sheet1.xml", "xl/styles.xml", "xl/workbook.xml"}
    cells = sheet(office.convert(path, tmp_path / "out", CSV), "Results")
    assert [float(row[6]) for row in cells[1:13]] == DATUM
