"""What a 32-bit Python refuses: numpy's own index has 32 bits there. It is played here, as strictly as numpy is."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import fields, is_dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from assertions import assert_close, assert_same_cells
from formulas import example
from numpy.typing import ArrayLike
from result_files import FILES, NAMES
from simulate import tournament
from test_ods import pack, repeated, row, rows, sheet_of
from workbook_samples import SAMPLES

from valet_xl.binky.deals import deal_chunk
from valet_xl.binky.fit_tables import frequencies
from valet_xl.engine.arrays import count_by, keys_of, split_keys, sum_by
from valet_xl.engine.duel_study import DEAL_METHODS, deal_distribution
from valet_xl.engine.lines import LEADS, TRICKS
from valet_xl.engine.options import OPTIONS, Options
from valet_xl.engine.results import Results
from valet_xl.engine.score_results import score_results, split
from valet_xl.engine.teams import barking
from valet_xl.functions.catalogue import REGISTRY
from valet_xl.rankings.partnerships import LABELS, partnerships
from valet_xl.rankings.simulate import MOVEMENTS, simulate
from valet_xl.rankings.strength import strengths
from valet_xl.rankings.tableau import tableau
from valet_xl.rankings.totals import totals
from valet_xl.reading.delimited import DelimitedText
from valet_xl.reading.valet_text import read_names, read_scores
from valet_xl.sheets.score_file import score_file

NARROW = np.int32


@contextmanager
def narrow() -> Iterator[None]:
    """numpy with an index of 32 bits: it casts others to that only where none can be lost, and makes no larger keys."""
    bincount, repeat = np.bincount, np.repeat

    def refuse(index: ArrayLike) -> None:
        given = np.asarray(index).dtype
        if not np.can_cast(given, NARROW, "safe"):
            raise TypeError(
                f"Cannot cast array data from {given!r} to {np.dtype(NARROW)!r} according to the rule 'safe'"
            )

    def counted(index: ArrayLike, *given: Any, **named: Any) -> Any:
        refuse(index)
        return bincount(index, *given, **named)

    def repeated(array: ArrayLike, repeats: ArrayLike, *given: Any, **named: Any) -> Any:
        if np.ndim(repeats):
            refuse(repeats)
        return repeat(array, repeats, *given, **named)

    def numbered(work: Callable[..., Any]) -> Callable[..., Any]:
        def run(index: Any, shape: tuple[int, ...], *given: Any, **named: Any) -> Any:
            if math.prod(shape) > np.iinfo(NARROW).max:
                raise ValueError("invalid dims: array size defined by dims is larger than the maximum possible size.")
            return work(index, shape, *given, **named)

        return run

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(np, "intp", NARROW)
        patched.setattr(np, "bincount", counted)
        patched.setattr(np, "repeat", repeated)
        for name in ("ravel_multi_index", "unravel_index"):
            patched.setattr(np, name, numbered(getattr(np, name)))
        yield


def assert_same(work: Callable[[], Any], about: str = "") -> None:
    """The work gives with the narrow index what it gives with this machine's."""
    wanted = work()
    with narrow():
        found = work()
    _assert_equal(found, wanted, about)


def _assert_equal(found: Any, wanted: Any, about: str) -> None:
    assert type(found) is type(wanted), about
    if is_dataclass(wanted):
        for field in fields(wanted):
            _assert_equal(getattr(found, field.name), getattr(wanted, field.name), f"{about} {field.name}")
    elif callable(wanted):
        _assert_equal(found(), wanted(), about)
    elif isinstance(wanted, Iterator):
        _assert_equal(list(found), list(wanted), about)
    elif isinstance(wanted, np.ndarray) and wanted.dtype.kind in "fiub":
        assert_close(found, wanted, 0, about)
    elif isinstance(wanted, np.ndarray):
        assert found.tolist() == wanted.tolist(), about
    elif isinstance(wanted, dict):
        _assert_equal(list(found.items()), list(wanted.items()), about)
    elif isinstance(wanted, (tuple, list)):
        assert len(found) == len(wanted), about
        for at, each in enumerate(zip(found, wanted, strict=True)):
            _assert_equal(*each, f"{about} {at}")
    elif wanted == wanted:  # noqa: PLR0124 - NaN is not itself
        assert found == wanted, about


