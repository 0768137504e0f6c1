"""The time to score files of 25,000 results on 250 boards. By hand: python -m tests.bench.bench_formats"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from access_file import access_file
from test_bridgemate import tables
from test_usebio import board, event, line, pair

from valet_xl.sheets.convert import convert_file
from valet_xl.sheets.score_file import score_file

BOARDS, TABLES, TIMES = 250, 100, 3


def files() -> dict[str, bytes]:
    chance = random.Random(1)
    played = [
        (number, table, f"{chance.randint(1, 5)} {chance.choice('SHDC')}", chance.choice("NESW"), chance.randint(-2, 2))
        for number in range(1, BOARDS + 1)
        for table in range(1, TABLES + 1)
    ]
    records = [
        {"Table": at, "Round": number, "Board": number, "PairNS": at, "PairEW": at + TABLES, "Declarer": None}
        | {"Contract": contract, "NS/EW": by, "Result": f"{over:+d}" if over else "="}
        for number, at, contract, by, over in played
    ]
    lines: dict[int, list[str]] = {}
    for number, at, contract, by, over in played:
        tricks = str(6 + int(contract[0]) + over)
        lines.setdefault(number, []).append(line(str(at), str(at + TABLES), contract.replace(" ", ""), by, tricks))
    pairs = "".join(pair(str(number), f"A {number}", f"B {number}") for number in range(1, 2 * TABLES + 1))
    boards = (board(number, *of_board) for number, of_board in lines.items())
    valet = (
        f"{number}|{number}|n{at}|e{at}|s{at}|w{at}|{contract.replace(' ', '')}|{by}|{6 + int(contract[0]) + over}\n"
        for number, at, contract, by, over in played
    )
    return {
        "night.bws": access_file(tables(*records)),
        "night.xml": f"<USEBIO>{event(pairs, *boards)}</USEBIO>".encode(),
        "scores.txt": "".join(valet).encode(),
    }


with tempfile.TemporaryDirectory() as folder:
    for name, data in files().items():
        path = Path(folder, name)
        path.write_bytes(data)
        for what, work in {"scored": score_file, "converted": convert_file}.items():
            took = []
            for _ in range(TIMES):
                start = time.process_time()
                work(path, path.with_name("out.csv"))
                took.append(time.process_time() - start)
            print(f"{name} {what}: {min(took):.2f} s of processor time")
