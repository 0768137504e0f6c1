"""What a contract may expect to take when its two hands alone are known: double-dummy tricks, and their chances."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from math import erf, sqrt

import numpy as np

from valet_xl.deals.cards import CARDS, Bytes
from valet_xl.engine.arrays import Floats, Index

KINDS = ("suit", "notrump")
NOTRUMP = 4
_HONOURS = 5  # A K Q J T
_POINTS = np.array([4, 3, 2, 1, 0])
_RIDGE = 1e-3  # which only keeps the equations solvable


@dataclass(frozen=True, slots=True)
class Expectation:
    """A linear model of declarer's double-dummy tricks, one for suit contracts and one for notrump.

    weights : by kind, (features,) tricks
    spread : by kind, the standard deviation of the tricks around it
    source : which deals it was fitted to, for the record
    """

    weights: Mapping[str, Floats]
    spread: Mapping[str, float]
    source: str

    def tricks(self, owners: Bytes, strain: Index, declarer: Index) -> tuple[Floats, Floats]:
        """(n,) expected tricks and their standard deviations.

        owners : (n, 52) as in `deal_of`; only the hands of declarer and dummy are looked at
        strain, declarer : (n,) clubs 0 to notrump 4, and N 0 to W 3
        """
        given = features(owners, strain, declarer)
        notrump = np.asarray(strain) == NOTRUMP
        expected = np.where(notrump, given @ self.weights["notrump"], given @ self.weights["suit"])
        return expected, np.where(notrump, self.spread["notrump"], self.spread["suit"])

    def chances(self, owners: Bytes, strain: Index, declarer: Index) -> Floats:
        """(n, 14) the chance of 0 to 13 tricks: a normal distribution, rounded to whole tricks."""
        expected, spread = self.tricks(owners, strain, declarer)
        below = _normal((np.arange(CARDS) + 0.5 - expected[:, None]) / spread[:, None])
        return np.diff(below, axis=1, prepend=0, append=1)


def features(owners: Bytes, strain: Index, declarer: Index) -> Floats:
    """(n, features) what the model looks at in the hands of declarer and dummy, trumps first.

    In notrump spades are in the place of trumps. Parameters as in `Expectation.tricks`.
    """
    size, strain = len(owners), np.asarray(strain)
    rows = np.arange(size)[:, None]
    trumps_first = np.array([[suit, *(other for other in range(4) if other != suit)] for suit in range(4)])
    order = trumps_first[np.where(strain == NOTRUMP, 0, 3 - strain)]
    suits = owners.reshape(size, 4, CARDS)[rows, order]
    own, dummys = (suits == (np.asarray(declarer)[:, None, None] + step) % 4 for step in (0, 2))
    both = own | dummys
    length = both.sum(axis=2).astype(float)
    longer, shorter = np.maximum(own.sum(axis=2), dummys.sum(axis=2)), np.minimum(own.sum(axis=2), dummys.sum(axis=2))
    honours = both[:, :, :_HONOURS].astype(float)
    points = honours @ _POINTS
    sure = np.minimum(np.cumprod(both, axis=2).sum(axis=2), longer)  # winners from the ace down
    side, all_points = shorter[:, 1:], points.sum(axis=1)
    columns = (
        np.ones(size),
        all_points,
        all_points**2 / 20,
        honours.sum(axis=1),
        honours[:, 0],
        length[:, 0],
        length[:, 0] ** 2,
        all_points * length[:, 0] / 10,
        longer[:, 0],
        np.minimum(shorter[:, 0], 3),
        *((side == cards).sum(axis=1) for cards in range(3)),
        np.maximum(0, 4 - side.min(axis=1)) * np.minimum(shorter[:, 0], 4),
        sure[:, 0],
        sure.sum(axis=1),
        np.sort(length[:, 1:], axis=1),
        np.sort(length[:, 1:], axis=1) ** 2,
        (points[:, 1:] * (length[:, 1:] >= 7)).sum(axis=1),
        (longer[:, 1:] >= 6).sum(axis=1),
        *((honours[:, :, at] * honours[:, :, at + 1]).sum(axis=1) for at in range(3)),
    )
    return np.column_stack(columns)


def fit(owners: Bytes, tables: Bytes, source: str) -> Expectation:
    """Fit the model by least squares to every declarer of deals; to suits of six cards or more between two hands.

    Parameters
    ----------
    owners, tables : (n, 52) and (n, 5, 4) as in `solve_tables`
    source : what the deals are, for the record
    """
    weights, spread = {}, {}
    for kind, strains in zip(KINDS, (range(NOTRUMP), (NOTRUMP,)), strict=True):
        given, taken = [], []
        for strain in strains:
            for declarer in range(4):
                found = features(owners, np.full(len(owners), strain), np.full(len(owners), declarer))
                kept = (found[:, _TRUMPS] >= 6) | (strain == NOTRUMP)
                given.append(found[kept])
                taken.append(tables[kept, strain, declarer].astype(float))
        all_given, all_taken = np.concatenate(given), np.concatenate(taken)
        square = all_given.T @ all_given + _RIDGE * np.eye(all_given.shape[1])
        weights[kind] = np.linalg.solve(square, all_given.T @ all_taken)
        spread[kind] = float(np.std(all_taken - all_given @ weights[kind]))
    return Expectation(weights, spread, source)


def expectation_text(model: Expectation) -> str:
    """A model as JSON."""
    said = {"source": model.source, "spread": {kind: round(model.spread[kind], 4) for kind in KINDS}}
    said["weights"] = {kind: [round(float(weight), 5) for weight in model.weights[kind]] for kind in KINDS}
    return json.dumps(said, indent=1) + "\n"


@cache
def shipped() -> Expectation:
    """The model that comes with the package."""
    said = json.loads((resources.files(__package__) / "expected.json").read_text(encoding="utf-8"))
    weights = {kind: np.array(said["weights"][kind]) for kind in KINDS}
    return Expectation(weights, said["spread"], said["source"])


_TRUMPS = 1 + 1 + 1 + 2 * _HONOURS  # where in the features the number of trumps is


def _normal(values: Floats) -> Floats:
    """The normal distribution function."""
    return np.array([0.5 * (1 + erf(value / sqrt(2))) for value in values.ravel()]).reshape(values.shape)
