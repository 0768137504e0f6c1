"""Packages of workbooks: what is not a workbook is refused in one line."""

from __future__ import annotations

import errno
import struct
import subprocess
import sys
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from workbook_samples import SHEET, edit, pack, parts, plain

import valet_xl
from valet_xl.documents.ooxml import package
from valet_xl.documents.page import Block, Column
from valet_xl.documents.xlsx import Workbook
from valet_xl.errors import FileError

CONTENT_TYPES = "[Content_Types].xml"
DOCTYPE = '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/hostname">]>'


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A workbook."""
    made = tmp_path / "results.xlsx"
    plain(made)
    return made


def refused(path: Path, message: str) -> None:
    """Opening and scoring a file gives one line, and the file stays as it is."""
    before = path.read_bytes() if path.is_file() else None
    with pytest.raises(FileError, match=message) as error:
        book = Workbook.open(path)
        book.read("Results")
        book.put("Results", Block(0, 6, (Column("x", "0", 8.0, [1.0]),), 0))
    assert "\n" not in str(error.value)
    assert before is None or path.read_bytes() == before


def declare(path: Path, part: str, size: int) -> None:
    """Let the zip's directory say another size of a part."""
    data = bytearray(path.read_bytes())
    with zipfile.ZipFile(path) as archive:
        old = archive.getinfo(part)
    entry = data.index(b"PK\1\2")
    while data[entry + 46 : entry + 46 + len(part)] != part.encode():
        entry = data.index(b"PK\1\2", entry + 1)
    struct.pack_into("<I", data, entry + 24, size)
    struct.pack_into("<I", data, old.header_offset + 22, size)
    path.write_bytes(data)


