"""A file on disk is replaced whole or not at all."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from valet_xl.documents.disk import replace_file
from valet_xl.errors import FileError


class TestReplaceFile:
    """Old or new, never less."""

    @pytest.fixture
    def old(self, tmp_path: Path) -> Path:
        """A file in a folder of its own."""
        (tmp_path / "folder").mkdir()
        path = tmp_path / "folder" / "a.xlsx"
        path.write_bytes(b"old")
        return path

    def test_new_and_old_files(self, old: Path) -> None:
        """Written where there was one and where there was none; nothing else is left in the folder."""
        replace_file(old, b"new")
        replace_file(old.with_name("b.xlsx"), b"other")
        assert {path.name: path.read_bytes() for path in old.parent.iterdir()} == {"a.xlsx": b"new", "b.xlsx": b"other"}

    @pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
    def test_mode_stays(self, old: Path) -> None:
        """Who may read a file is its owner's choice."""
        old.chmod(0o640)
        replace_file(old, b"new")
        assert stat.S_IMODE(old.stat().st_mode) == 0o640

    def test_link_stays(self, old: Path) -> None:
        """The file that it points to is replaced."""
        link = old.parent.parent / "link.xlsx"
        try:
            link.symlink_to(old)
        except OSError:
            pytest.skip("no symbolic links here")
        replace_file(link, b"new")
        assert link.is_symlink()
        assert old.read_bytes() == b"new"

    @pytest.mark.parametrize("lock", [".~lock.a.xlsx#", "~$a.xlsx"])
    def test_file_that_is_open_elsewhere(self, old: Path, lock: str) -> None:
        """LibreOffice and Excel leave a file next to it."""
        old.with_name(lock).touch()
        with pytest.raises(FileError, match=r"is open in another program \(close it there"):
            replace_file(old, b"new")
        assert old.read_bytes() == b"old"

    def test_write_protected_file(self, old: Path) -> None:
        """Even for the administrator."""
        old.chmod(0o444)
        with pytest.raises(FileError, match="is write-protected"):
            replace_file(old, b"new")
        assert old.read_bytes() == b"old"

    def test_no_folder(self, tmp_path: Path) -> None:
        """Or a folder instead of a file."""
        with pytest.raises(FileError, match="there is no such folder"):
            replace_file(tmp_path / "none" / "a.xlsx", b"new")
        with pytest.raises(FileError, match="is not a file"):
            replace_file(tmp_path, b"new")

    @pytest.mark.parametrize(
        ("error", "message"),
        [
            (OSError(errno.ENOSPC, "No space left on device"), "the disk is full"),
            (PermissionError(errno.EACCES, "Permission denied"), "no permission, or open in another program"),
            (OSError(errno.EIO, "Input/output error"), "input/output error"),
        ],
    )
    @pytest.mark.parametrize("step", ["fsync", "replace"])
    def test_failure_leaves_the_old_file(
        self, old: Path, monkeypatch: pytest.MonkeyPatch, step: str, error: OSError, message: str
    ) -> None:
        """And no temporary file."""

        def fail(*_: object) -> None:
            raise error

        monkeypatch.setattr(*((os, "fsync") if step == "fsync" else (Path, "replace")), fail)
        with pytest.raises(FileError, match=message):
            replace_file(old, b"new")
        assert [path.read_bytes() for path in old.parent.iterdir()] == [b"old"]

    @pytest.mark.parametrize("step", ["os.fsync", "pathlib.Path.replace", "pathlib.Path.chmod"])
    def test_crash_leaves_the_old_file(self, old: Path, step: str) -> None:
        """The process ends in the middle of it."""
        program = (
            f"import os, pathlib, valet_xl.documents.disk\n{step} = lambda *_: os._exit(7)\n"
            f"valet_xl.documents.disk.replace_file(pathlib.Path({str(old)!r}), b'new')"
        )
        environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[1])}
        assert subprocess.run([sys.executable, "-c", program], check=False, env=environment).returncode == 7
        assert old.read_bytes() == b"old"
