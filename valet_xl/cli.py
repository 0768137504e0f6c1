"""The command `valet-xl`."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from valet_xl.butler import ROUNDINGS, RULES
from valet_xl.comparison import DIVISORS
from valet_xl.errors import ValetError
from valet_xl.laws import IMP_ROUNDINGS
from valet_xl.result_file import STEPS, Outcome, score_file
from valet_xl.rows import RESULTS_ARE, ROUNDS
from valet_xl.scoring import Options, Summary
from valet_xl.valet import LEADS, METHODS

app = typer.Typer(add_completion=False, no_args_is_help=True, pretty_exceptions_enable=False, rich_markup_mode=None)

ALL_SCORED, SOME_NOT_SCORED, UNUSABLE = 0, 1, 2
BAR_AFTER = 1.0  # seconds that the work may take without a progress bar
SHOWN = 20  # problems that the summary lists; all are in the sheet's Note column


def _words(words: Iterable[str], says: str) -> Any:
    """An option that takes one of some words, which `Options` checks."""
    return typer.Option(metavar="|".join(words), help=says)


DEFAULT = Options()


@app.callback()
def valet_xl() -> None:
    """Bridge scores for analysts and clubs."""


@app.command()
def score(
    file: Annotated[Path, typer.Argument(help="An .xlsx or .xlsm workbook, a .csv file, or Valet text (scores.txt).")],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", help="The file to write; else a workbook is changed in place, others get NAME-scored.csv."
        ),
    ] = None,
    sheet: Annotated[
        str | None, typer.Option(help="The sheet; else the one the workbook opens with, or the only one with results.")
    ] = None,
    method: Annotated[str, _words(METHODS, "What Bid, Play, Lead and Defence are parts of.")] = DEFAULT.method,
    cloud: Annotated[bool, typer.Option("--cloud", help="Compare with what the others' contracts are worth.")] = False,
    lead: Annotated[str, _words(LEADS, "Which opening leads are alike.")] = DEFAULT.lead,
    datum: Annotated[str, _words(RULES, "The rule of the datum.")] = DEFAULT.datum,
    leave_out: Annotated[
        float | None,
        typer.Option(help="For a trimmed datum: scores left out at each end, 1 by default, or a share such as 0.05."),
    ] = DEFAULT.leave_out,
    rounding: Annotated[
        str, _words(ROUNDINGS, "Of the datum: none; to an integer toward 0; to the nearest 10; halves even; down.")
    ] = DEFAULT.rounding,
    imp_rounding: Annotated[
        str, _words(IMP_ROUNDINGS, "Of a difference that is no multiple of 10: to the nearest 10, or down.")
    ] = DEFAULT.imp_rounding,
    double: Annotated[bool, typer.Option("--double", help="Butler as half the IMPs of twice the difference.")] = False,
    divisor: Annotated[str, _words(DIVISORS, "What a sum of cross-IMPs is divided by.")] = DEFAULT.divisor,
    result_is: Annotated[
        str, _words(RESULTS_ARE, "What a column Result holds: made (= +1 -2), or total tricks.")
    ] = DEFAULT.result_is,
    rounds: Annotated[
        str, _words(ROUNDS, "Whether a board number in another round is a new deal or the same.")
    ] = DEFAULT.rounds,
    names: Annotated[
        Path | None, typer.Option(help="For Valet text: the players' names; else names.txt in the same folder.")
    ] = None,
) -> None:
    """Score every result of a sheet or file.

    Ends with 0 if all was understood and scored, 1 if some boards were not scored or some cells not understood, 2 if
    the file could not be used and nothing was written.
    """
    try:
        options = Options(
            method=method,
            cloud=cloud,
            lead=lead,
            datum=datum,
            leave_out=leave_out,
            rounding=rounding,
            imp_rounding=imp_rounding,
            double=double,
            divisor=divisor,
            result_is=result_is,
            rounds=rounds,
        )
        with _progress() as step:
            outcome = score_file(file, output, sheet, names, options, step)
    except ValueError as error:
        _fail(error, file)
    _print(outcome)
    raise typer.Exit(ALL_SCORED if outcome.summary.complete else SOME_NOT_SCORED)


addin = typer.Typer(
    no_args_is_help=True, help="The add-in for Excel on Windows, or for LibreOffice Calc: install, uninstall, status."
)
app.add_typer(addin, name="addin")

Calc = Annotated[bool, typer.Option("--calc", help="The extension for LibreOffice Calc, not the add-in for Excel.")]
Profile = Annotated[Path | None, typer.Option(help="With --calc: the folder of the LibreOffice user's profile.")]


@addin.command("install")
def addin_install(calc: Calc = False, profile: Profile = None) -> None:
    """Put the add-in where its program finds it, and tell it where Python is; a second time changes nothing."""
    _addin("install", calc, profile)


@addin.command("uninstall")
def addin_uninstall(calc: Calc = False, profile: Profile = None) -> None:
    """Remove the add-in and its settings."""
    _addin("uninstall", calc, profile)


@addin.command("status")
def addin_status(calc: Calc = False, profile: Profile = None) -> None:
    """Check that the add-in is there, that its settings are right, and that the versions of its parts match."""
    _addin("status", calc, profile)


def _addin(command: str, calc: bool, profile: Path | None) -> None:
    """Run one of the add-in's commands; ends with 0 if all is well, 1 if something is to be done, 2 without the host.

    The hosts' own modules are loaded for these commands alone.
    """
    try:
        if calc:
            from valet_xl_calc import install as of_calc  # noqa: PLC0415

            findings = getattr(of_calc, command)(of_calc.Office.here(profile))
        else:
            from valet_xl_excel import install as of_excel  # noqa: PLC0415

            findings = getattr(of_excel, command)(of_excel.Machine.here())
    except ValetError as error:
        typer.echo(f"valet-xl: {error}", err=True)
        raise typer.Exit(UNUSABLE) from error
    for finding in findings:
        typer.echo(finding.text if finding.good else f"to do: {finding.text}")
    raise typer.Exit(0 if all(finding.good for finding in findings) else 1)


def main() -> None:
    """Run the command; the console script's entry."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # a name in any script must not stop the summary
    app()


