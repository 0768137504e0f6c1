"""Columns of cells as the lines of a CSV file, all cells of a column at once.

The text of a cell is a row of bytes, with zeros where there is nothing. Columns of such rows next to each other are the
lines, once the zeros are taken out.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Letters = npt.NDArray[np.uint8]

DECIMALS = 6  # of numbers that are not whole
_EXACT = 1e6  # below that the decimals of a number in binary are certain, but for those near a half
_NEAR_HALF = 1e-3
_WIDEST = 1 << 26  # bytes of a column that are laid out
_QUOTED = ',"\r\n'  # what a cell with these around it needs


def csv_lines(columns: Sequence[Sequence[object]]) -> bytes:
    r"""The lines of a CSV file in UTF-8, as `csv_text` writes each cell, with a carriage return at their ends.

    Parameters
    ----------
    columns : two or more, of one length: texts, numbers, None for blank

    >>> csv_lines([["Ann", 'B "Bo" Ek'], [1.5, None], [7, 8]])
    b'Ann,1.500000,7\r\n"B ""Bo"" Ek",,8\r\n'
    """
    size = len(columns[0])
    laid = [_laid(cells) for cells in columns]
    if len(columns) < 2 or any(each is None for each in laid):
        out = io.StringIO(newline="")
        rows = ([csv_text(cell) for cell in row] for row in zip(*columns, strict=True))
        csv.writer(out, lineterminator="\r\n").writerows(rows)
        return out.getvalue().encode()
    comma, end = (np.broadcast_to(np.frombuffer(text, dtype=np.uint8), (size, len(text))) for text in (b",", b"\r\n"))
    pieces: list[Letters] = []
    for each in laid:
        assert each is not None
        pieces += [each, comma]
    lines = np.concatenate([*pieces[:-1], end], axis=1)
    return lines[lines != 0].tobytes()


def csv_text(cell: object, decimal: str = ".") -> str:
    """A cell as text: nothing for None, whole numbers as such, others with six decimals and no negative zero.

    >>> csv_text(-0.0000001), csv_text(2.5, ","), csv_text(7), csv_text(None)
    ('0.000000', '2,500000', '7', '')
    """
    if cell is None:
        return ""
    if isinstance(cell, float):
        text = f"{cell:.{DECIMALS}f}"
        return ("0.000000" if text == "-0.000000" else text).replace(".", decimal)
    return str(cell)


def _laid(cells: Sequence[object]) -> Letters | None:
    """A column's cells, (n, width) letters; None where they are too wide, or have zeros themselves."""
    types = set(map(type, cells))
    if types <= {float, type(None)}:
        values = np.array(cells, dtype=np.float64)  # NaN for None
        blank = np.isnan(values)
        if blank.any():
            blank[blank] = [cells[at] is None for at in np.flatnonzero(blank).tolist()]
        letters = _numbers(np.where(blank, 0, values))
        letters[blank] = 0
        return letters
    texts = [str(cell) for cell in cells] if types <= {str} else [csv_text(cell) for cell in cells]
    together = "".join(texts)
    if any(letter in together for letter in _QUOTED):
        texts = [_quoted(text) if isinstance(cell, str) else text for cell, text in zip(cells, texts, strict=True)]
    return None if "\0" in together else _texts(texts)


def _quoted(text: str) -> str:
    """A text in quotes if it needs them."""
    if any(letter in text for letter in _QUOTED):
        return '"' + text.replace('"', '""') + '"'
    return text


def _texts(texts: Sequence[str]) -> Letters | None:
    """Texts as letters; None where they are too wide."""
    data = [text.encode() for text in texts]
    width = max(map(len, data), default=0)
    if width * len(data) > _WIDEST:
        return None
    return np.array(data, dtype=f"S{max(width, 1)}").view(np.uint8).reshape(len(data), -1)


def _numbers(values: npt.NDArray[np.float64]) -> Letters:
    """Numbers with six decimals as letters, right-aligned, as Python forms them: it rounds what they are exactly.

    Their decimals are computed as a whole number of millionths. Python forms the few of which that is not certain.
    """
    size = np.abs(values)
    with np.errstate(invalid="ignore", over="ignore"):
        millionths = size * 10.0**DECIMALS
        certain = (size < _EXACT) & (np.abs(millionths - np.floor(millionths) - 0.5) > _NEAR_HALF)
    rest = np.rint(np.where(certain, millionths, 0)).astype(np.int64)
    negative = np.signbit(values) & (rest > 0)
    letters: list[Letters] = []  # from the last
    for _ in range(DECIMALS):
        rest, digit = _last_digit(rest)
        letters.append(digit)
    letters.append(np.full(len(values), ord("."), dtype=np.uint8))
    first = True
    while first or rest.any():
        there = first | (rest > 0)
        rest, digit = _last_digit(rest)
        letters.append(np.where(there, digit, 0).astype(np.uint8))
        first = False
    letters.append(np.where(negative, ord("-"), 0).astype(np.uint8))
    found = np.stack(letters[::-1], axis=1)
    others = np.flatnonzero(~certain)
    if not len(others):
        return found
    formed = _texts([csv_text(value) for value in values[others].tolist()])
    assert formed is not None
    out = np.zeros((len(values), max(found.shape[1], formed.shape[1])), dtype=np.uint8)
    out[:, : found.shape[1]] = found
    out[others] = 0
    out[others, : formed.shape[1]] = formed
    return out


def _last_digit(rest: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], Letters]:
    """Whole numbers without their last digit, and that as a letter."""
    without = rest // 10
    return without, (rest - 10 * without + ord("0")).astype(np.uint8)
