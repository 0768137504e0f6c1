"""Sheets of every shape that is read, and the same results as a row a result under one heading row. All made up."""

from __future__ import annotations

from dataclasses import dataclass

Rows = list[list[object]]


@dataclass(frozen=True)
class Sheet:
    """A sheet.

    shape : the name of its shape
    text : its cells, as CSV
    plain : the same results as CSV, a row a result
    in_place : whether scores go next to the rows
    """

    shape: str
    text: str
    plain: str
    in_place: bool = True

    @property
    def cells(self) -> Rows:
        """The cells as a workbook has them: numbers are numbers."""
        return [[_value(cell) for cell in line.split(",")] for line in self.text.splitlines()]


def _value(text: str) -> object:
    return int(text) if text.isdecimal() else text or None


HEAD = "Board,NS,EW,Contract,By,Tricks,Lead\n"
TRAVELLERS = """\
Club evening,,,,,
Board 1,,,Dealer N,,
NS,EW,Contract,By,Tricks,Lead
1,2,3NT,N,9,S4
3,4,4S,E,9,HA
Average,,,,,
Board No. 2,,,,Vul: NS,
NS,EW,Contract,By,Tricks,Lead
1,4,2H,W,8,CA
3,2,Pass,,,
Bd,17,,,,
NS,EW,Contract,By,Tricks,Lead
1,3,6NT,S,12,
2,4,NP,,,
"""

