"""Whole numbers read out of bytes: eight bytes at a place are one number, whose digits are added up all at once."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Words = npt.NDArray[np.uint64]

LOW = np.array([(1 << 8 * size) - 1 for size in range(9)], dtype=np.uint64)  # masks of the first bytes of a word
_ZEROS = np.uint64(0x3030303030303030)


def word(text: bytes) -> int:
    """Up to eight bytes as the number that a processor reads there."""
    return int.from_bytes(text.ljust(8, b"\0")[:8], "little")


def whole_numbers(
    words: Words, sizes: npt.NDArray[np.signedinteger]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    """The whole numbers that begin words, of as many digits as `sizes` says, and which of them are that.

    Those of more than eight digits are not; no digit at all is 0.

    >>> whole_numbers(np.array([word(b"407<"), word(b"4a7<")], dtype=np.uint64), np.array([3, 3]))[1].tolist()
    [True, False]
    """
    short = np.minimum(sizes, 8)
    # The digits at the end of the word, and nothing before them; all at once they become pairs, fours and one number.
    digits = words ^ _ZEROS
    digits <<= (64 - 8 * short).astype(np.uint64)
    whole = ((digits + np.uint64(0x7676767676767676) | digits) & np.uint64(0x8080808080808080)) == 0
    digits *= np.uint64(10 * 256 + 1)
    digits >>= np.uint64(8)
    digits &= np.uint64(0x00FF00FF00FF00FF)
    digits *= np.uint64(100 * 65536 + 1)
    digits >>= np.uint64(16)
    digits &= np.uint64(0x0000FFFF0000FFFF)
    digits *= np.uint64(10_000 * (1 << 32) + 1)
    digits >>= np.uint64(32)
    return digits.view(np.int64), whole & (sizes <= 8)
