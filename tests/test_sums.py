"""Sums of parts of a tournament: added, they are those of the whole, to the last bit, however the boards were split."""

from __future__ import annotations

import pickle
from dataclasses import fields, replace
from functools import reduce
from operator import add

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from valet_xl.engine.options import Options
from valet_xl.engine.results import Results, Status
from valet_xl.errors import ArgumentError, OptionError
from valet_xl.rankings import exact
from valet_xl.rankings.averages import Average, AverageTable
from valet_xl.rankings.exact import Exact
from valet_xl.rankings.partnerships import Partnerships, partnerships
from valet_xl.rankings.ranking import rank
from valet_xl.rankings.simulate import simulate
from valet_xl.rankings.sums import Sums, partial
from valet_xl.rankings.totals import finish, totals

KINDS = (Options(), Options(method="matchpoints", factor="none"), Options(method="datum", unknown_lead="zero"))


def events(seed: int) -> Results:
    """A tournament with what makes sums differ: unknown leads, adjusted scores, pairs in two seats of a board."""
    rng = np.random.default_rng(seed)
    results = simulate(pairs=8, rounds=3, boards=3, seed=seed, movement=("mitchell", "round-robin")[seed % 2]).results
    status, adjusted = results.status.copy(), results.adjusted.copy()
    ruled = rng.random(len(results)) < 0.1
    status[ruled], adjusted[ruled] = Status.ADJUSTED, (60, 40)
    status[rng.random(len(results)) < 0.02] = Status.ERROR
    played = np.isin(status, (Status.PLAYED, Status.PASSED_OUT))
    suit = np.where(rng.random(len(results)) < 0.2, -1, results.lead_suit).astype(np.int8)
    players = results.players.copy()
    again = np.flatnonzero(rng.random(len(results)) < 0.1)
    players[again[1:]] = players[again[:-1]]
    unknown = rng.random(len(results)) < 0.1
    players[unknown] = -1
    return replace(
        results,
        status=status,
        adjusted=np.where((status == Status.ADJUSTED)[:, None], adjusted, np.nan),
        score=np.where(played, results.score, np.nan),
        level=np.where(played, results.level, 0).astype(np.int8),
        lead_suit=suit,
        players=players,
    )


def by_names(who: Partnerships, rows: np.ndarray) -> Partnerships:
    """Who played some results, as they know it who see these alone: others are not there, and first is who is first."""
    part = who.take(rows)
    pairs, pair = np.unique(part.pair, return_inverse=True)
    pairs, pair = pairs[pairs >= 0], pair.reshape(part.pair.shape) - int((pairs < 0).any())
    people, player = np.unique(part.seated, return_inverse=True)
    people, player = people[people >= 0], player.reshape(part.seated.shape) - int((people < 0).any())
    place = {person: at for at, person in enumerate(people.tolist())}
    names = tuple(who.player_names[person] for person in people.tolist())
    members, called = [], []
    for at, each in enumerate(pairs.tolist()):
        one, other = (place.get(person, -1) for person in who.pair_players[each].tolist())
        if one >= 0:
            result, side = np.argwhere(pair == at)[0]
            if player[result, side] == other:
                one, other = other, one
        members.append((one, other))
        called.append(f"{names[one]} - {names[other]}" if one >= 0 else who.pair_names[each])
    return Partnerships(
        pair=pair,
        player=np.where(part.player < 0, -1, player),
        seated=player,
        pair_names=tuple(called),
        pair_players=np.array(members, dtype=np.intp).reshape(-1, 2),
        player_names=names,
    )


def assert_same(one: AverageTable, other: AverageTable) -> None:
    """All figures are the same to the last bit."""
    assert one.names.tolist() == other.names.tolist()
    assert one.players.tolist() == other.players.tolist()
    assert (one.groups, one.minimums) == (other.groups, other.minimums)
    for name in ("boards", "few", "group"):
        assert np.array_equal(getattr(one, name), getattr(other, name)), name
    for name in one.columns:
        for field in fields(Average):
            found = [getattr(table.columns[name], field.name) for table in (one, other)]
            assert np.array_equal(*found, equal_nan=True), (name, field.name, *found)


