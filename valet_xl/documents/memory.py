"""The memory of large arrays, which the process keeps for the next ones."""

from __future__ import annotations

import sys

_TRIM, _MMAP = -1, -3  # M_TRIM_THRESHOLD and M_MMAP_THRESHOLD in malloc.h
KEPT = 1 << 28  # bytes: a process keeps up to so many that are free, and asks the system itself for larger arrays alone


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
