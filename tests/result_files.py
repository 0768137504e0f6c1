"""Small files of results in every format that is read, with rows that cannot be read among them."""

from __future__ import annotations

from access_file import access_file
from test_bridgemate import NUMBERED, SEATED, columns, tables
from test_convert import CSV, PBN, USEBIO, VALET
from test_usebio import board, event, line, pair

NAMES = "a|Li Na\nb|Li Na\nc|=Cy\nd|Dee\n"
MOVEMENT = "".join(
    f"{turn}|{number}|{table}n|{table}e|{table}s|{table}w|3N|{by}|{tricks}|SQ\n"
    for turn, number, table, by, tricks in [
        *((1, 1, "a", "N", 9), (1, 1, "b", "S", 8), (1, 2, "a", "E", 9), (1, 2, "b", "W", 10)),
        *((2, 1, "a", "N", 7), (2, 1, "b", "S", 8), (2, 2, "a", "E", 9), (2, 2, "b", "W", 11)),
    ]
)
ROUNDS = "".join(
    board(
        number,
        *(
            line(str(at), str(at + 4), tricks=str(8 + at), more=f"<ROUND_NUMBER>{turn}</ROUND_NUMBER>")
            for at in range(1, 4)
        ),
    )
    for turn in (1, 2)
    for number in (1, 2)
)
CLASH = board(1, line("1", "2"), line("3", "4", "4H", "X"), line("5", "6", "4S", "N", "15"))
PAIRS = pair("1", "Ann", "Bo", direction="NS") + pair("2", "Cy", "Di", direction="EW")
PERSONS = columns(NUMBERED, [[1, 1, 0, "N", "", "Ann"], [1, 1, 0, "S", "", "Bo"], [1, 1, 0, "E", "7", "Cy"]])
PBN_GAMES = """\
% PBN 2.1
[Event "Club"]
[Date "2024.01.31"]
[Board "1"]
[Vulnerable "None"]
[ScoreTable "PairId_NS\\2R;PairId_EW\\2R;Contract\\4L;Declarer;Result\\2R;Lead;Names_NS;Names_EW;Multiplicity"]
 1 2 4S N 10 HA "Ann & Bo" "Cy & Di" 1
 3 4 4SX N 9 "" "Ed & Flo" "Gus & Hal" 2
 5 6 5H E
 7 8 - - - - "Io & Jo" "Ka & Lu" 1
[Event ""]
[Board "2"]
[Contract "3NT"]
[Declarer "W"]
[Result "9"]
"""

PAGE = """\
<!DOCTYPE html><html><head><title>Club</title>
<script>document.write("<table><tr><td>Board 9</td></tr></table>")</script>
</head><body><table><tr><td><div>Board 1</div>
<table><tr><th colspan="2">Pair</th><th colspan="4">Contract</th><th colspan="2">Score</th></tr>
<tr><th>NS</th><th>EW</th><th>Bid</th><th>By</th><th>Ld</th><th>Tks</th><th>+Sc</th><th>-Sc</th></tr>
<tr><td>1</td><td>2</td><td>3NT</td><td>N</td><td><img src="images/suit_s.gif">4</td><td>9</td><td>400<td>&nbsp;</tr>
<tr><td>3</td><td>4</td><td>4&spades;x</td><td>E</td><td><span>&hearts;</span>A</td><td>9</td><td>100<td></tr></table>
<h3>Board 2 Vul: NS</h3>
<table><tr><th>NS</th><th>EW</th><th>Bid</th><th>By</th><th>Ld</th><th>Tks</th><th>+Sc</th><th>-Sc</th></tr>
<tr><td>1</td><td>4</td><td>2<img alt="Hearts" src="x.gif"></td><td>W</td><td>&clubs;A</td><td>8</td><td></td>
<td>110</td></tr><tr><td>3</td><td>2</td><td>9NT</td><td>N</td><td></td><td>9</td><td></td><td></td></tr></table>
</td></tr></table></body></html>
"""

FILES: dict[str, bytes] = {
    "page.html": PAGE.encode(),
    "usebio.xml": f"<USEBIO>{USEBIO}</USEBIO>".encode(),
    "usebio_rounds.xml": f"<USEBIO>{event(ROUNDS)}</USEBIO>".encode(),
    "usebio_events.xml": (
        f"<USEBIO>{event(PAIRS, board(1, line(), line('3', '4', tricks='9')))}"
        f"{event(PAIRS, board(1, line(), line('3', '4', tricks='11')), name='Final')}</USEBIO>"
    ).encode(),
    "usebio_clash.xml": f"<USEBIO>{event(CLASH)}</USEBIO>".encode(),
    "games.pbn": PBN_GAMES.encode(),
    "table.pbn": PBN.encode(),
    "club.bws": access_file(
        tables(
            {},
            {"PairNS": 3, "PairEW": 4, "Result": "-1"},
            {"Table": 2, "PairNS": 3, "Declarer": 2},
            {"Board": 2, "Remarks": "Arbitral score"},
            {"Board": 2, "PairNS": 5, "PairEW": 6, "Remarks": "60%-40%", "Contract": "", "Result": ""},
            {"Board": 3, "Result": "+9"},
            {"Board": 3, "PairNS": 3, "PairEW": 4},
            {"Board": 4, "Remarks": "Wrong direction"},
            {"Board": 4, "PairNS": 3, "PairEW": 4, "Contract": "", "Result": "", "Remarks": "Not played"},
            RoundData=columns(SEATED, [[1, 1, 1, 1, 2], [1, 2, 1, 3, 4]]),
            PlayerNumbers=PERSONS,
        )
    ),
    "rounds.bws": access_file(
        tables(
            *(
                {"Round": turn, "PairNS": ns, "PairEW": ns + 4, "Declarer": ns, "Result": result}
                for turn in (1, 2)
                for ns, result in ((1, "="), (2, "+1"))
            )
        )
    ),
    "scores.txt": VALET.encode(),
    "movement.txt": MOVEMENT.encode(),
    "night.csv": CSV.encode(),
    "decimal.csv": "Board;Contract;By;Tricks;Extra\r\n1;4S;N;10;1,5\r\n1;4S;N;9;2,5\r\n".encode("utf-16"),
    "scored.csv": (
        b"Club night\nBoard,Contract,By,Tricks,Score,Datum,Butler,IAF,Bid,Play,Lead,Defence,Note,Mine\n"
        b"1,4S,N,10,0,0,0,0,0,0,0,0,,=a\n1,4S,N,9,0,0,0,0,0,0,0,0,,b\n"
    ),
}
"""The files by name; names.txt goes with those of Valet text."""
