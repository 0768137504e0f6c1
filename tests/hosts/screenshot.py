"""Click Score sheet in a Calc that has a window, and keep a picture of it as workbooks/calc.png.

By hand, from the project's directory, with Xvfb, xdotool, ImageMagick and a LibreOffice that is not headless:
python tests/hosts/screenshot.py [folder of soffice.bin]
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

WORKBOOKS = Path(__file__).parents[2] / "workbooks"
PICTURE = WORKBOOKS / "calc.png"
DISPLAY = ":97"
SIZE = "1280x720"
BUTTON = "Score sheet"


@contextlib.contextmanager
def display() -> Iterator[None]:
    """A screen of its own."""
    server = subprocess.Popen(["Xvfb", DISPLAY, "-screen", "0", f"{SIZE}x24"], stderr=subprocess.DEVNULL)
    os.environ |= {"DISPLAY": DISPLAY, "SAL_USE_VCLPLUGIN": "gen"}
    time.sleep(2)
    try:
        yield
    finally:
        server.terminate()
        server.wait()


def main() -> None:
    """Open results, click, and take the picture."""
    from office import calc

    where = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    with tempfile.TemporaryDirectory() as folder, display():
        results = shutil.copy(WORKBOOKS / "results.xlsx", folder)
        with calc(Path(folder) / "profile", where and where / "soffice.bin", shown=True) as host:
            host.open(str(results), shown=True)
            host.settle(SIZE)
            x, y = host.button(BUTTON)
            before = host.cells()
            subprocess.run(["xdotool", "mousemove", str(x), str(y), "click", "1"], check=True)
            time.sleep(4)
            assert len(host.cells()[4]) > len(before[4]), "the click wrote nothing"
            subprocess.run(["xdotool", "mousemove", "900", "110"], check=True)
            time.sleep(2)
            subprocess.run(["import", "-window", "root", str(PICTURE)], check=True)
    print(PICTURE)


if __name__ == "__main__":
    main()
