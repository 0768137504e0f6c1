"""The project's checks: `nox --list` lists them, and CONTRIBUTING.md says when to run which.

They run in the environment that nox itself is installed in, so that none of them installs anything first.
"""

from __future__ import annotations

import sys
from pathlib import Path

import nox

nox.options.sessions = []
nox.options.default_venv_backend = "none"

SIDE_BY_SIDE = ("-n", "auto", "--dist", "loadfile")  # the tests of one file share hosts and fixtures


def python(session: nox.Session, module: str, *arguments: str, hosts: str = "") -> None:
    """Run a module with this Python; with hosts="required", a host test that cannot run fails."""
    session.run(sys.executable, "-m", module, *arguments, env={"VALET_XL_HOSTS": hosts})


@nox.session
def lint(session: nox.Session) -> None:
    """Ruff, mypy, and the directions of imports."""
    python(session, "ruff", "check", ".")
    python(session, "ruff", "format", "--check", ".")
    python(session, "mypy")
    session.run(str(Path(sys.executable).with_name("lint-imports")), "--no-cache")


@nox.session
def fast(session: nox.Session) -> None:
    """The tests that need neither a host nor much time, with few examples for each property."""
    chosen = ("-m", "not host and not slow", "--ignore", "tests/hosts", "--hypothesis-profile", "fast")
    python(session, "pytest", "-q", *SIDE_BY_SIDE, *chosen, *session.posargs)


@nox.session(name="all")
def every(session: nox.Session) -> None:
    """Every test; one whose host is not installed is skipped and says so."""
    python(session, "pytest", *SIDE_BY_SIDE, *session.posargs)


@nox.session
def hosts(session: nox.Session) -> None:
    """The tests in LibreOffice, under Wine and in the stand-ins for Excel; one that cannot run fails."""
    python(session, "pytest", *SIDE_BY_SIDE, "-m", "host", "tests/hosts", *session.posargs, hosts="required")


@nox.session
def docs(session: nox.Session) -> None:
    """What README and docs say: the blocks of code are run, the tables are compared, the examples of docstrings too."""
    files = (
        "tests/test_snippets.py",
        "tests/test_architecture.py",
        "tests/test_readme.py",
        "tests/test_binky_docs.py",
        "tests/test_duel_study.py",
    )
    python(session, "pytest", "-q", *SIDE_BY_SIDE, *files, "valet_xl", "udfs", *session.posargs)


@nox.session
def site(session: nox.Session) -> None:
    """The site of docs/ in build/site; a link or an anchor that leads nowhere is an error."""
    python(session, "sphinx", "-W", "--keep-going", "-q", "docs", "build/site", *session.posargs)


@nox.session
def build(session: nox.Session) -> None:
    """Write what is made from declarations: both add-ins, workbooks/functions.xlsx, and lists and outputs in docs."""
    for module in ("valet_xl_excel.build_xlam", "valet_xl_calc.build_oxt"):
        python(session, module)
    for script in ("workbooks/build_functions.py", "docs/make_rooms.py", "docs/make_tables.py"):
        session.run(sys.executable, script)


@nox.session
def coverage(session: nox.Session) -> None:
    """Every test with the lines and branches that it runs, in the processes that it starts too."""
    reports = ("--cov", "--cov-report=term:skip-covered", "--cov-report=html")
    python(session, "pytest", *SIDE_BY_SIDE, *reports, *session.posargs)


@nox.session
def bench(session: nox.Session) -> None:
    """Two commits side by side: nox -s bench -- main HEAD [bench_engine ...]."""
    python(session, "tests.bench.compare", *session.posargs)


@nox.session
def zoo(session: nox.Session) -> None:
    """The whole path on every workbook of a folder: nox -s zoo -- FOLDER [--judges]."""
    python(session, "tests.zoo", *session.posargs)