def test_the_played_numpy_refuses() -> None:
    """Else the other tests here see nothing; and outside all is as it was."""
    wide = np.array([0, 1, 1], dtype=np.int64)
    with narrow():
        with pytest.raises(TypeError, match="according to the rule 'safe'"):
            np.bincount(wide)
        with pytest.raises(TypeError, match="according to the rule 'safe'"):
            np.repeat(wide, wide)
        with pytest.raises(ValueError, match="invalid dims"):
            np.ravel_multi_index((wide, wide), (1 << 16, 1 << 16))
        with pytest.raises(ValueError, match="invalid dims"):
            np.unravel_index(wide, (1 << 16, 1 << 16))
        assert np.bincount(wide.astype(np.int16)).tolist() == np.bincount(wide.astype(np.intp)).tolist() == [1, 2]
    assert np.bincount(wide.astype(np.intp)).tolist() == [1, 2]


# -- counting and keys


def test_counting() -> None:
    for index in (np.array([0, 2, 0]), np.array([0, 2, 0], dtype=np.int8)):
        assert_same(lambda index=index: (count_by(index, 4), sum_by(index, [1.0, 5.0, 2.0])))


@pytest.mark.parametrize("shape", [(3, 4, 5), (1 << 20, 1 << 20, 1 << 20), (1, 1)])
def test_keys_are_the_columns(shape: tuple[int, ...]) -> None:
    """In the order of the rows, and back again, above 2^31 too."""
    random = np.random.default_rng(5)
    columns = [random.integers(0, size, 200) for size in shape]
    with narrow():
        keys = keys_of(columns, shape)
        back = split_keys(keys, shape)
    assert keys.tolist() == [
        sum(value * math.prod(shape[at + 1 :]) for at, value in enumerate(row))
        for row in zip(*(column.tolist() for column in columns), strict=True)
    ]
    assert [column.tolist() for column in back] == [column.tolist() for column in columns]


@pytest.mark.parametrize("value", [-1, 3])
def test_a_value_out_of_its_column_has_no_key(value: int) -> None:
    with pytest.raises(ValueError, match="a value is not in 0-2"):
        keys_of([np.array([0, value]), np.array([0, 0])], (3, 9))


def test_keys_end_with_64_bits() -> None:
    with pytest.raises(ValueError, match="too many keys"):
        keys_of([np.array([0])] * 4, (1 << 16,) * 4)


# -- everything that counts by an index


@pytest.mark.parametrize("name", REGISTRY)
def test_functions(name: str) -> None:
    """Each function on its example."""
    given = example(REGISTRY[name].example)
    wanted = REGISTRY[name](*given)
    with narrow():
        found = REGISTRY[name](*given)
    assert_same_cells(found, wanted)


METHODS, DATUMS = (tuple(OPTIONS[name].words) for name in ("method", "datum"))


@pytest.mark.parametrize(("method", "cloud", "lead"), list(product(METHODS, (False, True), LEADS)))
def test_scoring(method: str, cloud: bool, lead: str) -> None:
    """On more boards than can have their lines numbered in 32 bits, and with each datum."""
    results = tournament(1_000, 3, seed=2)
    assert math.prod((1_000, 6, 4, 4, 8, 3, 5, 15, TRICKS)) > np.iinfo(NARROW).max
    assert_same(lambda: score_results(results, Options(method=method, cloud=cloud, lead=lead)))


@pytest.mark.parametrize("datum", DATUMS)
def test_datums(datum: str) -> None:
    results = tournament(20, 12, seed=4)
    assert_same(lambda: score_results(results, Options(datum=datum)))


def played(movement: str) -> Results:
    """A tournament, simulated and read from text."""
    event = simulate(pairs=12, rounds=6, boards=2, movement=movement, seed=3)
    return read_scores(event.valet_text(), read_names(event.names_text()))


