"""The fit: A by combinatorics, both methods on tables and deals made from known values, the same file again."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from itertools import combinations
from math import comb
from pathlib import Path

import numpy as np
import pytest
from assertions import assert_close
from click.testing import CliRunner

from valet_xl.binky.deals import CHUNK, Deals, deal_chunk, pack, read_deals
from valet_xl.binky.fit import Fit, fit, from_tables, solid_value
from valet_xl.binky.fit_chances import fit_chances, fit_each_number, like_one_scale
from valet_xl.binky.fit_pairs import pairs_of
from valet_xl.binky.fit_ridge import Sums, covariance, evidence, find_strengths
from valet_xl.binky.fit_tables import (
    centred,
    frequencies,
    partner_holdings,
    partner_patterns,
    without_partner,
)
from valet_xl.binky.hands import PATTERNS
from valet_xl.binky.points import (
    HOLDINGS,
    KINDS,
    THIRTEEN,
    chances,
    coefficients_text,
    read_coefficients,
    shipped,
    terms,
)
from valet_xl.binky.quality import differences, report
from valet_xl.cli.binky import binky
from valet_xl.errors import ValetError
from valet_xl.messages import to_install

SUIT = KINDS.index("suit")
SOLID = PATTERNS.index((13, 0, 0, 0))


# -- the partner by combinatorics


@pytest.mark.parametrize("table", [partner_patterns, partner_holdings])
def test_a_partner_is_certain(table: Callable[[], np.ndarray]) -> None:
    """Rows add up to 1, nothing is negative."""
    chance = table()
    assert chance.sum(axis=1) == pytest.approx(np.ones(len(chance)), abs=1e-12)
    assert (chance >= 0).all()


def test_partners_of_two_known_hands() -> None:
    """Opposite 13-0-0-0 the four suits are 0-a-b-c; opposite AK the queen is there with chance 13/39."""
    patterns, holdings = partner_patterns(), partner_holdings()
    np.testing.assert_array_equal(patterns[SOLID] > 0, [min(pattern) == 0 for pattern in PATTERNS])
    queen = np.array([honours >> 3 & 1 for _, honours in HOLDINGS])
    assert holdings[HOLDINGS.index((2, 0b110000))] @ queen == pytest.approx(13 / 39)


def test_holdings_of_a_partner_by_brute_force() -> None:
    """Counted over all the sets of a suit's cards that a partner may have."""
    mine = (0, 3, 12)  # A J 2
    others = [card for card in range(13) if card not in mine]
    count = np.zeros(len(HOLDINGS))
    for size in range(len(others) + 1):
        for cards in combinations(others, size):
            honours = sum(1 << (5 - card) for card in cards if card < 6)
            count[HOLDINGS.index((size, honours))] += comb(29, 13 - size) / comb(39, 13)
    assert partner_holdings()[HOLDINGS.index((3, 0b100100))] == pytest.approx(count)


def test_eigenvalues() -> None:
    """Between -0.032 and 1 for patterns, -1/3 and 1 for holdings: I + A can be inverted."""
    for table, lowest in ((partner_patterns(), -0.032), (partner_holdings(), -1 / 3)):
        values = np.linalg.eigvals(table).real
        assert values.max() == pytest.approx(1)
        assert values.min() >= lowest - 1e-6


def test_tables_made_from_values_give_them_back() -> None:
    """To 1e-9."""
    random = np.random.default_rng(7)
    for table in (partner_patterns(), partner_holdings()):
        known = random.normal(size=(len(table), 4))
        assert_close(without_partner(known + table @ known, table), known)


def test_how_often_patterns_and_holdings_occur() -> None:
    """4-4-3-2 21.5512 %, 13-0-0-0 one in 158,753,389,900; both add up to 1."""
    patterns, holdings = frequencies()
    assert patterns.sum() == pytest.approx(1)
    assert holdings.sum() == pytest.approx(1)
    assert patterns[0] == pytest.approx(0.215512, abs=1e-6)
    assert 1 / patterns[SOLID] == pytest.approx(158_753_389_900)
    assert list(patterns) == sorted(patterns, reverse=True)


