"""Sheets of results in spellings as the page on formats allows them, at random: what is written, and its results."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

import plain_reader as page

Row = dict[str, str]
AWARDS = (
    *("{0}/{1}", "{0}-{1}", "{0}:{1}", "{0}%-{1}%", "{0}% - {1}%", "A{0}{1}", "{0}%"),
    *("61.8%-38.2%", "61,8/38,2", "55.25%", "A+", "AVE-", "average", "a", "Adjusted"),
)
SEATS = ("North", "East", "South", "West")


@dataclass
class Spelled:
    """The rows of a sheet, and the results that are meant, one for each of its last rows."""

    rows: list[list[str]]
    meant: list[dict]

    def __str__(self) -> str:
        return "\n".join(" | ".join(row) for row in self.rows)


def spell(random: Random) -> Spelled:
    """A sheet at random."""
    name = random.choice(["English"] * 4 + list(page.LANGUAGES))
    language = page.LANGUAGES[name]
    headings_in = name if random.random() < 0.8 else "English"
    style = Style(random, language, headings_in)
    results = style.results()
    cells = [style.row(result) for result in results]
    fields = style.columns()
    random.shuffle(fields)
    if style.right and style.score in ("sides", "shared"):
        fields += ["ns right", "ew right"]
    elif style.right:
        fields = [*(name for name in fields if name not in ("ns", "ew")), "ns", "ew"]
    heads = style.headings(fields)
    body = [[row.get(name, "") for name in fields] for row in cells]
    style.write_once(fields, body)
    titles = [["A club's evening"], []][: random.choice((0, 0, 0, 1, 2))]
    width = len(fields)
    rows = [row + [""] * (width - len(row)) for row in (*titles, heads, *body)]
    return Spelled(rows, results)


class Style:
    """How one sheet is written: its language, its columns, and the form of its cells."""

    def __init__(self, random: Random, language: page.Language, headings_in: str) -> None:
        self.random, self.language, self.headings_in = random, language, headings_in
        self.declarer_in = random.choice(("column", "column", "front", "back", "end"))
        self.result_in = random.choice(("tricks", "tricks", "result", "result", "made", "contract", "odd", "relative"))
        self.signed = random.random() < 0.7
        self.lead = random.random() < 0.5
        self.vul = random.random() < 0.3
        self.double_column = random.random() < 0.1
        self.pairs = random.choice(("", "numbers", "numbers", "players", "names"))
        self.score = random.choice(
            ("",) * 3 + ("ns", "ew", "declarer", "unsigned", "two", "two", "tens", "wrong", "imps", "sides", "shared")
        )
        self.right = self.score in ("sides", "shared") or (self.pairs == "numbers" and random.random() < 0.2)
        self.extra = [
            name for name in ("event", "date", "session", "section", "table", "round") if random.random() < 0.12
        ]
        self.once = random.random() < 0.4
        self.cards = page.CARDS if random.random() < 0.3 else None
        self.words = {strain: self.word(strain) for strain in range(5)}
        self.steady = random.random() < 0.8
        self.o = language.o_is is not None and self.declarer_in == "column" and random.random() < 0.3

    def word(self, strain: int) -> str:
        """A word for a strain."""
        if strain == page.NOTRUMP:
            return self.random.choice(sorted(self.language.notrump) * 2 + ["N", "NT", "SA"])
        words = [word for word, suit in self.language.suits.items() if suit == strain]
        symbols = [symbol for symbol, suit in page.SYMBOLS.items() if suit == strain]
        return self.random.choice([words[0]] * 4 + words + symbols[:1])

    def results(self) -> list[dict]:
        """Some results, of a few boards."""
        random = self.random
        out = []
        tables = random.choice((1, 2, 3, 4, 5))
        for board in random.sample(range(1, 40), random.choice((1, 2, 3, 4))):
            for table in range(tables):
                result: dict = {
                    "board": board,
                    "pairs": (table + 1, table + 11),
                    "vul": page.VULNERABLE[(board - 1) % 16],
                }
                kind = random.choices(("played", "passed", "adjusted", "not played"), (20, 1, 1, 1))[0]
                result["status"] = kind
                if kind == "played":
                    level = random.choice((1, 2, 3, 3, 3, 4, 4, 4, 5, 6, 7))
                    tricks = min(13, max(0, level + 6 + round(random.gauss(0, 1.3))))
                    result |= {
                        "level": level,
                        "strain": random.randrange(5),
                        "double": random.choices((0, 1, 2), (8, 2, 1))[0],
                        "declarer": random.randrange(4),
                        "tricks": tricks,
                    }
                    result["score"] = page.score(**{name: result[name] for name in page.SAID})
                elif kind == "passed":
                    result["score"] = 0
                out.append(result)
        return out

    def cased(self, text: str) -> str:
        """A text in some mixture of capitals."""
        return self.random.choice((text, text, text.upper(), text.lower(), text.title()))

    def row(self, result: dict) -> Row:
        """The cells of a row."""
        random = self.random
        row: Row = {"board": str(result["board"])}
        if random.random() < 0.03:
            row["board"] = random.choice(("Board {}", "Bd {}", "No {}", "#{}")).format(result["board"])
        ns, ew = result["pairs"]
        if self.pairs == "numbers":
            row |= {"ns": str(ns), "ew": str(ew)}
        elif self.pairs == "names":
            row |= {"ns": f"Ash - Birch {ns}", "ew": f"Cedar - Dogwood {ew}"}
        elif self.pairs == "players":
            row |= {"north": f"Ash {ns}", "south": f"Birch {ns}", "east": f"Cedar {ew}", "west": f"Dogwood {ew}"}
        if self.vul:
            of = ("nobody", "North-South", "East-West", "everybody")[result["vul"]]
            row["vulnerability"] = self.cased(self.table_word(of))
        row |= {
            name: {"event": "Cup", "date": "2026-05-01", "session": "1", "section": "A"}.get(name, "1")
            for name in self.extra
        }
        row["table"] = str(ns)
        if result["status"] == "played":
            self.played(row, result)
        elif result["status"] == "passed":
            row["contract"] = self.cased(self.table_word("pass-out"))
            if self.result_in != "contract" and random.random() < 0.2:
                row["tricks"] = row["result"] = row["made"] = "P"
        elif result["status"] == "adjusted":
            self.award(row, result)
        else:
            row["contract"] = self.cased(self.table_word("not played")) if random.random() < 0.7 else ""
        self.scored(row, result)
        return row

    def table_word(self, name: str) -> str:
        """A word that the page lists."""
        return self.random.choice(sorted(page.WORDS[name]))

    def award(self, row: Row, result: dict) -> None:
        """An adjusted score in the column of the contract or of the result."""
        random = self.random
        ns, ew = random.choice(((60, 40), (40, 60), (50, 50), (60, 60), (100, 0), (70, 30)))
        text = random.choice(AWARDS)
        text = text.format(ns, ew)
        place = {"odd": "result", "relative": "tricks"}.get(self.result_in, self.result_in)
        place = "contract" if random.random() < 0.7 else place
        row[place] = text
        if place != "contract" and self.declarer_in == "column" and random.random() < 0.5:
            row["contract"] = "3NT"

    def played(self, row: Row, result: dict) -> None:
        """The cells of a result that was played."""
        random = self.random
        level, tricks = result["level"], result["tricks"]
        over = tricks - level - 6
        told = random.choice(("=", "=", "C")) if not over else f"{over:+d}"
        told = told.replace("-", random.choice("-−–"))
        self.contract(row, result, told)
        row["tricks"] = str(tricks)
        row["result"] = told if self.signed else str(over)
        if self.result_in == "odd":  # as in America: 4 in 4S just made, or tricks down
            row["result"] = str(tricks - 6) if over >= 0 else str(over)
        elif self.result_in == "relative":  # under a heading such as Tricks
            row["tricks"] = told if self.signed else str(over)
        if over > 0:
            row["made"] = random.choice((str(level + over), str(level + over), told))
        elif over == 0:
            row["made"] = str(level)
        else:
            row["down"] = random.choice((str(-over), str(over)))
        if self.lead and random.random() < 0.9:
            row["lead"] = self.card()

    def contract(self, row: Row, result: dict, told: str) -> None:
        """The contract, with the declarer and the result or without."""
        random = self.random
        word = self.words[result["strain"]] if self.steady else self.word(result["strain"])
        text = f"{result['level']}{random.choice(('', '', ' '))}{word}" + self.doubled(row, result["double"])
        declarer = result["declarer"]
        letters = ("N", "EØÖ", "SZ", "WV")[declarer]
        letter = random.choice(letters[0] * 5 + letters)
        if self.o and declarer == self.language.o_is:
            letter = "O"
        if self.declarer_in == "column":
            whole = not self.o and random.random() < 0.2
            row["declarer"] = self.cased(self.table_word(SEATS[declarer])) if whole else letter
        elif self.declarer_in == "front":
            text = letter + random.choice(("", " ")) + text
        elif self.declarer_in == "back":
            text += random.choice((" ", " by ", " par ", ",", "-")) + letter
        if self.result_in == "contract":
            text += random.choice(("", " ")) + told
        if self.declarer_in == "end":
            text += random.choice((" ", ", ", " by ")) + letter
        row["contract"] = random.choice((text, text, text.upper(), text.lower()))

    def doubled(self, row: Row, times: int) -> str:
        """The mark of a double behind the strain, or nothing where it is in a column of its own."""
        random = self.random
        if self.double_column:
            row["double"] = random.choice(sorted(page.WORDS[("undoubled", "doubled", "redoubled")[times]]))
            return ""
        words = ([""], ["D", "Dbl", "doubled"], ["R", "rdbl", "redoubled"])[times]
        if self.language.is_english and random.random() < 0.1:
            return " " + random.choice(words)
        return random.choice(("", " ")) + random.choice(([""], ["x", "X", "*", "×"], ["xx", "XX", "**"])[times])

    def card(self) -> str:
        """A lead."""
        random = self.random
        suit = random.randrange(4)
        word = random.choice((self.language.first[suit], "♣♦♥♠"[suit]))
        rank = random.choice(
            [str(n) for n in range(2, 11)] + ["x"] + [w for w in (self.cards or self.language.cards) if len(w) == 1] * 2
        )
        return random.choice((word + rank, word + rank, rank + word, word, word.lower() + rank))

    def scored(self, row: Row, result: dict) -> None:
        """A score that is there already."""
        random = self.random
        score = result.get("score")
        if score is None or not self.score:
            if self.score and result["status"] == "adjusted" and random.random() < 0.3:
                row["score"] = "A+"
            return
        if self.score == "wrong" and random.random() < 0.15:
            score += random.choice((10, -30, 50))
        declarer = result.get("declarer", 0)
        row["score"] = str(
            {
                "ew": -score,
                "declarer": score if declarer % 2 == 0 else -score,
                "unsigned": abs(score),
                "tens": score // 10,
                "imps": random.randrange(-12, 13),
            }.get(self.score, score)
        )
        if self.score in ("two", "sides"):
            cells = (str(score), "") if score > 0 else ("", str(-score)) if score else ("0", "0")
            row["ns score"], row["ew score"] = row["ns right"], row["ew right"] = cells
            del row["score"]
        elif self.score == "shared":
            share = random.randrange(0, 101)
            row["ns right"], row["ew right"] = str(share), str(100 - share)
            del row["score"]

    def columns(self) -> list[str]:
        """The columns of the sheet."""
        out = ["board", "contract", *self.extra]
        out += ["declarer"] if self.declarer_in == "column" else []
        columns = {"made": ["made", "down"], "contract": [], "odd": ["result"], "relative": ["tricks"]}
        out += columns.get(self.result_in, [self.result_in])
        out += ["lead"] if self.lead else []
        out += ["vulnerability"] if self.vul else []
        out += ["double"] if self.double_column else []
        out += {"": [], "players": ["north", "south", "east", "west"]}.get(self.pairs, ["ns", "ew"])
        if self.score == "two":
            out += ["ns score", "ew score"]
        elif self.score and not self.right:
            out += ["score"]
        return list(dict.fromkeys(out))

    def headings(self, fields: list[str]) -> list[str]:
        """The heading row, with words of the page in the language of the headings."""
        random = self.random
        out = []
        for name in fields:
            if name in ("ns right", "ew right"):
                words = page.BARE_SIDES[name[:2]] - self.taken(fields)
                own = words & page.OWN[self.headings_in] or words & page.OWN["English"]
                out.append(self.cased(random.choice(sorted(own))))
                continue
            own = [word for word in page.HEADINGS[name] if word in page.OWN[self.headings_in]]
            word = random.choice(sorted(own) or sorted(page.HEADINGS[name] & page.OWN["English"]))
            out.append(random.choice(("{}", "{}", "{}", "{}.", " {}", "{}:")).format(self.cased(word)))
        return out

    def taken(self, fields: list[str]) -> set[str]:
        """The words for sides that are none where there are columns of players."""
        return {"ov", "o-v"} if "north" in fields else set()

    def write_once(self, fields: list[str], body: list[list[str]]) -> None:
        """Leave out what is the same as in the row above, in the columns of boards and their like."""
        if not self.once:
            return
        for at, name in enumerate(fields):
            if name in ("event", "date", "session", "section", "round", "board", "ns", "ew", "table"):
                last = ""
                for row in body:
                    same = row[at] == last
                    last = row[at]
                    if same:
                        row[at] = ""
