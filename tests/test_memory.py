"""Memory that a process keeps for its next arrays, where the GNU C library can be told so."""

from __future__ import annotations

import os
import platform
import subprocess
import sys

import pytest

CODE = """
import resource, sys
import numpy as np
from valet_xl.documents.memory import keep_freed_memory
if sys.argv[1] == "kept":
    keep_freed_memory()
for _ in range(10):
    kept = [np.ones(1 << 20) for _ in range(8)]
    del kept  # 64 MB
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt)
"""


def faults(mode: str) -> int:
    """How often a new process, which no variable tells what to keep, asks the system for a page of memory."""
    usual = {name: value for name, value in os.environ.items() if not name.startswith(("MALLOC_", "GLIBC_"))}
    command = [sys.executable, "-c", CODE, mode]
    return int(subprocess.run(command, capture_output=True, text=True, check=True, env=usual).stdout)


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="the C library is not the GNU one")
def test_freed_memory_is_used_again() -> None:
    assert faults("kept") < faults("given back") / 2


def test_other_systems_are_left_alone() -> None:
    code = "import sys; sys.platform = 'win32'; import valet_xl.documents.memory as m; m.keep_freed_memory()"
    done = subprocess.run([sys.executable, "-c", code + "; assert 'ctypes' not in sys.modules"], check=False)
    assert done.returncode == 0