def test_the_mean_of_each_length_is_taken_out() -> None:
    values = np.random.default_rng(3).normal(size=(512, 2))
    centre, means = centred(values)
    lengths = np.array(HOLDINGS)[:, 0]
    assert centre + means[lengths] == pytest.approx(values)
    assert centred(centre)[1] == pytest.approx(0, abs=1e-12)


# -- fits to deals whose values are known


@pytest.fixture(scope="module")
def made() -> Deals:
    """Deals with tricks by the shipped values and noise: what fits should find again."""
    random = np.random.default_rng(11)
    parts = [deal_chunk(5, "uniform", number) for number in range(20)] + [deal_chunk(5, "rare", 0)]
    owner, planted = (np.concatenate(part) for part in zip(*parts, strict=True))
    deals = Deals(owner, np.zeros((len(owner), 2, 2), np.uint8), planted, {"solver": "none", "deals": len(owner)})
    pairs = pairs_of(deals)
    values = np.concatenate([shipped().pattern, shipped().holding])
    expected = values[pairs.columns].sum(axis=1).reshape(-1, 2, 4)
    tricks = np.zeros((len(owner), 2, 2))
    for side in (0, 1):
        for strain, kind in enumerate((0, SUIT)):
            tricks[:, strain, side] = expected[:, side, kind] + random.normal(scale=0.5, size=len(owner))
    return Deals(owner, np.clip(np.rint(tricks), 0, 13).astype(np.uint8), planted, deals.source)


@pytest.fixture(scope="module")
def fitted(made: Deals) -> Fit:
    return fit(made, {"date": "2026-01-31"})


@pytest.mark.slow
def test_least_squares_finds_known_values(fitted: Fit) -> None:
    """Patterns and holdings that occur, on average to within their standard errors and what clipping to 0-13 costs."""
    of_patterns, of_holdings = frequencies()
    for found, known, often in (
        (fitted.coefficients.pattern, shipped().pattern, of_patterns),
        (fitted.coefficients.holding, shipped().holding, of_holdings),
    ):
        off = np.sqrt(often @ (found - known) ** 2)[[0, SUIT]]
        assert (off < 0.05).all()


@pytest.mark.slow
def test_single_hand_tables_find_them_too(fitted: Fit) -> None:
    """Less well from the same deals: the partner is averaged over, not known."""
    for name, off in differences(fitted):
        if "7 cards" not in name:
            assert (off[[0, SUIT]] < 0.35).all(), name


@pytest.mark.slow
def test_thirteen_of_a_suit_take_thirteen_tricks(fitted: Fit) -> None:
    """13-0-0-0 and its mean partner, in what is fitted and in what is shipped (rounded to a thousandth)."""
    for fit_of in (fitted.coefficients, shipped()):
        pattern = fit_of.pattern[:, SUIT]
        assert pattern[SOLID] + partner_patterns()[SOLID] @ pattern == pytest.approx(13, abs=0.002)
        assert pattern[SOLID] == pytest.approx(solid_value(pattern), abs=0.002)


@pytest.mark.slow
def test_a_fit_says_what_it_is(made: Deals, fitted: Fit) -> None:
    about = fitted.coefficients.about
    assert about["date"] == "2026-01-31"
    assert about["deals"] == made.source
    assert about["pairs of hands"] == 2 * 20 * CHUNK
    assert about["residuals"]["notrump"] == pytest.approx(0.58, abs=0.1)  # the noise, rounding and the fit's own error
    assert "4,000 random deals and 200 with a rare pattern dealt on purpose" in report(made, fitted)


