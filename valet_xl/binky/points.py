"""Binky points: what hands and holdings are worth in tricks, after Thomas Andrews.

A hand's value is that of its pattern and of its four holdings; two partners' values add up to the tricks that they may
expect double dummy. The coefficients were fitted to solved deals (`valet-xl binky generate` and `fit`).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from valet_xl.binky.hands import CARDS, HONOURS, PATTERNS, RANKS, SPOTS, Hands, clash
from valet_xl.documents.disk import read_file
from valet_xl.engine.arrays import Floats, Index
from valet_xl.engine.normal import share_below
from valet_xl.errors import FileError, ValetError

KINDS = ("notrump", "suit", "notrump-defence", "suit-defence")
"""What hands are valued for: tricks in notrump, in their best suit, and against the opponents' notrump or best suit."""

# Every holding, by length and then from most honours to least: its length, and its honours a bit each as in Hands.
HOLDINGS = tuple(
    (length, honours)
    for length in range(CARDS + 1)
    for honours in range((1 << HONOURS) - 1, -1, -1)
    if 0 <= length - honours.bit_count() <= SPOTS
)
_UNIT = 1000  # the file's values are integers, in thousandths of a trick
_SHIPPED = Path(__file__).with_name("coefficients.json")


@dataclass(frozen=True, slots=True, eq=False)
class Coefficients:
    """A fit, for each kind of KINDS.

    pattern, pattern_error : (39, 4) values and standard errors in tricks, in the order of PATTERNS
    holding, holding_error : (512, 4) in the order of HOLDINGS; over the hands of a length they are 0 on average
    chances : for each kind the parameters of the distribution of tricks (see `chances`)
    about : where the fit is from
    """

    pattern: Floats
    pattern_error: Floats
    holding: Floats
    holding_error: Floats
    chances: tuple[Floats, ...]
    about: dict[str, Any]


@dataclass(frozen=True, slots=True, eq=False)
class Tricks:
    """What pairs of hands may expect, for each kind of KINDS; NaN where a hand is blank or wrong.

    expected : (n, 4) tricks, the sum of the two hands' values
    error : (n, 4) its standard error, as the fit rests on so many deals and no more
    chances : (n, 4, 14) the chance of each number of tricks
    """

    expected: Floats
    error: Floats
    chances: Floats


@cache
def shipped() -> Coefficients:
    """The coefficients that come with the project."""
    return read_coefficients(_SHIPPED)


def values(hands: Hands, coefficients: Coefficients | None = None) -> Floats:
    """Binky points of hands.

    Parameters
    ----------
    hands : n hands, from `valet_xl.binky.hands.read_hands`
    coefficients : another fit than the one that is shipped

    Returns
    -------
    (n, 4) tricks for each kind of KINDS; NaN for a blank row

    Notes
    -----
    v(hand) = v(pattern) + v(spades) + v(hearts) + v(diamonds) + v(clubs)

    >>> from valet_xl.binky.hands import read_hands
    >>> strong, weak = values(read_hands(["AKQx.AKx.AQx.KQx", "xxxx.xxx.xxx.xxx"]).hands)
    >>> bool((strong > weak).all())
    True
    """
    used = coefficients or shipped()
    patterns = hands.patterns
    total = used.pattern[patterns] + used.holding[holding_index(hands)].sum(axis=1)
    total[patterns < 0] = np.nan
    return np.asarray(total)


def tricks(hands: Hands, partners: Hands, coefficients: Coefficients | None = None) -> Tricks:
    """What pairs of hands may expect, double dummy.

    Parameters
    ----------
    hands, partners : n hands each
    coefficients : another fit than the one that is shipped

    Notes
    -----
    The standard error adds up those of the coefficients, which are taken as independent.

    >>> from valet_xl.binky.hands import hand_of
    >>> pair = tricks(hand_of("KJT.Axx.KQx.AJTx"), hand_of("A9xx.Kxx.Axx.K9x"))
    >>> bool(12.5 < pair.expected[0, KINDS.index("notrump")] < 13.5)
    True
    """
    used = coefficients or shipped()
    expected = values(hands, used) + values(partners, used)
    squares = sum(_squared_error(side, used) for side in (hands, partners))
    for at in clash(hands, partners):
        expected[at] = np.nan
    shape = np.sum(hands.lengths**2 + partners.lengths**2, axis=1)
    chance = np.stack([chances(expected[:, kind], shape, used.chances[kind]) for kind in range(len(KINDS))], axis=1)
    error = np.where(np.isnan(expected), np.nan, np.sqrt(squares))
    return Tricks(expected, error, chance)


ORDERS = ("average", "top-down", "bottom-up")
"""In which order spots are turned into the honours of a holding: in every order, with the mean taken; from the highest
honour on; or from the lowest."""


