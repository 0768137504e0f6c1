"""What artificial adjusted scores are worth to those they were given to."""

from __future__ import annotations

import numpy as np

from valet_xl.engine.laws import Floats, artificial_imps
from valet_xl.engine.results import Results


def artificial_scores(results: Results) -> tuple[Floats, Floats]:
    """IMPs and per cent of artificial adjusted scores, (n, 2) N-S's and E-W's, each side's own; NaN where not given.

    Notes
    -----
    IMPs are those of `artificial_imps`. A board on which a row is not understood has none.
    """
    percent = np.where(results.sound[:, None], results.adjusted, np.nan)
    return artificial_imps(percent), percent
