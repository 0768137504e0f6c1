"""The normal distribution: a published table, scipy, and one function the inverse of the other."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from valet_xl.engine.normal import Z_95, quantiles, share_below


def test_the_published_table() -> None:
    """Phi(1.96) = 0.9750021, Phi(-1) = 0.1586553 (Abramowitz and Stegun, table 26.1)."""
    assert share_below([1.96, -1.0, 0.0]) == pytest.approx([0.9750021, 0.1586553, 0.5], abs=5e-8)


def test_shares_are_scipys_far_into_the_tails() -> None:
    """Down to the smallest double, without a loss of digits on the way."""
    z = np.linspace(-37, 37, 741)
    assert share_below(z) == pytest.approx(stats.norm.cdf(z), rel=1e-12, abs=0)


def test_quantiles_are_scipys() -> None:
    share = np.concatenate([np.logspace(-300, -2, 100), np.linspace(0.01, 0.99, 99), 1 - np.logspace(-2, -15, 50)])
    assert quantiles(share) == pytest.approx(stats.norm.ppf(share), rel=1e-12, abs=1e-15)
    assert pytest.approx(stats.norm.ppf(0.975), rel=1e-15) == Z_95


def test_any_shape_is_kept_and_nothing_gives_nothing() -> None:
    z = np.array([[0.5, np.nan, -2.0]])
    assert share_below(z).shape == z.shape
    assert np.isnan(share_below(z)).tolist() == [[False, True, False]]
    assert quantiles(share_below(z[:, ::2])) == pytest.approx(z[:, ::2])
    assert share_below([]).tolist() == quantiles([]).tolist() == []
    assert share_below(0.0).shape == ()


@pytest.mark.parametrize("share", [0, 1, -0.1, 1.1, np.nan])
def test_a_share_without_a_quantile_is_refused(share: float) -> None:
    with pytest.raises(ValueError, match=f"share must be above 0 and below 1, got {share:g}"):
        quantiles([0.5, share])