def card_values(
    hand: Hands, kind: int, coefficients: Coefficients | None = None, order: str = "average"
) -> list[tuple[str, float]]:
    """What each honour of a holding is worth: what the holding gains when a spot is turned into it.

    Parameters
    ----------
    hand : one holding (`valet_xl.binky.hands.holding_of`)
    kind : a place in KINDS
    order : one of ORDERS

    Returns
    -------
    each honour with its value, and x with what the holding is worth without them; together they are its value

    Notes
    -----
    Only seven spots are below the nine. A longer holding starts with the fewest honours that it can have: the first of
    the order, or any of them if all orders count.

    >>> from valet_xl.binky.hands import holding_of
    >>> [card for card, value in card_values(holding_of("AQJ9"), KINDS.index("suit"))]
    ['A', 'Q', 'J', '9', 'x']
    """
    used = coefficients or shipped()
    length, honours = int(hand.lengths[0, 0]), int(hand.honours[0, 0])
    of = {
        held: value
        for (long, held), value in zip(HOLDINGS, used.holding[:, kind].tolist(), strict=True)
        if long == length
    }
    bits = [1 << bit for bit in range(HONOURS - 1, -1, -1) if honours >> bit & 1]
    fewest = max(0, length - SPOTS)
    worth = dict.fromkeys(bits, 0.0)
    orders = {"top-down": [tuple(bits)], "bottom-up": [tuple(reversed(bits))]}.get(order) or list(permutations(bits))
    base = [of[sum(start)] for start in {tuple(sorted(one[:fewest])) for one in orders}]
    lowest = sum(base) / len(base)
    for one in orders:
        before = lowest
        for count in range(max(fewest, 1), len(bits) + 1):
            now = of[sum(one[:count])]
            worth[one[count - 1]] += (now - before) / len(orders)
            before = now
    names = {1 << (HONOURS - 1 - place): RANKS[place] for place in range(HONOURS)}
    return [*((names[bit], value) for bit, value in worth.items()), ("x", lowest)]


def holding_index(hands: Hands) -> Index:
    """Places in HOLDINGS of hands' suits, the shape of their lengths; 0, the void's, in a blank row."""
    return _PLACE[hands.honours, hands.lengths]


def chances(expected: Floats, shape: ArrayLike, parameters: Floats) -> Floats:
    """The chance of each number of tricks.

    Parameters
    ----------
    expected : (n,) expected tricks, the sum of two hands' values
    shape : (n,) the squares of both hands' suit lengths, added up
    parameters : (22,) of one scale, 13 thresholds, 3 of the location, 6 of the scale; or (78,) of thirteen numbers of
        tricks, 6 for each

    Returns
    -------
    (n, 14) chances of 0 to 13 tricks, together 1; NaN where the expected tricks are

    Notes
    -----
    One scale is an ordered probit model: at most t tricks have the chance Phi((c_t - m) / s), where the location m and
    log s depend on the expected tricks and on how wild the hands are, both within the limits of what deals show.

    With thirteen numbers, each of 1, 2 ... 13 tricks has a probit model of its own: at least so many have the chance
    Phi(q), where q is a quadratic function of the expected tricks and of how wild the hands are. Where q would fall as
    the expected tricks rise, it stays at its largest value; and at least t tricks are never likelier than at least t-1.
    """
    if len(parameters) == ONE_SCALE:
        at_most = share_below(-reach_of_one_scale(expected, shape, parameters))
    else:
        fewer = share_below(-_reach(expected, shape, parameters.reshape(CARDS, -1)))
        at_most = np.maximum.accumulate(fewer, axis=1)
    return np.diff(at_most, axis=1, prepend=0.0, append=1.0)


def reach_of_one_scale(expected: Floats, shape: ArrayLike, parameters: Floats) -> Floats:
    """(n, 13) the (m - c) / s of which Phi gives the chances of at least 1, 2 ... 13 tricks."""
    location, scale = terms(expected, shape)
    thresholds, shift, log_scale = np.split(parameters, [CARDS, CARDS + location.shape[1] - 1])
    middle = location[:, 0] + location[:, 1:] @ shift
    return np.asarray((middle[:, None] - thresholds) / np.exp(scale @ log_scale)[:, None])


def _reach(expected: Floats, shape: ArrayLike, parameters: Floats) -> Floats:
    """(n, 13) q of `chances`, by (13, 6) parameters of what `powers` gives."""
    _, strong, _, wild, *_ = powers(expected, shape).T[:, :, None]
    base, slope, bend, of_wild, slope_of_wild, bend_of_wild = parameters.T
    rise = slope + slope_of_wild * wild
    with np.errstate(divide="ignore", invalid="ignore"):
        turn = np.where(bend == 0, np.inf, -rise / (2 * bend))
    strong = np.where(bend > 0, np.maximum(strong, turn), np.minimum(strong, turn))
    return np.asarray(base + rise * strong + bend * strong**2 + of_wild * wild + bend_of_wild * wild**2)


