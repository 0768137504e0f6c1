"""What the project quotes from its sources stands there, and the slips that the page on sources lists are slips."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from binky_article import CARDS, PAIRS, PATTERNS, TABLES
from examples import EXAMPLES, results_of

from valet_xl import cross_imps, datum, valet
from valet_xl.engine.duels import formula_points


@pytest.fixture(scope="module")
def sources(shared: Path) -> list[str]:
    """The texts of the paper, the article, the blog and the page, in this order."""
    folder = shared / "sources"
    if not folder.is_dir():
        pytest.skip("no texts of the sources")
    return [next(folder.glob(f"{number}_*.txt")).read_text(encoding="utf-8") for number in ("000", "001", "003", "004")]


def test_the_article_s_figures_are_quoted(sources: list[str]) -> None:
    article = sources[1]
    printed = re.findall(r"^ *(\w+) +(?:-> *)?(\w+) +(?:\(\d times\) +)?(\d\.\d\d) Tricks$", article, re.MULTILINE)
    assert [step for _, steps in TABLES for step in steps] == printed
    assert len(printed) == 54
    summed_up = " ".join(article.split())[-420:]
    assert all(figure in summed_up for figure, _ in CARDS.values())
    assert all(figure in article for _, figure, _ in PATTERNS)
    assert all(figure in article for _, figure, _ in PAIRS)


def test_the_paper_s_figures_are_quoted(sources: list[str]) -> None:
    """Every row of the tables of Examples 2 to 6, with both views; signs may be lost in the text."""
    numbers = [re.findall(r"\d+\.\d\d", line) for line in sources[0].splitlines()]
    for example in EXAMPLES[1:6]:
        for line in example.methods["iaf"]:
            shown = [f"{abs(figure.value):.2f}" for figure in line.printed if figure.value is not None]
            declarer, defenders = shown[:3], [*shown[:2], *shown[3:]]
            assert any(row[-3:] == declarer for row in numbers), (example.number, line)
            assert any(row[-len(defenders) :] == defenders for row in numbers), (example.number, line)
    slam = EXAMPLES[0].methods["iaf"]
    assert "660\t-6.14 IMPs\t-5.65 / -0.50" in sources[0]
    assert [line.score for line in slam if any(figure.slip for figure in line.printed)] == [660]


def test_the_slips_of_the_paper() -> None:
    """The right values of docs/explanation/sources.md, from the results."""
    scores = {
        example.number: [line.score for line in example.methods["iaf"] for _ in range(line.tables)]
        for example in EXAMPLES
    }
    assert datum(scores[2])[0] == pytest.approx(281.875)
    diamonds = [line for line in EXAMPLES[1].methods["iaf"] if line.led == "D"]
    assert sum(line.tables * -line.overall for line in diamonds) == pytest.approx(0.20, abs=0.005)
    of_130 = cross_imps([130, *scores[4]], divisor="n")[0] * 17 / 16  # with the whole field
    assert round(of_130, 3) == -3.375
    of_110 = cross_imps(scores[4])[scores[4].index(110)]
    assert of_110 + 5 * of_130 == pytest.approx(-20.94, abs=0.005)
    example = EXAMPLES[3]
    parts = valet(results_of(example.board, example.methods["iaf"]))
    at = scores[4].index(110)
    assert [round(float(each[at]), 2) for each in (parts.overall, parts.bid, parts.play)] == [-4.07, -3.49, -0.58]
    spades = [line for line in EXAMPLES[5].methods["iaf"] if "S" in line.contract]
    assert sum(line.tables for line in spades) == 9
    assert sum(line.tables for line in spades if line.tricks < 11) == 4
    assert formula_points(90, 16) == pytest.approx(33.4, abs=0.05)
