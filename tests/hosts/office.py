"""A real office program, run without a window in a profile of its own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from valet_xl_calc.environment import plain_environment

NEW_PROFILE = 81  # the exit status of a first start that wants to be started again

# One CSV file for each sheet: comma, double quote, UTF-8, from line 1, numbers as they are and not as shown.
CSV = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,false,false,false,false,-1"


# The setting "Recalculation on File Load, Excel 2007 and newer: Always recalculate"; "Never" is what it is at first.
ALWAYS_RECALCULATE = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load"><prop oor:name="OOXMLRecalcMode" oor:op="fuse">
<value>0</value></prop></item></oor:items>
"""


@dataclass(frozen=True)
class Office:
    """An office program and the folder of its profile."""

    program: str
    profile: Path

    def set_up(self, settings: str) -> None:
        """Give a new profile settings, as the text of its registrymodifications.xcu."""
        (self.profile / "user").mkdir()
        (self.profile / "user" / "registrymodifications.xcu").write_text(settings, encoding="utf-8")

    def convert(self, source: Path, folder: Path, kind: str) -> Path:
        """Open a file and save it in a folder as another kind ('xlsx', CSV ...); gives the folder."""
        command = [self.program, f"-env:UserInstallation={self.profile.as_uri()}", "--headless", "--norestore"]
        command += ["--convert-to", kind, "--outdir", str(folder), str(source)]
        for _ in range(2):
            done = subprocess.run(
                command, capture_output=True, text=True, timeout=300, check=False, env=plain_environment()
            )
            if done.returncode != NEW_PROFILE:
                break
        assert done.returncode == 0, done.stderr
        assert any(folder.iterdir()), f"nothing written: {done.stdout} {done.stderr}"
        return folder


def program() -> str | None:
    """The office program on the PATH, if there is one."""
    return shutil.which("soffice") or shutil.which("libreoffice")


# -- Calc with the extension, driven from outside

REQUIRED = os.environ.get("VALET_XL_HOSTS") == "required"  # a host that is not there is an error then
XLSX = "Calc MS Excel 2007 XML"  # Calc's name for .xlsx
_UDFS = Path(__file__).resolve().parents[2] / "udfs" / "calc"

needs_calc = pytest.mark.skipif(
    program() is None and not REQUIRED, reason="no soffice on the PATH: nothing is tried in LibreOffice Calc"
)


class Calc:
    """A running Calc. Its methods are those of `calc_driver.Driver`, which runs in LibreOffice's Python."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def __getattr__(self, name: str) -> Any:
        def ask(*given: object, **named: object) -> Any:
            assert self._process.stdin is not None
            print(json.dumps({"do": name, "given": given, "named": named}), file=self._process.stdin, flush=True)
            return self.answer()

        return ask

    def answer(self) -> Any:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, "LibreOffice ended"
        answer = json.loads(line)
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return answer["result"]


@contextmanager
def calc(profile: Path, other: Path | None = None, shown: bool = False) -> Iterator[Calc]:
    """Calc with the extension in a profile of its own.

    Parameters
    ----------
    profile : the folder
    other : an office program other than the machine's
    shown : whether it has a window
    """
    from valet_xl_calc import install

    place = install.Office.here(profile)
    if other is not None:
        place = replace(place, program=other)
    findings = install.install(place)
    assert all(finding.good for finding in findings), findings
    command = [
        place.python,
        Path(__file__).with_name("calc_driver.py"),
        _UDFS,
        place.program,
        profile,
        *["shown"] * shown,
    ]
    # An environment that is active may be on the PATH: the extension's own start of the office is tried with it.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    with subprocess.Popen(
        list(map(str, command)), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        running = Calc(process)
        assert running.answer() == "ready"
        try:
            yield running
        finally:
            assert process.stdin is not None
            process.stdin.close()
            process.wait(60)
