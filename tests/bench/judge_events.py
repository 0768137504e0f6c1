"""Our rankings beside those that USEBIO files publish. By hand: python -m tests.bench.judge_events FILE...

For each file, read here without any code of the product: the place of each pair, and its percentage, or its total if
the file gives no percentages. Published places of a single ranking are compared with places of a single ranking, and
so on; pairs are found by their players' names. A percentage agrees to the half of the last decimal that is published.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from valet_xl.engine.options import Options
from valet_xl.errors import ValetError
from valet_xl.rankings.event import Event
from valet_xl.rankings.ranking import Ranking, rank
from valet_xl.reading.event_options import event_options
from valet_xl.reading.files import read_content

SHOWN = 6  # differences that are listed


@dataclass(frozen=True)
class Published:
    """A pair as the file has it; what it does not say is None."""

    players: frozenset[str]
    place: int | None
    score: float | None
    half: float

    @classmethod
    def of(cls, pair: ElementTree.Element, in_percent: bool) -> Published:
        """Read a PAIR element."""
        text = (pair.findtext("PERCENTAGE" if in_percent else "TOTAL_SCORE") or "").strip()
        number = re.fullmatch(r"-?\d+(?:\.(\d+))?", text)
        place = re.match(r"\d+", pair.findtext("PLACE") or "")
        return cls(
            frozenset(_plain(player.findtext("PLAYER_NAME")) for player in pair.findall("PLAYER")),
            int(place[0]) if place else None,
            float(text) if number else None,
            0.5 / 10 ** max(len(number[1] or "") if number else 0, 2),
        )


def _plain(name: str | None) -> str:
    return " ".join((name or "").split()).casefold()


def published(path: Path) -> tuple[bool, list[Published]]:
    """Whether a file gives percentages, and its pairs."""
    data = path.read_bytes()
    text = data.decode("utf-8") if _is_utf8(data) else data.decode("cp1252")
    root = ElementTree.fromstring(re.sub(r"^\s*<\?xml[^>]*\?>|<!DOCTYPE[^>]*>", "", text))
    in_percent = next(root.iter("PERCENTAGE"), None) is not None
    return in_percent, [Published.of(pair, in_percent) for pair in root.iter("PAIR")]


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def ranked(path: Path) -> tuple[Ranking, bool]:
    """Our ranking of a file as the command makes it, and whether it is in per cent."""
    options = Options()
    content = read_content(path, None, None, options)
    options, said = event_options([(path.name, content.source, content.results)], options, ())
    print(f"{path.name}: {'; '.join(said) or 'the file does not say how it was scored'}")
    made = Event.of([(path.name, content.results)], options)
    return rank(made.totals), made.totals.in_percent


def judged(path: Path) -> Iterator[str]:
    """What agrees, and the first differences."""
    in_percent, theirs = published(path)
    ranking, ours_in_percent = ranked(path)
    if in_percent != ours_in_percent:
        yield "  published and ours are in different units"
    of_players: dict[frozenset[str], list[Published]] = {}
    for pair in theirs:
        of_players.setdefault(pair.players, []).append(pair)
    places = scores = found = with_score = 0
    differences = []
    for part in ranking.parts:
        overall: Any = part.table["overall"]
        ours = overall.in_percent().average if ours_in_percent else overall.sum
        for name, players, place, score in zip(
            part.table.names, part.table.players.tolist(), part.places, ours.tolist(), strict=True
        ):
            same = of_players.get(frozenset(map(_plain, players)), [])
            if not same:
                differences.append(f"{name}: not published")
                continue
            found += 1
            close = [pair for pair in same if pair.score is not None and abs(pair.score - score) <= pair.half + 1e-6]
            with_score += any(pair.score is not None for pair in same)
            scores += bool(close)
            places += any(pair.place == place for pair in same)
            if not close or all(pair.place != place for pair in same):
                said = " or ".join(f"place {pair.place}, {pair.score}" for pair in same)
                differences.append(f"{name}: place {place}, {score:.4f}; published {said}")
    what = "percentages" if in_percent else "totals"
    groups = ", ".join(part.group for part in ranking.parts if part.group) or "one ranking"
    missing = len(theirs) - found
    yield f"  {groups}: {scores} of {with_score} {what}, {places} of {found} places, {missing} pairs not ranked"
    yield from (f"    {line}" for line in differences[:SHOWN])
    if len(differences) > SHOWN:
        yield f"    and {len(differences) - SHOWN} more"


if __name__ == "__main__":
    for file in map(Path, sys.argv[1:]):
        try:
            print("\n".join(judged(file)))
        except ValetError as error:
            print(f"{file.name}: {error}")