def _fail(error: ValueError, file: Path) -> None:
    """One line on stderr, and the exit status for a file that could not be used."""
    text = " ".join(str(error).split())
    where = f"{file}: " if isinstance(error, ValetError) and file.name not in text else ""
    typer.echo(f"valet-xl: {where}{text}", err=True)
    raise typer.Exit(UNUSABLE)


@contextmanager
def _progress() -> Iterator[Callable[[str], None]]:
    """A function to be told each step; on a terminal a bar appears after a second, and goes when all is done."""
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
        disable=not sys.stderr.isatty(),
    )
    task = bar.add_task("", total=len(STEPS))
    timer = threading.Timer(BAR_AFTER, bar.start)
    timer.daemon = True
    timer.start()
    try:
        yield lambda name: bar.update(task, description=name, completed=STEPS.index(name))
    finally:
        timer.cancel()
        timer.join()
        bar.stop()


def _print(outcome: Outcome) -> None:
    """Say what was scored, what was not and why, and where to look."""
    read = f"columns read: {', '.join(outcome.read)}"
    unread = f"; not read: {', '.join(outcome.unread)}" if outcome.unread else ""
    for line in (*_lines(outcome.summary), f"{read}{unread}", f"written to {outcome.written}, {outcome.place}"):
        typer.echo(line)


def _lines(summary: Summary) -> Iterator[str]:
    yield f"scored {summary.scored:,} of {_count(summary.results, 'result')} on {_count(summary.boards, 'board')}"
    if summary.rounds:
        other = "same" if summary.rounds == "new" else "new"
        what = "new deals" if summary.rounds == "new" else "the same deals"
        yield f"board numbers that come again in other rounds are {what} (if not: --rounds {other})"
    if summary.unplayed:
        yield f"not played: {_count(summary.unplayed, 'row')}"
    yield from _some("not scored", summary.unscored)
    yield from _some("not understood", [str(error) for error in summary.errors])
    if summary.skipped:
        numbers = ", ".join(map(str, summary.skipped[:SHOWN]))
        more = ", ..." if len(summary.skipped) > SHOWN else ""
        yield f"passed over, no result in them: rows {numbers}{more}"


def _some(title: str, lines: tuple[str, ...] | list[str]) -> Iterator[str]:
    for line in lines[:SHOWN]:
        yield f"{title}: {line}"
    if len(lines) > SHOWN:
        yield f"{title}: {len(lines) - SHOWN:,} more (each has its reason in the column Note)"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