SHEETS: dict[str, Sheet] = {
    "rows": Sheet("rows", f"{HEAD}1,1,2,3NT,N,9,S4\n1,3,4,4S,E,9,HA\n", f"{HEAD}1,1,2,3NT,N,9,S4\n1,3,4,4S,E,9,HA\n"),
    "dutch": Sheet(
        "rows",
        "Spel,NZ,OW,Contract,Door,Slagen,Uitkomst\n1,1,2,3NT,N,9,S4\n1,3,4,3NT,Z,8,\n",
        f"{HEAD}1,1,2,3NT,N,9,S4\n1,3,4,3NT,S,8,\n",
    ),
    "bridgewebs": Sheet(
        "BridgeWebs' page",
        "Club,,,,,,,,\nBoard 1,,,,,,,,\nNS,EW,Bid,By,Ld,Tks,+Sc,-Sc,+\n1,2,3NT,N,S4,9,400,,2\n3,4,4S,E,HA,9,50,,0\n"
        "Board 2,Dealer E,NS Vul,,,,,,\nNS,EW,Bid,By,Ld,Tks,+Sc,-Sc,+\n1,4,2H,W,CA,8,,110,0\n3,2,Pass,,,,0,,2\n",
        f"{HEAD}1,1,2,3NT,N,9,S4\n1,3,4,4S,E,9,HA\n2,1,4,2H,W,8,CA\n2,3,2,Pass,,,\n",
    ),
    "bridgewebs_rows": Sheet(
        "BridgeWebs' page",
        "Board,NS,EW,Bid,By,Ld,Tks\n1,1,2,3NT,N,S4,9\n1,3,4,4S,E,HA,9\n",
        f"{HEAD}1,1,2,3NT,N,9,S4\n1,3,4,4S,E,9,HA\n",
    ),
    "bridgemate": Sheet(
        "Bridgemate table",
        "ID,Round,Board,PairNS,PairEW,Declarer,NS/EW,Contract,Result,LeadCard,Remarks,Erased\n"
        "1,1,1,1,2,1,N,3 NT,=,S10,,0\n2,1,1,3,4,4,E,4 S x,-2,HA,,0\n3,1,1,5,6,5,S,PASS,,,,0\n"
        "4,2,2,2,1,1,W,2 H,+1,CK,Wrong direction,0\n5,2,2,3,4,3,N,,,,60%-40%,0\n6,2,2,5,6,5,N,2 H,+1,,,1\n"
        "7,2,2,5,6,5,N,2 H,+1,,,0\n8,3,3,0,6,,,,,,Not played,0\n",
        "Board,Round,NS,EW,Contract,By,Tricks,Lead\n1,1,1,2,3NT,N,9,ST\n1,1,3,4,4SX,E,8,HA\n1,1,5,6,Pass,,,\n"
        "2,2,1,2,2H,W,9,CK\n2,2,3,4,60%-40%,,,\n2,2,5,6,2H,N,9,\n3,3,,6,NP,,,\n",
    ),
    "bbo": Sheet(
        "BBO Extractor's table",
        "#BoardCount,2\n#Rank,Name,Score\n1,ann+bo,60\n#TravellerLines\n"
        "#Board,North,South,East,West,Result,Contract,Declarer,Tricks,Lead,Score,Percent,nsPair,ewPair,section,playdata\n"
        "1,ann,bo,cy,di,3NN=,3N,N,9,5H,400,50.00,1,2,,x\n1,ed,flo,gus,hal,4SxE-1,4Sx,E,9,5D,100,0,3,4,,x\n"
        "2,ann,bo,gus,hal,PASS,PASS,,,,0,50,1,4,,x\n2,ed,flo,cy,di,A+=,,,,,A6050,60,3,2,,x\n\n"
        "#Substitutions\n#Pair,Name1,Name2,Played\n3,ed,flo,2\n",
        "Board,North,South,East,West,NS,EW,Contract,By,Tricks,Lead\n1,ann,bo,cy,di,1,2,3N,N,9,H5\n"
        "1,ed,flo,gus,hal,3,4,4SX,E,9,D5\n2,ann,bo,gus,hal,1,4,Pass,,,\n2,ed,flo,cy,di,3,2,60%-50%,,,\n",
    ),
    "bbo_page": Sheet(
        "BBO's results",
        "Board,North,South,East,West,Result,Points,Score\n1,ann,bo,cy,di,3NTN=,400,2.5\n1,ed,flo,gus,hal,4♠xE-1,100,-2.5\n",
        "Board,North,South,East,West,Contract,By,Tricks\n1,ann,bo,cy,di,3N,N,9\n1,ed,flo,gus,hal,4SX,E,9\n",
    ),
    "travellers": Sheet(
        "travellers",
        TRAVELLERS,
        f"{HEAD}1,1,2,3NT,N,9,S4\n1,3,4,4S,E,9,HA\n2,1,4,2H,W,8,CA\n2,3,2,Pass,,,\n17,1,3,6NT,S,12,\n17,2,4,NP,,,\n",
    ),
    "rooms": Sheet(
        "rooms side by side",
        ",,Open room,,,,Closed room,,,,\nBoard,Vul,Contract,By,Tricks,Score,Contract,By,Tricks,Score,IMPs\n"
        "1,None,3NT,N,9,400,3NT,N,8,-50,10\n2,NS,4S,E,10,-420,4H,S,9,-100,\n3,EW,8H,S,9,,2C,W,8,,\n",
        "Board,Table,Contract,By,Tricks\n1,Open room,3NT,N,9\n1,Closed room,3NT,N,8\n2,Open room,4S,E,10\n"
        "2,Closed room,4H,S,9\n3,Open room,8H,S,9\n3,Closed room,2C,W,8\n",
        in_place=False,
    ),
    "points": Sheet(
        "scores without contracts",
        "Board,NS,EW,Points\n1,1,2,420\n1,3,4,-50\n1,5,6,450\n2,1,2,Pass\n2,3,4,-110\n2,5,6,A+\n3,1,2,\n",
        "Board,NS,EW,Contract,By,Tricks,NS score\n1,1,2,,,,420\n1,3,4,,,,-50\n1,5,6,,,,450\n2,1,2,,,,P\n"
        "2,3,4,,,,-110\n2,5,6,A+,,,\n3,1,2,NP,,,\n",
    ),
    "points_of_sides": Sheet(
        "scores without contracts",
        "Board,Pair NS,Pair EW,NS,EW\n1,1,2,420,\n1,3,4,,50\n2,1,2,0,0\n2,3,4,,110\n",
        "Board,NS,EW,Contract,By,Tricks,NS score\n1,1,2,,,,420\n1,3,4,,,,-50\n2,1,2,,,,0\n2,3,4,,,,-110\n",
    ),
    "boards_across": Sheet(
        "wide sheet",
        "Match,,,,\nNS,EW,Board 1,Board 2,Board 3\n1,2,W3NT+2,P,4SN=\n3,4,3NTN-1,2HXS-1,4SN+1\n5,6,W3NT=,,5SN-1\n",
        "Board,NS,EW,Contract,By,Tricks\n1,1,2,3NT,W,11\n2,1,2,Pass,,\n3,1,2,4S,N,10\n1,3,4,3NT,N,8\n2,3,4,2HX,S,7\n"
        "3,3,4,4S,N,11\n1,5,6,3NT,W,9\n3,5,6,5S,N,10\n",
        in_place=False,
    ),
    "boards_down": Sheet(
        "wide sheet",
        "Board,Open,Closed\n1,3NTN=,4SE-1\n2,P,2HN+1\n3,9SN=,2HN+1\n",
        "Board,Table,Contract,By,Tricks\n1,Open,3NT,N,9\n1,Closed,4S,E,9\n2,Open,Pass,,\n2,Closed,2H,N,9\n3,Open,9SN=,,\n"
        "3,Closed,2H,N,9\n",
        in_place=False,
    ),
}
