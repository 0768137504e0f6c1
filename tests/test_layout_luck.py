"""Layout luck, the virtual table and what is measured of them: against plain loops, laws, and deals not fitted to."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from simulate import tournament
from test_deal_files import ONE, TWO, write
from test_double_dummy import random_deals, shared_tables

from valet_xl.cli.deals import deals as deals_command
from valet_xl.deals.expected import Expectation, expectation_text, features, fit, shipped
from valet_xl.deals.layout import layout_luck
from valet_xl.deals.study import Estimate, lead_reliability
from valet_xl.engine.laws import contract_score, imps_of
from valet_xl.engine.options import Options
from valet_xl.engine.results import Results
from valet_xl.engine.valet import VirtualTable, valet
from valet_xl.errors import OptionError
from valet_xl.reading.files import read_results
from valet_xl.sheets.score_file import score_file


def some_results(seed: int = 3) -> tuple[Results, np.ndarray, np.ndarray]:
    """A made-up tournament, a deal for each of its boards, and made-up tricks double dummy, one for each contract."""
    results = tournament(4, 6, seed=seed)
    random = np.random.default_rng(seed)
    of_contract = random.integers(5, 12, (len(results.boards), 5, 4))
    tricks = of_contract[results.board, np.minimum(results.strain, 4), results.declarer].astype(float)
    tricks[results.level == 0] = np.nan
    return results, random_deals(len(results.boards), seed), tricks


def test_layout_luck_is_its_formula() -> None:
    """Result by result: the surprise of the contract's IMPs less that of the others of the board, times 0.4."""
    results, owners, tricks = some_results()
    luck = layout_luck(results, owners, tricks)
    surprise = []
    for at in range(len(results)):
        if results.level[at] == 0:
            surprise.append(0.0)
            continue
        strain, seat = int(results.strain[at]), int(results.declarer[at])
        vulnerable = int(results.vulnerability[at]) >> seat % 2 & 1
        (chances,) = shipped().chances(owners[[results.board[at]]], np.array([strain]), np.array([seat]))
        worth = [contract_score(results.level[at], strain, results.double[at], t, vulnerable) for t in range(14)]
        imps = [float(np.sign(points) * imps_of(np.array([float(abs(points))]))[0]) for points in worth]
        found = imps[int(tricks[at])] - sum(chance * each for chance, each in zip(chances, imps, strict=True))
        surprise.append(-found if seat % 2 else found)
    for at, board in enumerate(results.board.tolist()):
        others = [surprise[k] for k in np.flatnonzero(results.board == board) if k != at]
        by_ew = results.declarer[at] % 2 == 1 and results.level[at] > 0
        expected = 0.4 * (surprise[at] - sum(others) / len(others)) * (-1 if by_ew else 1)
        assert luck[at] == pytest.approx(expected, abs=1e-9)


def test_layout_luck_adds_up_to_nothing() -> None:
    results, owners, tricks = some_results(5)
    luck = layout_luck(results, owners, tricks)
    by_ew = (results.declarer % 2 == 1) & (results.level > 0)
    sums = np.bincount(results.board, np.where(by_ew, -luck, luck))
    assert np.allclose(sums, 0)


def test_the_expectation_looks_at_two_hands_alone() -> None:
    """The defenders may change their cards, and declarer and dummy their seats in other deals."""
    owners = random_deals(20)
    strain, declarer = np.arange(20) % 5, np.full(20, 1)
    given = features(owners, strain, declarer)
    changed = np.where(owners % 2 == 0, 2 - owners, owners).astype(np.uint8)  # North and South change hands
    assert np.array_equal(given, features(changed, strain, declarer))
    turned = ((owners + 1) % 4).astype(np.uint8)
    assert np.array_equal(given, features(turned, strain, declarer + 1))
    chances = shipped().chances(owners, strain, declarer)
    assert chances.shape == (20, 14) and np.allclose(chances.sum(axis=1), 1) and (chances >= 0).all()


