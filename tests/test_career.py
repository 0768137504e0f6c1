"""Careers: components of variance and intervals where the truth is known, the model beside statsmodels, the command."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest
from test_cli_rank import run, table
from test_report import sheets
from test_web_report import page

from valet_xl import read_results
from valet_xl.errors import ArgumentError, OptionError
from valet_xl.rankings.career import COLUMNS, career
from valet_xl.rankings.career_tables import career_listing, components_listing
from valet_xl.rankings.components import Entries, _Couples, _Model, _Tables, most_likely, solve
from valet_xl.rankings.event import Event
from valet_xl.rankings.forecast import forecast_listing, forecasts
from valet_xl.rankings.simulate import simulate

Z = {0.5: 0.6745, 0.8: 1.2816, 0.95: 1.96}


def planted(
    seed: int, owners: int = 60, events: int = 12, p: float = 0.3, g: float = 0.15
) -> tuple[Entries, np.ndarray]:
    """Averages of 30 owners in each event, as the model has them, and the strengths that were planted."""
    rng = np.random.default_rng(seed)
    true = rng.normal(0, p, owners)
    rows = []
    for event in range(events):
        who = rng.choice(owners, 30, replace=False)
        chance = 19.0 / rng.integers(20, 300)
        average = true[who] + rng.normal(0, g, 30) + rng.normal(0, np.sqrt(chance), 30)
        rows.append((who, np.full(30, event), average - average.mean(), np.full(30, chance)))
    return Entries(*(np.concatenate(column) for column in zip(*rows, strict=True))), true


@pytest.mark.slow
@pytest.mark.parametrize(("p", "g"), [(0.3, 0.15), (0.3, 0.0), (0.1, 0.2)])
def test_what_was_planted_comes_out(p: float, g: float) -> None:
    """Over 60 careers: mean variances within a fifth or so, 95 % intervals of strengths and of variances.

    The most probable variances are right on average. A mean over all that may be is too high where averages say
    little: by a quarter where form from event to event is twice as large as strength.
    """
    of_owners, of_events, likely, inside, seen, known = [], [], [], 0, 0, 0
    for seed in range(60):
        entries, true = planted(seed, p=p, g=g)
        solved = solve(entries, len(true))
        of_owners.append(solved.owners)
        likely.append(most_likely(entries, len(true)))
        of_events.append(solved.events)
        known += solved.owners_low <= p**2 <= solved.owners_high
        there = np.unique(entries.owner)
        inside += int(np.count_nonzero(np.abs(solved.strength - true)[there] < 1.96 * solved.error[there]))
        seen += len(there)
    assert np.mean(of_owners) == pytest.approx(p**2, rel=0.2 if p > g else 0.35)
    if g:
        assert np.mean(of_events) == pytest.approx(g**2, rel=0.2)
    else:  # a mean over what may be is above 0, by as little as the averages allow
        assert np.mean(of_events) < 0.1 * p**2
    assert np.mean(likely, axis=0) == pytest.approx((p**2, g**2), rel=0.1, abs=0.004 if g == 0 else 0)
    assert 0.93 <= inside / seen <= 0.97
    assert known >= 52  # of 60; 95 % intervals have at least so many with a probability of 0.98


@pytest.mark.slow
def test_the_likelihood_and_the_strengths_are_those_of_statsmodels() -> None:
    """Its fit by REML of the same model, with equal chance everywhere: variances at the top, and predictions there."""
    mixed = pytest.importorskip("statsmodels.regression.mixed_linear_model")
    entries, true = planted(3, owners=40, events=10)
    entries = Entries(entries.owner, entries.field, entries.average, np.full(len(entries.owner), 1e-12))
    fields = (entries.field[:, None] == np.unique(entries.field)).astype(float)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fitted = mixed.MixedLM(entries.average, fields, groups=entries.owner).fit(reml=True)
    p, g = float(fitted.cov_re[0, 0]), float(fitted.scale)
    model = _Model(entries, len(true))
    steps = np.sqrt([p, p * 1.02, p * 0.98]), np.sqrt([g, g * 1.02, g * 0.98])
    found = model.likelihoods(*steps) - np.log(steps[0])[:, None] / 2  # without the density beforehand
    assert found.max() - found[0, 0] < 1e-4
    likely = most_likely(entries, len(true))
    assert likely == pytest.approx((p, g), rel=0.02)
    mean, _ = model.strengths(p, g)
    for owner, effect in fitted.random_effects.items():
        assert mean[int(owner)] == pytest.approx(float(np.asarray(effect)[0]), abs=1e-5)


def test_strengths_are_those_of_the_whole_matrix() -> None:
    """With everything written out: V inverted, fields by least squares, the variance of what is left."""
    entries, true = planted(5, owners=35, events=6)
    p, g = 0.08, 0.03
    owners, fields = (
        (values[:, None] == np.arange(int(values.max()) + 1)).astype(float) for values in (entries.owner, entries.field)
    )
    owners = np.pad(owners, ((0, 0), (0, len(true) - owners.shape[1])))
    inverse = np.linalg.inv(p * owners @ owners.T + np.diag(g + entries.variance))
    covariance = np.linalg.inv(fields.T @ inverse @ fields)
    project = inverse - inverse @ fields @ covariance @ fields.T @ inverse
    mean, variance = _Model(entries, len(true)).strengths(p, g)
    assert np.allclose(mean, p * owners.T @ project @ entries.average)
    assert np.allclose(variance, p - np.diag(p * owners.T @ project @ owners * p))


def test_a_list_of_couples_and_a_table_say_the_same() -> None:
    """Whichever of the two is quicker is taken: sums over entries of one owner, and variances from them."""
    entries, true = planted(7, owners=45, events=9)
    model = _Model(entries, len(true))
    played = np.bincount(model.owner, minlength=len(true))
    w, k = 1 / (0.02 + model.variance), np.linspace(0.01, 0.09, len(true))
    covariance = np.cov(np.random.default_rng(1).normal(size=(model.fields, 40)))
    couples, tables = (kind(model.owner, model.field, played) for kind in (_Couples, _Tables))
    one, other = couples.products(w), tables.products(w)
    assert np.allclose(couples.common(one, k, model.fields), tables.common(other, k, model.fields))
    assert np.allclose(couples.spread(one, covariance), tables.spread(other, covariance))


def test_each_kind_is_taken_where_it_is_quicker() -> None:
    dense, _ = planted(7, owners=32, events=40)  # nearly everybody in every event
    assert isinstance(_Model(dense, 32).links, _Tables)
    sparse, _ = planted(7, owners=1000, events=40)
    assert isinstance(_Model(sparse, 1000).links, _Couples)


def test_partners_who_never_part_are_as_sure_as_one_of_them() -> None:
    """Two players share each average. Together they say what the pair says: likelihood, strengths and errors."""
    entries, true = planted(4, owners=40, events=8)
    doubled = Entries(
        np.concatenate([entries.owner, entries.owner + len(true)]),
        *(np.tile(each, 2) for each in (entries.field, entries.average, entries.variance)),
    )
    pairs, players = solve(entries, len(true)), solve(doubled, 2 * len(true), 2)
    assert np.allclose(players.strength, np.tile(pairs.strength, 2))
    assert np.allclose(players.error, np.tile(pairs.error, 2))
    assert players.owners_high - players.owners_low == pytest.approx(pairs.owners_high - pairs.owners_low)


def drawn_partners(seed: int, *, players: int = 120, pairs: int = 16) -> tuple[Entries, np.ndarray]:
    """Averages of players who have another partner in each of 12 events: of 0.045 their own, of 0.055 not."""
    rng = np.random.default_rng(seed)
    true = rng.normal(0, np.sqrt(0.045), players)
    rows = []
    for event in range(12):
        one, other = rng.choice(players, (2, pairs), replace=False)
        average = true[one] + true[other] + rng.normal(0, 0.1, pairs) + rng.normal(0, np.sqrt(1 / 3), pairs)
        for owner in (one, other):
            rows.append((owner, np.full(pairs, event), average - average.mean(), np.full(pairs, 1 / 3)))
    return Entries(*(np.concatenate(column) for column in zip(*rows, strict=True))), true


@pytest.mark.slow
def test_intervals_of_players_hold_though_partners_share_their_averages() -> None:
    """If each average counted twice, 47 of 60 intervals had the planted variance of events and 91 % the strengths."""
    inside, of_players, of_events = [], 0, 0
    for seed in range(40):
        entries, true = drawn_partners(seed)
        solved = solve(entries, len(true), 2)
        there = np.unique(entries.owner)
        inside += (np.abs(solved.strength - true)[there] < 1.96 * solved.error[there]).tolist()
        of_players += solved.owners_low <= 0.045 <= solved.owners_high
        of_events += solved.events_low <= 0.055 <= solved.events_high
    assert 0.92 <= np.mean(inside) <= 0.97
    assert min(of_players, of_events) >= 35


def nights(seed: int, events: int = 5, **spread: float) -> Event:
    """Round robins of the same 16 pairs on other deals."""
    return Event.of(
        [
            (
                f"Night {at}",
                simulate(pairs=16, rounds=15, boards=4, movement="round-robin", seed=seed, deals=at, **spread).results,
            )
            for at in range(events)
        ]
    )


@pytest.mark.slow
def test_intervals_contain_strengths_that_were_planted_in_play() -> None:
    """From the cards to the strength: 95 % intervals of 12 careers of 16 pairs; what is planted is above their mean."""
    inside, corrections = [], []
    for seed in range(12):
        truth = simulate(pairs=16, rounds=1, seed=seed)
        event = nights(seed)
        made = career(event)
        column = made.columns["overall"].solved
        order = [made.names.tolist().index(" - ".join(pair)) for pair in truth.names.tolist()]
        true = truth.overall - truth.overall.mean()
        found, error = column.strength[order] - column.strength.mean(), column.error[order]
        inside += (np.abs(found - true) < 1.96 * error).tolist()
        corrections.append(np.corrcoef(found, true)[0, 1])
    assert 0.90 <= np.mean(inside) <= 0.99
    assert np.mean(corrections) > 0.7


def test_more_events_are_believed_more_and_averages_are_drawn_to_the_mean() -> None:
    made = career(nights(2))
    column = made.columns["overall"]
    few = career(nights(2, events=2)).columns["overall"]
    assert np.all(column.solved.error < few.solved.error)
    assert np.abs(column.solved.strength).sum() < 0.9 * np.abs(column.average).sum()
    assert 0 < column.reliability() < column.reliability(10) < 1
    assert made.repeated == 16


def test_whoever_meets_a_stronger_field_is_not_worse_for_it() -> None:
    """Two fields with three owners in common, who are average in the first and far above average in the second."""
    owner = np.array([0, 1, 2, 3, 4, 5, 0, 1, 2, 6, 7, 8])
    field = np.repeat([0, 1], 6)
    average = np.array([0, 0, 0, 0.1, -0.1, 0, 1, 1, 1, -1, -1, -1.0])
    solved = solve(Entries(owner, field, average, np.full(12, 0.01)), 9)
    assert solved.strength[[3, 4, 5]].min() > solved.strength[[6, 7, 8]].max()


def test_forecasts_use_the_past_alone() -> None:
    """What comes later changes nothing: the forecasts of the first events are those without the last."""
    all_, first = (forecasts(career(nights(4, events=events))) for events in (4, 3))
    for one, other in zip(all_, first, strict=True):
        same = one.event < 3
        assert (one.column, one.way) == (other.column, other.way)
        assert np.allclose(one.forecast[same], other.forecast)
        assert np.array_equal(one.came[same], other.came)


def test_partners_who_never_part_forecast_what_their_pair_does() -> None:
    event = nights(5, events=4)
    found = {
        (each.column, each.way): each
        for each in forecasts(career(event), career(event, who="players", parts=("overall",)))
    }
    own, both = found["overall", "field"], found["overall", "players"]
    assert ("overall", "new pairs") not in found
    assert np.allclose(own.forecast, both.forecast)
    assert np.allclose(own.deviation, both.deviation, equal_nan=True)
    assert np.array_equal(own.came, both.came)


def swapped(text: str) -> str:
    """Names in which the players of the first two pairs have changed partners."""
    lines = [line.split("|") for line in text.splitlines()]
    lines[1][1], lines[3][1] = lines[3][1], lines[1][1]
    return "\n".join("|".join(line) for line in lines)


def test_new_pairs_are_forecast_by_what_their_players_are_worth(tmp_path: Path) -> None:
    """By loops: the mean of both players' strengths, less that of the field by boards; others are as before."""
    read = []
    for at in range(4):
        night = simulate(pairs=8, rounds=7, boards=3, movement="round-robin", seed=6, deals=at)
        (tmp_path / "scores.txt").write_text(night.valet_text(), encoding="utf-8")
        names = night.names_text() if at < 3 else swapped(night.names_text())
        (tmp_path / "names.txt").write_text(names, encoding="utf-8")
        read.append((str(at), read_results(tmp_path / "scores.txt")))
    event, before = Event.of(read), Event.of(read[:3])
    pairs, players = career(event), career(event, who="players", parts=("overall",))
    found = {(each.column, each.way): each for each in forecasts(pairs, players)}
    new = found["overall", "new pairs"]
    assert (len(new), set(new.event.tolist())) == (2, {3})
    past = career(before, who="players", parts=("overall",))
    worth = dict(zip(past.names.tolist(), past.columns["overall"].solved.strength.tolist(), strict=True))
    in_last = {name: np.mean([worth[one] for one in name.split(" - ")]) for name in pairs.names.tolist()}
    there = [name for name, events in zip(pairs.names, pairs.events, strict=True) if events in {1, 4}]
    field = np.mean([in_last[name] for name in there])
    for owner, forecast in zip(new.owner, new.forecast, strict=True):
        assert pairs.events[owner] == 1
        assert forecast == pytest.approx(in_last[str(pairs.names[owner])] - field)
    assert len(found["overall", "players"]) == 8 + 8 + 6
    rows = forecast_listing(tuple(found.values())).rows
    assert ["Overall", "the same, of new pairs of two known players", 2] in [row[:3] for row in rows]


