"""How long the command takes to start, against Python with numpy. By hand: python -m tests.bench.bench_start

Processor time, user and system, of whole processes. They run in turns, so that what slows the machine down slows all,
and the best time of each counts. All find their modules compiled, as installed ones are.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from tests.bench.timing import Task, processor_time, show, time_text

SHEET = Path(__file__).parents[2] / "workbooks" / "results.xlsx"
TURNS = 15
NUMPY = 'python -c "import numpy"'
_COMMANDS = {
    NUMPY: ["-c", "import numpy"],
    "valet-xl --help": ["-m", "valet_xl", "--help"],
    "valet-xl score --help": ["-m", "valet_xl", "score", "--help"],
    "valet-xl score of 104 rows": ["-m", "valet_xl", "score", "night.xlsx", "--output", "scored.xlsx"],
}


def run(arguments: list[str], folder: Path) -> float:
    """Run Python in a folder with compiled modules, and give the seconds of processor time that it took."""
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(folder / "compiled")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    before = processor_time()
    subprocess.run([sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, check=True)
    return processor_time() - before


@contextmanager
def a_folder() -> Iterator[Path]:
    """A folder with a small sheet."""
    with tempfile.TemporaryDirectory() as name:
        shutil.copyfile(SHEET, Path(name) / "night.xlsx")
        yield Path(name)


def tasks() -> Iterator[Task]:
    """Each command, after a first run that compiles the modules."""
    with a_folder() as folder:
        for name, arguments in _COMMANDS.items():
            run(arguments, folder)
            yield Task(name, partial(run, arguments, folder), runs=TURNS)


def main() -> None:
    """Print the time of each command, and how it compares with numpy's."""
    best = dict.fromkeys(_COMMANDS, float("inf"))
    with a_folder() as folder:
        for turn in range(TURNS + 1):
            for name, arguments in _COMMANDS.items():
                took = run(arguments, folder)
                if turn:  # the first run compiles the modules
                    best[name] = min(best[name], took)
    targets = {"valet-xl --help": "at most 1.5 x", "valet-xl score of 104 rows": "at most 0.15 s above 1.5 x"}
    for name, took in best.items():
        show(name, time_text(took), f"{took / best[NUMPY]:.2f} x  {targets.get(name, '')}")


if __name__ == "__main__":
    main()