def test_the_expectation_fits_deals_that_it_has_not_seen(shared: Path) -> None:
    """On the last 5,000 deals: no bias beyond 0.02 tricks, and an error of 0.94 in suits and 1.24 in notrump."""
    owners, tables = shared_tables(shared, 35_000)
    owners, tables = owners[-5_000:], tables[-5_000:]
    for strains, most in (((4,), 1.24), ((0, 1, 2, 3), 0.94)):
        errors = []
        for strain in strains:
            for declarer in range(4):
                seats = np.full(len(owners), declarer)
                expected, _ = shipped().tricks(owners, np.full(len(owners), strain), seats)
                trumps = (owners.reshape(-1, 4, 13)[:, 3 - min(strain, 3)] % 2 == declarer % 2).sum(axis=1)
                kept = (trumps >= 6) | (strain == 4)
                errors.append((tables[:, strain, declarer] - expected)[kept])
        all_errors = np.concatenate(errors)
        assert abs(all_errors.mean()) < 0.02 and all_errors.std() < most


def test_a_fit_finds_weights_that_made_the_tricks() -> None:
    owners = random_deals(1500, seed=9)
    true = np.linspace(-0.2, 0.3, features(owners[:1], np.array([3]), np.array([0])).shape[1])
    tables = np.empty((len(owners), 5, 4))
    for strain in range(5):
        for seat in range(4):
            tables[:, strain, seat] = features(owners, np.full(1500, strain), np.full(1500, seat)) @ true
    found = fit(owners, tables, "made up")
    assert found.spread["suit"] < 0.01 and found.spread["notrump"] < 0.01
    assert '"source": "made up"' in expectation_text(Expectation(found.weights, found.spread, "made up"))


# -- the virtual table


def test_a_virtual_table_is_a_table_of_the_cloud_and_nothing_else() -> None:
    """With weight 1 the bid is what the plain loop gives with one more declarer; overall scores stay."""
    results, _, tricks = some_results(7)
    plain, added = valet(results), valet(results, virtual=VirtualTable(tricks, tricks, 1.0))
    assert np.allclose(plain.overall, added.overall, equal_nan=True)
    assert np.allclose(added.overall, added.bid + added.play, equal_nan=True)
    assert np.allclose(added.play, -(added.lead + added.defence), equal_nan=True)
    for at in range(len(results)):
        if results.level[at] == 0:
            continue
        board = np.flatnonzero(results.board == results.board[at])
        seat = int(results.declarer[at])
        cloud = [
            int(results.tricks[k])
            for k in board
            if results.level[k] and results.strain[k] == results.strain[at] and results.declarer[k] == seat
        ]
        vulnerable = int(results.vulnerability[at]) >> seat % 2 & 1
        compared = []
        for taken in [*cloud, int(tricks[at])]:
            own = int(contract_score(results.level[at], results.strain[at], results.double[at], taken, vulnerable))
            own = -own if seat % 2 else own
            field = results.score[board].tolist()
            if own in field:
                field.remove(own)
            compared.append(np.mean([imps_of(np.array([own - score]))[0] for score in field]))
        expected = np.mean(compared) * (-1 if seat % 2 else 1)
        assert added.bid[at] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("cloud", [False, True])
def test_a_virtual_table_may_take_tricks_after_the_lead_that_nobody_takes(cloud: bool) -> None:
    """Those of its contract alone are the bid's, and those after the lead are the lead's."""
    results, _, tricks = some_results(7)
    same = valet(results, virtual=VirtualTable(tricks, tricks, 1.0), cloud=cloud)
    added = valet(results, virtual=VirtualTable(tricks, np.where(tricks > 0, 0.0, 13.0), 1.0), cloud=cloud)
    for part in ("overall", "bid", "play", "luck"):
        assert np.allclose(getattr(same, part), getattr(added, part), equal_nan=True)
    assert np.allclose(added.play, -(added.lead + added.defence), equal_nan=True)
    led = (results.level > 0) & (results.lead_suit >= 0)
    assert not np.allclose(same.lead[led], added.lead[led], equal_nan=True)


