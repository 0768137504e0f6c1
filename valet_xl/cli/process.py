"""The process of the command: what it sets in numpy, Python and the C library before they work."""

from __future__ import annotations

import gc
import os
import re
import sys
from importlib.machinery import PathFinder
from pathlib import Path

_ONE_THREAD = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
_OBJECTS = 50_000  # new ones, after which Python looks for circular references: to start makes many, and few are such
_TRIM, _MMAP = -1, -3  # M_TRIM_THRESHOLD and M_MMAP_THRESHOLD in malloc.h
KEPT = 1 << 28  # bytes: a process keeps up to so many that are free, and asks the system itself for larger arrays alone

_LEFT_OUT, _ALONE = "NPY_DISABLE_CPU_FEATURES", "NPY_ENABLE_CPU_FEATURES"
_AVX_512 = {  # what numpy calls it, from a version on
    (2, 4): "X86_V4",
    (2, 0): "AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL",
}
_CPU_INFO = Path("/proc/cpuinfo")
_ENOUGH = 1 << 13  # bytes of it, which describe the first processor
_HAS_AVX_512 = 41  # PF_AVX512F_INSTRUCTIONS_AVAILABLE in winnt.h


def set_up() -> None:
    """Set what numpy reads when it is loaded, and how often Python collects. Variables that are set already stay.

    Numpy's products of tables here are small: on several threads they take as long, and up to five times the processor.
    """
    for name in _ONE_THREAD:
        os.environ.setdefault(name, "1")
    if not {_LEFT_OUT, _ALONE} & os.environ.keys() and is_zen_4():
        found = PathFinder.find_spec("numpy")
        left_out = avx_512_of(Path(found.origin).parent) if found is not None and found.origin else ""
        if left_out:
            os.environ[_LEFT_OUT] = left_out
    gc.set_threshold(_OBJECTS)


def is_zen_4() -> bool:
    """Whether the processor is AMD's Zen 4, on which numpy sorts five times as fast without AVX-512.

    Sorting keeps storing what it chooses from a vector, for which this processor takes more than a hundred cycles each
    time. Family 25 is Zen 3 too, which has no AVX-512.
    """
    if sys.platform == "win32":
        import ctypes  # noqa: PLC0415 - numpy loads it too

        named = re.match(r"AMD64 Family 25 .*AuthenticAMD", os.environ.get("PROCESSOR_IDENTIFIER", ""))
        return named is not None and bool(ctypes.windll.kernel32.IsProcessorFeaturePresent(_HAS_AVX_512))
    try:
        with _CPU_INFO.open("rb", buffering=0) as file:
            text = file.read(_ENOUGH).decode("ascii", "replace")
    except OSError:  # a system without it
        return False
    first = dict(re.findall(r"^(.+?)\s*:\s*(.*)$", text.partition("\n\n")[0], re.MULTILINE))
    said = first.get("vendor_id"), first.get("cpu family")
    return said == ("AuthenticAMD", "25") and "avx512f" in first.get("flags", "").split()


def avx_512_of(numpy: Path) -> str:
    """How the numpy in a folder names AVX-512, if it works without; '' if it may not.

    The packages of the Python Package Index do. They are known by the folder of their libraries. A numpy that was built
    for one processor alone cannot be loaded then. `importlib.metadata` would give the version too, but takes 30 ms.
    """
    if not numpy.with_name("numpy.libs").is_dir():
        return ""
    try:
        said = re.search(r'^version = "(\d+)\.(\d+)', (numpy / "version.py").read_text(encoding="utf-8"), re.MULTILINE)
    except (OSError, UnicodeDecodeError):
        return ""
    version = (int(said[1]), int(said[2])) if said else (0, 0)
    return next((name for since, name in _AVX_512.items() if version >= since), "")


def keep_freed_memory() -> None:
    """Keep the memory that is freed from now on, for a process that soon ends.

    The GNU C library gives large arrays back to the system at once, and the system clears each that it hands out. That
    takes a twentieth of the time of a ranking. Other libraries are left as they are.
    """
    if sys.platform != "linux":
        return
    import ctypes  # noqa: PLC0415 - numpy loads it too

    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_TRIM, KEPT)
        mallopt(_MMAP, KEPT)