def powers(expected: Floats, shape: ArrayLike) -> Floats:
    """(n, 6) what the models of thirteen numbers of tricks are linear in: 1, s, s^2, w, s w, w^2.

    s is the expected tricks and w the shape, each from a middle on, and within the limits of what deals show.
    """
    wild = _wild(shape)
    strong = (np.clip(expected, -1, CARDS + 1) - CARDS / 2) / 3
    return np.stack([np.ones_like(wild), strong, strong**2, wild, strong * wild, wild**2], axis=1)


def terms(expected: Floats, shape: ArrayLike) -> tuple[Floats, Floats]:
    """What the location (n, 4) and the logarithm of the scale (n, 6) of the distribution of tricks are linear in."""
    wild = _wild(shape)
    strong = (np.clip(expected, 0, CARDS) - CARDS / 2) / 3
    location = np.stack([expected, wild, wild**2, wild * strong], axis=1)
    scale = np.stack([np.ones_like(wild), wild, wild**2, strong, strong**2, wild * strong], axis=1)
    return location, scale


def _wild(shape: ArrayLike) -> Floats:
    return np.asarray((np.clip(shape, *_SHAPES) - _SHAPES[0]) / 20)


_SHAPES = (86, 140)  # two hands of 4-3-3-3; and as wild as one pair in a thousand


def read_coefficients(path: Path) -> Coefficients:
    """Read a file that `valet-xl binky fit` has written.

    Raises
    ------
    FileError : where there is none, or it has other contents
    """
    try:
        content = json.loads(read_file(path))
        pattern, pattern_error, holding, holding_error = (
            np.stack([_numbers(content[part][kind]) for kind in KINDS], axis=1) / _UNIT
            for part in ("pattern", "pattern error", "holding", "holding error")
        )
        chance = tuple(_numbers(content["chances"][kind]) / _UNIT for kind in KINDS)
        read = Coefficients(pattern, pattern_error, holding, holding_error, chance, content["about"])
    except (ValueError, KeyError, TypeError) as error:
        if isinstance(error, ValetError):
            raise
        raise FileError(f"{path}: contains no coefficients (a file of `binky fit` was expected)") from error
    sizes = (len(read.pattern), len(read.pattern_error), len(read.holding), len(read.holding_error))
    if sizes != (len(PATTERNS),) * 2 + (len(HOLDINGS),) * 2 or not {len(one) for one in chance} <= {
        ONE_SCALE,
        THIRTEEN,
    }:
        raise FileError(
            f"{path}: is not complete (39 patterns, 512 holdings, and {ONE_SCALE} or {THIRTEEN} numbers for chances of "
            "a kind were expected)"
        )
    return read


def coefficients_text(coefficients: Coefficients) -> str:
    """A fit as the text of its file: JSON, with values in thousandths of a trick and a line for each length."""
    rows = (("pattern", "pattern_error", [len(PATTERNS)]), ("holding", "holding_error", _lengths()))
    content: dict[str, Any] = {"about": coefficients.about}
    for name, error, sizes in rows:
        for key, part in ((name, getattr(coefficients, name)), (f"{name} error", getattr(coefficients, error))):
            content[key] = {kind: _lines(part[:, place], sizes) for place, kind in enumerate(KINDS)}
    content["chances"] = {
        kind: _lines(part, [ONE_SCALE] if len(part) == ONE_SCALE else [THIRTEEN // CARDS] * CARDS)
        for kind, part in zip(KINDS, coefficients.chances, strict=True)
    }
    return json.dumps(content, indent=0, ensure_ascii=False) + "\n"


# Parameters of a distribution of tricks.
ONE_SCALE = CARDS + 3 + 6
THIRTEEN = CARDS * 6


def _lengths() -> list[int]:
    return [sum(length == long for length, _ in HOLDINGS) for long in range(CARDS + 1)]


def _lines(numbers: Floats, sizes: list[int]) -> list[str]:
    whole = np.rint(numbers * _UNIT).astype(int).astype(str)
    return [" ".join(part) for part in np.split(whole, np.cumsum(sizes)[:-1])]


def _numbers(lines: list[str]) -> Floats:
    return np.array(" ".join(lines).split(), dtype=np.float64)


def _squared_error(hands: Hands, coefficients: Coefficients) -> Floats:
    """(n, 4) the square of the standard error of hands' values."""
    of_holdings = (coefficients.holding_error**2)[holding_index(hands)].sum(axis=1)
    return np.asarray((coefficients.pattern_error**2)[hands.patterns] + of_holdings)


def _place_table() -> Index:
    """(64, 14) the place in HOLDINGS of honours and length; 0 where there is no such holding."""
    table = np.zeros((1 << HONOURS, CARDS + 1), dtype=np.intp)
    for place, (length, honours) in enumerate(HOLDINGS):
        table[honours, length] = place
    return table


_PLACE = _place_table()
