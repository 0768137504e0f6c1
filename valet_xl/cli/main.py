"""The command `valet-xl`."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from valet_xl.cli.binky import app as binky
from valet_xl.cli.board import board
from valet_xl.cli.compare import compare
from valet_xl.cli.convert import convert
from valet_xl.cli.duel import duel
from valet_xl.cli.findings import findings
from valet_xl.cli.options import Names, Sheet, takes_options
from valet_xl.cli.rank import rank
from valet_xl.cli.simulate import simulate
from valet_xl.cli.terminal import (
    ALL_SCORED,
    SOME_NOT_SCORED,
    UNUSABLE,
    Command,
    after_writing,
    fail,
    give_up_output,
    progress,
    summary_lines,
)
from valet_xl.engine.options import Options
from valet_xl.errors import ValetError
from valet_xl.sheets.score_file import SCORE_STEPS, Outcome, score_file

if TYPE_CHECKING:  # with libraries that are loaded for workbooks alone
    from valet_xl.documents.page import Block, Page

app = typer.Typer(add_completion=False, no_args_is_help=True, pretty_exceptions_enable=False, rich_markup_mode=None)


@app.callback()
def valet_xl() -> None:
    """Bridge scores for analysts and clubs.

    A command exits with 2 if it cannot use what it was given. It exits with 70 if valet-xl itself is at fault; the
    message names the file that describes the fault.
    """


@app.command(cls=Command)
@takes_options()
def score(
    file: Annotated[Path, typer.Argument(help="A workbook (.xlsx, .xlsm, .ods), .csv, or another file of results.")],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", help="The file to write; else a workbook is changed in place, others get NAME-scored.csv."
        ),
    ] = None,
    sheet: Sheet = None,
    *,
    options: Options,
    asked: frozenset[str],
    names: Names = None,
) -> None:
    """Score every result of a sheet or file.

    Exits with 0 if all was read and scored, 1 if some boards were not scored or some cells could not be read, 2 if
    the file could not be used and nothing was written.
    """
    try:
        with progress(SCORE_STEPS) as step:
            outcome = score_file(
                file, output, sheet=sheet, names=names, options=options, asked=asked, step=step, write_ods=_write_ods
            )
    except ValetError as error:
        fail(error, file, output)
    _print(outcome)
    raise typer.Exit(ALL_SCORED if outcome.summary.complete else SOME_NOT_SCORED)


def _write_ods(source: Path, target: Path, sheet: str, page: Page, block: Block) -> None:
    """Let Calc write an .ods file; its module is loaded for these alone."""
    from valet_xl_calc.ods import write_ods  # noqa: PLC0415

    write_ods(source, target, sheet, page, block)


app.command(cls=Command)(rank)
app.command(cls=Command)(compare)
app.command(cls=Command)(board)
app.command(cls=Command)(convert)
app.command(cls=Command)(simulate)
app.command(cls=Command)(duel)
app.command(cls=Command)(findings)
app.add_typer(binky, name="binky")


addin = typer.Typer(
    no_args_is_help=True,
    help="The add-in for Excel on Windows, or for LibreOffice Calc: install, uninstall, status, selftest.",
)
app.add_typer(addin, name="addin")

Calc = Annotated[bool, typer.Option("--calc", help="The extension for LibreOffice Calc, not the add-in for Excel.")]
Profile = Annotated[Path | None, typer.Option(help="With --calc: the folder of the LibreOffice user's profile.")]


@addin.command("install", cls=Command)
def addin_install(calc: Calc = False, profile: Profile = None) -> None:
    """Put the add-in where its program finds it, and set where Python is; a second time changes nothing."""
    _addin("install", calc, profile)


@addin.command("uninstall", cls=Command)
def addin_uninstall(calc: Calc = False, profile: Profile = None) -> None:
    """Remove the add-in and its settings."""
    _addin("uninstall", calc, profile)


@addin.command("status", cls=Command)
def addin_status(calc: Calc = False, profile: Profile = None) -> None:
    """Check that the add-in is there, that its settings are right, and that the versions of its parts match."""
    _addin("status", calc, profile)


@addin.command("selftest", cls=Command)
def addin_selftest(
    output: Annotated[Path, typer.Option("--output", "-o", help="The file of the report.")] = Path(
        "valet-xl-selftest.json"
    ),
) -> None:
    """Try the installed add-in in Excel, and write a report to send to those who maintain valet_xl.

    This starts an Excel of its own, for a minute or two. Leave it alone. It opens none of your workbooks. The report
    has the versions of all parts, what every function and button did, and times. It has no results of yours.

    Exits with 0 if everything in Excel was as expected, 1 if something was not.
    """
    from valet_xl_excel.machine import Machine  # noqa: PLC0415
    from valet_xl_excel.selftest import selftest  # noqa: PLC0415

    _show(selftest(Machine.here(), output), "failed")


def _addin(command: str, calc: bool, profile: Path | None) -> None:
    """Run one of the add-in's commands; exits with 0 if all is well, 1 if something is to be done, 2 without the host.

    The hosts' own modules are loaded for these commands alone.
    """
    if calc:
        from valet_xl_calc import install as of_calc  # noqa: PLC0415

        findings = getattr(of_calc, command)(of_calc.Office.here(profile))
    else:
        from valet_xl_excel import install as of_excel  # noqa: PLC0415
        from valet_xl_excel.machine import Machine  # noqa: PLC0415

        findings = getattr(of_excel, command)(Machine.here())
    _show(findings, "to do")


def _show(findings: Sequence[Any], wrong: str) -> NoReturn:
    """Print what was found, a line each; exits with 0 if all is good, else 1.

    wrong : what the lines begin with of what is not good
    """
    for finding in findings:
        typer.echo(finding.text if finding.good else f"{wrong}: {finding.text}")
    raise typer.Exit(0 if all(finding.good for finding in findings) else 1)


def main() -> None:
    """Run the command; the console script's entry."""
    sys.stdout = sys.stdout or Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - it was closed by who started the command
    sys.stderr = sys.stderr or sys.stdout
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # a name in any script must not stop the summary
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # so that what was begun is put away
    try:
        try:
            app()
        finally:
            sys.stdout.flush()
    except OSError as error:
        give_up_output(error)
        sys.exit(UNUSABLE)


def _print(outcome: Outcome) -> None:
    """Say what was scored, what was not and why, and where to look."""
    shape = f"shape: {outcome.shape}; " if outcome.shape else ""
    read = f"{shape}columns read: {', '.join(outcome.read)}"
    unread = f"; not read: {', '.join(outcome.unread)}" if outcome.unread else ""
    lines = summary_lines(outcome.summary, " (each has its reason in the column Note)")
    with after_writing():
        for line in (*outcome.taken, *lines, f"{read}{unread}", f"written to {outcome.written}, {outcome.place}"):
            typer.echo(line)