def test_pairs_without_named_players_have_no_forecasts_by_them(tmp_path: Path) -> None:
    """Numbers of pairs belong to their file, and names of sides are no players."""
    paths = []
    for at in (1, 2):
        rows = ["board,ns,ew,contract,declarer,tricks"]
        rows += [
            f"{board},Team {1 + shift},Team {4 + shift},{3 + (board + shift + at) % 2}NT,N,9"
            for board in range(1, 9)
            for shift in range(3)
        ]
        paths.append(tmp_path / f"{at}.csv")
        paths[-1].write_text("\n".join(rows), encoding="utf-8")
    result = run("career", *paths, "--forecast")
    assert "Traceback" not in result.output
    assert "both players" not in result.stdout


@pytest.mark.slow
def test_intervals_of_forecasts_contain_what_comes() -> None:
    """And the strength forecasts better than the average so far."""
    found = [
        each for seed in range(4) for each in forecasts(career(nights(seed, events=6))) if each.column == "overall"
    ]
    strengths = [each for each in found if each.way == "strength"]
    averages = [each for each in found if each.way == "average"]
    for level, reach in Z.items():
        assert np.mean([each.inside(reach) for each in strengths]) == pytest.approx(level, abs=0.06)
    assert np.mean([each.r_squared for each in strengths]) > np.mean([each.r_squared for each in averages])
    for each in strengths:
        low, high = each.interval
        assert low < each.r_squared < high
        assert each.r_squared < each.most + 0.2


