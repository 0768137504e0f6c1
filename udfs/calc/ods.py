"""Columns put into an .ods file by Calc itself, which alone keeps all that it once wrote into it."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import valet_xl
from valet_xl.documents.disk import beside, read_file, replace_file
from valet_xl.documents.page import Block, Page
from valet_xl.errors import FileError, SheetError
from valet_xl.messages import one_line
from valet_xl_calc.environment import plain_environment
from valet_xl_calc.install import Office

PATIENCE = 300.0  # seconds that Calc may take, which needs some for 30,000 results

_HERE = Path(__file__).resolve().parent
_ENGINE = Path(valet_xl.__file__).resolve().parent
_WAYS = (
    "install LibreOffice 24.8 or later, from libreoffice.org or with apt install libreoffice-calc python3-uno; "
    "or save the sheet as .xlsx or .csv and score that"
)
# No lock files for copies that nobody else opens.
_SETTINGS = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry"><item oor:path="/org.openoffice.Office.Common/Misc">
<prop oor:name="UseDocumentOOoLockFile" oor:op="fuse"><value>false</value></prop>
<prop oor:name="UseDocumentSystemFileLocking" oor:op="fuse"><value>false</value></prop>
</item></oor:items>
"""


def write_ods(source: Path, target: Path, sheet: str, page: Page, block: Block, patience: float = PATIENCE) -> None:
    """Put columns into a sheet of an .ods file: the `valet_xl.documents.ods.Writer` of this host.

    Parameters
    ----------
    source, target : the file, and the one to write, which may be the same
    sheet : the sheet's name
    page : the sheet as it was read; what is left of the columns must be there in Calc too
    block : the columns and their place
    patience : seconds that Calc may take

    Raises
    ------
    FileError : if there is no Calc, it fails or takes too long, or the target cannot be replaced
    SheetError : where the columns have no free place, or the sheet is protected or is not what was read

    Notes
    -----
    Calc runs without a window, in a profile of its own, and neither runs macros nor updates links. It opens a copy in
    the file's folder and writes another in the target's. So addresses of other files, which are relative to the folder,
    stay right, and Calc never sees the lock file of somebody who has the file open, which it would delete.
    """
    try:
        office = Office.here()
    except FileError as error:
        raise FileError(f"{source.name}: cannot be written without Calc, {one_line(error)}; {_WAYS}") from error
    with _beside(source, read_file(source)) as opened, _beside(target) as written:
        request = {
            "source": opened.as_uri(),
            "target": written.as_uri(),
            "sheet": sheet,
            "block": asdict(block),
            "left": _left(page, block),
        }
        answer = _asked(office, request, patience)
        if answer["refused"]:
            raise SheetError(f"sheet {sheet}: {answer['refused']}")
        data = read_file(written)
    replace_file(target, data)


def _left(page: Page, block: Block) -> list[list[str | bool]]:
    """What is left of a block: the texts of the heading row, and in other rows to its end whether there is any."""
    rows: list[list[str | bool]] = [
        [cell is not None for cell in row[: block.left]] for row in page.cells[: block.area.bottom + 1]
    ]
    heading = page.cells[block.top][: block.left]
    rows[block.top] = [one_line(cell) if isinstance(cell, str) else cell is not None for cell in heading]
    return rows


@contextlib.contextmanager
def _beside(file: Path, data: bytes = b"") -> Iterator[Path]:
    """A new file in the folder of another one, until the work is done."""
    with contextlib.ExitStack() as stack:
        try:
            path, new = stack.enter_context(beside(Path(os.path.realpath(file)), "ods"))
            new.write(data)
            new.flush()
        except OSError as error:
            raise FileError(f"{file.parent}: cannot be written to, {(error.strerror or 'it fails').lower()}") from error
        if os.name == "nt":  # LibreOffice could not write it
            new.close()
        yield path


def _asked(office: Office, request: dict[str, Any], patience: float) -> dict[str, str]:
    """What `ods_writer` answers, which LibreOffice's Python runs and which is ended with all that it started."""
    with tempfile.TemporaryDirectory(prefix="valet_xl_", ignore_cleanup_errors=True) as folder:
        profile = Path(folder, "profile")
        (profile / "user").mkdir(parents=True)
        (profile / "user" / "registrymodifications.xcu").write_text(_SETTINGS, encoding="utf-8")
        command = [office.python, _HERE / "ods_writer.py", _ENGINE, office.program, profile]
        environment = plain_environment() | dict.fromkeys(("TMPDIR", "TEMP", "TMP"), folder)
        with _process(list(map(str, command)), environment) as process:
            try:
                out, wrong = process.communicate(json.dumps(request), patience)
            except subprocess.TimeoutExpired as error:
                raise FileError(f"LibreOffice did not end in {patience:g} seconds, and nothing was written") from error
        if process.returncode:
            said = [line.strip() for line in wrong.splitlines() if line.strip()]
            raise FileError(f"{office.program}: could not write the file, {said[-1] if said else 'without a reason'}")
        answer: dict[str, str] = json.loads(out.splitlines()[-1])
        return answer


@contextlib.contextmanager
def _process(command: list[str], environment: dict[str, str]) -> Iterator[subprocess.Popen[str]]:
    """A program with a group of its own, so that none of those that it starts outlives it."""
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command,
        stdin=pipe,
        stdout=pipe,
        stderr=pipe,
        env=environment,
        encoding="utf-8",
        errors="replace",
        start_new_session=True,
    ) as process:
        try:
            yield process
        finally:
            if process.returncode != 0:
                _end(process)


def _end(process: subprocess.Popen[str]) -> None:
    """End a program and all that it started."""
    if sys.platform == "win32":
        subprocess.run(["taskkill", "/F", "/T", "/PID", str(process.pid)], capture_output=True, check=False)
    else:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
