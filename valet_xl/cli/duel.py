"""The command `valet-xl duel`: how duels come out in the results of tournaments, as figures, charts and a workbook."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from valet_xl.cli.terminal import ALL_SCORED, SOME_NOT_SCORED, fail, progress
from valet_xl.documents.disk import need_places, replace_file
from valet_xl.engine.duel_study import (
    Comparison,
    Distribution,
    compare_scales,
    deal_distribution,
    largest_gap,
    nearest_stretch,
    normal_share,
    pooled,
)
from valet_xl.engine.duels import DEAL_SD, victors
from valet_xl.engine.results import Status
from valet_xl.errors import FileError, SheetError, ValetError
from valet_xl.reading.files import read_results
from valet_xl.reports.duel_chart import Axes, Series, bars, steps

UNITS = {"imps": "IMPs", "matchpoints": "boards"}
CHARTS = ("duel-deal.svg", "duel-scale.svg", "duel-matchpoints.svg")


@dataclass(frozen=True, slots=True)
class Study:
    """What was found in some files, for one method.

    method : of `deal_distribution`
    files : (n,) what each file is called
    of_files : (n,) the distribution of one deal in each
    deals, points : of the duels for which scales are compared
    """

    method: str
    files: tuple[str, ...]
    of_files: tuple[Distribution, ...]
    deals: int
    points: int

    @property
    def one(self) -> Distribution:
        """The distribution of one deal in all files together."""
        return pooled(self.of_files)

    def scales(self) -> Comparison:
        """The formula beside sections for the page's standard deviation, the one found, and the one nearest to it.

        At matchpoints the one found stands for the page's.
        """
        found = self.one.sd
        page = DEAL_SD if self.method == "imps" else found
        sds = dict.fromkeys((page, found, nearest_stretch(self.points) * page))  # in order, each once
        return compare_scales(self.deals, self.points, list(sds), 3 * found * sqrt(self.deals), page)


def duel(
    files: Annotated[
        list[Path], typer.Argument(help="Results of tournaments: workbooks, .csv files, Valet text (scores.txt).")
    ],
    deals: Annotated[int, typer.Option(min=1, max=1000, help="How many deals a duel has.")] = 16,
    points: Annotated[int, typer.Option(min=1, max=1000, help="How many points the sides of a duel share.")] = 30,
    charts: Annotated[Path | None, typer.Option(help="A folder that is there, to write the charts to as SVG.")] = None,
    workbook: Annotated[Path | None, typer.Option(help="A workbook (.xlsx) to write the tables and charts to.")] = None,
) -> None:
    """Show how duels come out: one deal's results in IMPs and at matchpoints, and scales for a duel side by side.

    Ends with 0 if all was understood, 1 if some rows were not (their boards are left out), 2 if a file could not be
    used or written.
    """
    try:
        if workbook is not None and workbook.suffix.lower() != ".xlsx":
            raise FileError(f"{workbook}: expected a name that ends in .xlsx")
        need_places(*([charts / name for name in CHARTS] if charts else []), *([workbook] if workbook else []))
        with progress([*map(str, files), "writing"]) as step:
            studies, wrong = _study(files, deals, points, step)
            step("writing")
            written: dict[Path, bytes] = {}
            if charts is not None:
                written |= {charts / name: svg.encode() for name, svg in zip(CHARTS, draw(studies), strict=True)}
            if workbook is not None:
                written[workbook] = _workbook(studies)
            for path, data in written.items():
                replace_file(path, data)
    except ValueError as error:
        fail(error)
    for line in _report(studies):
        typer.echo(line)
    for path in written:
        typer.echo(f"written to {path}")
    if wrong:
        typer.echo(f"rows not understood: {wrong:,} (their boards are left out; valet-xl score says what is wrong)")
    raise typer.Exit(SOME_NOT_SCORED if wrong else ALL_SCORED)


def _study(
    files: Sequence[Path], deals: int, points: int, step: Callable[[str], None]
) -> tuple[tuple[Study, Study], int]:
    """Both methods' findings in files, and how many rows were not understood."""
    found: dict[str, list[Distribution]] = {method: [] for method in UNITS}
    wrong = 0
    for file in files:
        step(str(file))
        try:
            results = read_results(file)
            wrong += int(np.count_nonzero(results.status == Status.ERROR))
            for method, of_files in found.items():
                of_files.append(deal_distribution(results, method))
        except ValetError as error:
            if file.name in str(error):
                raise
            raise SheetError(f"{file}: {error}") from error
    if not all(pooled(of_files).sd > 0 for of_files in found.values()):
        raise SheetError("no board has two results that differ")
    names = tuple(_called(file, files) for file in files)
    imps, matchpoints = (Study(method, names, tuple(of_files), deals, points) for method, of_files in found.items())
    return (imps, matchpoints), wrong


