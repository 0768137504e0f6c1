"""A second reader of sheets, written from docs/reference/formats.md alone: plain and slow, without a line of the first.

It reads a sheet of the shape `rows`, a list of rows of texts, to a list of plain records, one for each row that has a
result. The words of headings and cells are those of the tables in docs/reference/formats.md, which it reads, too.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from itertools import combinations
from pathlib import Path

PAGE = (Path(__file__).parents[1] / "docs" / "reference" / "formats.md").read_text(encoding="utf-8")
SUITS, NOTRUMP = range(4), 4
SYMBOLS = {"♣": 0, "♧": 0, "♦": 1, "♢": 1, "♥": 2, "♡": 2, "♠": 3, "♤": 3}
CARDS = {"A": 14, "K": 13, "Q": 12, "J": 11}
UNIVERSAL = ("N", "NT", "SA", "NO TRUMP", "NO TRUMPS", "NOTRUMP", "NOTRUMPS")
COLUMNS_OF_DEALS = ("event", "date", "session")
SAID = ("level", "strain", "double", "declarer", "tricks", "vul")  # what a score follows from
NORDIC = {"n": "north", "o": "east", "s": "south", "v": "west"}
KEY = (*COLUMNS_OF_DEALS, "section", "round", "board")
VULNERABLE = (0, 1, 2, 3, 1, 2, 3, 0, 2, 3, 0, 1, 3, 0, 1, 2)  # by (board - 1) % 16; 1 is North-South, 2 East-West


class RefusedError(Exception):
    """The sheet is refused as a whole."""


class WrongError(Exception):
    """A cell cannot be read."""


class Language:
    """The words of a language, from the table of the page: suits, notrump, cards, and the seat of O."""

    def __init__(self, *cells: str) -> None:
        *suits, notrump, cards, o_is = cells
        of_suits = [words_of(words) for words in suits]
        self.suits = {word: suit for suit, words in enumerate(of_suits) for word in words}
        self.first = [words[0] for words in of_suits]
        self.notrump = set(words_of(notrump))
        self.cards = {word: 14 - i for i, words in enumerate(cards.split("; ")) for word in words_of(words)}
        self.o_is = {"East": 1, "West": 3}.get(o_is)
        self.is_english = self.first == ["C", "D", "H", "S"]

    def strain(self, word: str) -> int | None:
        """The strain that a word is, else None."""
        if word in SYMBOLS:
            return SYMBOLS[word]
        if word in self.notrump or word in UNIVERSAL:
            return NOTRUMP
        return self.suits.get(word)


def table(name: str) -> list[list[str]]:
    """The rows of a table of the page, between the comments with its name."""
    lines = PAGE.split(f"<!-- {name} -->\n")[1].split(f"<!-- end of {name} -->")[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]


@cache
def plain(text: str) -> str:
    """A heading without capitals, blanks, accents and some signs."""
    return re.sub(r"[\s.:#()*_]", "", unaccented(text.casefold()))


def unaccented(text: str) -> str:
    """A text without accents, nor a stroke through a letter."""
    text = text.translate(str.maketrans("øł", "ol"))
    return "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))


def words_of(cell: str) -> list[str]:
    """The words that a cell of a table lists."""
    return [word for word in cell.split(", ") if word]


LANGUAGES = {row[0]: Language(*row[1:]) for row in table("languages")}
HEADINGS: dict[str, set[str]] = {}
OWN: dict[str, set[str]] = {name: set() for name in LANGUAGES}  # the headings that are a language's own
for field, listed in table("headings"):
    for part in listed.split("; "):
        speakers, words = part.split(": ")
        found = {plain(word) for word in words_of(words)}
        HEADINGS.setdefault(field, set()).update(found)
        for speaker in words_of(speakers):
            OWN[speaker] |= found
WORDS = {row[0]: {word.upper() for word in words_of(row[1])} for row in table("words")}
BARE_SIDES = {
    "ns": {"ns", "n-s", "n/s", "north-south", "nz", "n-z", "n/z"},
    "ew": {"ew", "e-w", "e/w", "east-west", "eo", "e-o", "ow", "o-w", "o/w", "ov", "o-v"},
}


# --- a cell ---


@cache
def upper(text: str) -> str:
    """A cell in capitals, with one blank for many and one kind of minus."""
    text = re.sub("[‐‑‒–—−]", "-", text).replace("×", "x")
    for other, symbol in zip("♧♢♡♤", "♣♦♥♠", strict=True):
        text = text.replace(other, symbol)
    return re.sub(r"\s+", " ", text).strip().upper()


def seat(text: str) -> int | None:
    """The seat that a word names; O is none of them here."""
    for number, name in enumerate(("North", "East", "South", "West")):
        if word_is(text, name):
            return number
    return None


def word_is(text: str, name: str) -> bool:
    """Whether a cell is one of the words of the table."""
    return upper(text) in WORDS[name]


@cache
def adjusted(text: str) -> tuple[float | None, float | None] | None:
    """The per cent of an adjusted score to both sides, None for what is not given."""
    if word_is(text, "adjusted"):
        return None, None
    text = upper(text).replace(" ", "")
    if match := re.fullmatch(r"(A|AV|AVE|AVG|AVERAGE)([+-]?)", text):
        return {"+": 60.0, "": 50.0, "-": 40.0}[match[2]], None
    if match := re.fullmatch(r"A(\d\d|0|100)(\d\d|0|100)", text):
        return float(match[1]), float(match[2])
    share = r"(\d\d|\d\d?[.,]\d\d?|0|100(?:[.,]00?)?)"
    if match := re.fullmatch(f"{share}%", text):
        return float(match[1].replace(",", ".")), None
    if match := re.fullmatch(f"{share}%?[/:-]{share}%?", text):
        return float(match[1].replace(",", ".")), float(match[2].replace(",", "."))
    return None


def result_cell(text: str) -> tuple[str, int] | None:
    """A cell of tricks or results: its sign (blank, +, -, =) and its number."""
    text = upper(text).replace(" ", "")
    if text in ("=", "C"):
        return "=", 0
    match = re.fullmatch(r"([+-]?)(\d\d?)", text)
    return (match[1], int(match[2])) if match else None


def at_table(text: str, o_is: int | None) -> int | None:
    """The seat of a declarer next to a contract: one letter or an English word."""
    text = text.strip()
    if text == "O":
        return o_is
    return seat(text) if len(text) == 1 or text in ("NORTH", "EAST", "SOUTH", "WEST") else None


def contract(text: str, language: Language, o_is: int | None = None) -> dict | None:
    """A contract, with the declarer and the result where the cell has them."""
    match = re.fullmatch(r"(\D*?)([1-7])(\D.*)", upper(text))
    if not match:
        return None
    declarer = None
    if match[1].strip():
        declarer = at_table(match[1], o_is)
        if declarer is None:
            return None
    marks = {**dict.fromkeys(("X", "*"), 1), **dict.fromkeys(("XX", "**"), 2), "": 0}
    if language.is_english:
        for times, name in ((1, "doubled"), (2, "redoubled")):
            marks |= dict.fromkeys((word for word in WORDS[name] if not word.isdigit()), times)
    rest = match[3].strip()
    for end in range(len(rest), 0, -1):
        strain = language.strain(rest[:end].strip())
        if strain is None:
            continue
        tail = rest[end:].strip()
        for mark in sorted(marks, key=len, reverse=True):
            glued = mark in ("D", "R") and len(rest[:end].strip()) > 2 and tail == rest[end:]
            if tail.startswith(mark) and not glued:
                after = after_double(tail[len(mark) :].strip(), o_is)
                if after is not None and (declarer is None or after[0] in (None, declarer)):
                    found = {"level": int(match[2]), "strain": strain, "double": marks[mark]}
                    found["declarer"] = declarer if after[0] is None else after[0]
                    return found | ({} if after[1] is None else {"tricks": int(match[2]) + 6 + after[1]})
    return None


def after_double(text: str, o_is: int | None) -> tuple[int | None, int | None] | None:
    """The declarer and the result behind a double, each None where there is none; None where this is no such text."""
    seats: list[int] = []
    result = None
    while text:
        if match := re.match(r"=|C|[+-] ?\d\d?", text):
            if result is not None:
                return None
            sign, number = result_cell(match[0]) or ("", 0)
            result = -number if sign == "-" else number
            text = text[match.end() :].strip()
            continue
        match = re.match(r"(BY|PAR|VON|DOOR|AV|AF|POR|,|-)?\s*(NORTH|EAST|SOUTH|WEST|[A-ZØÖ])", text)
        who = at_table(match[2], o_is) if match else None
        if match is None or who is None:
            return None
        seats.append(who)
        text = text[match.end() :].strip()
    return (seats[0] if seats else None, result) if len(set(seats)) < 2 else None


def lead_cell(text: str, cards: dict[str, int], suits: dict[str, int]) -> tuple[int, int] | None:
    """The suit and rank of a lead, with these letters for the ace to the jack; rank 0 is unknown and 1 a spot."""
    raw = re.sub(r"\s+", "", text)
    word = upper(raw)
    suits = {**suits, **SYMBOLS}
    if len(raw) > 1 and raw == raw.capitalize() and word in suits:
        return suits[word], 0
    ranks = {"X": 1, **{str(n): n for n in range(2, 11)}, **({} if "T" in suits else {"T": 10}), **cards}
    found = set()
    for cut in range(1, len(word)):
        for suit, rank in ((word[:cut], word[cut:]), (word[cut:], word[:cut])):
            if suit in suits and rank in ranks:
                found.add((suits[suit], ranks[rank]))
    if len(found) > 1:
        return None
    return found.pop() if found else (suits[word], 0) if word in suits else None


# --- a sheet ---


class Sheet:
    """The cells of a sheet under its heading row."""

    def __init__(self, rows: list[list[str]]) -> None:
        for row in rows:
            nordic = NORDIC if {"n", "s", "v"} <= {plain(cell) for cell in row} else {}
            names = [
                {nordic[plain(cell)]}
                if plain(cell) in nordic
                else {name for name, words in HEADINGS.items() if plain(cell) in words and cell.strip()}
                for cell in row
            ]
            if any("board" in n for n in names) and any("contract" in n for n in names):
                break
        else:
            raise RefusedError("no heading row")
        self.headings = row
        top = rows.index(row)
        self.column: dict[str, int] = {}
        self.right: dict[str, int] = {}
        for i, found in enumerate(names):
            for name in found:
                if "contract" in self.column and plain(row[i]) in BARE_SIDES.get(name, ()):
                    self.right.setdefault(name, i)
                else:
                    self.column.setdefault(name, i)
        self.numbers = [n for n in range(top + 1, len(rows)) if any(cell.strip() for cell in rows[n])]
        self.rows = [list(rows[n]) + [""] * (len(row) - len(rows[n])) for n in self.numbers]
        self.remarks: list[str] = []

    def has(self, name: str) -> bool:
        """Whether there is such a column."""
        return name in self.column

    def cells(self, name: str) -> list[str]:
        """The cells of a column, blank where there is none."""
        i = self.column.get(name)
        return ["" if i is None else row[i].strip() for row in self.rows]


def read(rows: list[list[str]]) -> list[dict]:
    """The results of a sheet: a record for each row that has one."""
    sheet = Sheet(rows)
    fill_down(sheet, pairs=False)
    points = judge_pairs(sheet)
    fill_down(sheet, pairs=True)
    contracts = sheet.cells("contract")
    languages = languages_of(sheet, contracts)
    language = languages[0]
    o_is = seat_of_o(sheet, languages)
    found = [read_row(sheet, i, LANGUAGES[language], o_is) for i in range(len(sheet.rows))]
    read_tricks(sheet, found)
    read_leads(sheet, found, languages)
    deals([record for record in found if "status" in record])
    vulnerabilities([record for record in found if "status" in record])
    for record in found:
        if record.get("status") == "played":
            record["score"] = score(**{name: record[name] for name in SAID})
        elif record.get("status") == "passed":
            record["score"] = 0
    compare_scores(sheet, found, points)
    for number, record in zip(sheet.numbers, found, strict=True):
        record["row"] = number + 1
        record["sides"] = tuple(side(record, *names) for names in (("ns", "north", "south"), ("ew", "east", "west")))
    return [record for record in found if "status" in record]


def side(record: dict, pair: str, first: str, second: str) -> str:
    """The name of a pair: its number in its section, or else its two players."""
    if record[pair]:
        return f"{record['section']} {record[pair]}".strip()
    return " - ".join(sorted((record[first], record[second]))) if record[first] and record[second] else ""


def read_row(sheet: Sheet, i: int, language: Language, o_is: int | None) -> dict:
    """What a row says without its tricks and its lead."""
    get = {name: sheet.cells(name)[i] for name in HEADINGS}
    record: dict = {"board": get["board"], **{name: get[name] for name in KEY}, "table": get["table"]}
    record |= {name: get[name] for name in ("ns", "ew", "north", "east", "south", "west")}
    text = get["contract"]
    outcomes = [get[name] for name in ("tricks", "result", "made", "down") if get[name]]
    scores = [get[name] for name in ("score", "ns score", "ew score") if get[name]]
    if not text and not outcomes and not scores and not get["board"]:
        return record
    record["vul"] = vulnerability(get["vulnerability"])
    awards = [award for cell in (text, *outcomes, *scores) if (award := adjusted(cell))]
    shares = [{award[side] for award in awards} - {None} for side in (0, 1)]
    first = text or next((cell for cell in outcomes if cell), "")
    if max(map(len, shares)) > 1:
        record["status"] = "wrong"
    elif awards:
        record |= {"status": "adjusted", "award": tuple(next(iter(said), None) for said in shares)}
    elif word_is(first, "not played") or not first:
        record["status"] = "not played"
    elif word_is(text, "pass-out"):
        record["status"] = "passed"
    elif (read := contract(text, language, o_is)) is None:
        record["status"] = "wrong"
    else:
        record |= {"status": "played"} | {k: v for k, v in read.items() if v is not None}
        if get["declarer"]:
            named = o_is if get["declarer"].upper() == "O" else seat(get["declarer"])
            if named is None or record.setdefault("declarer", named) != named:
                record["status"] = "wrong"
        if get["double"]:
            record["double"] = max(record["double"], double(get["double"]))
        if "declarer" not in record:
            record["status"] = "wrong"
    return record


def vulnerability(text: str) -> int | None:
    """Which sides are vulnerable: bit 0 North-South, bit 1 East-West; None where it is not said."""

    def bare(word: str) -> str:
        return re.sub(r"[\s./&+-]|VUL(NERABLE)?$", "", upper(word))

    for code, name in enumerate(("nobody", "North-South", "East-West", "everybody")):
        if text and bare(text) in {bare(word) for word in WORDS[name]}:
            return code
    if text:
        raise WrongError(text)
    return None


def vulnerabilities(found: list[dict]) -> None:
    """What one row of a board says holds for its other rows; else the number of the board decides."""
    said: dict[tuple, int] = {}
    for record in found:
        if record["vul"] is not None:
            said.setdefault(record["deal"], record["vul"])
    for record in found:
        if not record["board"]:
            record |= {"status": record["status"] if record["status"] == "not played" else "wrong", "vul": 0}
            continue
        by_number = VULNERABLE[(int(re.sub(r"\D", "", record["board"])) - 1) % 16]
        expected = said.get(record["deal"], by_number)
        if record["vul"] not in (None, expected) and record["status"] == "played":
            record["status"] = "wrong"
        record["vul"] = expected


def double(text: str) -> int:
    """The double that a cell of its own says."""
    return next(n for n, name in enumerate(("undoubled", "doubled", "redoubled")) if word_is(text, name))


# --- languages ---


def strains_read(texts: list[str], language: Language) -> list[int | None]:
    """The strain of each text, None where it cannot be read."""
    read = [contract(text, language, 1) for text in texts]
    return [r and r["strain"] for r in read]


def languages_of(sheet: Sheet, contracts: list[str]) -> list[str]:
    """The languages in which the contracts may be written, all of which read the same strains; the first is taken."""
    texts = [text for text in contracts if text and contract_like(text)]
    return agreeing({name: strains_read(texts, language) for name, language in LANGUAGES.items()}, sheet, texts)


def agreeing(read: dict[str, list], sheet: Sheet, texts: list[str]) -> list[str]:
    """The languages left of those that read most texts, by what they read and by the headings."""
    count = {name: sum(text is not None for text in found) for name, found in read.items()}
    candidates = [name for name in read if count[name] == max(count.values())]
    own = headings_languages(sheet)
    candidates.sort(key=lambda name: (name not in own, name != "English"))
    if all(read[name] == read[candidates[0]] for name in candidates):
        return candidates
    said = {word for text in texts for word in notrump_words(text)}
    left = [name for name in candidates if name in own and said <= LANGUAGES[name].notrump]
    if left and all(read[name] == read[left[0]] for name in left):
        return left
    raise RefusedError("two readings")


def contract_like(text: str) -> bool:
    """Whether a cell has a level and so may be a contract: not an award, not a pass."""
    return adjusted(text) is None and bool(re.search(r"\d", text))


def notrump_words(text: str) -> list[str]:
    """The word for notrump in a contract, if it has one."""
    for language in LANGUAGES.values():
        match = re.search(r"[1-7]\s*(.*)", upper(text))
        for end in range(len(match[1]) if match else 0, 0, -1):
            word = match[1][:end].strip() if match else ""
            if word in language.notrump | set(UNIVERSAL) and contract(text, language, 1):
                return [word]
    return []


def headings_languages(sheet: Sheet) -> list[str]:
    """The languages that have the most headings as their own word and not as an English one."""
    texts = [plain(cell) for cell in sheet.headings if plain(cell) not in OWN["English"]]
    count = {name: sum(text in OWN[name] for text in texts) for name in LANGUAGES}
    most = max(count.values())
    return [name for name in LANGUAGES if count[name] == most] if most else ["English"]


def seat_of_o(sheet: Sheet, languages: list[str]) -> int | None:
    """East or West for the declarer O, None if it cannot be read."""
    said = {cell.upper() for cell in sheet.cells("declarer") if cell}
    if "O" not in said:
        return LANGUAGES[languages[0]].o_is
    others = {seat(cell) for cell in said if cell != "O"} & {1, 3}
    if len(others) == 1:
        return 4 - others.pop()
    if others:
        return None
    for names in (headings_languages(sheet), languages):
        seats = {LANGUAGES[name].o_is for name in names}
        if len(seats) == 1 and None not in seats:
            return seats.pop()
    raise RefusedError("O")


def read_leads(sheet: Sheet, found: list[dict], languages: list[str]) -> None:
    """Put the leads of the rows that were played into them."""
    rows = [(i, cell) for i, cell in enumerate(sheet.cells("lead")) if cell and cell not in ("-", "?")]
    if not rows:
        return
    texts = [cell for _, cell in rows]
    own, english = {}, {}
    for name, words in LANGUAGES.items():
        own[name] = [lead_cell(text, words.cards, words.suits) for text in texts]
        english[name] = [lead_cell(text, CARDS, words.suits) for text in texts]

    def count(leads: list) -> int:
        return sum(lead is not None for lead in leads)

    most = max(count(leads) for read in (own, english) for leads in read.values())
    taken, cards = languages[0], None
    for read in (own, english):
        if best := {name: read[name] for name in languages if count(read[name]) == most}:
            taken = agreeing(best, sheet, [])[0]
            cards = LANGUAGES[taken].cards if read is own else CARDS
            break
    else:
        best = {name: leads for name, leads in own.items() if count(leads) == most}
        first = next(iter(best), None)
        if first and most >= 0.9 * len(rows) and all(leads == best[first] for leads in best.values()):
            taken = first
            contracts = [text for text in sheet.cells("contract") if text and contract_like(text)]
            ways = [strains_read(contracts, LANGUAGES[name]) for name in (languages[0], taken)]
            if taken not in languages and ways[0] != ways[1] and ways[0].count(None) == ways[1].count(None):
                raise RefusedError("the leads are in another language")
        cards = LANGUAGES[taken].cards
    words = LANGUAGES[taken]
    said = [upper(text) for text in sheet.cells("contract")]
    suits = {word: suit for word, suit in words.suits.items() if len(word) > 1}
    for suit in SUITS:
        several = [word for word, s in words.suits.items() if s == suit and len(word) == 1]
        used = [word for word in several if any(re.search(rf"[1-7] ?{word}(?![A-WYZ][A-Z])", text) for text in said)]
        suits[(used or several)[0]] = suit
    for i, text in rows:
        lead = lead_cell(text, cards, suits)
        if lead and found[i].get("status") == "played":
            found[i]["lead"] = lead


# --- tricks ---


def meanings(level: int, cell: tuple[str, int]) -> dict[str, int]:
    """The tricks that a cell gives in each meaning in which it can be read."""
    sign, number = cell
    out = {"made": level + 6 + (-number if sign == "-" else number)}
    if not sign:
        out["tricks"] = number
        if level <= number <= 7:
            out["odd"] = 6 + number
    if sign == "-":
        out["odd"] = level + 6 - number
    return {name: tricks for name, tricks in out.items() if 0 <= tricks <= 13}


def decide(cells: list[tuple[int, tuple[str, int]]], heading: str) -> str:
    """What a column of levels and cells is: tricks, made or odd."""
    usual = "tricks" if heading == "tricks" else "made"
    read = {name: [meanings(*cell).get(name) for cell in cells] for name in ("tricks", "made", "odd")}
    count = {name: sum(t is not None for t in tricks) for name, tricks in read.items()}
    most = max(count.values())
    if 2 * most <= len(cells):
        return usual
    left = [name for name in read if count[name] == most]
    if all(read[name] == read[left[0]] for name in left):
        return usual if usual in left else left[0]
    distance = {
        name: sum(abs(t - level - 6) for t, (level, _) in zip(read[name], cells, strict=True) if t is not None)
        for name in read
    }
    others = [name for name in left if name != "tricks"]
    if "tricks" in left and others:
        larger = distance["tricks"] - min(distance[name] for name in others)
        if heading == "tricks":
            if larger <= 0:
                return "tricks"
            if larger < 5:
                raise RefusedError("tricks")
        elif larger <= -5:
            raise RefusedError("tricks under Result")
        elif "made" not in left and larger < 5:
            raise RefusedError("result")
        left = others
    if len(left) == 2:
        if sum(a != b for a, b in zip(read["made"], read["odd"], strict=True)) < 3:
            raise RefusedError("made or odd")
        return "odd"
    if left == ["tricks"] and heading == "result":
        raise RefusedError("tricks under Result")
    return left[0]


def read_tricks(sheet: Sheet, found: list[dict]) -> None:
    """Put the tricks into the rows that were played."""
    columns = {name: sheet.cells(name) for name in ("tricks", "result", "made", "down")}
    meaning = {}
    for name in ("tricks", "result"):
        cells = [(i, result_cell(cell)) for i, cell in enumerate(columns[name]) if cell]
        read = [(found[i]["level"], cell) for i, cell in cells if cell and found[i].get("status") == "played"]
        if read:
            meaning[name] = decide(read, name)
    for i, record in enumerate(found):
        if record.get("status") != "played":
            continue
        said = {record["tricks"]} if "tricks" in record else set()
        for name, cells in columns.items():
            cell = result_cell(cells[i])
            if not cells[i]:
                continue
            level = record["level"]
            if cell is None:
                said.add(None)
            elif name in meaning:
                said.add(meanings(level, cell).get(meaning[name]))
            elif name == "made":
                said.add(6 + cell[1] if not cell[0] else level + 6 + cell[1])
            else:
                said.add(level + 6 - cell[1])
        if len(said) != 1 or None in said or not 0 <= min(said) <= 13:
            record["status"] = "wrong"
        else:
            record["tricks"] = said.pop()


# --- scores ---


def score(level: int, strain: int, double: int, declarer: int, tricks: int, vul: int) -> int:
    """Points to North-South, as in Law 77."""
    vulnerable = bool(vul & (1 if declarer % 2 == 0 else 2))
    over = tricks - level - 6
    if over < 0:
        down = -over
        if not double:
            points = -(100 if vulnerable else 50) * down
        elif vulnerable:
            points = -(300 * down - 100) * double
        else:
            points = -(100, 300, 500)[min(down, 3) - 1] * double - (300 * (down - 3) * double if down > 3 else 0)
    else:
        below = (30 if strain >= 2 else 20) * level + (10 if strain == NOTRUMP else 0)
        below *= 2**double
        points = below + ((500 if vulnerable else 300) if below >= 100 else 50)
        points += {6: 750 if vulnerable else 500, 7: 1500 if vulnerable else 1000}.get(level, 0) + 50 * double
        each = (100 if not vulnerable else 200) * double if double else (30 if strain >= 2 else 20)
        points += each * over
    return points if declarer % 2 == 0 else -points


def possible() -> set[int]:
    """The sizes of all scores that some contract can have."""
    return {
        abs(score(level, strain, double, 0, tricks, vul))
        for level in range(1, 8)
        for strain in range(5)
        for double in range(3)
        for tricks in range(14)
        for vul in (0, 1)
    }


POSSIBLE = possible()


def number(text: str) -> float | None:
    """A number in a cell, with a sign, decimals or a sign of per cent."""
    text = upper(text).replace(" ", "").removesuffix("%").replace(",", ".")
    return float(text) if re.fullmatch(r"[+-]?\d+(\.\d*)?", text) else None


def can_be_points(numbers: list[float]) -> bool:
    """Whether numbers can only be points: scores of contracts, and one negative or above 100."""
    others = [abs(n) for n in numbers if n]
    return sum(n in POSSIBLE for n in others) >= 0.9 * len(others) and any(n < 0 or n > 100 for n in numbers)


def compare_scores(sheet: Sheet, found: list[dict], points: dict[str, int]) -> None:
    """Make rows wrong whose score in the sheet is another than ours."""
    if sheet.has("score"):
        numbers = {i: n for i, cell in enumerate(sheet.cells("score")) if (n := number(cell)) is not None}
        signs = [lambda r: 1, lambda r: -1, lambda r: 1 if r.get("declarer", 0) % 2 == 0 else -1]
        candidates = [{i: n * sign(found[i]) for i, n in numbers.items()} for sign in signs]
        if all(n >= 0 for n in numbers.values()):
            candidates.append({i: n if found[i].get("score", 0) >= 0 else -n for i, n in numbers.items()})
        compare(found, candidates, list(numbers.values()))
    places = {name: sheet.column[name] for name in ("ns score", "ew score") if sheet.has(name)} or points
    if places:
        said: dict[str, dict[int, float]] = {}
        for name, i in places.items():
            cells = [row[i] for row in sheet.rows]
            said[name[:2]] = {row: n for row, cell in enumerate(cells) if (n := number(cell)) is not None}
        first, second = said.get("ns", {}), said.get("ew", {})
        rows = first.keys() | second.keys()
        candidates = [
            {i: first[i] if first.get(i) or i not in second else sign * second[i] for i in rows} for sign in (-1, 1)
        ]
        compare(found, candidates, [*first.values(), *second.values()])


def compare(found: list[dict], candidates: list[dict[int, float]], numbers: list[float]) -> None:
    """Compare the numbers with our scores, as the candidate that fits best."""
    rows = [i for i, r in enumerate(found) if r.get("status") in ("played", "passed") and i in candidates[0]]

    def agreeing(said: dict[int, float], unit: int = 1) -> tuple[int, int]:
        counted = [i for i in rows if said[i] or found[i]["score"]]
        return sum(said[i] * unit == found[i]["score"] for i in counted), len(counted)

    counts = [agreeing(said) for said in candidates]
    if not counts[0][1]:
        return
    taken = next((k for k, (n, of) in enumerate(counts) if n >= 0.9 * of), None)
    if taken is None:
        taken = max(range(len(counts)), key=lambda k: (counts[k][0], -k))
    unit = 1
    if 2 * counts[taken][0] <= counts[taken][1] and not can_be_points([candidates[0][i] for i in rows]):
        tens = [agreeing(said, 10) for said in candidates]
        taken = next((k for k, (n, of) in enumerate(tens) if 2 * n > of and n >= 3), -1)
        unit = 10
        if taken < 0:
            return
    for i in rows:
        if candidates[taken][i] * unit != found[i]["score"]:
            found[i]["status"] = "wrong"


# --- what is written once, and pairs ---


def fill_down(sheet: Sheet, pairs: bool) -> None:
    """Fill columns down that are written once for several rows: those of pairs and players, or all before them."""
    rows = [row for row in sheet.rows if row[sheet.column["contract"]].strip()]
    if len(rows) < 4:
        return

    def mostly_blank(name: str) -> bool:
        cells = [row[sheet.column[name]].strip() for row in rows]
        return any(sheet.cells(name)) and 2 * cells.count("") >= len(cells)

    def filled(name: str) -> list[str]:
        out, last = [], ""
        for row in sheet.rows:
            cell = row[sheet.column[name]].strip()
            last = cell or last
            out.append(last if row[sheet.column["contract"]].strip() else cell)
        return out

    def put(name: str, cells: list[str]) -> None:
        for row, cell in zip(sheet.rows, cells, strict=True):
            row[sheet.column[name]] = cell

    if not pairs:
        for name in (*COLUMNS_OF_DEALS, "round", "board", "section", "table"):
            if sheet.has(name) and mostly_blank(name):
                put(name, filled(name))
        return
    for side in (("ns", "north", "south"), ("ew", "east", "west")):
        names = [name for name in side if sheet.has(name) and mostly_blank(name)]
        good = {name: filled(name) for name in names if carried_well(sheet, name, filled(name))}
        for a, b in combinations(names, 2):
            with_a = {i for i, cell in enumerate(sheet.cells(a)) if cell}
            with_b = {i for i, cell in enumerate(sheet.cells(b)) if cell}
            if not (with_a <= with_b or with_b <= with_a):
                good.pop(a, None)
                good.pop(b, None)
        for name, cells in good.items():
            put(name, cells)


def carried_well(sheet: Sheet, name: str, cells: list[str]) -> bool:
    """Whether no text is carried into another event, date, session or section, nor is twice on one board."""
    place = list(zip(*(sheet.cells(of) for of in (*COLUMNS_OF_DEALS, "section")), strict=True))
    keys = list(zip(*(sheet.cells(of) for of in KEY), strict=True))
    source = -1
    seen = set()
    for i, cell in enumerate(cells):
        if sheet.cells(name)[i]:
            source = i
        elif cell and place[i] != place[source]:
            return False
        if cell and sheet.cells("contract")[i]:
            if (cell, keys[i]) in seen:
                return False
            seen.add((cell, keys[i]))
    return True


def judge_pairs(sheet: Sheet) -> dict[str, int]:
    """Decide what NS and EW right of the contract are: pairs stay, the columns of points are given back, others go."""
    right = sheet.right
    if not right:
        return {}
    kind = what_they_are(sheet, right)
    if kind == "pairs" and not any(sheet.has(name) for name in right):
        sheet.column |= right
    return right if kind == "points" else {}


def what_they_are(sheet: Sheet, right: dict[str, int]) -> str:
    """The first rule that applies."""
    keys = list(zip(*(sheet.cells(of) for of in KEY), strict=True))
    rows = [i for i, cell in enumerate(sheet.cells("contract")) if cell]
    texts = {name: {i: sheet.rows[i][c].strip() for i in rows} for name, c in right.items()}
    filled = [t for column in texts.values() for t in column.values() if t]
    numbers = [n for t in filled if (n := number(t)) is not None]
    if not filled:
        return "nothing"
    if 2 * len(numbers) <= len(filled):
        return "pairs"
    both = [tuple(number(texts[name][i]) if name in texts else None for name in ("ns", "ew")) for i in rows]
    some = [pair for pair in both if pair != (None, None)]
    one_side = [pair for pair in some if not pair[0] or not pair[1] or pair[0] == -pair[1]]
    if len(one_side) >= 0.9 * len(some) and can_be_points(numbers):
        return "points"
    one_only = len(right) == 2 and sum(bool(texts["ns"][i]) != bool(texts["ew"][i]) for i in rows)
    if any(n < 0 or n % 1 for n in numbers) or any("%" in t or "." in t for t in filled) or 2 * one_only > len(rows):
        return "other"
    boards: dict[tuple, list] = {}
    for i, pair in zip(rows, both, strict=True):
        if None not in pair:
            boards.setdefault(keys[i], []).append(pair)
    several = [(sum(pair), len(of)) for of in boards.values() if len(of) > 1 for pair in of]
    if several and sum(total in (n - 1, 2 * (n - 1), 100) for total, n in several) >= 0.9 * len(several):
        return "other"
    seen, again = set(), 0
    for column in texts:
        for i in rows:
            if number(texts[column][i]) is not None:
                mark = (column, keys[i], number(texts[column][i]))
                again += mark in seen
                seen.add(mark)
    return "other" if again > 0.1 * len(numbers) else "pairs"


def deals(found: list[dict]) -> None:
    """Number the deals: by event, date, session and board, and by the round if players meet a board number again."""
    met: dict[tuple, set[str]] = {}
    again = False
    for record in found:
        for name in ("ns", "ew", "north", "east", "south", "west"):
            if record[name]:
                key = (*(record[n] for n in COLUMNS_OF_DEALS), record["section"], name, record[name], record["board"])
                rounds = met.setdefault(key, set())
                again |= bool(rounds - {record["round"]})
                rounds.add(record["round"])
    for record in found:
        record["deal"] = tuple(record[n] for n in COLUMNS_OF_DEALS) + (record["board"],) + ((record["round"],) * again)
