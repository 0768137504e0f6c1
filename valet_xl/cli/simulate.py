"""The command `valet-xl simulate`: a tournament that is made up, with strengths that are known."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from valet_xl.cli.options import words
from valet_xl.cli.terminal import after_writing, progress
from valet_xl.documents.disk import replace_file
from valet_xl.messages import counted
from valet_xl.rankings.simulate import MOVEMENTS
from valet_xl.rankings.simulate import simulate as made_up
from valet_xl.reports.simulated import files, need_suffix

SIMULATE_STEPS = ("dealing", "writing")

Spread = Annotated[float, typer.Option(min=0, help="How pairs or players differ in it: a standard deviation in IMPs.")]


def simulate(
    output: Annotated[
        Path,
        typer.Option("--output", "-o", help="The file to write: .xlsx, .csv, or .txt for Valet text."),
    ],
    pairs: Annotated[int, typer.Option(help="How many pairs, an even number.")] = 16,
    boards: Annotated[int, typer.Option(help="Boards a round.")] = 4,
    rounds: Annotated[int, typer.Option(help="Rounds.")] = 7,
    seed: Annotated[int, typer.Option(min=0, help="The same seed makes the same tournament.")] = 0,
    movement: Annotated[str, words(MOVEMENTS, "Who meets whom.")] = "mitchell",
    bid: Spread = 0.3,
    play: Spread = 0.3,
    lead: Spread = 0.1,
    defence: Spread = 0.2,
) -> None:
    """Make up a tournament in which it is known how strong each pair is, to try things on.

    The strengths are written too: on a sheet of their own, or for NAME.csv and NAME.txt in NAME-strengths.csv. The
    players of NAME.txt are in NAME-names.txt.
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
        typer.echo(f"made up {size} of {counted(pairs, 'pair')} on {counted(rounds * boards, 'board')}")
        for path in written:
            typer.echo(f"written to {path}")