def _called(file: Path, files: Sequence[Path]) -> str:
    """A file's name, with its folder's where several have it."""
    alike = sum(other.name == file.name for other in files) > 1
    return f"{file.resolve().parent.name}/{file.name}" if alike else file.name


def _report(studies: Sequence[Study]) -> Iterator[str]:
    for study in studies:
        unit, one = UNITS[study.method], study.one
        at = "IMPs" if study.method == "imps" else "matchpoints: a board won 1, tied 0, lost -1"
        yield f"one deal, two tables of a board drawn at random, at {at}"
        width = max(len(name) for name in (*study.files, "all"))
        yield f"  {'':{width}}  boards    mean      SD  mean size   drawn"
        rows = list(zip(study.files, study.of_files, strict=True))
        for name, part in rows if len(rows) == 1 else [*rows, ("all", one)]:
            yield (
                f"  {name:{width}}  {part.boards:6,}  {round(part.mean, 2) + 0.0:6.2f}  {part.sd:6.2f}  "
                f"{part.mean_size:9.2f}  {100 * part.drawn:5.1f} %"
            )
        of_duel = one.of_duel(study.deals)
        yield (
            f"  duels of {study.deals} deals: SD {of_duel.sd:.2f} {unit}; cumulative probabilities within "
            f"{of_duel.gap_to_normal():.4f} of the normal distribution's"
        )
        yield ""
    imps, matchpoints = studies
    duels = f"a scale of {imps.points} points for duels of {imps.deals} deals"
    yield f"{duels}, the winners' points by their balance in IMPs"
    yield from _table(imps)
    for sd in (DEAL_SD, imps.one.sd):
        gap = largest_gap(sd / DEAL_SD, imps.points)
        yield (
            f"  below the formula's cap sections for an SD of {sd:.2f} differ most by "
            f"{gap.points:+.1f} points, at {gap.at * DEAL_SD * sqrt(imps.deals):.0f} IMPs"
        )
    nearest = nearest_stretch(imps.points)
    yield (
        f"  nearest to the formula are sections for an SD of {nearest * DEAL_SD:.2f}, within "
        f"{abs(largest_gap(nearest, imps.points).points):.1f} points"
    )
    balances = imps.one.of_duel(imps.deals)
    capped = float(balances.share[victors(abs(balances.balances), imps.deals) >= 25].sum())
    yield f"  in {100 * capped:.1f} % of duels between sides like these the formula reaches its cap"
    yield ""
    yield (
        f"{duels} at matchpoints, by boards won less lost; "
        f"in the formula an SD of {matchpoints.one.sd:.2f} stands for 5 IMPs"
    )
    yield from _table(matchpoints)


