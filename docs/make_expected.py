"""Fit valet_xl/deals/expected.json again: what two hands may expect to take, from deals that were solved in full.

python docs/make_expected.py FILE

FILE is a numpy .npz file with `owner`, (n, 13) bytes with four cards a byte, and `tricks`, (n, 10) bytes, two numbers a
byte, by strain (S, H, D, C, notrump) and declarer (N, E, S, W).
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from valet_xl.deals.expected import expectation_text, fit
from valet_xl.deals.kept import unpack

TARGET = Path(__file__).parents[1] / "valet_xl" / "deals" / "expected.json"
UNSEEN = 5_000  # deals at the end that are left out, for the test of the fit


def main(path: Path) -> None:
    """Fit and write."""
    with np.load(path, allow_pickle=False) as arrays:
        owners, tricks = unpack(arrays["owner"]), arrays["tricks"]
    tables = np.stack([tricks & 15, tricks >> 4], axis=-1).reshape(-1, 5, 4)[:, [3, 2, 1, 0, 4]]
    model = fit(owners[:-UNSEEN], tables[:-UNSEEN], f"{len(owners) - UNSEEN:,} random deals")
    TARGET.write_text(expectation_text(model), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
