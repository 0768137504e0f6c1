"""The options of rankings and tableaux: one record for each, as `valet_xl.engine.options` has them for scoring."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from valet_xl.engine.options import Option

_RECORDS = (
    Option("who", "Who", "who is ranked", "pairs", {"pairs": "", "players": ""}),
    Option("order", "Order", "the column whose best is first, or a difference such as bid - play", None, text=True),
    Option(
        "minimum",
        "Minimum",
        "the number of boards that a place requires, else half the median",
        None,
        least=0,
        whole=True,
    ),
    Option(
        "compensation",
        "Compensation",
        "what is added for the opponents' strength",
        "none",
        {
            "none": "",
            "opponents": "what the opponents average against others",
            "valet": "as the Valet program does it, counting their scores against this pair twice, "
            "not leaving them out",
        },
    ),
    Option(
        "scale",
        "Scale",
        "what matches of teams are scored by",
        "auto",
        {
            "auto": "what gives the points in the file, or else the WBF's scale",
            "wbf": "the WBF's continuous victory points",
            "discrete": "the WBF's in whole points",
            "acbl20": "the ACBL's 20 points",
            "acbl30": "the ACBL's 30 points",
            "imps": "IMPs alone",
            "bam": "board-a-match",
        },
    ),
    Option(
        "side",
        "Side",
        "whose view the parts are",
        "declarer",
        {"declarer": "the declaring side's and the defenders'", "ns": "North-South's", "ew": "East-West's"},
    ),
)
RANKING_OPTIONS: Mapping[str, Option] = MappingProxyType({option.name: option for option in _RECORDS})
"""The records by the names of the options."""
