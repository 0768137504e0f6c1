"""The list of formats: what a file is, its content says, and all that read files choose by the same list."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner
from result_files import FILES
from workbook_samples import plain

from valet_xl import read_results
from valet_xl.cli.main import app
from valet_xl.errors import FileError, SheetError
from valet_xl.reading import files
from valet_xl.reading.files import FORMATS, files_listed, format_of
from valet_xl.reading.formats import Asked, File, Format
from valet_xl.reading.source import Source
from valet_xl.sheets.convert import convert_file
from valet_xl.sheets.score_file import score_file

KINDS = {suffix: each.name for each in FORMATS for suffix in each.suffixes}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("suffix", ["", ".dat", ".txt", ".csv", ".bws"])
def test_content_says_what_a_file_is(name: str, suffix: str) -> None:
    assert format_of(File(Path(f"results{suffix}"), FILES[name])).name == KINDS[Path(name).suffix]


def test_content_says_which_workbook_a_file_is(tmp_path: Path) -> None:
    plain(tmp_path / "night.xlsx")
    assert format_of(File(Path("night"), (tmp_path / "night.xlsx").read_bytes())).suffixes == (".xlsx", ".xlsm")
    with zipfile.ZipFile(tmp_path / "night.ods", "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
    assert format_of(File.of(tmp_path / "night.ods")).suffixes == (".ods",)
    assert format_of(File(Path("night"), (tmp_path / "night.ods").read_bytes())).suffixes == (".ods",)


def test_every_format_is_declared_in_full() -> None:
    usual = {".xml": "USEBIO", ".pbn": "PBN", ".bws": "Bridgemate", ".txt": "Valet text", ".csv": "CSV"}
    assert usual.items() <= KINDS.items()
    for each in FORMATS:
        assert each.name and each.file and each.suffixes
        assert all(suffix.startswith(".") and suffix == suffix.lower() for suffix in each.suffixes)
    suffixes = [suffix for each in FORMATS for suffix in each.suffixes if each.name != "BBO Extractor"]  # CSV too
    assert len(suffixes) == len(set(suffixes))


def test_what_is_no_text_is_refused_with_the_list(tmp_path: Path) -> None:
    path = tmp_path / "night.bin"
    path.write_bytes(b"\0\1\2" * 100)
    with pytest.raises(FileError, match=rf"night.bin: is not a text file \(expected {files_listed()}\)"):
        read_results(path)


def test_sheets_and_names_go_with_some_formats_alone(tmp_path: Path) -> None:
    for name in ("games.pbn", "night.csv", "scores.txt"):
        (tmp_path / name).write_bytes(FILES[name])
        with pytest.raises(SheetError, match="has no sheets"):
            score_file(tmp_path / name, sheet="Results")
    with pytest.raises(FileError, match="names go with Valet text, not with a PBN file"):
        read_results(tmp_path / "games.pbn", names=tmp_path / "scores.txt")


def test_a_format_is_one_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line in the list, and the file is read, scored, converted and ranked, and messages name its format."""

    def read(file: File, _: Asked) -> Source:
        cells = zip(*(line.split() for line in file.text.splitlines()[1:]), strict=True)
        fields = dict(zip(("board", "ns", "ew", "contract", "declarer", "tricks"), map(list, cells), strict=True))
        return Source("Plain", fields, range(2, 2 + len(fields["board"])), "line", file.encoding)

    plain_text = Format("Plain", "a plain file", (".plain",), lambda file: file.text.startswith("PLAIN\n"), read)
    monkeypatch.setattr(files, "FORMATS", (plain_text, *FORMATS))
    path = tmp_path / "night.plain"
    path.write_text("PLAIN\n1 1 2 4S N 10\n1 3 4 4S N 9\n")
    assert read_results(path).score.tolist() == [420, -50]
    scored = score_file(path)
    assert (scored.summary.scored, scored.written.name) == (2, "night-scored.csv")
    assert convert_file(path, tmp_path / "out.csv").source.kind == "Plain"
    for command in (["rank", str(path)], ["board", str(path), "1"], ["duel", str(path)], ["score", str(path)]):
        assert CliRunner().invoke(app, command).exit_code == 0, command
    assert "a plain file" in files_listed()
