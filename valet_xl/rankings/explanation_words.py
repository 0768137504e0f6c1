"""An explanation as a paragraph, which names only differences beyond their error."""

from __future__ import annotations

from collections.abc import Iterator

from valet_xl.messages import counted
from valet_xl.rankings.explanation import Explanation, Shares
from valet_xl.rankings.listing import printable, shown

ROWS_SAID = "Low and High are the 95 % interval of a row alone; a row differs if it does among all rows (Holm, 5 %)."
"""What is said under a table of an explanation."""
NAMED = 5  # opponents, contracts or partners that a sentence names; the tables have all
_NONE = {
    "Events": "The score in none of the events differs from that in the others by more than its error.",
    "Opponents": "The score against none of the opponents differs from that against the others by more than its error.",
    "Partners": "The score with none of the partners differs from that with the others by more than its error.",
    "Contracts": "The score in no kind of contract differs from the field's by more than its error.",
}
_THAN = {"Field": "the field's", "Others": "the other boards'"}
_WHERE = {"Events": "In ", "Opponents": "Against ", "Partners": "With ", "Contracts": "In "}


def words(made: Explanation) -> list[str]:
    """The paragraph, in sentences.

    Parts, opponents, partners and contracts are named only if they differ significantly among all of their table.
    """
    return [
        *_place(made),
        *_career(made),
        *_parts(made),
        *(line for shares in made.shares for line in _divided(shares)),
    ]


def _place(made: Explanation) -> Iterator[str]:
    """What the figure is, and whether anything differs by more than its error."""
    kind = made.who.removesuffix("s") + (f" of {made.group}" if made.group else "")
    ranked = counted(made.of, made.who.removesuffix("s")) + (f" of {made.group}" if made.group else "")
    place = f"has place {made.place} of {ranked}" if made.place else f"has no place, for too few boards as a {kind},"
    yield (
        f"{printable(made.name)} {place} with {_plain(made.figure)} {made.unit} per board on "
        f"{counted(made.boards, 'board')} (standard error {_plain(made.error)}, 95 % interval "
        f"{_plain(made.low)} to {_plain(made.high)})."
    )
    differs = f"is {'more' if made.figure > made.field else 'less'} than" if made.differs else "does not differ from"
    yield f"That {differs} the {_plain(made.field)} of the whole ranking by more than its error."
    if made.better is None or made.worse is None or not made.others:
        return
    alike = made.others - made.better - made.worse
    if alike == made.others:
        yield f"None of the {made.others:,} others with a place can be told apart from it."
    else:
        yield (
            f"Of the {made.others:,} others with a place, {made.better:,} scored more and {made.worse:,} less by more "
            f"than the error, and {alike:,} cannot be told apart from it."
        )


def _career(made: Explanation) -> Iterator[str]:
    """What it is worth over several events."""
    if (strength := made.strength) is not None:
        yield (
            f"Its strength over {counted(strength.events, 'event')} is {_signed(strength.value)} (95 % interval "
            f"{_signed(strength.low)} to {_signed(strength.high)}): the average drawn to that of all as far as chance "
            f"requires, and corrected for the fields."
        )


def _parts(made: Explanation) -> Iterator[str]:
    """The parts that differ from the field's, the greatest difference first."""
    named = sorted((step for step in made.steps if step.differs), key=lambda step: -abs(step.brings - step.field))
    if not named:
        yield "No part of the game alone differs from the field's by more than its error."
    for step in named:
        yield (
            f"{printable(step.name)} brought {_signed(step.brings)} per board ({_signed(step.low)} to "
            f"{_signed(step.high)}), {step.way} than the field's {_signed(step.field)}."
        )


def _divided(shares: Shares) -> Iterator[str]:
    """The opponents, partners or contracts that differ."""
    named = [share for share in shares.rows if share.differs]
    if len(shares.rows) > 1 and not named:
        yield _NONE[shares.title]
    for share in named[:NAMED]:
        name = printable(share.name) if shares.title != "Contracts" else share.name
        yield (
            f"{_WHERE[shares.title]}{name} it scored {_plain(share.average)} on {counted(share.boards, 'board')}, "
            f"{share.way} than {_THAN[shares.compared]} {_plain(share.expected)}."
        )
    if len(named) > NAMED:
        yield f"{counted(len(named) - NAMED, 'more row')} of the table {shares.title} differ."


def _plain(value: float) -> str:
    return shown(value, "0.00")


def _signed(value: float) -> str:
    return shown(value, "+0.00")