def test_wrong_input_is_refused_in_words() -> None:
    one = nights(1, events=1)
    with pytest.raises(ArgumentError, match="a career needs several events"):
        career(one)
    apart = Event.of(
        [(str(seed), simulate(pairs=4, rounds=3, movement="round-robin", seed=seed).results) for seed in (1, 2)]
    )
    with pytest.raises(ArgumentError, match="no pair is in two of 2 files"):
        career(apart)
    with pytest.raises(OptionError, match="who must be one of"):
        career(nights(1, events=2), who="teams")
    with pytest.raises(OptionError, match="order must be one of overall"):
        career_listing(career(nights(1, events=2)), "luck")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Three nights of the same eight pairs."""
    folder = tmp_path_factory.mktemp("career")
    found = []
    for at in range(3):
        night = simulate(pairs=8, rounds=7, boards=3, movement="round-robin", seed=6, deals=at)
        (folder / str(at)).mkdir()
        (folder / str(at) / "scores.txt").write_text(night.valet_text(), encoding="utf-8")
        (folder / str(at) / "names.txt").write_text(night.names_text(), encoding="utf-8")
        found.append(folder / str(at) / "scores.txt")
    return found


def test_the_command_shows_and_writes_careers(files: list[Path], tmp_path: Path) -> None:
    result = run("career", *files, "--forecast")
    assert result.exit_code == 0, result.output
    for words in ("Strengths", "What varies", "Reliability", "Halves", "Forecasts of each event", "the average so far"):
        assert words in result.stdout
    rows = table(run("career", *files, "--format", "csv").stdout)
    assert rows[0][:6] == ["Rank", "Pair", "Events", "Boards", "Overall", "Overall SE"]
    assert len(rows) == 9
    assert [row[2] for row in rows[1:]] == ["3"] * 8
    players = table(run("career", *files, "--players", "--order", "declarer", "--format", "csv").stdout)
    assert (players[0][1], players[0][4], len(players)) == ("Player", "Declarer", 17)
    for name, start in (("x.xlsx", b"PK"), ("x.html", b"<!doctype html>"), ("x.csv", b"\xef\xbb\xbfRank")):
        done = run("career", *files, "-o", tmp_path / name)
        assert done.exit_code == 0, done.output
        assert (tmp_path / name).read_bytes().startswith(start)
    found = page((tmp_path / "x.html").read_bytes())
    assert [each.text_content() for each in found.iter("h2")] == [
        "Strengths",
        "Components of variance",
        "About these figures",
    ]
    assert len(list(found.iter("svg"))) == 1
    reliable = [[cell.text_content() for cell in row] for row in found.find(".//tfoot")]
    assert [row[1] for row in reliable] == [
        "Reliability of the average of one event",
        "The same by halves of the event",
    ]
    assert all(-1 <= float(cell) <= 1 for row in reliable for cell in row[2:] if cell)
    says = str(sheets((tmp_path / "x.xlsx").read_bytes())["Strengths"][2][0])
    assert "Reliability of the average of one event: Overall 0." in says
    assert "The same by halves of the event: Overall " in says


def test_a_name_is_one_person_unless_it_is_told_apart(files: list[Path]) -> None:
    rows = table(run("career", *files, "--players", "--format", "csv").stdout)
    name = rows[1][1]
    apart = run("career", *files, "--players", "--apart", name.upper(), "--format", "csv")
    assert apart.exit_code == 0, apart.output
    named = [row for row in table(apart.stdout) if row[1].startswith(name)]
    assert [row[1] for row in sorted(named)] == [
        f"{name} (0/scores.txt)",
        f"{name} (1/scores.txt)",
        f"{name} (2/scores.txt)",
    ]
    assert [row[2] for row in named] == ["1"] * 3
    none = run("career", *files, "--apart", "Nobody Here")
    assert none.exit_code == 2
    assert "--apart: 'Nobody Here' is in none of the files" in none.stderr


def test_the_command_refuses_in_a_sentence(files: list[Path]) -> None:
    for arguments, said in (
        ((files[0],), "expected two files or more"),
        ((*files, "--order", "luck"), "order must be one of"),
        ((*files, "-o", "x.pdf"), ".csv, .xlsx or .html"),
        ((files[0], files[0]), "is named twice"),
    ):
        result = run("career", *arguments)
        assert result.exit_code == 2
        assert said in result.stderr
        assert "Traceback" not in result.stderr


def test_the_tables_say_what_the_columns_say() -> None:
    made = career(nights(3, events=3))
    listing = components_listing(made)
    for row, name in zip(listing.rows, COLUMNS, strict=True):
        column = made.columns[name]
        cells = dict(zip(listing.names, row, strict=True))
        assert cells["Pair"] == pytest.approx(np.sqrt(column.owners))
        assert cells["Event Low"] <= cells["Event"] <= cells["Event High"]
        assert cells["Pair Low"] <= cells["Pair"] <= cells["Pair High"]
        assert cells["Reliability"] == pytest.approx(column.reliability())
        if column.owners == 0:
            assert cells["Events for half"] is None
        else:
            assert column.reliability(float(cells["Events for half"])) == pytest.approx(0.5)
    assert made.columns["overall"].board == 0.0  # cross-IMPs add up to 0 on each board


def test_scores_of_a_group_have_the_names_of_the_group(tmp_path: Path) -> None:
    """As in the public files: scoresA.txt and namesA.txt, and names.txt for all others."""
    night = simulate(pairs=4, rounds=3, movement="round-robin")
    for name in ("scores.txt", "scoresA.txt", "scoresB.txt"):
        (tmp_path / name).write_text(night.valet_text(), encoding="utf-8")
    (tmp_path / "names.txt").write_text("1|Of all", encoding="utf-8")
    (tmp_path / "namesA.txt").write_text("1|Of group A", encoding="utf-8")
    found = {
        name: "Of group A" in read_results(tmp_path / name).names
        for name in ("scores.txt", "scoresA.txt", "scoresB.txt")
    }
    assert found == {"scores.txt": False, "scoresA.txt": True, "scoresB.txt": False}
    assert "Of all" in read_results(tmp_path / "scoresB.txt").names


def test_partners_share_what_both_do_and_not_what_one_does() -> None:
    event = nights(1, events=2)
    pairs, players = (career(event, who=who).columns for who in ("pairs", "players"))
    assert {column.copies for column in pairs.values()} == {1}
    assert {name for name, column in players.items() if column.copies == 2} == {"overall", "bid", "play", "defence"}
    assert {name for name, column in players.items() if column.copies == 1} == {"declarer", "lead"}
