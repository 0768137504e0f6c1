"""How duels come out in the results of tournaments: the study, its figures as text, and a workbook."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path

import numpy as np

from valet_xl.engine.duel_study import (
    DEAL_METHODS,
    Comparison,
    DealMethod,
    Distribution,
    compare_scales,
    deal_distribution,
    largest_gap,
    nearest_stretch,
    pooled,
)
from valet_xl.engine.duels import DEAL_SD, victors
from valet_xl.engine.normal import share_below
from valet_xl.engine.results import Results, Status
from valet_xl.errors import SheetError, ValetError
from valet_xl.messages import Progress, counted, unsaid
from valet_xl.reading.files import read_results

SHEETS = {
    "butler": "Butler",
    "iaf": "Cross-IMPs",
    "matchpoints": "Matchpoints",
    "teams": "Teams",
    "board-a-match": "Board-a-match",
}


@dataclass(frozen=True, slots=True)
class Study:
    """What was found in some files, for one method.

    method : of `deal_distribution`
    files : (n,) the name of each file
    of_files : (n,) the distribution of one deal in each file
    deals, points : of the duels for which scales are compared
    """

    method: str
    files: tuple[str, ...]
    of_files: tuple[Distribution, ...]
    deals: int
    points: int

    @property
    def way(self) -> DealMethod:
        """How a deal is scored."""
        return DEAL_METHODS[self.method]

    @property
    def one(self) -> Distribution:
        """The distribution of one deal in all files together."""
        return pooled(self.of_files)

    def scales(self) -> Comparison:
        """Compare the formula with sections for three standard deviations.

        They are the page's 5 IMPs, the one found, and the one whose sections are nearest to the formula. The page has
        none but IMPs, so the one found is used for both if the unit is another.
        """
        found = self.one.sd
        page = DEAL_SD if self.way.unit == "IMPs" else found
        sds = dict.fromkeys((page, found, nearest_stretch(points=self.points) * page))  # in order, each once
        return compare_scales(self.deals, self.points, list(sds), 3 * found * sqrt(self.deals), formula_sd=page)


@dataclass(frozen=True, slots=True)
class Studies:
    """What was found in some files, for every method.

    of : the study of each method of `DEAL_METHODS`
    errors : how many rows could not be read; their boards are left out
    """

    of: Mapping[str, Study]
    errors: int


def study(named: Sequence[tuple[str, Results]], deals: int = 16, points: int = 30) -> Studies:
    """Study the results of tournaments.

    Parameters
    ----------
    named : results, each with the name that the figures give it
    deals : how many deals a duel has
    points : how many points the two sides of a duel share

    Raises
    ------
    SheetError : if no board of a tournament has two results, or no two results of a board differ
    """
    found: dict[str, list[Distribution]] = {method: [] for method in DEAL_METHODS}
    for name, results in named:
        for method, of_files in found.items():
            try:
                of_files.append(deal_distribution(results, method=method))
            except ValetError as error:
                raise SheetError(f"{name}: {error}") from error
    if not all(pooled(of_files).sd > 0 for of_files in found.values()):
        raise SheetError("no board has two results that differ")
    names = tuple(name for name, _ in named)
    of = {method: Study(method, names, tuple(of_files), deals, points) for method, of_files in found.items()}
    errors = sum(int(np.count_nonzero(results.status == Status.ERROR)) for _, results in named)
    return Studies(of, errors)


def study_files(files: Sequence[Path], deals: int = 16, points: int = 30, step: Progress = unsaid) -> Studies:
    """Study the results in files.

    Parameters
    ----------
    files : of any format that `read_results` reads
    deals, points : as for `study`
    step : called with the path of each file before it is read

    Raises
    ------
    ValetError : if a file cannot be used; as `study`
    """
    named = []
    for file in files:
        step(str(file))
        try:
            named.append((_name(file, files), read_results(file)))
        except ValetError as error:
            if file.name in str(error):
                raise
            raise SheetError(f"{file}: {error}") from error
    return study(named, deals, points)


def names_of(files: Sequence[Path]) -> tuple[str, ...]:
    """What files are called in figures: by their names, with their folders' if several have the same name."""
    return tuple(_name(file, files) for file in files)


