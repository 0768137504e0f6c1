"""The log of faults, and what the user is shown of one."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from valet_xl import faults
from valet_xl.faults import PLACE, log_fault, log_file


def raised(error: BaseException) -> BaseException:
    """An exception with a traceback."""
    try:
        raise error
    except BaseException as caught:
        return caught


def test_the_log_has_the_traceback_and_the_sentence_names_the_log(fault_log: Path) -> None:
    said = log_fault(raised(KeyError("board")), "valet-xl score")
    assert said == f"a fault of valet_xl, not of your data: KeyError: 'board' (details are in {fault_log})"
    text = fault_log.read_text(encoding="utf-8")
    assert ", valet-xl score, valet_xl " in text.splitlines()[0]
    assert "Traceback (most recent call last):" in text
    assert "in raised" in text
    assert text.endswith("KeyError: 'board'\n\n")


def test_faults_are_appended_and_causes_are_logged_too(fault_log: Path) -> None:
    log_fault(raised(KeyError("first")), "one")
    second = ZeroDivisionError("second")
    second.__cause__ = raised(TypeError("cause"))
    log_fault(raised(second), "two")
    text = fault_log.read_text(encoding="utf-8")
    assert [text.count(word) for word in ("KeyError: 'first'", "TypeError: cause", "ZeroDivisionError: second")] == [
        1
    ] * 3


def test_a_full_log_becomes_the_old_one(fault_log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that there are never more than two, and neither is longer than the limit."""
    monkeypatch.setattr(faults, "MOST_BYTES", 3000)
    old = fault_log.with_name("faults.log.old")
    for at in range(30):
        log_fault(raised(ValueError(f"fault {at}")), "test")
        assert all(file.stat().st_size <= 3000 for file in fault_log.parent.iterdir())
    assert sorted(fault_log.parent.iterdir()) == [fault_log, old]
    assert "fault 29" in fault_log.read_text(encoding="utf-8")
    log_fault(raised(ValueError("x" * 10_000)), "test")
    assert fault_log.stat().st_size == 3000
    old.unlink()


def test_a_log_that_cannot_be_written_is_said_to_be_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "a file"
    place.write_bytes(b"")
    for where in (place / "faults.log", tmp_path, "bad\0name"):
        monkeypatch.setattr(faults, "log_file", lambda where=where: Path(where))
        said = log_fault(raised(KeyError("board")), "test")
        assert "KeyError: 'board' (not logged: " in said
        assert " cannot be written, " in said


def test_a_user_without_a_home_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_home() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv(PLACE)
    monkeypatch.setattr(Path, "home", no_home)
    assert log_fault(raised(KeyError("board")), "test").endswith("(not logged: there is no home folder)")


def test_the_log_is_in_the_home_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv(PLACE)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    assert log_file() == tmp_path / ".valet_xl" / "faults.log"
    log_fault(raised(KeyError("board")), "test")
    assert log_file().is_file()


def test_the_sentence_is_one_short_line(fault_log: Path) -> None:
    """Even where an exception's text is long, has breaks or surrogates, is missing, or fails itself."""

    class Broken(Exception):
        def __str__(self) -> str:
            raise ValueError("no text")

    for error in (ValueError("a\n" * 1000), ValueError("\udc80"), ValueError(), Broken()):
        said = log_fault(raised(error), "test")
        assert "\n" not in said
        assert len(said) < 300 + len(str(fault_log))
        assert type(error).__name__ in said


def test_nothing_is_printed(fault_log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A host may have no terminal."""
    for name in ("stdout", "stderr"):
        monkeypatch.setattr(sys, name, io.StringIO())
    log_fault(raised(KeyError("board")), "test")
    assert (sys.stdout.getvalue(), sys.stderr.getvalue()) == ("", "")  # type: ignore[attr-defined]
