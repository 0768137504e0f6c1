"""How a table's cells are meant, decided for the whole of it: the language of its suits, seats and cards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial

import numpy as np

from valet_xl.engine import notation
from valet_xl.engine.languages import ENGLISH, LANGUAGES, UNIVERSAL, Language
from valet_xl.engine.notation import Card, Entry, Seat, Strain
from valet_xl.errors import NotationError, SheetError, one_of
from valet_xl.reading.columns import CodedColumn, Columns
from valet_xl.reading.trick_columns import MADE, ODD, TRICKS, USUAL, decide_tricks


@dataclass(frozen=True, slots=True)
class Conventions:
    """How the cells of a table are read.

    language : of contracts and declarers
    leads : of leads
    tricks, result : what the numbers of these columns are: "tricks", declarer's total; "made", against the contract;
        "odd", odd tricks made or tricks down
    once : whether pairs, players, tables and sections may be written once for several rows
    """

    language: Language = ENGLISH
    leads: Language = ENGLISH
    tricks: str = TRICKS
    result: str = MADE
    once: bool = False


STANDARD = Conventions()
"""Those of the file formats, and of the sheets that this package writes."""
AUTO = "auto"
DECIDED_BY = ("contract", "declarer", "lead", "tricks", "result")
"""The columns by whose cells the conventions are decided."""
_SUITS = ("clubs", "diamonds", "hearts", "spades", "notrump")

_MOST = 0.9
_UNKNOWN, _NOBODY = -2, -1  # seats

_Reading = Callable[[str, Language], object]


@dataclass(frozen=True, slots=True)
class _Texts:
    """The different texts of a column, and how many cells have each."""

    texts: Sequence[str]
    counts: Sequence[int]

    @classmethod
    def of(cls, column: CodedColumn) -> _Texts:
        counts = np.bincount(column.index, minlength=len(column.texts)).tolist()
        there = [at for at, (text, count) in enumerate(zip(column.texts, counts, strict=True)) if text and count]
        return cls([column.texts[at] for at in there], [counts[at] for at in there])

    def readings(self, language: Language, read: _Reading) -> list[object]:
        """What each text says in a language; None where it cannot be read."""
        found: list[object] = []
        for text in self.texts:
            try:
                found.append(read(text, language))
            except NotationError:
                found.append(None)
        return found

    def best(
        self, languages: Mapping[str, Language], read: _Reading, may_be: Callable[[str, Language], bool]
    ) -> dict[str, list[object]]:
        """The languages in which most cells can be read, with what the texts say in them.

        may_be : whether a text can be read at all, which costs less than to read it
        """
        likely = {name: of for name, of in languages.items() if all(may_be(text, of) for text in self.texts)}
        whole = {name: self.readings(language, read) for name, language in likely.items()}
        whole = {name: of for name, of in whole.items() if None not in of}
        if whole:
            return whole
        found = {name: self.readings(language, read) for name, language in languages.items()}
        fit = {
            name: sum(count for count, said in zip(self.counts, of, strict=True) if said is not None)
            for name, of in found.items()
        }
        most = max(fit.values(), default=0)
        return {name: of for name, of in found.items() if fit[name] == most}


def decide(
    cells: Columns, spoken: Mapping[str, int], asked: str = AUTO, result_is: str = AUTO
) -> tuple[Conventions, tuple[str, ...]]:
    """Decide in which language the suits, seats and cards of a table are written, and what its tricks are.

    Parameters
    ----------
    cells : the columns in `DECIDED_BY`
    spoken : how many of the headings are words of each language, and not of English
    asked : a language, or "auto"
    result_is : what the column of results has, or without one that of tricks, as in `Conventions`; or "auto"

    Returns
    -------
    the conventions, and a sentence for each that is not a matter of course

    Raises
    ------
    SheetError : where there are several readings, and nothing decides between them
    OptionError : for an unknown language or word
    """
    one_of("language", asked, (AUTO, *LANGUAGES))
    contracts = _Texts.of(cells["contract"])
    able = (
        [asked]
        if asked != AUTO
        else _decide(contracts, LANGUAGES, _contract, notation.may_be_contract, spoken, "the suits")
    )
    language = replace(LANGUAGES[able[0]], o_is=_seat_of_o(cells, able, spoken))
    leads = _Texts.of(cells["lead"])
    of_leads = LANGUAGES[asked] if asked != AUTO else _language_of_leads(leads, able, spoken)
    if of_leads.name not in {LANGUAGES[name].name for name in able}:
        _refuse_other_suits(
            contracts, able[0], next(name for name in LANGUAGES if LANGUAGES[name].name == of_leads.name)
        )
    of_leads = _with_one_letter(of_leads, contracts)
    of_asked = "result" if "result" in cells.columns else "tricks"
    meanings = {
        field: decide_tricks(cells, field, language, result_is if field == of_asked else AUTO) for field in USUAL
    }
    said = [*_said(contracts, leads, language, of_leads, spoken), *(text for _, text in meanings.values() if text)]
    return Conventions(
        language, of_leads, **{field: meaning for field, (meaning, _) in meanings.items()}, once=True
    ), tuple(said)


def in_standard(field: str, text: str, conventions: Conventions) -> str:
    """A cell that was read with some conventions as it is written with the standard ones.

    A text that cannot be read stays so, also where it could be with the standard ones; and so does a number of tricks
    that is not what its heading says, as the contract is needed to say it otherwise.
    """
    if field in USUAL and text and getattr(conventions, field) != USUAL[field]:
        return f"{text} ({'odd tricks' if getattr(conventions, field) == ODD else 'against the contract'})"
    read: dict[str, tuple[Callable[[str], object], Callable[[str], object]]] = {
        "contract": (partial(Entry.parse, language=conventions.language), Entry.parse),
        "declarer": (partial(Seat.parse, o_is=conventions.language.o_is), Seat.parse),
        "lead": (partial(Card.parse, language=conventions.leads), Card.parse),
    }
    if field not in read or not text or notation.is_pass(text):
        return text
    own, standard = (_tried(each, text) for each in read[field])
    if own == standard:
        return text
    return f"{text} (?)" if own is None else str(own)


def _tried(read: Callable[[str], object], text: str) -> object:
    """What a text says; None where it cannot be read."""
    try:
        return read(text)
    except NotationError:
        return None


def _decide(
    texts: _Texts,
    languages: Mapping[str, Language],
    read: _Reading,
    may_be: Callable[[str, Language], bool],
    spoken: Mapping[str, int],
    what: str,
) -> list[str]:
    """The languages of some texts, all of which read the same: those in which most can be read, or of the headings.

    The first is that of the headings, or else English, if it is among them.
    """
    best = texts.best(languages, read, may_be)
    of_headings = most_spoken(spoken) or ["english"]
    preferred = list(dict.fromkeys(name for name in (*of_headings, "english", *best) if name in best))
    if _agree(best.values()):
        return preferred
    narrowed = [name for name in of_headings if name in best and _owns_notrump(texts, languages[name])]
    if narrowed and _agree(best[name] for name in narrowed):
        return narrowed
    raise _two_ways(texts, languages, best, narrowed or preferred, what)


def _two_ways(
    texts: _Texts, languages: Mapping[str, Language], best: Mapping[str, list[object]], names: Sequence[str], what: str
) -> SheetError:
    """The error that names a text, and what it is in two languages."""
    one, other, at = _difference(best, names)
    ways = [f"{_meaning(best[name][at])} in {languages[name].name}" for name in (one, other)]
    return SheetError(
        f"{what} can be read in two ways: {texts.texts[at]} is {ways[0]}, {ways[1]} "
        f"(expected the option language: --language {one} or --language {other})"
    )


def _refuse_other_suits(contracts: _Texts, taken: str, of_leads: str) -> None:
    """Refuse contracts that the language of the leads reads as well, and as other suits."""
    best = contracts.best(LANGUAGES, _contract, notation.may_be_contract)
    if of_leads in best and best[of_leads] != best[taken]:
        both = {name: best[name] for name in (taken, of_leads)}
        raise _two_ways(contracts, LANGUAGES, both, [taken], "the suits")


def most_spoken(spoken: Mapping[str, int]) -> list[str]:
    """The languages of most of the headings that are not English."""
    most = max(spoken.values(), default=0)
    return [name for name in LANGUAGES if most and spoken.get(name, 0) == most]


def _agree(readings: Iterable[list[object]]) -> bool:
    """Whether all languages read the same."""
    return len({tuple(each) for each in readings}) < 2


def _difference(best: Mapping[str, list[object]], names: Sequence[str]) -> tuple[str, str, int]:
    """Two languages, one of the names first, and a text that they read in different ways."""
    one = names[0]
    for other in (*names[1:], *best):
        for at, (first, second) in enumerate(zip(best[one], best[other], strict=True)):
            if first != second and first is not None and second is not None:
                return one, other, at
    other = next(name for name in best if best[name] != best[one])
    at = next(at for at, pair in enumerate(zip(best[one], best[other], strict=True)) if pair[0] != pair[1])
    return one, other, at


def _contract(text: str, language: Language) -> object:
    """The strain of a contract cell; the letter O may be a seat in any language."""
    entry = Entry.parse(text, _with_o(language))
    contract = entry.contract
    return contract.strain if contract.level else -1


@lru_cache
def _with_o(language: Language) -> Language:
    return replace(language, o_is=Seat.EAST)


def _card(text: str, language: Language) -> object:
    return Card.parse(text, language)


def _owns_notrump(texts: _Texts, language: Language) -> bool:
    """Whether each word for notrump is one that the language itself uses."""
    words = {_notrump(text) for text in texts.texts} - {""}
    return words <= set(language.notrump)


def _notrump(text: str) -> str:
    """The word for notrump in a contract cell; '' where there is none."""
    for language in LANGUAGES.values():
        word = notation.strain_word(text, language)
        if word:
            return word if word in (*UNIVERSAL, *language.notrump) else ""
    return ""


def _meaning(said: object) -> str:
    if isinstance(said, Card):
        return str(said)
    return "no contract" if said is None else _SUITS[said] if isinstance(said, Strain) else str(said)


def _seat_of_o(cells: Columns, able: Sequence[str], spoken: Mapping[str, int]) -> int:
    """The seat that O is among the declarers: the one of East and West that has no other letter there.

    If both have none, that of the headings' languages, or of the languages in which the suits can be read.
    """
    language = LANGUAGES[able[0]]
    column = _Texts.of(cells["declarer"]).texts
    known = {_seat(text) for text in column}
    with_o = any(notation.plain(text) == "O" for text in column)
    for text in _Texts.of(cells["contract"]).texts:
        without = _declarer(text, replace(language, o_is=-1))
        with_o |= _declarer(text, replace(language, o_is=Seat.NORTH)) != without
        known.add(without)
    if not with_o:
        return language.o_is
    east, west = Seat.EAST in known, Seat.WEST in known
    if east != west:
        return Seat.WEST if east else Seat.EAST
    if east:
        return -1
    for names in (most_spoken(spoken), able):
        seats = {LANGUAGES[name].o_is for name in names}
        if len(seats) == 1 and -1 not in seats:
            return seats.pop()
    raise SheetError(
        "the declarer O can be read in two ways: East, as in German, Dutch and Danish, or West, as in French, "
        "Spanish and Italian (expected E or W, or headings in the language)"
    )


def _seat(word: str) -> int:
    try:
        return Seat.parse(word)
    except NotationError:
        return _UNKNOWN


def _declarer(text: str, language: Language) -> int:
    """The declarer that a contract cell names, or that there is none; `_UNKNOWN` where it cannot be read."""
    try:
        declarer = Entry.parse(text, language).declarer
    except NotationError:
        return _UNKNOWN
    return _NOBODY if declarer is None else declarer


def _language_of_leads(texts: _Texts, able: Sequence[str], spoken: Mapping[str, int]) -> Language:
    """The language of the leads: the contracts', if as many can be read in it as in any other.

    The ranks may be English in any language. Another language must read nine tenths of the leads.
    """
    with_english_ranks = {name: f"{name} with English ranks" for name in LANGUAGES if name != "english"}
    languages = dict(LANGUAGES) | {
        variant: replace(LANGUAGES[name], ranks=ENGLISH.ranks) for name, variant in with_english_ranks.items()
    }
    best = texts.best(languages, _card, notation.may_be_card)
    for names in (able, [with_english_ranks[name] for name in able if name != "english"]):
        found = {name: languages[name] for name in names if name in best}
        if found:
            return languages[_decide(texts, found, _card, notation.may_be_card, spoken, "the leads")[0]]
    first, *_ = [name for name in LANGUAGES if name in best] or best
    read = sum(count for count, said in zip(texts.counts, best[first], strict=True) if said is not None)
    others = [best[name] for name in best if name in LANGUAGES] or list(best.values())
    return languages[first if _agree(others) and read >= _MOST * sum(texts.counts) else able[0]]


def _with_one_letter(language: Language, contracts: _Texts) -> Language:
    """A language with one letter for each suit: the first that a contract has, or else the usual one."""
    used = {notation.strain_word(text, language) for text in contracts.texts}
    suits = []
    for words in language.suits:
        letters = [word for word in words if len(word) == 1]
        kept = next((letter for letter in letters if letter in used), letters[0])
        suits.append((kept, *(word for word in words if len(word) > 1)))
    return replace(language, suits=(suits[0], suits[1], suits[2], suits[3]))


def _said(
    contracts: _Texts, leads: _Texts, language: Language, of_leads: Language, spoken: Mapping[str, int]
) -> list[str]:
    """A sentence for each language that is not English, or is English though the headings are not."""
    said = []
    foreign = any(spoken.values())
    if contracts.readings(language, _contract) != contracts.readings(ENGLISH, _contract) or (
        foreign and language.name == "English" and _letters_matter(contracts)
    ):
        said.append(f"suits are read in {language.name}: {language.letters} are clubs, diamonds, hearts, spades")
    if of_leads.name != language.name and leads.readings(of_leads, _card) != leads.readings(language, _card):
        said.append(f"leads are read in {of_leads.name}: {of_leads.letters} are clubs, diamonds, hearts, spades")
    return said


def _letters_matter(texts: _Texts) -> bool:
    """Whether another language than English would read something else, or not read it."""
    english = texts.readings(ENGLISH, _contract)
    return any(texts.readings(language, _contract) != english for language in LANGUAGES.values())
