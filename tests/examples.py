"""The seven worked examples of the Valet paper as results: they are in the text in the folder of the example workbooks.

Source: S. Hein, the Valet principles paper (2015), Examples 1-6, and its appendix of 2018, Example 7. The paper prints
two decimals; these three agree with them.
"""

from __future__ import annotations

from collections.abc import Sequence

from build_examples import Line, read_examples

from valet_xl.engine.results import Results
from valet_xl.reading.rows import read_rows

EXAMPLES = read_examples()


def results_of(board: int, lines: Sequence[Line]) -> Results:
    """The results of an example, one after the other; `which_line` gives the line of each."""
    of = [lines[at] for at in which_line(lines)]
    return read_rows(
        {
            "board": [board] * len(of),
            "contract": [line.contract for line in of],
            "declarer": [line.by for line in of],
            "tricks": [line.tricks for line in of],
            "lead": [line.led for line in of],
        },
        range(1, len(of) + 1),
    )


def which_line(lines: Sequence[Line]) -> list[int]:
    """The line that each result is on."""
    return [at for at, line in enumerate(lines) for _ in range(line.tables)]
