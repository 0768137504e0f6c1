"""The commands `valet-xl addin`: the add-in for Excel and the extension for LibreOffice Calc."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn

import click

from valet_xl.cli.help import FILE, Group, argument, option
from valet_xl.cli.options import Decorator
from valet_xl.cli.terminal import ALL_SCORED, SOME_NOT_SCORED, Command, command, end
from valet_xl.errors import OptionError


@click.group("addin", cls=Group)
def addin() -> None:
    """Install or check the add-in for Excel or LibreOffice Calc.

    Excel's add-in is for Excel on Windows; --calc is for LibreOffice Calc on all systems. For Excel on a Mac and on the
    web there is a manifest.
    """


def _which() -> Decorator:
    """The options that say which program the add-in is for."""
    every = (
        option("--calc", is_flag=True, says="The extension for LibreOffice Calc, not the add-in for Excel."),
        option("--profile", type=FILE, says="With --calc: the folder of another profile than the LibreOffice user's."),
        option("--program", type=FILE, says="With --calc: LibreOffice's program or its folder, if it is not found."),
    )

    def with_all(function: Callable[..., Any]) -> Callable[..., Any]:
        for each in reversed(every):
            function = each(function)
        return function

    return with_all


@command("install")
@_which()
def addin_install(calc: bool, profile: Path | None, program: Path | None) -> None:
    """Put the add-in where its program finds it, and set where Python is; a second time changes nothing."""
    _addin("install", calc, profile, program)


@command("uninstall")
@_which()
def addin_uninstall(calc: bool, profile: Path | None, program: Path | None) -> None:
    """Remove the add-in and its settings."""
    _addin("uninstall", calc, profile, program)


@command("status")
@_which()
def addin_status(calc: bool, profile: Path | None, program: Path | None) -> None:
    """Check that the add-in is there, that its settings are right, and that the versions of its parts match."""
    _addin("status", calc, profile, program)


@command("selftest")
@option("--output", "-o", type=FILE, default=Path("valet-xl-selftest.json"), says="The file of the report.")
def addin_selftest(output: Path) -> None:
    """Try the installed add-in in Excel, and write a report to send to those who maintain valet_xl.

    This starts an Excel of its own, for a minute or two. Leave it alone. It opens none of your workbooks. The report
    has the versions of all parts, what every function and button did, and times. It has no results of yours.

    Exits with 0 if everything in Excel was as expected, 1 if something was not.
    """
    from valet_xl_excel.machine import Machine  # noqa: PLC0415
    from valet_xl_excel.selftest import selftest  # noqa: PLC0415

    _show(selftest(Machine.here(), output), "failed")


@command("manifest")
@argument("address", "Where the pages are published, such as https://example.org/bridge/.")
@option("--output", "-o", type=FILE, default=Path("valet_xl.xml"), says="The file of the manifest.")
def addin_manifest(address: str, output: Path) -> None:
    """Write the manifest of the add-in for Excel on a Mac, on the web and on Windows.

    Excel is given the manifest, and loads the add-in from the pages that valet-xl web wrote.
    """
    from valet_xl.documents.disk import replace_file  # noqa: PLC0415
    from valet_xl_web.addin_files import manifest  # noqa: PLC0415

    replace_file(output, manifest(address).encode())
    click.echo(f"{output}: give this file to Excel (docs/guides/excel-mac-web.md)")


@command("lite")
@option("--output", "-o", type=FILE, default=Path("bridge-lite"), says="The folder to write.")
def addin_lite(output: Path) -> None:
    """Write what xlwings Lite needs: a folder `personal` for all workbooks, and a workbook that carries the engine.

    xlwings Lite is another add-in, from Microsoft's store. It is free, and none of ours.
    """
    from valet_xl.documents.disk import replace_file  # noqa: PLC0415
    from valet_xl_web.lite_files import files  # noqa: PLC0415

    for name, data in files().items():
        place = output / name
        place.parent.mkdir(parents=True, exist_ok=True)
        replace_file(place, data)
    click.echo(f"{output}: has the folder personal and the workbook (docs/guides/excel-mac-web.md)")


_EACH: tuple[Command, ...] = (addin_install, addin_uninstall, addin_status, addin_selftest, addin_manifest, addin_lite)
for _one in _EACH:
    addin.add_command(_one)


def _addin(name: str, calc: bool, profile: Path | None, program: Path | None) -> None:
    """Run one of the add-in's commands; exits with 0 if all is well, 1 if something is to be done, 2 without the host.

    The hosts' own modules are loaded for these commands alone.
    """
    if calc:
        from valet_xl_calc import install as of_calc  # noqa: PLC0415
        from valet_xl_calc import places  # noqa: PLC0415

        profile = None if profile is None else places.given_profile(profile)
        findings = getattr(of_calc, name)(of_calc.Office.here(profile, program))
    elif profile or program:
        raise OptionError("--profile and --program are of LibreOffice (add --calc)")
    else:
        from valet_xl_excel import install as of_excel  # noqa: PLC0415
        from valet_xl_excel.machine import Machine  # noqa: PLC0415

        findings = getattr(of_excel, name)(Machine.here())
    _show(findings, "to do")


def _show(findings: Sequence[Any], wrong: str) -> NoReturn:
    """Print what was found, a line each; exits with 0 if all is good, else 1.

    wrong : what the lines begin with of what is not good
    """
    for finding in findings:
        click.echo(finding.text if finding.good else f"{wrong}: {finding.text}")
    end(ALL_SCORED if all(finding.good for finding in findings) else SOME_NOT_SCORED)