class TestRefused:
    """Bad input."""

    @pytest.mark.parametrize(
        ("data", "message"),
        [
            (b"", "is not a workbook"),
            (b"Board,Contract\n", "is not a workbook"),
            (
                bytes.fromhex("D0CF11E0A1B11AE1") + bytes(600),
                "password-protected or an old Office file .*without a password",
            ),
            (b"PK\3\4" + bytes(100), "is damaged or incomplete"),
        ],
    )
    def test_other_files(self, path: Path, data: bytes, message: str) -> None:
        """No zip at all, or an OLE file."""
        path.write_bytes(data)
        refused(path, message)

    def test_truncated(self, path: Path) -> None:
        """A download that broke off."""
        path.write_bytes(path.read_bytes()[:-100])
        refused(path, "is damaged or incomplete")

    def test_damaged_part(self, path: Path) -> None:
        """One wrong byte anywhere in a part."""
        with zipfile.ZipFile(path) as archive:
            offset = archive.getinfo("docProps/app.xml").header_offset + 100
        data = bytearray(path.read_bytes())
        data[offset] ^= 255
        path.write_bytes(data)
        refused(path, "is damaged or incomplete")

    def test_other_packages(self, path: Path) -> None:
        """A binary workbook, a text document, any other zip."""
        binary = path.with_name("a.xlsb")
        pack(binary, parts(path))
        edit(
            binary,
            CONTENT_TYPES,
            'application/vnd.openxmlformats-[^"]*sheet.main.xml',
            "application/vnd.ms-excel.sheet.binary.macroEnabled.main",
        )
        refused(binary, "binary workbook, .xlsb")
        edit(path, "_rels/.rels", "relationships/officeDocument", "relationships/other")
        refused(path, r"is not a workbook \(an .xlsx or .xlsm file expected\)")
        pack(path, {"a.txt": b"a"})
        refused(path, "is not a workbook")

    def test_missing_part(self, path: Path) -> None:
        """A workbook that names a sheet's part which is not there."""
        content = parts(path)
        del content[SHEET]
        pack(path, content)
        refused(path, "lacks the part 'xl/worksheets/sheet1.xml'")

    def test_no_worksheet(self, path: Path) -> None:
        """Sheets of other kinds alone."""
        edit(path, "xl/_rels/workbook.xml.rels", "relationships/worksheet", "relationships/chartsheet")
        refused(path, "has no worksheet")

    def test_encrypted_part(self, path: Path) -> None:
        """A password on the zip itself."""
        data = bytearray(path.read_bytes())
        entry = data.index(b"PK\1\2")
        data[entry + 8] |= 1
        path.write_bytes(data)
        refused(path, "is encrypted")

    @pytest.mark.parametrize("name", [SHEET, SHEET.upper()])
    def test_two_parts_of_a_name(self, path: Path, name: str) -> None:
        """Programs would read different ones."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with zipfile.ZipFile(path, "a") as archive:
                archive.writestr(name, b"")
        refused(path, "has two parts")

    def test_unknown_compression(self, path: Path) -> None:
        """Office files use deflate."""
        with zipfile.ZipFile(path, "a", zipfile.ZIP_LZMA) as archive:
            archive.writestr("a.bin", b"a" * 100)
        refused(path, "unknown way")

    def test_part_that_inflates_without_end(self, path: Path) -> None:
        """More than 200 times its size, and large."""
        with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive, archive.open("a.bin", "w") as stream:
            for _ in range(60):
                stream.write(bytes(1 << 20))
        refused(path, "would inflate to 62,914,560 bytes")

    def test_part_that_is_larger_than_it_says(self, path: Path) -> None:
        """It is not inflated beyond."""
        with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive, archive.open("a.bin", "w") as stream:
            for _ in range(60):
                stream.write(bytes(1 << 20))
        declare(path, "a.bin", 1000)
        refused(path, "is damaged or incomplete")

    def test_all_parts_together(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Limits on their size and number."""
        monkeypatch.setattr(package, "MAX_BYTES", 5000)
        refused(path, r"would inflate to .* \(at most 5,000 expected\)")
        monkeypatch.setattr(package, "MAX_PARTS", 5)
        refused(path, r"parts \(at most 5 expected\)")

    @pytest.mark.parametrize("part", [SHEET, "xl/workbook.xml", "xl/styles.xml", "xl/sharedStrings.xml", CONTENT_TYPES])
    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
    def test_document_type(self, path: Path, part: str, encoding: str) -> None:
        """No entity is ever looked at, in whatever encoding."""
        content = parts(path)
        root = content[part].decode().partition("?>")[2]
        name = "UTF-16" if "16" in encoding else "UTF-8"
        content[part] = f'<?xml version="1.0" encoding="{name}"?><!-- a --> {DOCTYPE}{root}'.encode(encoding)
        pack(path, content)
        refused(path, f"'{part}' has a document type".replace("[", r"\["))

    @pytest.mark.parametrize("part", [SHEET, "xl/workbook.xml", "xl/styles.xml", "_rels/.rels"])
    @pytest.mark.parametrize(
        "data", [b"", b"<a>", b"<a>\xff</a>", b"\xff\xfe<", b'<?xml version="1.0" encoding="UTF-7"?>']
    )
    def test_malformed_part(self, path: Path, part: str, data: bytes) -> None:
        """What is no XML."""
        pack(path, parts(path) | {part: data})
        refused(path, f"'{part}' is damaged")

    def test_no_file(self, tmp_path: Path) -> None:
        """Missing, or a folder."""
        refused(tmp_path / "none.xlsx", "there is no such file")
        refused(tmp_path, "is a folder")

    def test_no_permission(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """A file that may not be read; the administrator may read any, so the system's refusal is acted."""

        def refuse(path: Path) -> bytes:
            raise PermissionError(errno.EACCES, "denied", str(path))

        monkeypatch.setattr(Path, "read_bytes", refuse)
        with pytest.raises(FileError, match="no permission to read it"):
            Workbook.open(path)

    @settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(st.data())
    def test_any_damage_is_an_error_or_harmless(self, path: Path, data: st.DataObject) -> None:
        """No damaged byte gives anything but a FileError."""
        whole = path.read_bytes()
        place = data.draw(st.integers(0, len(whole) - 1))
        damaged = path.with_name("damaged.xlsx")
        damaged.write_bytes(whole[:place] + bytes([whole[place] ^ data.draw(st.integers(1, 255))]) + whole[place + 1 :])
        try:
            book = Workbook.open(damaged)
            book.put(book.sheet_names[0], Block(0, 6, (Column("x", "0", 8.0, [1.0]),), 0))
        except FileError as error:
            assert "\n" not in str(error)


def test_names_of_parts_do_not_depend_on_capitals(path: Path) -> None:
    """Nor on whether links to them begin at the root."""
    content = parts(path)
    pack(path, {name.replace("worksheets/sheet1", "Worksheets/Sheet1"): data for name, data in content.items()})
    edit(path, "xl/_rels/workbook.xml.rels", 'Target="worksheets', 'Target="/xl/worksheets')
    assert Workbook.open(path).read("Results").cells[0][0] == "Board"


def test_comment_of_a_package_stays(path: Path, make: Callable[[Path], None] = plain) -> None:
    """It belongs to the file."""
    make(path)
    with zipfile.ZipFile(path, "a") as archive:
        archive.comment = b"a comment"
    Workbook.open(path).save(path)
    with zipfile.ZipFile(path) as archive:
        assert archive.comment == b"a comment"


def test_opening_a_workbook_loads_no_engine() -> None:
    """`valet_xl/__init__.py` is left out: it imports the public names, and so the engine."""
    code = (
        "import sys, types\npackage = types.ModuleType('valet_xl')\n"
        f"package.__path__ = [{str(Path(valet_xl.__file__).parent)!r}]\nsys.modules['valet_xl'] = package\n"
        "import valet_xl.documents.xlsx, valet_xl.documents.ods\nprint(*sys.modules)"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "valet_xl.documents.page" in loaded
    assert [name for name in loaded if name.startswith("valet_xl.engine")] == []