@pytest.mark.parametrize("movement", MOVEMENTS)
def test_simulated_tournaments(movement: str) -> None:
    """The tournament itself, and everything that ranks it."""
    assert_same(lambda: played(movement), "results")
    results = played(movement)
    for compensation in ("none", "opponents", "valet"):
        for of in ("pairs", "players"):
            assert_same(lambda way=compensation, of=of: getattr(totals(results, compensation=way), of), of)
    for labels in LABELS:
        assert_same(lambda labels=labels: partnerships(results, labels=labels), labels)
    assert_same(lambda: strengths(results), "strengths")
    assert_same(lambda: tableau(results, split(results, Options())), "tableau")
    for method in DEAL_METHODS:
        assert_same(lambda method=method: deal_distribution(results, method=method), method)


def test_many_names() -> None:
    """Pairs of more players than pairs can be numbered in 32 bits."""
    size = 50_000
    results = tournament(size // 40, 10, seed=1)
    names = tuple(f"Player {number}" for number in range(size))
    players = np.arange(size, dtype=np.intp).reshape(-1, 4)
    named = replace(results, names=names, players=players)
    assert_same(lambda: partnerships(named))


def test_teams() -> None:
    scores = np.random.default_rng(1).integers(-60, 60, (30, 12)) * 10.0
    assert_same(lambda: barking(scores, boards=np.indices(scores.shape)[0]))


def test_binky() -> None:
    """Deals that are dealt, and the tables that hands are counted into."""
    for stage in ("uniform", "rare"):
        assert_same(lambda stage=stage: deal_chunk(1, stage, 0, 100), stage)
    assert_same(frequencies)


def test_many_long_cells_are_told_apart() -> None:
    """Cells are compared by parts of five bytes. Of their 2^32 pairs, the first and the last here differ by 2^32."""
    cells = [f"{at:05}"[::-1] + f"{at % (1 << 16):05}" for at in range((1 << 16) + 1)]
    text = DelimitedText.of("\n".join(cells).encode(), "|")
    with narrow():
        (column,) = text.columns(np.arange(len(cells)), 1)
    assert column.texts == cells


def test_many_players_are_told_apart() -> None:
    """As many players as there are, so that pairs have more than 2^31 numbers."""
    lines = [f"1|{at % 30 + 1}|n{at}|e{at}|s{at}|w{at}|3N|S|9" for at in range(25_000)]
    wanted = read_scores("\n".join(lines))
    with narrow():
        found = read_scores("\n".join(lines))
    assert (found.names, found.sides.tolist()) == (wanted.names, wanted.sides.tolist())


def odf(path: Path) -> None:
    """Results as LibreOffice saves them, with rows and cells that are repeated."""
    results = [[1 + at // 4, f"pair {at % 4}", "3NT", "NESW"[at % 4], 7 + at % 6] for at in range(12)]
    last = repeated("x", 3, "columns")
    pack(path, sheet_of(rows([["Board", "Pair", "Contract", "By", "Tricks"], *results]) + row(last, repeated="2")))


SHEETS = {"odf.ods": odf, **{sample.name + sample.suffix: sample.make for sample in SAMPLES}}


@pytest.mark.parametrize("name", [*FILES, *SHEETS])
def test_files_are_scored(name: str, tmp_path: Path) -> None:
    """Twice, the second time with the columns of the first in them."""
    wide, small = tmp_path / "wide", tmp_path / "small"
    if name in SHEETS:
        SHEETS[name](tmp_path / name)
    data = FILES[name] if name in FILES else (tmp_path / name).read_bytes()
    for folder, index in ((wide, nullcontext()), (small, narrow())):
        folder.mkdir()
        (folder / name).write_bytes(data)
        (folder / "names.txt").write_text(NAMES, encoding="utf-8")
        with index:
            score_file(score_file(folder / name).written)
    assert [path.name for path in sorted(wide.iterdir())] == [path.name for path in sorted(small.iterdir())]
    for path in wide.iterdir():
        assert path.read_bytes() == (small / path.name).read_bytes(), path.name