def _table(study: Study) -> Iterator[str]:
    """A line for each balance, or for some twenty of them."""
    scales = study.scales()
    yield "  balance  formula" + "".join(f"  sections, SD {sd:5.2f}" for sd in scales.sds)
    for at in range(0, len(scales.balance), max(1, len(scales.balance) // 20)):
        cells = "".join(f"  {points:18g}" for points in scales.sections[:, at].tolist())
        yield f"  {scales.balance[at]:7d}  {scales.formula[at]:7g}{cells}"


def draw(studies: Sequence[Study]) -> tuple[str, str, str]:
    """The charts named in CHARTS: one deal in IMPs, and the scales for duels in IMPs and at matchpoints."""
    imps, matchpoints = studies
    one = imps.one
    shown = one.share * 100
    deal = bars(
        Axes(
            f"One deal of a duel, {one.boards:,} boards: SD {one.sd:.2f} IMPs",
            "IMPs",
            "per cent of comparisons",
            *(5, 5),
        ),
        Series("share", one.balances.tolist(), shown.tolist()),
    )
    return deal, _draw_scales(imps), _draw_scales(matchpoints)


def _draw_scales(study: Study) -> str:
    scales = study.scales()
    at_imps = study.method == "imps"
    axes = Axes(
        f"{study.points} points, duels of {study.deals} deals at {'IMPs' if at_imps else 'matchpoints'}",
        f"balance of the winners, {'IMPs' if at_imps else 'boards won less lost'}",
        "winners' points",
        *(_mark(scales.balance[-1]), _mark(study.points)),
    )
    balance = scales.balance.tolist()
    lines = [Series("the page's formula", balance, scales.formula.tolist())]
    for sd, points in zip(scales.sds, scales.sections, strict=True):
        lines.append(Series(f"sections of equal probability, SD {sd:.2f} a deal", balance, points.tolist()))
    return steps(axes, lines)


def _mark(most: float) -> float:
    """A round distance between the marks of an axis, so that there are some 5 to 12."""
    size = 10.0 ** np.floor(np.log10(most / 5))
    return float(size * next(step for step in (1, 2, 5, 10) if most / (size * step) <= 12))


def _workbook(studies: Sequence[Study]) -> bytes:
    """A workbook with a sheet for each method: one deal's distribution and the scales, each with its chart."""
    from io import BytesIO  # noqa: PLC0415 - with xlsxwriter, loaded where a workbook is asked for

    import xlsxwriter  # noqa: PLC0415

    data = BytesIO()
    with xlsxwriter.Workbook(data, {"in_memory": True}) as book:
        heading = book.add_format({"bold": True, "bottom": 1, "text_wrap": True})
        per_cent = book.add_format({"num_format": "0.00 %"})
        for study in studies:
            one, scales = study.one, study.scales()
            sheet = book.add_worksheet("IMPs" if study.method == "imps" else "Matchpoints")
            normal = normal_share((one.balances + 0.5) / one.sd) - normal_share((one.balances - 0.5) / one.sd)
            of_deal = (f"One deal, {UNITS[study.method]}", "Share", "Normal distribution")
            of_duel = (f"Balance, {study.deals} deals", "Formula", *(f"Sections, SD {sd:.2f}" for sd in scales.sds))
            tables = (
                ("column", per_cent, of_deal, (one.balances, one.share, normal)),
                ("line", None, of_duel, (scales.balance, scales.formula, *scales.sections)),
            )
            for place, (kind, look, names, columns) in enumerate(tables):
                first, last = 4 * place, len(columns[0])
                sheet.set_column(first, first + len(names) - 1, 12)
                sheet.write_row(0, first, names, heading)
                chart = book.add_chart({"type": kind})
                for at, values in enumerate(columns, start=first):
                    sheet.write_column(1, at, values.tolist(), None if at == first else look)
                    if at > first:
                        chart.add_series(
                            {
                                "name": [sheet.name, 0, at],
                                "categories": [sheet.name, 1, first, last, first],
                                "values": [sheet.name, 1, at, last, at],
                            }
                        )
                sheet.insert_chart(1 + 17 * place, 10, chart)
    return data.getvalue()