def _name(file: Path, files: Sequence[Path]) -> str:
    """A file's name, with its folder's if several files have the same name."""
    alike = sum(other.name == file.name for other in files) > 1
    return f"{file.resolve().parent.name}/{file.name}" if alike else file.name


def figures(studies: Studies) -> Iterator[str]:
    """The figures of a study, as lines of text."""
    for each in studies.of.values():
        yield from _of_deals(each)
        yield ""
    imps, matchpoints, teams = (studies.of[method] for method in ("butler", "matchpoints", "teams"))
    duels = f"a scale of {counted(imps.points, 'point')} for duels of {counted(imps.deals, 'deal')}"
    yield f"{duels}, the winners' points by their balance in IMPs; 0 to 100 is the page's own construction"
    yield from _table(imps)
    for sd in (DEAL_SD, imps.one.sd, teams.one.sd):
        gap = largest_gap(stretch=sd / DEAL_SD, points=imps.points)
        yield (
            f"  below the formula's cap sections for an SD of {sd:.2f} differ most by "
            f"{gap.points:+.1f} points, at {gap.at * DEAL_SD * sqrt(imps.deals):.0f} IMPs"
        )
    nearest = nearest_stretch(points=imps.points)
    yield (
        f"  nearest to the formula are sections for an SD of {nearest * DEAL_SD:.2f}, within "
        f"{abs(largest_gap(stretch=nearest, points=imps.points).points):.1f} points"
    )
    for each, who in ((imps, "two pairs"), (teams, "two teams")):
        balances = each.one.of_duel(imps.deals)
        capped = float(balances.share[victors(abs(balances.balances), imps.deals) >= 25].sum())
        yield f"  in {100 * capped:.1f} % of duels between {who} like these the formula reaches its cap"
    yield ""
    yield (
        f"{duels} at matchpoints, by per cent above 50 added up; "
        f"in the formula an SD of {matchpoints.one.sd:.2f} is taken for 5 IMPs"
    )
    yield from _table(matchpoints)


def _of_deals(study: Study) -> Iterator[str]:
    """The distribution of one deal in each file, and of a duel."""
    way, one = study.way, study.one
    yield f"one deal, {way.title}"
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
        f"  duels of {counted(study.deals, 'deal')}: SD {of_duel.sd:.2f} {way.unit}; cumulative probabilities within "
        f"{of_duel.gap_to_normal():.4f} of the normal distribution's"
    )


def _table(study: Study) -> Iterator[str]:
    """A line for each balance, or for some twenty of them."""
    scales = study.scales()
    yield "  balance  formula" + "".join(f"  sections, SD {sd:5.2f}" for sd in scales.sds) + "  0 to 100"
    for at in range(0, len(scales.balance), max(1, len(scales.balance) // 20)):
        cells = "".join(f"  {points:18g}" for points in scales.sections[:, at].tolist())
        yield f"  {scales.balance[at]:7d}  {scales.formula[at]:7g}{cells}  {scales.winners[at]:8g}"


def workbook(studies: Studies) -> bytes:
    """A workbook with a sheet for each method: one deal's distribution and the scales, each with its chart.

    Returns
    -------
    the bytes of the .xlsx file, the same for the same results and versions
    """
    from io import BytesIO  # noqa: PLC0415 - with xlsxwriter, loaded only when a workbook is written

    import xlsxwriter  # noqa: PLC0415

    from valet_xl.documents.page import MADE  # noqa: PLC0415

    data = BytesIO()
    with xlsxwriter.Workbook(data, {"in_memory": True}) as book:
        book.set_properties({"created": MADE})
        heading = book.add_format({"bold": True, "bottom": 1, "text_wrap": True})
        per_cent = book.add_format({"num_format": "0.00 %"})
        for study in studies.of.values():
            one, scales = study.one, study.scales()
            sheet = book.add_worksheet(SHEETS[study.method])
            half = one.step / 2
            normal = share_below((one.balances + half) / one.sd) - share_below((one.balances - half) / one.sd)
            of_deal = (f"One deal, {study.way.unit}", "Share", "Normal distribution")
            of_duel = (
                f"Balance, {counted(study.deals, 'deal')}",
                "Formula",
                *(f"Sections, SD {sd:.2f}" for sd in scales.sds),
            )
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