@pytest.mark.slow
def test_the_shipped_report_has_the_words_of_a_report(made: Deals, fitted: Fit) -> None:
    """All but the numbers: docs/explanation/binky-fit.md was written from deals that are not here.

    The chances were fitted again since: how often they come true is in binky.md, which is made from what is shipped.
    """
    shown = (Path(__file__).parents[1] / "docs" / "explanation" / "binky-fit.md").read_text(encoding="utf-8")

    def words(text: str) -> list[str]:
        lines = [re.sub(r"[\d,.]+", "0", line.split("|")[1] if line[:1] == "|" else line) for line in text.splitlines()]
        return [line for line in lines if not re.fullmatch(r" 0 % ", line)]

    values, _, chances = shown.partition("The chances of tricks in notrump were fitted again after this report.")
    written, _, tables = report(made, fitted, made).partition("Predicted chances")
    assert words(values) == words(written) and len(values) > 1_000
    assert "(binky.md#chances)" in chances and tables


@pytest.mark.slow
def test_normal_equations_are_counts(made: Deals) -> None:
    """Each pair counts with its two patterns and eight holdings."""
    pairs = pairs_of(made)
    few = np.arange(len(pairs)) < 50
    sums = Sums.of(pairs, few)
    design = np.zeros((50, 551))
    for row, columns in enumerate(pairs.columns[few]):
        for column in columns:
            design[row, column] += 1
    assert (sums.products == design.T @ design).all()
    assert sums.sides == pytest.approx(design.T @ pairs.tricks[few])


@pytest.mark.slow
def test_covariances_are_such() -> None:
    """Symmetric, and no combination of values has a negative variance."""
    matrix = covariance(np.array([0.6, 0.07, 0.03, 0.02, 3, 1, 4, 0.03]))
    assert matrix == pytest.approx(matrix.T)
    assert np.linalg.eigvalsh(matrix).min() > 0


@pytest.mark.slow
def test_tables_leave_out_what_was_never_seen(made: Deals) -> None:
    random = Deals(made.owner[:200], made.tricks[:200], made.planted[:200], {})
    patterns, holdings = from_tables(pairs_of(random))
    assert np.isnan(patterns[SOLID]).all()
    assert not np.isnan(holdings).any()


@pytest.mark.slow
def test_too_few_deals_are_refused(made: Deals) -> None:
    few = Deals(made.owner[:500], made.tricks[:500], made.planted[:500], {})
    with pytest.raises(ValetError, match="500 random deals are too few"):
        fit(few, {})


def test_chances_are_found_again() -> None:
    """Tricks drawn from known chances give chances near them."""
    random = np.random.default_rng(2)
    expected, shape = random.normal(6.1, 2.5, 20_000), random.uniform(86, 130, 20_000)
    known = chances(expected, shape, shipped().chances[SUIT])
    tricks = (random.random((20_000, 1)) > known.cumsum(axis=1)).sum(axis=1)
    found = fit_chances(expected, shape, np.minimum(tricks, 13))
    assert np.abs(chances(expected, shape, found) - known).mean() < 0.005
    assert terms(expected, shape)[0].shape[1] + terms(expected, shape)[1].shape[1] + 12 == len(found)


def test_chances_of_each_number_are_found_again() -> None:
    """From tricks whose location bends with strength, which one scale cannot follow."""
    random = np.random.default_rng(3)
    expected, shape = random.normal(6.1, 2.5, 20_000), random.uniform(86, 130, 20_000)
    middle = expected + 0.05 * np.abs(expected - 6.5) ** 2
    tricks = np.clip(np.rint(random.normal(middle, 1.2)), 0, 13).astype(np.intp)
    one = fit_chances(expected, shape, tricks)
    each = fit_each_number(expected, shape, tricks, one)
    at = np.array([11.0])
    known = (np.clip(np.rint(random.normal(11 + 0.05 * 4.5**2, 1.2, 200_000)), 0, 13) >= 12).mean()
    assert chances(at, np.array([100.0]), each)[0, 12:].sum() == pytest.approx(known, abs=0.02)
    seen = [np.log(chances(expected, shape, found)[np.arange(20_000), tricks]).mean() for found in (one, each)]
    assert seen[1] > seen[0] + 0.002