@given(st.integers(0, 20), st.data(), st.sampled_from(KINDS), st.sampled_from(["none", "opponents", "valet"]))
def test_any_split_by_boards_adds_up_to_the_same_figures(seed, data, options, compensation):
    results = events(seed)
    known = partnerships(results)
    complete = (known.seated >= 0).all(axis=1) | (results.status == Status.UNPLAYED)
    who = known
    whole = totals(results, options, compensation=compensation, who=who)
    piece_of = np.array(data.draw(st.lists(st.integers(0, 3), min_size=9, max_size=9)))[results.board]
    named = data.draw(st.booleans()) and bool(complete.all())
    pieces = []
    for piece in data.draw(st.permutations(range(4))):
        rows = np.flatnonzero(piece_of == piece)
        part = by_names(who, rows) if named else who.take(rows)
        made = partial(
            results.take(rows), options, who=part, place=rows.astype(np.int64), opponents=compensation != "none"
        )
        pieces.append(pickle.loads(pickle.dumps(made)) if data.draw(st.booleans()) else made)
    if data.draw(st.booleans()):
        pieces = [pieces[0] + pieces[1], pieces[2] + pieces[3]]
    added = finish(reduce(add, pieces), compensation=compensation)
    assert_same(added.pairs, whole.pairs)
    assert_same(added.players, whole.players)
    assert (added.boards, added.results, added.adjusted) == (whole.boards, whole.results, whole.adjusted)
    assert dict(added.uncounted) == dict(whole.uncounted)


def test_each_piece_may_know_its_own_names_alone():
    """A pair's players are in the order in which the pair first appears, whichever piece that is in."""
    results = simulate(pairs=8, rounds=7, boards=2, seed=3, movement="round-robin").results
    turned = results.board % 3 == 1  # there all pairs sit the other way round
    players = np.where(turned[:, None], results.players[:, [2, 3, 0, 1]], results.players)
    results = replace(results, players=players, sides=np.full_like(results.sides, -1))
    who = partnerships(results)
    whole = totals(results, who=who)
    pieces = []
    for rows in (np.flatnonzero(results.board % 3 == rest) for rest in (1, 2, 0)):
        pieces.append(partial(results.take(rows), who=by_names(who, rows), place=rows.astype(np.int64)))
    added = finish(reduce(add, pieces))
    assert_same(added.pairs, whole.pairs)
    assert_same(added.players, whole.players)
    ours, theirs = (rank(each).listing.with_heading() for each in (added, whole))
    letters = ours[0].index("Alike")
    assert [row[:letters] + row[letters + 1 :] for row in ours] == [
        row[:letters] + row[letters + 1 :] for row in theirs
    ]


@given(st.lists(st.floats(-2000, 2000), min_size=1, max_size=60), st.randoms())
def test_exact_sums_do_not_depend_on_order_or_parts(terms, random):
    def of(some: list[float]) -> Exact:
        return Exact.by(np.zeros(len(some), dtype=np.intp), np.array(some), 1)

    whole = of(terms).value
    shuffled = random.sample(terms, len(terms))
    at = random.randrange(len(terms) + 1)
    assert (of(shuffled[:at]) + of(shuffled[at:])).value == whole
    assert whole[0] == pytest.approx(sum(terms), abs=1e-9)


@pytest.mark.parametrize("size", [1, 3, 5000])
@pytest.mark.parametrize("scale", [1.0, 300.0])
def test_terms_are_added_piece_by_piece(monkeypatch, size, scale):
    """Also where fourth powers are so large that they are added to their last bit."""
    monkeypatch.setattr(exact, "_TERMS", 16)
    rng = np.random.default_rng(5)
    owner, terms = rng.integers(0, size, 400), scale * rng.normal(size=400)
    of_pieces = (Exact.by(owner, terms, size), *Exact.moments(owner, terms, size))
    for power, sums in zip((1, 1, 2, 4), of_pieces, strict=True):
        wanted = [np.sum(terms[owner == each] ** power) for each in range(size)]
        assert sums.value == pytest.approx(wanted, abs=1e-6 if power == 4 else 1e-10, rel=1e-12)
    assert all((sums.value == 0).all() for sums in Exact.moments(owner, 0 * terms, size))


def test_sums_made_with_other_options_are_not_added():
    results = simulate(pairs=4, rounds=1, boards=2).results
    with pytest.raises(ArgumentError, match="same options"):
        partial(results) + partial(results, Options(cloud=True))
    with pytest.raises(ArgumentError, match="opponents"):
        finish(partial(results), compensation="opponents")
    with pytest.raises(OptionError, match="players"):
        _ = finish(partial(results, players=False)).players


def test_what_needs_single_boards_says_so():
    results = simulate(pairs=8, rounds=3, boards=2, seed=1).results
    who = partnerships(results)
    halves: list[Sums] = []
    for half in (0, 1):
        rows = np.flatnonzero(results.board % 2 == half)
        halves.append(partial(results.take(rows), who=who.take(rows), place=rows.astype(np.int64)))
    table = finish(halves[0] + halves[1]).pairs
    for ask in (lambda: table.average("bid - play"), lambda: table.compare(0, 1), lambda: table.common(0, 1)):
        with pytest.raises(OptionError, match="what was scored on each board"):
            ask()
    assert np.isnan(table.reliability("overall").share)
