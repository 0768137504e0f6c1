"""The bundle: the same bytes each time, only what is pinned, and an engine that answers in a real browser."""

from __future__ import annotations

import hashlib
import json
import re
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import Watched, chromium, needs_browser, served

from valet_xl.errors import FileError
from valet_xl_web.build import CONTENTS, PYTHON, bundle, write
from valet_xl_web.downloads import PLACE, obtain
from valet_xl_web.pins import PINNED, TABULATE
from valet_xl_web.server import HEADERS, OFFICE, TYPES, server
from valet_xl_web.wheels import wheel

pytestmark = needs_browser


@pytest.fixture(scope="module")
def files() -> dict[str, bytes]:
    """The bundle."""
    return bundle()


class TestBuild:
    """What is built."""

    def test_the_same_bytes_each_time(self, files: dict[str, bytes]) -> None:
        assert bundle() == files

    def test_the_list_has_every_file(self, files: dict[str, bytes]) -> None:
        listed = json.loads(files[CONTENTS])["files"]
        assert set(listed) == set(files) - {CONTENTS}
        for name, said in listed.items():
            assert said == {"size": len(files[name]), "sha256": hashlib.sha256(files[name]).hexdigest()}

    def test_every_package_is_in_the_bundle(self, files: dict[str, bytes]) -> None:
        packages = json.loads(files[f"{PYTHON}pyodide-lock.json"])["packages"]
        for package in packages.values():
            data = files[PYTHON + package["file_name"]]
            assert hashlib.sha256(data).hexdigest() == package["sha256"]
            assert set(package["depends"]) <= set(packages)

    def test_no_file_has_an_address_of_another_site_to_load(self, files: dict[str, bytes]) -> None:
        """But for office.js, which Microsoft wants loaded from its own server, and for the pane of the add-in alone."""
        for name, content in files.items():
            pane = name == "addin/taskpane.html"
            data = content.replace(f'src="{OFFICE}/lib/1/hosted/office.js"'.encode(), b"") if pane else content
            if name.endswith((".html", ".css", ".js")) and not name.startswith(PYTHON):
                assert not re.search(rb"(?:src|import|url|fetch)\W{1,3}https?:", data), name

    def test_every_type_is_known(self, files: dict[str, bytes]) -> None:
        assert {name.rpartition(".")[2] for name in files} <= set(TYPES)

    def test_a_folder_that_has_other_files_is_left_alone(self, tmp_path: Path) -> None:
        (tmp_path / "mine.txt").write_text("a")
        with pytest.raises(FileError, match="has other files"):
            write({"index.html": b""}, tmp_path)
        assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]

    def test_a_new_bundle_takes_the_place_of_an_old_one(self, tmp_path: Path) -> None:
        old = {"a/old.js": b"1", CONTENTS: b'{"files": {"a/old.js": {}}}'}
        write(old, tmp_path)
        write({"a/new.js": b"2", CONTENTS: b'{"files": {"a/new.js": {}}}'}, tmp_path)
        assert {path.name for path in tmp_path.rglob("*.*")} == {"new.js", CONTENTS}


class TestDownloads:
    """Where the pinned files come from."""

    def test_a_file_that_is_not_what_it_should_be_is_not_taken(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv(PLACE, str(tmp_path / "kept"))
        monkeypatch.setenv("PIP_NO_INDEX", "1")  # nothing can be downloaded
        monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
        (tmp_path / TABULATE.name).write_bytes(b"something else")
        with pytest.raises(FileError, match=r"tabulate-.*cannot be downloaded"):
            obtain([TABULATE], tmp_path)

    def test_files_of_a_folder_are_taken(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        whole = obtain([TABULATE])
        monkeypatch.setenv(PLACE, str(tmp_path / "kept"))
        monkeypatch.setenv("PIP_NO_INDEX", "1")
        (tmp_path / TABULATE.name).write_bytes(whole[TABULATE.name])
        assert obtain([TABULATE], tmp_path) == whole

    def test_every_hash_is_whole(self) -> None:
        assert all(re.fullmatch("[0-9a-f]{64}", each.sha256) for each in PINNED)


def test_wheels_have_their_record() -> None:
    import io
    import zipfile

    name, data = wheel("some_thing", "1.0", {"some_thing/a.py": b"a = 1\n"})
    assert name == "some_thing-1.0-py3-none-any.whl"
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        record = archive.read("some_thing-1.0.dist-info/RECORD").decode().splitlines()
        assert [line.partition(",")[0] for line in record] == archive.namelist()


class TestServer:
    """`valet-xl web`."""

    def test_only_files_of_the_bundle(self) -> None:
        with served({"index.html": b"<p>", "a/b.js": b"1"}) as address:
            with urllib.request.urlopen(f"{address}a/b.js") as found:
                assert found.read() == b"1"
                assert found.headers["Content-Type"] == "text/javascript; charset=utf-8"
                assert {name: found.headers[name] for name in HEADERS} == HEADERS
            for path in ("a/", "a", "%2e%2e/etc/passwd", "../../etc/passwd", "a/b.js/", "//etc/passwd"):
                with pytest.raises(urllib.error.HTTPError, match="404"):
                    urllib.request.urlopen(address + path)

    def test_a_file_that_the_browser_has_is_not_sent_again(self) -> None:
        with served({"index.html": b"<p>"}) as address:
            with urllib.request.urlopen(address) as found:
                tag = found.headers["ETag"]
            with pytest.raises(urllib.error.HTTPError, match="304"):
                urllib.request.urlopen(urllib.request.Request(address, headers={"If-None-Match": tag}))

    def test_a_port_that_is_in_use(self) -> None:
        with server({}) as running, pytest.raises(FileError, match=rf"port {running.server_port}: is in use"):
            server({}, running.server_port)

    def test_only_this_machine_can_ask(self) -> None:
        with server({}) as running:
            assert running.server_address[0] == "127.0.0.1"


@pytest.fixture(scope="module")
def page(files: dict[str, bytes]) -> Iterator[Watched]:
    """A page of the bundle's origin that shows nothing."""
    empty = files | {"empty.html": b"<!doctype html><html lang=en><title>a</title><link rel=icon href=icon.svg>"}
    with served(empty) as address, chromium() as browser:
        watched = Watched(browser.new_page(), address)
        watched.page.goto(f"{address}empty.html")
        yield watched


class TestEngine:
    """The engine in Chromium."""

    def test_answers(self, page: Watched) -> None:
        versions = page.call("about.versions")
        assert isinstance(versions, dict)
        assert versions["platform"] == "emscripten"
        assert page.wrong == []

    def test_a_call_that_there_is_not(self, page: Watched) -> None:
        with pytest.raises(Exception, match=r"there is no call about\.nothing"):
            page.call("about.nothing")
        with pytest.raises(Exception, match=r"there is no call os\.system"):
            page.call("os.system")

    def test_only_numpy_is_loaded(self, page: Watched) -> None:
        """XlsxWriter, access-parser and the other libraries wait until they are used."""
        versions = page.call("about.versions")
        assert isinstance(versions, dict)
        assert versions["packages"] == ["numpy", "valet_xl", "valet_xl_web"]