@pytest.mark.parametrize(
    "options", [{}, {"cloud": True}, {"method": "datum", "cloud": True}, {"method": "matchpoints"}]
)
def test_a_virtual_table_of_no_weight_changes_nothing(options: dict[str, object]) -> None:
    results, _, tricks = some_results(11)
    plain, added = valet(results, **options), valet(results, virtual=VirtualTable(tricks, tricks, 0.0), **options)  # type: ignore[arg-type]
    for part in ("overall", "bid", "play", "lead", "defence", "luck"):
        assert np.allclose(getattr(plain, part), getattr(added, part), equal_nan=True)


def test_unknown_tricks_add_nothing() -> None:
    results = some_results(13)[0]
    unknown = VirtualTable(np.full(len(results), np.nan), np.full(len(results), np.nan), 0.5)
    assert np.allclose(valet(results).bid, valet(results, virtual=unknown).bid, equal_nan=True)


def test_the_option_needs_deals_and_small_fields_are_offered_it(tmp_path: Path) -> None:
    pytest.importorskip("endplay")
    path = write(tmp_path, "r.csv", "Board,Contract,By,Tricks\n1,3NT,N,9\n1,3NT,N,11\n1,1NT,N,8\n")
    cards = write(tmp_path, "d.pbn", f'[Board "1"]\n[Deal "{ONE}"]\n')
    with pytest.raises(OptionError, match="virtual_table needs deals"):
        score_file(path, options=Options(), virtual_table=True)
    without = score_file(path, tmp_path / "a.csv", deals=cards)
    assert without.summary.remarks[-1].startswith("a small field: --virtual-table adds")
    with_it = score_file(path, tmp_path / "b.csv", deals=cards, virtual_table=True)
    assert not any("--virtual-table" in remark for remark in with_it.summary.remarks)
    assert (tmp_path / "a.csv").read_bytes() != (tmp_path / "b.csv").read_bytes()


# -- what is measured


def test_leads_of_equal_players_have_no_reliability() -> None:
    """And those of players who always lose the same trick, or none, have all of it."""
    from dataclasses import replace

    from valet_xl.deals.against import Against

    results = tournament(40, 10, seed=2)
    players = np.arange(len(results))[:, None] % 10 * 4 + np.arange(4)  # the same four at each table
    results = replace(results, players=players, names=tuple(map(str, range(40))))
    leader = results.players[np.arange(len(results)), (results.declarer.astype(int) + 1) % 4]
    empty = np.full(len(results), np.nan)
    random = np.random.default_rng(1)
    found = Against(empty, empty, (), empty, empty, empty, empty, ())
    same = lead_reliability(results, replace(found, lead_cost=(leader % 2).astype(float)))
    assert same.value == pytest.approx(1)
    noise = lead_reliability(results, replace(found, lead_cost=random.random(len(results))))
    assert noise.low < 0 < noise.high
    assert str(Estimate(np.nan, np.nan, np.nan, 0)) == "-"


def test_the_command_measures_a_file(tmp_path: Path) -> None:
    pytest.importorskip("endplay")
    rows = "".join(f"{board},3NT,{by},{tricks},\n" for board in (1, 2) for by in "NS" for tricks in (7, 8, 9, 10, 11))
    write(tmp_path, "r.csv", "Board,Contract,By,Tricks,Lead\n" + rows)
    write(tmp_path, "r.pbn", f'[Board "1"]\n[Deal "{ONE}"]\n\n[Board "2"]\n[Deal "{TWO}"]\n')
    done = CliRunner().invoke(deals_command, [str(tmp_path / "r.csv")])
    assert done.exit_code == 0, done.output
    lines = done.output.splitlines()
    assert lines[0] == "r.csv: 20 results with a deal, on 2 boards"
    assert [line for line in lines if "virtual table, field of  4: Bid " in line]
    assert any(line.startswith("  layout luck, share of the variance: overall ") for line in lines)
    missing = CliRunner().invoke(deals_command, [str(tmp_path / "none.csv")])
    assert missing.exit_code == 2 and "none.csv" in missing.output
    assert read_results(tmp_path / "r.csv").errors == ()
