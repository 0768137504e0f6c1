"""What the page costs in a browser, beside the command. By hand: python -m tests.bench.bench_web

Processor time of Chromium and all its processes, or of the command, in turns; and the time that passes. The best of
each counts. Chromium starts with a new profile each time; a warm start is the second visit with the same profile.
"""

from __future__ import annotations

import gzip
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[1] / "hosts"), str(Path(__file__).parents[1])]

from browser import MINUTES, chromium, served  # noqa: E402 - as the tests find them
from playwright.sync_api import Page  # noqa: E402

from tests.bench.bench_workbook import ROWS, workbook  # noqa: E402
from valet_xl_web.build import bundle  # noqa: E402

TURNS = 3
_TICK = os.sysconf("SC_CLK_TCK")
_IAF = """async () => {
    const { Engine } = await import("/engine/engine.js");
    const engine = new Engine();
    const scores = [1460, ...Array(8).fill(1430), 690, ...Array(11).fill(680), 660].map((score) => [score]);
    const call = () => engine.call("functions.call", { name: "VALET_IAF", arguments: [scores] });
    await call();
    const start = performance.now();
    for (let at = 0; at < 500; at += 1) await call();
    return (performance.now() - start) / 500;
}"""

Times = dict[str, list[tuple[float, float]]]


def of_browser() -> float:
    """The processor time that all processes under this one have taken, those that have ended left out."""
    parents: dict[int, list[int]] = {}
    used: dict[int, int] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        process = int(path.parent.name)
        parents.setdefault(int(fields[1]), []).append(process)
        used[process] = int(fields[11]) + int(fields[12])
    found, waiting = 0, [*parents.get(os.getpid(), [])]
    while waiting:
        process = waiting.pop()
        found += used[process]
        waiting += parents.get(process, [])
    return found / _TICK


def timed(times: Times, name: str, work: Callable[[], object]) -> None:
    """Time work in the browser."""
    before, start = of_browser(), time.perf_counter()
    work()
    times.setdefault(name, []).append((of_browser() - before, time.perf_counter() - start))


def ready(page: Page, address: str) -> None:
    """Load the page until Python is ready."""
    page.goto(address)
    page.get_by_text("Ready: choose a file").wait_for(timeout=MINUTES)


def dropped(page: Page, path: Path) -> None:
    """Choose a file, and download it scored."""
    page.locator("#files").set_input_files(path)
    with page.expect_download(timeout=MINUTES) as found:
        page.get_by_role("button", name=f"Download {path.stem}-scored.xlsx").click(timeout=MINUTES)
    found.value.path()


def command(times: Times, path: Path, folder: Path) -> None:
    """Time the command on the same file."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    called = [sys.executable, "-m", "valet_xl", "score", str(path), "--output", str(folder / "scored.xlsx")]
    subprocess.run(called, capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    times.setdefault("the command on the same workbook", []).append((used, time.perf_counter() - start))


def main() -> None:
    """Measure, and print."""
    files = bundle()
    sizes = {"all": files, "of the page": {name: data for name, data in files.items() if not name.startswith("addin/")}}
    for name, some in sizes.items():
        zipped = sum(len(gzip.compress(data)) for data in some.values())
        print(f"files, {name}: {sum(map(len, some.values())) / 1e6:.1f} MB, {zipped / 1e6:.1f} MB with gzip")
    times: Times = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "results.xlsx"
        workbook(path)
        for _ in range(TURNS):
            with served(files) as address, chromium() as browser:
                context = browser.new_context()
                page = context.new_page()
                timed(times, "cold start", lambda page=page, address=address: ready(page, address))
                page.close()
                page = context.new_page()
                timed(times, "warm start", lambda page=page, address=address: ready(page, address))
                timed(times, f"workbook of {ROWS:,} rows, drop to download", lambda page=page: dropped(page, path))
                command(times, path, folder)
                print(f"VALET_IAF of 22 cells: {page.evaluate(_IAF):.2f} ms a call")
    for what, each in times.items():
        used, passed = (min(values) for values in zip(*each, strict=True))
        print(f"{what}: {used:.2f} s of processor time, {passed:.2f} s passed")


if __name__ == "__main__":
    main()