def test_a_model_of_thirteen_numbers_starts_from_one_scale() -> None:
    """It gives nearly the same chances, for wild hands too."""
    expected, shape = (side.ravel() for side in np.meshgrid(np.linspace(0, 12.5, 30), [86.0, 92, 100, 115, 140]))
    one = shipped().chances[SUIT]
    like = chances(expected, shape, like_one_scale(one).ravel())
    assert np.abs(like - chances(expected, shape, one)).mean() < 0.01


def test_only_chances_are_fitted_again(tmp_path: Path, made: Deals) -> None:
    """With --keep everything else stays as it is, and the file says which deals the chances are from."""
    few = Deals(made.owner[:600], made.tricks[:600], made.planted[:600], {"file": "few"})
    write(tmp_path / "one.npz", few)
    write(tmp_path / "two.npz", few)
    (tmp_path / "kept.json").write_text(coefficients_text(shipped()), encoding="utf-8")
    names = [str(tmp_path / name) for name in ("one.npz", "two.npz", "new.json", "kept.json")]
    arguments = [*names[:2], "-o", names[2], "--keep", names[3], "--chances", "notrump", "--date", "2026-01-31"]
    done = CliRunner().invoke(binky, ["fit", *arguments])
    assert done.exit_code == 0, done.output
    assert "1,200 deals" in done.output
    kept, new = shipped(), read_coefficients(tmp_path / "new.json")
    assert (new.holding == kept.holding).all()
    assert (new.pattern_error == kept.pattern_error).all()
    assert len(new.chances[0]) == THIRTEEN
    assert (new.chances[0] != kept.chances[0]).any()
    for kind in (1, 2, 3):
        np.testing.assert_array_equal(new.chances[kind], kept.chances[kind])
    assert new.about["chances"] == {
        "date": "2026-01-31",
        "kinds": ["notrump"],
        "deals": {"parts": [{"file": "few"}, {"file": "few"}]},
        "pairs of hands": 2_400,
    }
    assert {**new.about, "chances": None} == {**kept.about, "chances": None}


def test_chances_are_the_most_likely() -> None:
    """No parameter that is changed a little makes the tricks more likely, its own observation at the start counted."""
    random = np.random.default_rng(2)
    expected, shape = random.normal(6.1, 2.5, 5_000), random.uniform(86, 130, 5_000)
    tricks = np.clip(np.rint(random.normal(expected, 1.2)), 0, 13).astype(np.intp)
    found = fit_chances(expected, shape, tricks)
    assert (np.diff(found[:13]) > 0).all()
    start = np.concatenate([np.arange(13) + 0.5, np.zeros(3), [np.log(1.2)], np.zeros(5)])

    def likelihood(parameters: np.ndarray) -> float:
        seen = chances(expected, shape, parameters)[np.arange(len(tricks)), tricks]
        return float(np.log(np.maximum(seen, 1e-300)).sum() - ((parameters - start) ** 2).sum() / 2)

    best = likelihood(found)
    for change in 0.01 * np.eye(len(found)):
        assert likelihood(found + change) < best
        assert likelihood(found - change) < best


@pytest.mark.slow
def test_the_slopes_of_the_evidence(made: Deals) -> None:
    """As by differences of the evidence itself, and flat at the strengths that are found."""
    pairs = pairs_of(made)
    sums = Sums.of(pairs, pairs.random)
    variance = float(sums.variances()[SUIT])

    def of(logs: np.ndarray) -> tuple[float, np.ndarray]:
        return evidence(sums, np.exp(logs), SUIT, variance)

    logs = np.log([0.7, 0.06, 0.03, 0.02, 3, 0.6, 5, 0.03])
    slopes = [(of(logs + step)[0] - of(logs - step)[0]) / 2e-4 for step in 1e-4 * np.eye(8)]
    assert of(logs)[1] == pytest.approx(slopes, abs=1e-3)
    best, flat = of(np.log(find_strengths(sums, SUIT, variance)))
    assert np.abs(flat).max() < 1
    assert best > of(logs)[0]


