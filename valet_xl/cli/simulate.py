"""The command `valet-xl simulate`: a tournament that is made up, with strengths that are known."""

from __future__ import annotations

from pathlib import Path

import click

from valet_xl.cli.help import FILE, option
from valet_xl.cli.options import Decorator, words
from valet_xl.cli.terminal import after_writing, command, progress
from valet_xl.documents.disk import replace_file
from valet_xl.messages import counted
from valet_xl.rankings.simulate import MOVEMENTS
from valet_xl.rankings.simulate import simulate as made_up
from valet_xl.reports.simulated import files, need_suffix

SIMULATE_STEPS = ("dealing", "writing")

TOURNAMENT, STRENGTHS = "Tournament", "Strengths"


def _spread(name: str, who: str, what: str, default: float) -> Decorator:
    """The option of how the strengths in one part of the game differ."""
    says = f"How {who} differ in {what}: a standard deviation in IMPs."
    return option(f"--{name}", type=click.FloatRange(0), default=default, heading=STRENGTHS, says=says)


@command("simulate")
@option(
    "--output",
    "-o",
    type=FILE,
    required=True,
    heading="Files",
    says="The tournament to write: .xlsx, .csv, or .txt for Valet text.",
)
@option("--pairs", type=int, default=16, heading=TOURNAMENT, says="How many pairs, an even number.")
@option("--boards", type=int, default=4, heading=TOURNAMENT, says="How many boards a round has.")
@option("--rounds", type=int, default=7, heading=TOURNAMENT, says="How many rounds.")
@option(
    "--seed",
    type=click.IntRange(0),
    default=0,
    heading=TOURNAMENT,
    says="The same seed makes the same tournament.",
)
@words("--movement", of=MOVEMENTS, default="mitchell", heading=TOURNAMENT, says="Who meets whom.")
@_spread("bid", "pairs", "the bidding", 0.3)
@_spread("play", "players", "the play as declarer", 0.3)
@_spread("lead", "players", "the opening lead", 0.1)
@_spread("defence", "pairs", "the defence after it", 0.2)
def simulate(
    output: Path,
    pairs: int,
    boards: int,
    rounds: int,
    seed: int,
    movement: str,
    bid: float,
    play: float,
    lead: float,
    defence: float,
) -> None:
    """Make up a tournament whose pairs' strengths are known.

    It is for trying things on. The strengths are written too: on a sheet of their own, or for NAME.csv and NAME.txt in
    NAME-strengths.csv. The players of NAME.txt are in NAME-names.txt.
    """
    need_suffix(output)
    with progress(SIMULATE_STEPS) as step:
        step("dealing")
        tournament = made_up(
            pairs=pairs,
            rounds=rounds,
            boards=boards,
            movement=movement,
            bid=bid,
            play=play,
            lead=lead,
            defence=defence,
            seed=seed,
        )
        step("writing")
        written = files(tournament, output)
        for path, data in reversed(written.items()):  # the results last: with them there is all else
            replace_file(path, data)
    size = counted(len(tournament.results), "result")
    with after_writing():
        click.echo(f"made up {size} of {counted(pairs, 'pair')} on {counted(rounds * boards, 'board')}")
        for path in written:
            click.echo(f"written to {path}")
