"""The built workbooks: the paper's examples, scored by the main job."""

from __future__ import annotations

import runpy
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from build_examples import PAPER, PRINTED_TOLERANCE, TOLERANCE, Line, read_examples, read_pars
from examples import which_line

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


def agree(ours: Sequence[object], shown: Sequence[object], line: Line) -> None:
    """Our parts are the recomputed ones, and the cells next to them are what the paper prints."""
    assert ours == pytest.approx([line.overall, line.bid, line.play, line.lead, line.defence], abs=TOLERANCE)
    assert list(shown) == [figure.value for figure in line.printed]
    for part, figure in zip(ours, line.printed, strict=True):
        if figure.value is not None:
            assert (part == pytest.approx(figure.value, abs=PRINTED_TOLERANCE)) is not figure.slip


def test_every_printed_value_stands_beside_its_score() -> None:
    """Each row of each example sheet: ours agree with what the paper prints, but for its slip, and a cell says so."""
    book = Workbook.open(WORKBOOKS / "examples.xlsx")
    rows = 0
    for example in read_examples():
        for method, lines in example.methods.items():
            name = f"Example {example.number}" if method == "iaf" else f"Example {example.number} {method}"
            headings, *body = book.read(name).cells[3:]
            columns = {str(heading): at for at, heading in enumerate(headings)}
            for row, at in zip(body, which_line(lines), strict=True):
                parts = [row[columns[part]] for part in ("Bid", "Play", "Lead score", "Defence")]
                score, *shown = (row[columns[title]] for title in PAPER)
                assert row[columns["Score"]] == score == lines[at].score
                agree([parts[0] + parts[1], *parts], shown, lines[at])  # type: ignore[operator]
                assert row[columns["Agrees"]] is True
                rows += 1
    assert rows == 22 * 3 + 16 * 4 + 12 + 4 * 4 + 0


def test_formulas_carry_the_printed_values() -> None:
    """In functions.xlsx every value is in its cell before anything computes it, next to what the paper prints."""
    book = Workbook.open(WORKBOOKS / "functions.xlsx")
    for example in read_examples():
        lines = example.methods["iaf"]
        rows = [row for row in book.read(f"Example {example.number}").cells[4:] if row[0] == example.board]
        for row, at in zip(rows, which_line(lines), strict=True):
            assert row[5] == row[15] == lines[at].score
            assert (row[12] is None) == (lines[at].led == "-")  # a lead that is not known is blank
            agree([row[9 + part] or 0.0 for part in range(5)], row[16:21], lines[at])
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