# -- the command


def write(path: Path, deals: Deals) -> None:
    owner, tricks = pack(deals.owner, deals.tricks)
    np.savez(path, owner=owner, best=tricks, planted=deals.planted, about=json.dumps(deals.source))


@pytest.mark.slow
def test_the_same_deals_give_the_same_file(tmp_path: Path, made: Deals, fitted: Fit) -> None:
    """From a file of deals made elsewhere, to the byte; with a report."""
    write(tmp_path / "deals.npz", made)
    names = [str(tmp_path / name) for name in ("deals.npz", "binky.json", "report.md")]
    arguments = [names[0], "-o", names[1], "--report", names[2], "--date", "2026-01-31", "--check", names[0]]
    done = CliRunner().invoke(binky, ["fit", *arguments])
    assert done.exit_code == 0, done.output
    assert "4,200 deals" in done.output
    again = coefficients_text(fitted.coefficients)
    written = (tmp_path / "binky.json").read_text(encoding="utf-8")
    assert json.loads(written) == json.loads(again)
    text = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert "high-card points and shape" in text
    assert "Standard errors" in text


@pytest.mark.slow
def test_a_file_of_nothing_but_owners_and_tricks(tmp_path: Path, made: Deals) -> None:
    """Is taken as random deals, and known by its name."""
    owner, tricks = pack(made.owner, made.tricks)
    np.savez(tmp_path / "elsewhere.npz", owner=owner, best=tricks)
    deals = read_deals(tmp_path / "elsewhere.npz")
    assert (deals.owner == made.owner).all()
    assert (deals.tricks == made.tricks).all()
    assert (deals.planted == -1).all()
    assert deals.source == {"file": "elsewhere.npz", "deals": 4_200}


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"deals"])
def test_a_file_that_holds_no_deals(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "deals.npz"
    path.write_bytes(content)
    done = CliRunner().invoke(binky, ["fit", str(path), "-o", str(tmp_path / "out")])
    assert done.exit_code == 2
    assert "contains no solved deals" in done.output
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_without_scipy_the_error_names_the_extra(tmp_path: Path, made: Deals, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "deals.npz", made)
    monkeypatch.setitem(sys.modules, "scipy", None)
    for name in ("fit", "fit_ridge", "fit_chances"):
        monkeypatch.delitem(sys.modules, f"valet_xl.binky.{name}")
    done = CliRunner().invoke(binky, ["fit", str(tmp_path / "deals.npz"), "-o", str(tmp_path / "out")])
    assert done.exit_code == 2
    assert done.stderr == f"valet-xl: the fit needs scipy (install it with: {to_install('binky')})\n"


def test_values_need_no_scipy() -> None:
    """Nor do the command line and a check of the coefficients, until a fit is asked for."""
    code = (
        "import sys; sys.modules['scipy'] = None; sys.modules['matplotlib'] = None\n"
        "import valet_xl.cli.main, valet_xl.binky.quality\n"
        "from valet_xl import functions, read_results\n"
        "from valet_xl.binky.hands import hand_of\n"
        "from valet_xl.binky.points import tricks\n"
        "print(tricks(hand_of('KJT.Axx.KQx.AJTx'), hand_of('A9xx.Kxx.Axx.K9x')).expected[0, 0] > 12)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout == "True\n"


@pytest.mark.slow
def test_a_date_that_is_none(tmp_path: Path, made: Deals) -> None:
    write(tmp_path / "deals.npz", made)
    done = CliRunner().invoke(binky, ["fit", str(tmp_path / "deals.npz"), "--date", "yesterday"])
    assert done.exit_code == 2
    assert "'yesterday' (expected such as 2026-01-31)" in done.output
