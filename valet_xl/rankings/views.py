"""Each result as each of its pairs or players sees it: what they scored in which part of the game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from valet_xl.engine.arrays import Floats, Index, Mask
from valet_xl.engine.results import Results, artificial_scores
from valet_xl.engine.valet import Components
from valet_xl.rankings.clusters import Chances, Clusters, Part
from valet_xl.rankings.part_sums import Spread
from valet_xl.rankings.partnerships import Partnerships

PARTS = ("bid", "declarer", "lead", "defence")
"""What adds up to an overall score, of which declarer or lead and defence are of every board that was played."""


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """What every owner scored somewhere, (owners,) each, in the unit of scores.

    count, total, size : how often there was a chance, the sum, and on how many boards
    average, error : of a chance, and its standard error, which comes from the deviation of all owners there
    spread : how boards vary there
    """

    count: Floats
    total: Floats
    size: Floats
    average: Floats
    error: Floats
    spread: Spread

    @classmethod
    def of(cls, clusters: Clusters, where: Index | None, values: Floats) -> Scores:
        """What was scored at some places, all without them: a value for each."""
        part = Part.of(Chances.of(clusters, where), values)
        counts, sums = part.sums.counts, part.sums
        return cls(counts.count, part.total, counts.size, *sums.average(), sums.spread())

    def of_field(self, field: Index) -> float:
        """The average of the chances of several owners together."""
        count = self.count[field].sum()
        return float(self.total[field].sum() / count) if count else float("nan")


@dataclass(frozen=True, slots=True, eq=False)
class Views:
    """Every result that counts, from the side of each of its pairs, or from the seat of each of its players, (k,) each.

    owner : the pair or the player
    at, side : the result, and whether he sat North-South (0) or East-West (1)
    opponents : the pair on the other side, -1 where it is not known
    partner : of a player the one opposite, -1 of a pair and where he is not known
    first : whether the first of the pair declared or led; of a player whether he did so himself
    declares, defends : whether the side did
    scores : by "overall" and the names in PARTS what the owner's side scored, NaN where there was no chance
    clusters : the places gathered by owner and board
    """

    owner: Index
    at: Index
    side: Index
    opponents: Index
    partner: Index
    first: Mask
    declares: Mask
    defends: Mask
    scores: Mapping[str, Floats]
    clusters: Clusters

    @classmethod
    def of(
        cls, results: Results, parts: Components, who: Partnerships, method: str = "iaf", *, of: str = "pairs"
    ) -> Views:
        """Look at all results.

        Parameters
        ----------
        results, parts, who : the tournament, what `valet` makes of it, and who played
        method : of scoring; at "matchpoints" scores are from -1 to 1
        of : "pairs" or "players"
        """
        imps, percent = artificial_scores(results)
        given = percent / 50 - 1 if method == "matchpoints" else imps
        scored = ~np.isnan(parts.overall)
        declarer = np.where(scored & (results.level > 0), results.declarer, -1).astype(np.intp)
        sign = np.where((declarer >= 0) & (declarer % 2 == 1), -1.0, 1.0)[:, None] * (1.0, -1.0)
        overall = np.where(scored[:, None], parts.overall[:, None] * sign, given)
        owners = who.pair if of == "pairs" else who.player
        width = owners.shape[1]
        places = np.flatnonzero((owners >= 0) & ~np.isnan(np.tile(overall, width // 2)))
        at, seat = np.divmod(places, width)
        side = seat % 2
        owner = owners.ravel()[places]
        declarer = declarer[at]
        declares, defends = ((declarer >= 0) & (declarer % 2 == wanted) for wanted in (side, 1 - side))
        acting = np.where(declares, declarer, (declarer + 1) % 4)
        first = acting == seat if of == "players" else _by_first(who, owner, at, acting)

        def there(values: Floats, where: NDArray[np.bool_]) -> Floats:
            return np.where(where, values[at], np.nan)

        scores = {
            "overall": overall[at, side],
            "bid": parts.bid[at] * sign[at, side],
            "declarer": there(parts.play, declares),
            "lead": there(parts.lead, defends),
            "defence": there(parts.defence, defends),
        }
        names = who.pair_names if of == "pairs" else who.player_names
        partner = np.full(len(at), -1) if of == "pairs" else who.player[at, (seat + 2) % 4]
        clusters = Clusters.of(owner, results.board[at], len(names), max(len(results.boards), 1))
        return cls(owner, at, side, who.pair[at, 1 - side], partner, first, declares, defends, scores, clusters)

    def where(self, mask: Mask, part: str = "overall") -> Scores:
        """What every owner scored in a part of the game at some of his places, per chance."""
        values = self.scores[part]
        places = np.flatnonzero(mask & ~np.isnan(values))
        return Scores.of(self.clusters, places, values[places])

    def brought(self, part: str, mask: Mask | None = None) -> Scores:
        """What a part of the game brought every owner per result, counting 0 where there was no chance."""
        values = np.nan_to_num(self.scores[part])
        return Scores.of(self.clusters, None, values if mask is None else np.where(mask, values, 0.0))


def _by_first(who: Partnerships, owner: Index, at: Index, acting: Index) -> Mask:
    """Whether the first of a pair declared or led; where nobody knows him, whether North or East did."""
    first = who.pair_players[owner, 0]
    own, partner = who.player[at, acting], who.player[at, (acting + 2) % 4]
    known = np.where((own < 0) & (partner >= 0), partner != first, own == first)
    return np.asarray(np.where(first >= 0, known, acting < 2))
