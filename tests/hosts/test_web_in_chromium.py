"""The page in a real browser, from a file that is chosen to the file that is downloaded.

All tests share one page, as starting Python takes seconds; each begins by opening files of its own. Whatever the page
asks of another origin, says on the console or violates of its policy fails the test in which it does so.
"""

from __future__ import annotations

import io
import json
import re
import struct
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import xlsxwriter
from browser import MINUTES, Watched, axe_finds, chromium, needs_axe, needs_browser, served
from result_files import FILES, NAMES
from test_deal_files import EXTRACTED, LIN, live
from test_ods import RESULTS, pack, rows, sheet_of
from workbook_samples import plain

from valet_xl.cli.main import main
from valet_xl.reading import parquet
from valet_xl.reading.files import FORMATS, format_of
from valet_xl.reading.formats import File
from valet_xl_web.build import CONTENTS, bundle
from valet_xl_web.page_files import EXAMPLES, NOT_READ
from valet_xl_web.server import POLICY

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = needs_browser

SECONDS = 30_000  # milliseconds that the page may take to show what is there
ROOT = Path(__file__).parents[2]
_MARKUP = rb"innerHTML|outerHTML|insertAdjacent|document\.write|eval\(|new Function"
NARROW, WIDE = {"width": 360, "height": 740}, {"width": 1280, "height": 900}
HOSTILE = '<img src=x onerror="window.hurt=1"><script>window.hurt=1</script>'
SHEET = "Board,Contract,By,Tricks,North,South,East,West\n" + "".join(
    f"{board},{contract},{by},{tricks},Ann,Bo{turn},Cy,Di{turn}\n"
    for board in (1, 2, 3)
    for turn, (contract, by, tricks) in enumerate((("3NT", "N", 9), ("4S", "S", 10), ("2H", "E", 8)))
)


def _samples() -> dict[str, bytes]:
    """A file of every format and kind of name that the command says it reads, and all small files of results."""
    found = dict(FILES)
    with tempfile.TemporaryDirectory() as name:
        path = Path(name)
        plain(path / "plain.xlsx")
        pack(path / "results.ods", sheet_of(rows(RESULTS)))
        found |= {each.name: each.read_bytes() for each in sorted(path.iterdir())}
    found["results.xlsx"] = (ROOT / "workbooks" / "results.xlsx").read_bytes()
    found |= {"hands.lin": LIN.encode(), "extracted.csv": EXTRACTED.encode(), "live.json": json.dumps(live()).encode()}
    for kind in FORMATS:
        data = next((data for name, data in found.items() if format_of(File(Path(name), data)) is kind), b"")
        found |= {f"any{suffix}": data for suffix in kind.suffixes if data and f"any{suffix}" not in found}
    return found


SAMPLES = _samples()


@pytest.fixture(scope="module")
def files() -> dict[str, bytes]:
    """The bundle."""
    return bundle()


@pytest.fixture(scope="module")
def address(files: dict[str, bytes]) -> Iterator[str]:
    """Where it is served."""
    with served(files) as address:
        yield address


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium."""
    with chromium() as browser:
        yield browser


class Visit:
    """A visitor's page."""

    def __init__(self, watched: Watched) -> None:
        self.watched = watched
        self.page: Page = watched.page

    def start(self) -> None:
        """Load the page, until Python is ready."""
        self.page.goto(self.watched.address)
        self.page.get_by_text("Ready: choose a file").wait_for(timeout=MINUTES)
        self.page.set_default_timeout(SECONDS)

    def open(self, *files: tuple[str, bytes]) -> None:
        """Choose files, and wait until they are shown, or why not."""
        given: Any = [{"name": name, "mimeType": "text/plain", "buffer": data} for name, data in files]
        self.page.locator("#files").set_input_files(given)
        self.settled()

    def settled(self) -> None:
        """Wait until nothing is being done."""
        self.page.locator("#results[aria-busy]").wait_for(state="detached", timeout=MINUTES)
        self.page.get_by_text("Ready", exact=True).wait_for()

    def tab(self, name: str) -> None:
        """Show a tab."""
        self.page.get_by_role("tab", name=name).click()
        self.settled()

    def download(self, name: str) -> tuple[str, bytes]:
        """The name and bytes of a download."""
        with self.page.expect_download() as found:
            self.page.get_by_role("button", name=name).click()
        self.settled()
        return found.value.suggested_filename, Path(found.value.path()).read_bytes()

    def problem(self) -> str:
        """What the page says is wrong."""
        return self.page.inner_text("#problem-text")

    def rows(self, panel: str = "scores-table") -> list[list[str]]:
        """The rows that a table shows."""
        cells: list[list[str]] = self.page.locator(f"#{panel} tbody tr").evaluate_all(
            "rows => rows.map((row) => [...row.cells].map((cell) => cell.textContent))"
        )
        return cells

    def column(self, name: str, panel: str = "scores-table") -> list[str]:
        """The cells of a column that a table shows."""
        heads = [text.strip() for text in self.page.locator(f"#{panel} thead th").all_text_contents()]
        return [row[heads.index(name)] for row in self.rows(panel)]


