"""The built workbooks: the paper's examples, scored by the main job."""

from __future__ import annotations

import runpy
import zipfile
from pathlib import Path

import pytest
from build_examples import PAPER, TOLERANCE, read_examples, read_pars

from valet_xl import datum, par
from valet_xl.documents.xlsx import Workbook
from valet_xl.functions.catalogue import REGISTRY

WORKBOOKS = Path(__file__).parents[1] / "workbooks"


def build(script: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", [script, str(folder)])
    runpy.run_path(str(WORKBOOKS / script), run_name="__main__")


def unpacked(path: Path) -> list[tuple[str, tuple[int, ...], bytes]]:
    """Names, dates and contents, in their order: packed bytes may differ between versions of zlib."""
    with zipfile.ZipFile(path) as archive:
        return [(member.filename, member.date_time, archive.read(member)) for member in archive.infolist()]


def test_workbooks_equal_a_fresh_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is in the folder is what the script makes from the texts next to it."""
    build("build_examples.py", tmp_path, monkeypatch)
    build("build_functions.py", tmp_path, monkeypatch)
    for name in ("results.xlsx", "examples.xlsx", "functions.xlsx"):
        assert unpacked(WORKBOOKS / name) == unpacked(tmp_path / name), name


def test_every_published_value_stands_beside_its_score() -> None:
    """Each row of each example sheet: the six published values and ours agree, and the check cell says so."""
    book = Workbook.open(WORKBOOKS / "examples.xlsx")
    rows = 0
    for example in read_examples():
        for method in example.methods:
            name = f"Example {example.number}" if method == "iaf" else f"Example {example.number} {method}"
            headings, *body = book.read(name).cells[3:]
            columns = {str(heading): at for at, heading in enumerate(headings)}
            ours = [columns["Score"], None, *(columns[part] for part in ("Bid", "Play", "Lead score", "Defence"))]
            for row in body:
                for paper, mine in zip((columns[title] for title in PAPER), ours, strict=True):
                    got = row[columns["Bid"]] + row[columns["Play"]] if mine is None else row[mine]  # type: ignore[operator]
                    assert got == pytest.approx(row[paper], abs=TOLERANCE)
                assert row[columns["Agrees"]] is True
                rows += 1
    assert rows == 22 * 3 + 16 * 4 + 12 + 4 * 4 + 0


def test_formulas_carry_the_published_values() -> None:
    """In functions.xlsx every value is in its cell before anything computes it, next to the published ones."""
    book = Workbook.open(WORKBOOKS / "functions.xlsx")
    for example in read_examples():
        for row in book.read(f"Example {example.number}").cells[4:]:
            if row[0] == example.board:
                assert row[5] == row[15]
                assert row[9:14] == pytest.approx(row[16:21], abs=TOLERANCE)
                assert row[14] is True
    workbook = zipfile.ZipFile(WORKBOOKS / "functions.xlsx").read("xl/workbook.xml")
    assert b"fullCalcOnLoad" not in workbook


def test_every_function_is_listed() -> None:
    listed = [row[0] for row in Workbook.open(WORKBOOKS / "functions.xlsx").read("Functions").cells[4:]]
    assert [str(cell).split("(")[0] for cell in listed] == list(REGISTRY)


def test_published_pars() -> None:
    for case in read_pars():
        assert par(case.scores, delta=case.delta) == case.par, case.about
        if case.zero_sum is not None:
            assert datum(case.scores, rule="zero-sum")[0] == case.zero_sum, case.about
