"""Two commits side by side: python -m tests.bench.compare BEFORE AFTER [bench_engine ...]

Each commit is checked out into a folder of its own and installed into an environment of its own, which shares the
libraries of the Python that runs this. The benchmarks are those of the working tree, so both commits do the same
work. They run in turns, each time in a new process, so that what slows the machine down slows both. The best times of
all turns are compared; a ratio above 1 means that AFTER is slower.
"""

from __future__ import annotations

import json
import subprocess
import sys
import sysconfig
import tempfile
import venv
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

from tests.bench.timing import measured, time_text

ROOT = Path(__file__).parents[2]
BENCHMARKS = (
    *("bench_quick", "bench_engine", "bench_workbook", "bench_totals", "bench_career", "bench_teams", "bench_binky"),
    "bench_start",
)
TURNS = 4
Times = dict[str, float]  # seconds of the processor, by the names of the tasks


def main(arguments: list[str]) -> int:
    """Print both times and their ratio for every task."""
    if len(arguments) < 2 or set(arguments[2:]) - set(BENCHMARKS):
        print(f"usage: python -m tests.bench.compare BEFORE AFTER [{' | '.join(BENCHMARKS)} ...]", file=sys.stderr)
        return 2
    revisions, benchmarks = arguments[:2], arguments[2:] or list(BENCHMARKS)
    with tempfile.TemporaryDirectory() as temporary:
        folders = [Path(temporary, name) for name in ("before", "after")]
        with checked_out(revisions[0], folders[0]), checked_out(revisions[1], folders[1]):
            pythons = [install(folder) for folder in folders]
            print(f"{'':<72}{revisions[0]:>12}{revisions[1]:>12}{'ratio':>8}")
            for benchmark in benchmarks:
                best: tuple[Times, Times] = ({}, {})
                for turn in range(TURNS):
                    measure(benchmark, pythons, folders, best, turn)
                for name in dict.fromkeys([*best[0], *best[1]]):
                    print(line(name, best[0].get(name), best[1].get(name)), flush=True)
    return 0


def measure(
    benchmark: str, pythons: Sequence[Path], folders: Sequence[Path], best: tuple[Times, Times], turn: int
) -> None:
    """One turn of a benchmark: both commits, the other one first in every second turn. Keeps the best times."""
    for side in (0, 1) if turn % 2 == 0 else (1, 0):
        for name, took in times(pythons[side], benchmark, folders[side]).items():
            best[side][name] = min(took, best[side].get(name, took))


def line(name: str, before: float | None, after: float | None) -> str:
    """A task's times and their ratio; a dash where a commit lacks what it needs.

    >>> line("reading", 0.5, 1.0)[-32:]
    '      500 ms         1 s    2.00'
    >>> line("reading", None, 1.0)[-32:]
    '           -         1 s       -'
    """
    texts = ["-" if took is None else time_text(took) for took in (before, after)]
    ratio = f"{after / before:.2f}" if before and after else "-"
    return f"{name:<72}{texts[0]:>12}{texts[1]:>12}{ratio:>8}"


@contextmanager
def checked_out(revision: str, folder: Path) -> Iterator[None]:
    """A commit in a folder, as a worktree that is removed afterwards."""
    git = ["git", "-C", str(ROOT), "worktree"]
    subprocess.run([*git, "add", "--quiet", "--detach", str(folder), revision], check=True)
    try:
        yield
    finally:
        subprocess.run([*git, "remove", "--force", str(folder)], check=True)


def install(source: Path) -> Path:
    """Install a commit into an environment of its own, and give the Python of that."""
    environment = source.with_name(f"{source.name}-environment")
    venv.create(environment, with_pip=False)
    python = environment / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    libraries = [path for path in sys.path if path.endswith("site-packages")]
    place = sysconfig.get_path("purelib", vars={"base": str(environment)})
    Path(place, "libraries.pth").write_text("\n".join(libraries) + "\n", encoding="utf-8")
    pip = [sys.executable, "-m", "pip", "--python", str(python), "--disable-pip-version-check", "install", "--quiet"]
    from_here = ["--no-deps", "--no-index", "--no-build-isolation", "--ignore-installed"]
    subprocess.run([*pip, *from_here, str(source)], check=True, capture_output=True)
    return python


def times(python: Path, benchmark: str, folder: Path) -> Times:
    """The times of a benchmark in one process; none where the commit lacks what the benchmark imports."""
    code = (
        f"import sys; sys.path.append({str(ROOT)!r}); from tests.bench.compare import print_times; "
        f"print_times({benchmark!r})"
    )
    run = subprocess.run([python, "-P", "-c", code], cwd=folder, capture_output=True, text=True, check=False)
    if run.returncode:
        said = run.stderr.strip().splitlines() or [f"exit status {run.returncode}"]
        print(f"{benchmark} in {folder.name}: {said[-1]}", file=sys.stderr)
        return {}
    return {str(name): float(took) for name, took in json.loads(run.stdout).items()}


def print_times(benchmark: str) -> None:
    """What the process of `times` runs."""
    tasks = import_module(f"tests.bench.{benchmark}").tasks()
    print(json.dumps({task.name: measured(task) for task in tasks if task.runs}))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
