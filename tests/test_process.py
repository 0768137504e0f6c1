"""What the command sets for its own process, in numpy and in the C library."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from valet_xl.cli import process

CODE = """
import resource, sys
import numpy as np
from valet_xl.cli.process import keep_freed_memory
if sys.argv[1] == "kept":
    keep_freed_memory()
for _ in range(10):
    kept = [np.ones(1 << 20) for _ in range(8)]
    del kept  # 64 MB
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt)
"""


def faults(mode: str) -> int:
    """How often a new process asks the system for a page of memory, where no variable says what to keep."""
    usual = {name: value for name, value in os.environ.items() if not name.startswith(("MALLOC_", "GLIBC_"))}
    command = [sys.executable, "-c", CODE, mode]
    return int(subprocess.run(command, capture_output=True, text=True, check=True, env=usual).stdout)


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="the C library is not the GNU one")
def test_freed_memory_is_used_again() -> None:
    assert faults("kept") < faults("given back") / 2


def test_other_systems_are_left_alone() -> None:
    code = "import sys; sys.platform = 'win32'; import valet_xl.cli.process as m; m.keep_freed_memory()"
    done = subprocess.run([sys.executable, "-c", code + "; assert 'ctypes' not in sys.modules"], check=False)
    assert done.returncode == 0


ZEN_4 = (
    "processor\t: 0\nvendor_id\t: AuthenticAMD\ncpu family\t: 25\nmodel\t\t: 17\nflags\t\t: fpu avx2 avx512f avx512dq\n"
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (ZEN_4 + "\nprocessor\t: 1\n", True),
        (ZEN_4.replace(" avx512f avx512dq", ""), False),  # Zen 3
        (ZEN_4.replace(": 25", ": 26"), False),  # Zen 5
        (ZEN_4.replace("AuthenticAMD", "GenuineIntel"), False),
        (ZEN_4.replace("avx512f avx512dq", "").replace("AuthenticAMD", "x") + "\n" + ZEN_4, False),  # the second
        ("processor\t: 0\nBogoMIPS\t: 50.00\nFeatures\t: fp asimd\n", False),
        ("", False),
    ],
)
def test_zen_4_is_known_by_what_linux_says_of_the_first_processor(monkeypatch, tmp_path, text, expected) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(process, "_CPU_INFO", tmp_path / "cpuinfo")
    assert not process.is_zen_4()  # without the file
    (tmp_path / "cpuinfo").write_text(text)
    assert process.is_zen_4() == expected


@pytest.mark.parametrize(
    ("named", "present", "expected"),
    [
        ("AMD64 Family 25 Model 97 Stepping 2, AuthenticAMD", 1, True),
        ("AMD64 Family 25 Model 33 Stepping 2, AuthenticAMD", 0, False),
        ("AMD64 Family 26 Model 68 Stepping 0, AuthenticAMD", 1, False),
        ("Intel64 Family 6 Model 143 Stepping 8, GenuineIntel", 1, False),
        ("", 1, False),
    ],
)
def test_zen_4_is_known_by_what_windows_says(monkeypatch, named, present, expected) -> None:
    import ctypes

    asked = []
    kernel = SimpleNamespace(IsProcessorFeaturePresent=lambda feature: asked.append(feature) or present)
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(ctypes, "windll", SimpleNamespace(kernel32=kernel), raising=False)
    monkeypatch.setenv("PROCESSOR_IDENTIFIER", named)
    assert process.is_zen_4() == expected
    assert set(asked) <= {41}


@pytest.mark.parametrize(
    ("version", "expected"),
    [("2.4.6", "X86_V4"), ("2.10.0", "X86_V4"), ("3.0", "X86_V4"), ("2.0.2", "AVX512F"), ("1.26.4", ""), ("?", "")],
)
def test_what_is_left_out_goes_by_numpys_version_and_only_in_its_own_packages(tmp_path, version, expected) -> None:
    folder = tmp_path / "numpy"
    folder.mkdir()
    (folder / "version.py").write_text(f'"""Its version."""\nversion = "{version}"\n__version__ = version\n')
    assert process.avx_512_of(folder) == ""
    (tmp_path / "numpy.libs").mkdir()
    assert process.avx_512_of(folder).partition(" ")[0] == expected
    (folder / "version.py").unlink()
    assert process.avx_512_of(folder) == ""


def started(**variables: str) -> dict[str, str]:
    """What the command has set for numpy on a Zen 4, after numpy was loaded, which must not complain."""
    code = (
        "import json, os, sys, valet_xl.cli.process as process\n"
        "process.is_zen_4 = lambda: True\n"
        "process.set_up()\n"
        "assert 'numpy' not in sys.modules\n"
        "import numpy\n"
        "print(json.dumps({name: value for name, value in os.environ.items() if name.startswith('NPY_')}))"
    )
    usual = {name: value for name, value in os.environ.items() if not name.startswith("NPY_")} | variables
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=usual)
    assert not done.stderr
    found: dict[str, str] = json.loads(done.stdout)
    return found


def test_numpy_is_loaded_without_avx_512_unless_a_variable_says_otherwise() -> None:
    left_out = process.avx_512_of(Path(np.__file__).parent)
    assert started() == ({"NPY_DISABLE_CPU_FEATURES": left_out} if left_out else {})
    assert started(NPY_DISABLE_CPU_FEATURES="") == {"NPY_DISABLE_CPU_FEATURES": ""}
    assert started(NPY_ENABLE_CPU_FEATURES="") == {"NPY_ENABLE_CPU_FEATURES": ""}
