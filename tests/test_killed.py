"""Runs that are killed at any moment: the file is the old one or the new one, and the next run puts all away."""

from __future__ import annotations

import random
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from workbook_samples import rich

KILLS = 12


def start(path: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "valet_xl", "score", str(path)]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


@pytest.mark.slow
def test_killed_at_any_moment(tmp_path: Path) -> None:
    """The moments are spread over the time that a whole run takes."""
    path = tmp_path / "results.xlsx"
    rich(path)
    old = path.read_bytes()
    began = time.monotonic()
    assert start(path).wait() == 0
    took, new = time.monotonic() - began, path.read_bytes()
    assert new != old
    moments = random.Random(7)
    for _ in range(KILLS):
        path.write_bytes(old)
        with start(path) as process:
            time.sleep(moments.uniform(0.3, 1.1) * took)
            process.kill()
        assert path.read_bytes() in (old, new)
        left = [other.name for other in tmp_path.iterdir() if other != path]
        assert len(left) <= 1
        assert all(re.fullmatch(r"\.results\.xlsx\.[0-9a-f]{16}\.valet-xl\.tmp", name) for name in left)
    assert start(path).wait() == 0
    assert [(other.name, other.read_bytes()) for other in tmp_path.iterdir()] == [(path.name, new)]
