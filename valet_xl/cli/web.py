"""The command `valet-xl web`: the page that scores files in the browser, served here or written as files."""

from __future__ import annotations

import webbrowser
from pathlib import Path

import click

from valet_xl.cli.help import FILE, option
from valet_xl.cli.options import FILES
from valet_xl.cli.terminal import ALL_SCORED, command, end
from valet_xl.messages import counted

_SERVER = "Server"


@command("web")
@option(
    "--output",
    "-o",
    type=FILE,
    metavar="FOLDER",
    heading=FILES,
    says="A folder to write the files to, for any web server.",
)
@option(
    "--from",
    "given",
    type=FILE,
    metavar="FOLDER",
    heading=FILES,
    says="A folder that has files of Pyodide and other packages; what is not there is downloaded.",
)
@option("--port", type=click.IntRange(0, 65535), default=0, heading=_SERVER, says="The port; 0 for one that is free.")
@option("--no-browser", is_flag=True, heading=_SERVER, says="Do not open the browser.")
def web(output: Path | None, given: Path | None, port: int, no_browser: bool) -> None:
    """Show the page that scores files in the browser.

    The page is served to this machine alone, until Ctrl+C. Python and the engine run in the browser, and no file leaves
    it. The first time Python for browsers (Pyodide) is downloaded, 80 MB.

    With --output the files of the page are written to a folder, and nothing is served.
    """
    from valet_xl_web.build import bundle, write  # noqa: PLC0415 - loaded for this command alone
    from valet_xl_web.server import server  # noqa: PLC0415

    files = bundle(given, tell=lambda text: click.echo(text, err=True))
    if output is not None:
        write(files, output)
        size = sum(map(len, files.values()))
        click.echo(f"written to {output}: {counted(len(files), 'file')}, {size / 1e6:.1f} MB")
        end(ALL_SCORED)
    with server(files, port) as running:
        address = f"http://127.0.0.1:{running.server_port}/"
        click.echo(f"the page is at {address} (Ctrl+C ends it)")
        if not no_browser:
            webbrowser.open(address)
        try:
            running.serve_forever()
        except KeyboardInterrupt:
            click.echo()
