"""A real office program, run without a window in a profile of its own."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

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
            done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
            if done.returncode != NEW_PROFILE:
                break
        assert done.returncode == 0, done.stderr
        assert any(folder.iterdir()), f"nothing written: {done.stdout} {done.stderr}"
        return folder


def program() -> str | None:
    """The office program on the PATH, if there is one."""
    return shutil.which("soffice") or shutil.which("libreoffice")