@pytest.fixture(scope="module")
def visit(browser: Browser, address: str) -> Iterator[Visit]:
    """The page with Python ready."""
    context = browser.new_context(viewport=WIDE, color_scheme="light", accept_downloads=True)  # type: ignore[arg-type]
    context.add_init_script(
        "window.violations = [];"
        "addEventListener('securitypolicyviolation', (event) => window.violations.push(event.blockedURI));"
    )
    visit = Visit(Watched(context.new_page(), address))
    visit.start()
    yield visit
    context.close()


@pytest.fixture(autouse=True)
def _nothing_wrong(visit: Visit) -> Iterator[None]:
    """No error, no violation, and no request to another origin, in any test."""
    visit.watched.wrong.clear()
    yield
    assert visit.watched.wrong == []
    assert visit.page.evaluate("() => [window.violations, window.hurt]") == [[], None]


def command(folder: Path, monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    """Run `valet-xl` in a folder; gives its exit status."""
    monkeypatch.chdir(folder)
    monkeypatch.setattr("sys.argv", ["valet-xl", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    return int(str(ended.value.code))


class TestDownloads:
    """What is downloaded is what the command writes."""

    def test_there_is_a_file_of_every_format(self) -> None:
        """One that is new in the list of formats needs a small file above, or must be named as one not read here."""
        there = {id(format_of(File(Path(name), data))) for name, data in SAMPLES.items()}
        assert [kind.name for kind in FORMATS if id(kind) not in there and kind not in NOT_READ] == []

    def test_what_no_browser_reads_is_not_offered_and_says_so(self, visit: Visit) -> None:
        assert NOT_READ == (parquet.FORMAT,)
        assert ".parquet" not in str(visit.page.locator("#files").get_attribute("accept"))
        visit.open(("a.parquet", b"PAR1" + bytes(20) + b"PAR1"))
        assert visit.problem() == (
            "a.parquet: a file of this kind cannot be read in a browser for want of pyarrow "
            "(the command valet-xl reads it)"
        )

    @pytest.mark.parametrize("name", SAMPLES)
    def test_a_file_of_every_format_scored(
        self, name: str, visit: Visit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """As the file that the command writes, and as one of the other kind."""
        given = [(name, SAMPLES[name])] + ([("names.txt", NAMES.encode())] if name.endswith(".txt") else [])
        for each, content in given:
            (tmp_path / each).write_bytes(content)
        visit.open(*given)
        assert visit.page.locator("#problem").is_hidden(), visit.problem()
        path = Path(name)
        in_place = format_of(File.of(tmp_path / name)).in_place
        own, other = (path.suffix, ".csv") if in_place else (".csv", ".xlsx")
        assert command(tmp_path, monkeypatch, "score", name, "-o", f"other{other}") in (0, 1)
        _, data = visit.download(f"Download {path.stem}-scored{other}")
        assert data == (tmp_path / f"other{other}").read_bytes()
        assert command(tmp_path, monkeypatch, "score", name) in (0, 1)
        saved, data = visit.download(f"Download {path.stem}-scored{own}")
        assert saved == f"{path.stem}-scored{own}"
        assert data == (tmp_path / (path if in_place else saved)).read_bytes()

    def test_a_ranking_and_a_tableau(self, visit: Visit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        visit.open(("club.csv", SHEET.encode()))
        visit.tab("Ranking")
        name, ranking = visit.download("Download the ranking")
        visit.tab("Board")
        _, board = visit.download("Download the tableau")
        (tmp_path / "club.csv").write_text(SHEET)
        command(tmp_path, monkeypatch, "rank", "club.csv", "-o", "ranking.csv")
        command(tmp_path, monkeypatch, "board", "club.csv", "1", "-o", "board.csv")
        assert name == "club-ranking.csv"
        assert ranking == (tmp_path / "ranking.csv").read_bytes()
        assert board == (tmp_path / "board.csv").read_bytes()

    def test_a_report(self, visit: Visit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Its parts are those of the command; it names the version of numpy, and last digits may differ with that."""
        file, name, _ = EXAMPLES[0]
        visit.page.get_by_role("button", name=name).click()
        visit.settled()
        visit.tab("Ranking")
        saved, data = visit.download("Download the report")
        assert saved == "club-evening-report.xlsx"
        (tmp_path / "club-evening.csv").write_bytes((ROOT / "udfs" / "web" / "page" / file).read_bytes())
        command(tmp_path, monkeypatch, "rank", "club-evening.csv", "-o", "report.xlsx")
        ours, theirs = (zipfile.ZipFile(io.BytesIO(each)) for each in (data, (tmp_path / "report.xlsx").read_bytes()))
        assert ours.namelist() == theirs.namelist()
        number = re.compile(rb"(?<=<v>)-?\d+\.\d+(?:E-?\d+)?(?=</v>)")
        for part in ours.namelist():
            one, other = ours.read(part), theirs.read(part)
            if part == "xl/sharedStrings.xml":
                one, other = (re.sub(rb"numpy [\d.]+", b"numpy", each) for each in (one, other))
            assert number.sub(b"", one) == number.sub(b"", other), part
            figures = [list(map(float, number.findall(each))) for each in (one, other)]
            assert figures[0] == pytest.approx(figures[1], rel=1e-9, abs=1e-9)


class TestShown:
    """What is shown."""

    def test_rows_that_cannot_be_read_are_first(self, visit: Visit) -> None:
        visit.open(("a.csv", SHEET.replace("2,4S,S,10", "2,9S,S,10").encode()))
        assert visit.column("Contract")[0] == "9S"
        assert visit.column("Note")[0] == "Contract: '9S' (level must be 1-7)"
        assert visit.column("Row")[0] == "⚠ 6"
        assert visit.page.locator("#scores-table tr.wrong").count() == 1

    def test_a_column_is_sorted_up_and_down_and_no_more(self, visit: Visit) -> None:
        visit.open(("a.csv", SHEET.encode()))
        as_it_was = visit.column("Tricks")
        head = visit.page.locator("#scores-table th", has_text="Tricks")
        seen = []
        for _ in range(3):
            head.get_by_role("button").click()
            visit.page.locator("#scores-table tbody tr").first.wait_for()
            visit.page.wait_for_timeout(300)
            seen.append((head.get_attribute("aria-sort"), visit.column("Tricks")))
        ordered = sorted(as_it_was, key=int)
        assert seen == [("descending", ordered[::-1]), ("ascending", ordered), (None, as_it_was)]

    def test_a_chart_and_its_table(self, visit: Visit) -> None:
        visit.open(("a.csv", SHEET.encode()))
        visit.tab("Ranking")
        chart = visit.page.locator("#ranking-groups svg").first
        label = chart.get_attribute("aria-label") or ""
        first = visit.column("Pair", "ranking-groups")[0]
        assert label.startswith("Overall of each, with its 95 % interval, in IMPs.")
        assert f"First is {first} with" in label
        assert (
            chart.locator("circle").count()
            == visit.page.locator("#ranking-groups table").first.locator("tbody tr").count()
        )

    def test_several_files_make_one_ranking(self, visit: Visit) -> None:
        other = re.sub(r"(?m)^([123]),", lambda found: f"{int(found[1]) + 10},", SHEET)
        visit.open(("a.csv", SHEET.encode()), ("b.csv", other.encode()))
        assert visit.page.get_by_role("tab", name="Ranking").get_attribute("aria-selected") == "true"
        assert visit.page.inner_text("#results-title") == "2 files"
        assert set(visit.column("Boards", "ranking-groups")) == {"6"}
        visit.tab("Scores")
        visit.page.locator("#file").select_option("b.csv")
        visit.settled()
        assert visit.column("Board")[0] == "11"

    def test_boards_one_after_the_other(self, visit: Visit) -> None:
        visit.open(("a.csv", SHEET.encode()))
        visit.tab("Board")
        assert visit.page.inner_text("#board-title") == "Board 1, none vulnerable: 3 results"
        visit.page.get_by_role("button", name="Next board").click()
        visit.settled()
        assert visit.page.inner_text("#board-title") == "Board 2, N-S vulnerable: 3 results"
        assert sorted(visit.column("Contract", "board-table")) == ["2H", "3NT", "4S"]

    def test_options_are_those_of_the_command_and_are_remembered(
        self, visit: Visit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        visit.open(("a.csv", SHEET.encode()))
        visit.page.locator("#options > summary").click()
        visit.page.get_by_label("Method", exact=True).select_option("matchpoints")
        visit.settled()
        assert "MP %" in visit.page.inner_text("#scores-table thead")
        _, data = visit.download("Download a-scored.csv")
        (tmp_path / "a.csv").write_text(SHEET)
        command(tmp_path, monkeypatch, "score", "a.csv", "--method", "matchpoints")
        assert data == (tmp_path / "a-scored.csv").read_bytes()
        assert json.loads(visit.page.evaluate("() => localStorage.getItem('valet_xl options')")) == {
            "scoring": {"method": "matchpoints"},
            "ranking": {},
        }
        visit.page.get_by_role("button", name="Back to the defaults").click()
        visit.settled()
        assert "MP %" not in visit.page.inner_text("#scores-table thead")
        visit.page.locator("#options > summary").click()


class TestSheets:
    """Which sheet of a workbook is read."""

    @staticmethod
    def book(path: Path, **sheets: str) -> bytes:
        """A workbook with sheets like the text; one of them, 'about', has no results."""
        with xlsxwriter.Workbook(path) as book:
            for name, text in {"about": "Club evening\n", **sheets}.items():
                page = book.add_worksheet(name)
                for at, line in enumerate(text.splitlines()):
                    cells = [int(cell) if cell.isdecimal() else cell for cell in line.split(",")]
                    page.write_row(at, 0, cells)
        return path.read_bytes()

    def labels(self, visit: Visit) -> list[str]:
        return [text.strip() for text in visit.page.locator("#sheet option").all_text_contents()]

    def test_another_sheet_is_chosen_and_remembered(
        self, visit: Visit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """By keyboard; what is downloaded is what the command writes with --sheet."""
        other = re.sub(r"(?m)^([123]),", lambda found: f"{int(found[1]) + 10},", SHEET)
        data = self.book(tmp_path / "club.xlsx", first=SHEET, second=other)
        visit.open(("club.xlsx", data))
        assert visit.problem() == ("club.xlsx: several sheets contain results: first, second (choose one under Sheet)")
        assert self.labels(visit) == ["Automatic", "about", "first", "second"]
        visit.page.get_by_label("Sheet", exact=True).focus()
        visit.page.keyboard.press("s")
        visit.settled()
        assert visit.page.locator("#problem").is_hidden()
        assert visit.column("Board")[0] == "11"
        visit.tab("Board")
        assert visit.page.inner_text("#board-title").startswith("Board 11,")
        visit.tab("Ranking")
        _, ranking = visit.download("Download the ranking")
        visit.tab("Scores")
        _, scored = visit.download("Download club-scored.xlsx")
        assert command(tmp_path, monkeypatch, "rank", "club.xlsx", "--sheet", "second", "-o", "ranking.csv") == 0
        assert command(tmp_path, monkeypatch, "score", "club.xlsx", "--sheet", "second", "-o", "scored.xlsx") == 0
        assert ranking == (tmp_path / "ranking.csv").read_bytes()
        assert scored == (tmp_path / "scored.xlsx").read_bytes()
        visit.open(("a.csv", SHEET.encode()))
        assert visit.page.locator("#choices").is_hidden()
        visit.open(("club.xlsx", data))
        assert visit.page.get_by_label("Sheet", exact=True).input_value() == "second"
        assert visit.column("Board")[0] == "11"
        visit.open(("club.xlsx", self.book(tmp_path / "new.xlsx", first=SHEET)))
        assert visit.page.get_by_label("Sheet", exact=True).input_value() == ""
        assert self.labels(visit) == ["Automatic: first", "about", "first"]
        visit.page.get_by_label("Sheet", exact=True).select_option("about")
        visit.settled()
        assert "no heading row found" in visit.problem()
        visit.page.get_by_label("Sheet", exact=True).select_option("")
        visit.settled()
        assert visit.column("Board")[0] == "1"

    def test_each_file_of_a_ranking_has_its_own(self, visit: Visit, tmp_path: Path) -> None:
        other = re.sub(r"(?m)^([123]),", lambda found: f"{int(found[1]) + 10},", SHEET)
        one = self.book(tmp_path / "one.xlsx", first=SHEET, second=other)
        visit.open(("one.xlsx", one), ("two.csv", SHEET.encode()))
        assert "one.xlsx: several sheets contain results" in visit.problem()
        visit.page.get_by_label("Sheet", exact=True).select_option("second")
        visit.settled()
        assert visit.page.get_by_role("tab", name="Ranking").get_attribute("aria-selected") == "true"
        assert set(visit.column("Boards", "ranking-groups")) == {"6"}
        visit.page.locator("#file").select_option("two.csv")
        visit.settled()
        assert visit.page.locator("#sheet-choice").is_hidden()
        assert set(visit.column("Boards", "ranking-groups")) == {"6"}
        visit.page.locator("#file").select_option("one.xlsx")
        visit.settled()
        assert visit.page.get_by_label("Sheet", exact=True).input_value() == "second"

    @needs_axe
    def test_axe_finds_nothing(self, visit: Visit, tmp_path: Path) -> None:
        visit.open(("both.xlsx", self.book(tmp_path / "both.xlsx", first=SHEET, second=SHEET)))
        assert axe_finds(visit.page) == []
        visit.page.get_by_label("Sheet", exact=True).select_option("first")
        visit.settled()
        assert axe_finds(visit.page) == []
        visit.page.set_viewport_size(NARROW)  # type: ignore[arg-type]
        assert axe_finds(visit.page) == []
        assert visit.page.evaluate("() => document.documentElement.scrollWidth") <= NARROW["width"]
        visit.page.set_viewport_size(WIDE)  # type: ignore[arg-type]


class TestHostile:
    """Files that are no good, or mean harm."""

    @pytest.mark.parametrize(
        "data", [b"", b"\0\1\2", b"a,b\n1,2\n", b"PK\3\4 damaged", b"\x89PNG\r\n\x1a\n" + bytes(99)]
    )
    def test_a_file_that_cannot_be_read_gives_the_message_of_the_command(
        self,
        data: bytes,
        visit: Visit,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        visit.open(("a.csv", data))
        (tmp_path / "a.csv").write_bytes(data)
        assert command(tmp_path, monkeypatch, "score", "a.csv") == 2
        assert capsys.readouterr().err == f"valet-xl: {visit.problem()}\n"
        visit.open(("b.csv", SHEET.encode()))
        assert visit.page.locator("#problem").is_hidden()

    def test_names_with_html_are_text(self, visit: Visit) -> None:
        rows = SHEET.replace("Ann", HOSTILE.replace('"', "")).replace("North", f"North,{HOSTILE}", 1)
        visit.open((f"{HOSTILE.replace('/', '')}.csv", rows.replace("Di0", "Di0,x").encode()))
        shown = visit.page.inner_text("main") + visit.problem()
        assert "<img src=x" in shown
        assert visit.page.locator("main img, main script").count() == 0

    def test_players_with_html_are_text_in_ranking_and_chart(self, visit: Visit) -> None:
        visit.open(("a.csv", SHEET.replace("Ann", HOSTILE.replace('"', "")).encode()))
        visit.tab("Ranking")
        assert "<img src=x" in visit.page.inner_text("#ranking-groups table")
        assert visit.page.locator("#ranking-groups img, #ranking-groups script").count() == 0

    def test_a_zip_bomb_is_refused(self, visit: Visit, tmp_path: Path) -> None:
        """A part of a workbook that would inflate to a thousand times its size."""
        path = tmp_path / "bomb.xlsx"
        plain(path)
        with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive, archive.open("a.bin", "w") as stream:
            for _ in range(100):
                stream.write(bytes(1 << 20))
        visit.open(("bomb.xlsx", path.read_bytes()))
        assert "would inflate to 104,857,600 bytes" in visit.problem()

    def test_a_workbook_that_lies_about_its_size_is_refused(self, visit: Visit, tmp_path: Path) -> None:
        path = tmp_path / "bomb.xlsx"
        plain(path)
        with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive, archive.open("a.bin", "w") as stream:
            for _ in range(60):
                stream.write(bytes(1 << 20))
        data = bytearray(path.read_bytes())
        with zipfile.ZipFile(path) as archive:
            entry = archive.getinfo("a.bin")
        struct.pack_into("<I", data, data.rindex(b"PK\1\2") + 24, 1000)
        struct.pack_into("<I", data, entry.header_offset + 22, 1000)
        visit.open(("bomb.xlsx", bytes(data)))
        assert "is damaged or incomplete" in visit.problem()

    def test_200_000_rows(self, visit: Visit) -> None:
        """They are scored, and the page draws frames meanwhile."""
        rows = "".join(
            f"{board},{contract},{by},{tricks}\n"
            for board in range(1, 10_001)
            for contract, by, tricks in [("3NT", "N", 9), ("4S", "S", 10), ("2H", "E", 8), ("4SX", "S", 9)] * 5
        )
        visit.page.evaluate(
            """() => {
                window.longest = 0;
                let last = performance.now();
                const tick = () => {
                    const now = performance.now();
                    window.longest = Math.max(window.longest, now - last);
                    last = now;
                    if (window.longest >= 0) requestAnimationFrame(tick);
                };
                requestAnimationFrame(tick);
            }"""
        )
        visit.open(("large.csv", f"Board,Contract,By,Tricks\n{rows}".encode()))
        waited = visit.page.evaluate(
            "() => { const found = window.longest; window.longest = -Infinity; return found; }"
        )
        assert "scored 200,000 of 200,000 results on 10,000 boards" in visit.page.inner_text("#scores-said")
        assert "Rows 1 to 100 of 200,000" in visit.page.inner_text("#scores-table .pager")
        assert len(visit.rows()) == 100
        assert waited < 5_000  # milliseconds: the work itself takes far longer, on any machine

    def test_work_can_be_stopped(self, visit: Visit) -> None:
        """The engine starts again after that."""
        visit.page.evaluate("() => { document.getElementById('stop').hidden = false; }")
        visit.page.get_by_role("button", name="Stop").click()
        visit.page.get_by_text("numpy").wait_for()
        visit.open(("a.csv", SHEET.encode()))
        assert len(visit.rows()) == 9


class TestForEverybody:
    """By keyboard, with a screen reader, on a telephone, in the dark, without a network."""

    @needs_axe
    @pytest.mark.parametrize("scheme", ["light", "dark"])
    @pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
    def test_axe_finds_nothing(self, visit: Visit, scheme: Any, size: Any) -> None:
        page = visit.page
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size(size)
        page.locator("#options > summary").click()
        for name, data in (("a.csv", SHEET.replace("2,4S,S,10", "2,9S,S,10").encode()), ("b.csv", b"")):
            visit.open((name, data))
            for tab in ("Ranking", "Board", "Scores"):
                if data:
                    visit.tab(tab)
                assert axe_finds(page) == [], (name, tab)
        page.locator("#options > summary").click()

    def test_nothing_is_wider_than_a_telephone(self, visit: Visit) -> None:
        visit.page.set_viewport_size(NARROW)  # type: ignore[arg-type]
        visit.open((f"{'long-name-' * 12}.csv", SHEET.encode()))
        for tab in ("Ranking", "Board", "Scores"):
            visit.tab(tab)
            wide = visit.page.evaluate("() => document.documentElement.scrollWidth")
            assert wide <= NARROW["width"]
        visit.page.set_viewport_size(WIDE)  # type: ignore[arg-type]

    def test_all_can_be_done_with_the_keyboard(self, visit: Visit) -> None:
        page = visit.page
        page.evaluate("() => { document.activeElement?.blur(); window.scrollTo(0, 0); }")
        page.locator("body").focus()

        def tab_to(name: str) -> None:
            """Press Tab until something of this name has the focus."""
            for _ in range(60):
                page.keyboard.press("Tab")
                found = page.evaluate("() => document.activeElement.textContent.trim() || document.activeElement.id")
                if found.startswith(name):
                    return
            raise AssertionError(f"Tab does not lead to {name}")

        visit.open(("a.csv", SHEET.encode()))
        page.locator("a.skip").focus()
        tab_to("files")
        tab_to("Club evening")
        page.keyboard.press("Enter")
        page.get_by_role("heading", name="club-evening.csv").wait_for()
        visit.settled()
        page.locator("a.skip").focus()
        tab_to("Scores")
        page.keyboard.press("ArrowRight")
        visit.settled()
        assert page.get_by_role("tabpanel", name="Ranking").is_visible()
        page.keyboard.press("End")
        visit.settled()
        assert page.get_by_role("tabpanel", name="Board").is_visible()
        page.keyboard.press("Home")
        visit.settled()
        tab_to("Download")
        with page.expect_download() as found:
            page.keyboard.press("Enter")
        assert found.value.suggested_filename == "club-evening-scored.csv"
        visit.settled()
        tab_to("Board")
        page.keyboard.press("Space")
        visit.page.wait_for_timeout(300)
        assert page.evaluate("() => document.activeElement.textContent") == "Board"  # the focus stays where it was

    def test_a_file_is_dropped(self, visit: Visit) -> None:
        visit.page.evaluate(
            """(text) => {
                const carried = new DataTransfer();
                carried.items.add(new File([text], "dropped.csv"));
                const event = new DragEvent("drop", { dataTransfer: carried, bubbles: true, cancelable: true });
                document.getElementById("drop").dispatchEvent(event);
            }""",
            SHEET,
        )
        visit.page.get_by_role("heading", name="dropped.csv").wait_for()
        visit.settled()
        assert len(visit.rows()) == 9


class TestBuilt:
    """What holds the page together."""

    def test_the_policy_of_the_page_is_that_of_the_server(self, files: dict[str, bytes]) -> None:
        """Other web servers may send none."""
        found = re.search(rb'"Content-Security-Policy" content="([^"]*)"', files["index.html"])
        assert found is not None
        assert found[1].decode() == "; ".join(f"{name} {source}" for name, source in POLICY.items())

    def test_pages_have_no_script_or_style_inside(self, files: dict[str, bytes]) -> None:
        text = files["index.html"].decode()
        assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)|javascript:", text)

    def test_scripts_make_no_markup_of_texts(self, files: dict[str, bytes]) -> None:
        for name, data in files.items():
            if name.endswith(".js") and "/" not in name:
                assert not re.search(
                    rb"innerHTML|outerHTML|insertAdjacent|document\.write|eval\(|new Function", data
                ), name

    def test_the_service_worker_is_of_this_build(self, files: dict[str, bytes]) -> None:
        build = json.loads(files[CONTENTS])["build"]
        assert f'const BUILD = "{build}";'.encode() in files["sw.js"]


def test_the_second_visit_needs_no_network(browser: Browser, files: dict[str, bytes]) -> None:
    """The server is gone, and so is the network. This is the last test, as it uses a page of its own."""
    with served(files) as address:
        context = browser.new_context()
        visit = Visit(Watched(context.new_page(), address))
        visit.start()
        assert "without a network" in visit.page.inner_text("#offline")
    context.set_offline(True)
    visit.start()
    visit.page.get_by_role("button", name=EXAMPLES[0][1]).click()
    visit.settled()
    assert "scored 192 of 192 results" in visit.page.inner_text("#scores-said")
    assert visit.page.evaluate("async () => (await fetch('licences.txt')).status") == 200
    # The browser looks for a newer service worker at every visit, and says on the console that it found no server.
    assert [line for line in visit.watched.wrong if not line.endswith("/sw.js")] == []
    context.close()
