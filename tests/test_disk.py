"""A file on disk is replaced whole or not at all."""

from __future__ import annotations

import errno
import os
import re
import stat
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from valet_xl.documents.disk import beside, replace_file
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
        left = [path.name for path in old.parent.iterdir() if path != old]
        assert [re.fullmatch(r"\.a\.xlsx\.[0-9a-f]{16}\.valet-xl\.tmp", name) is not None for name in left] == [True]
        old.with_name("..a.xlsx.0123456789abcdef.valet-xl.tmp").touch()
        replace_file(old, b"new")
        assert {path.name: path.read_bytes() for path in old.parent.iterdir()} == {
            "a.xlsx": b"new",
            "..a.xlsx.0123456789abcdef.valet-xl.tmp": b"",
        }

    def test_a_lock_file_of_an_office_that_was_ended_goes_too(self, old: Path) -> None:
        """Whether the work then fails or the run is killed."""

        def locked(temporary: Path) -> None:
            temporary.with_name(f".~lock.{temporary.name}#").touch()

        with pytest.raises(FileError, match="ended"), beside(old, "ods") as (at_work, _):
            locked(at_work)
            raise FileError("the office was ended")
        assert [path.name for path in old.parent.iterdir()] == ["a.xlsx"]
        killed = old.with_name(".a.xlsx.0123456789abcdef.valet-xl.ods")
        killed.touch()
        locked(killed)
        replace_file(old, b"new")
        assert [path.name for path in old.parent.iterdir()] == ["a.xlsx"]

    def test_file_of_a_run_at_work_stays(self, old: Path) -> None:
        """Another run does not take it for one that is left."""
        with beside(old) as (other, file):
            file.write(b"other")
            file.flush()
            replace_file(old, b"new")
            assert other.read_bytes() == b"other"
        assert [path.name for path in old.parent.iterdir()] == ["a.xlsx"]

    def test_long_name(self, tmp_path: Path) -> None:
        path = tmp_path / f"{'ö♠' * 50}.xlsx"
        replace_file(path, b"new")
        replace_file(path, b"newer")
        assert [(each.name, each.read_bytes()) for each in tmp_path.iterdir()] == [(path.name, b"newer")]


@pytest.mark.skipif(os.name == "nt", reason="files have other attributes on Windows")
class TestNature:
    """What a file is besides its bytes stays."""

    @pytest.fixture
    def old(self, tmp_path: Path) -> Path:
        """A file in a folder of its own."""
        path = tmp_path / "a.xlsx"
        path.write_bytes(b"old old old")
        return path

    @pytest.mark.parametrize("data", [b"new", b"a longer one than it was"])
    def test_other_names_stay(self, old: Path, data: bytes) -> None:
        """Both are the new file."""
        other = old.with_name("b.xlsx")
        other.hardlink_to(old)
        replace_file(old, data)
        assert other.samefile(old)
        assert sorted(path.name for path in old.parent.iterdir()) == ["a.xlsx", "b.xlsx"]
        assert other.read_bytes() == data

    def test_attributes_stay(self, old: Path) -> None:
        """Those of the user, and the access list, which is one of the system's."""
        # An access list of ACL_USER_OBJ rw-, ACL_USER 12345 r--, ACL_GROUP_OBJ r--, ACL_MASK r--, ACL_OTHER ---.
        entries = ((1, 6, 0xFFFFFFFF), (2, 4, 12345), (4, 4, 0xFFFFFFFF), (16, 4, 0xFFFFFFFF), (32, 0, 0xFFFFFFFF))
        access = struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in entries)
        given = {"user.club": b"Monday", "system.posix_acl_access": access}
        for name, value in given.items():
            try:
                os.setxattr(old, name, value)
            except OSError:
                pytest.skip(f"no {name} on this disk")
        inode = old.stat().st_ino
        replace_file(old, b"new")
        assert {name: os.getxattr(old, name) for name in os.listxattr(old)} == given
        assert old.stat().st_ino != inode  # it was replaced in one step

    @pytest.mark.parametrize("refused", ["setxattr", "chown"])
    def test_a_file_whose_nature_cannot_be_given_keeps_its_place(
        self, old: Path, monkeypatch: pytest.MonkeyPatch, refused: str
    ) -> None:
        """Another user's, in a shared folder."""

        def refuse(*_: object) -> None:
            raise PermissionError(errno.EPERM, "Operation not permitted")

        try:
            os.setxattr(old, "user.club", b"Monday")
            os.chown(old, 12345, 12345)
        except OSError:
            pytest.skip("needs the administrator, and a disk with attributes")
        monkeypatch.setattr(os, refused, refuse)
        inode = old.stat().st_ino
        replace_file(old, b"new")
        status = old.stat()
        assert (old.read_bytes(), status.st_ino, status.st_uid) == (b"new", inode, 12345)
        assert os.getxattr(old, "user.club") == b"Monday"
        assert len(list(old.parent.iterdir())) == 1

    def test_full_disk_changes_no_byte(self, old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Of a file that is written over."""
        old.with_name("b.xlsx").hardlink_to(old)

        def full(*_: object) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

        monkeypatch.setattr(os, "posix_fallocate", full)
        with pytest.raises(FileError, match="the disk is full"):
            replace_file(old, b"new" * 100)
        assert [path.read_bytes() for path in old.parent.iterdir()] == [b"old old old"] * 2

    def test_killed_while_it_is_written_over(self, old: Path) -> None:
        """The whole new file is next to it, under a name that a person finds."""
        old.with_name("b.xlsx").hardlink_to(old)
        program = (
            "import os, pathlib, valet_xl.documents.disk\nos.posix_fallocate = lambda *_: os._exit(7)\n"
            f"valet_xl.documents.disk.replace_file(pathlib.Path({str(old)!r}), b'new')"
        )
        environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[1])}
        assert subprocess.run([sys.executable, "-c", program], check=False, env=environment).returncode == 7
        (whole,) = old.parent.glob("a (new *).xlsx")
        assert whole.read_bytes() == b"new"
