"""Who cannot be told apart: Holm's method against statsmodels, and letters against their definition."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from valet_xl.rankings.letters import LEVEL, different, letters
from valet_xl.rankings.simulate import simulate
from valet_xl.rankings.totals import totals


@pytest.mark.parametrize("seed", range(5))
def test_holms_method(seed: int) -> None:
    multitest = pytest.importorskip("statsmodels.stats.multitest")
    alone = np.random.default_rng(seed).uniform(0, 0.1, 15) ** 2
    p = np.ones((6, 6))
    p[np.triu_indices(6, 1)] = alone
    p = np.minimum(p, p.T)
    expected = multitest.multipletests(alone, LEVEL, method="holm")[0]
    found = different(p)
    assert found[np.triu_indices(6, 1)].tolist() == expected.tolist()
    assert (found == found.T).all() and not found.diagonal().any()


def test_what_cannot_be_compared_does_not_differ() -> None:
    assert not different(np.full((3, 3), np.nan)).any()


@given(st.integers(1, 7).flatmap(lambda size: st.lists(st.booleans(), min_size=size**2, max_size=size**2)))
def test_two_have_a_letter_in_common_if_they_do_not_differ(cells: list[bool]) -> None:
    """And only then; and no letter is shared by a part of those that share another."""
    size = round(len(cells) ** 0.5)
    differ = np.triu(np.array(cells).reshape(size, size), 1)
    differ |= differ.T
    found = letters(differ)
    assert all(found)
    for one, other in itertools.combinations(range(size), 2):
        assert bool(set(found[one]) & set(found[other])) != differ[one, other]
    of_letter = [{row for row in range(size) if letter in found[row]} for letter in sorted(set("".join(found)))]
    assert not any(one < other for one, other in itertools.permutations(of_letter, 2))


def test_letters_of_a_table_agree_with_its_comparisons() -> None:
    """The least probable difference of two pairs without a common letter would pass alone at 5 % of all comparisons."""
    table = totals(simulate(pairs=10, rounds=9, boards=12, movement="round-robin", bid=3, seed=3).results).pairs
    rows = table.order()
    found = table.letters(rows, "overall")
    assert set(found[0]) & set(found[1]) and not set(found[0]) & set(found[-1])
    p = {
        (one, other): table.compare(int(rows[one]), int(rows[other])).p
        for one, other in itertools.combinations(range(10), 2)
    }
    apart = {pair for pair in p if not set(found[pair[0]]) & set(found[pair[1]])}
    assert max(p[pair] for pair in apart) < min(value for pair, value in p.items() if pair not in apart)
    assert max(p[pair] for pair in apart) <= LEVEL / (len(p) - len(apart) + 1)
