"""The project's checks, each in an environment of its own: `nox` lists them. CONTRIBUTING.md says when to run which."""

from __future__ import annotations

import nox

nox.needs_version = ">=2024.10.9"
nox.options.sessions = []
nox.options.reuse_venv = "yes"
nox.options.default_venv_backend = "venv"

SIDE_BY_SIDE = ("-n", "auto", "--dist", "loadgroup")  # tests that share a host stay in one process


def pytest(session: nox.Session, *arguments: str, hosts: str = "", extras: str = "test") -> None:
    """Install the project as it is edited, and run its tests."""
    session.install("--quiet", "--editable", f".[{extras}]")
    session.run("pytest", *arguments, *session.posargs, env={"VALET_XL_HOSTS": hosts})


@nox.session
def lint(session: nox.Session) -> None:
    """Ruff, mypy, and the directions of imports."""
    session.install("--quiet", "--editable", ".[check]")
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")
    session.run("mypy")
    session.run("lint-imports", "--no-cache")


@nox.session
def fast(session: nox.Session) -> None:
    """The tests that need neither a host nor much time, with few examples for each property."""
    chosen = ("-m", "not host and not slow", "--ignore", "tests/hosts", "--hypothesis-profile", "fast")
    pytest(session, "-q", *SIDE_BY_SIDE, *chosen)


@nox.session(name="all")
def every(session: nox.Session) -> None:
    """Every test; one whose host is not installed is skipped and says so."""
    pytest(session, *SIDE_BY_SIDE)


@nox.session
def hosts(session: nox.Session) -> None:
    """The tests in LibreOffice, under Wine and in the stand-ins for Excel; one that cannot run fails."""
    pytest(session, *SIDE_BY_SIDE, "-m", "host", "tests/hosts", hosts="required")


@nox.session
def docs(session: nox.Session) -> None:
    """What README and docs say: the blocks of code are run, the tables are compared, the examples of docstrings too."""
    files = (
        "tests/test_snippets.py",
        "tests/test_architecture.py",
        "tests/test_binky_docs.py",
        "tests/test_duel_study.py",
    )
    pytest(session, "-q", *SIDE_BY_SIDE, *files, "valet_xl", "udfs")


@nox.session
def coverage(session: nox.Session) -> None:
    """Every test with the lines and branches that it runs, in the processes that it starts too."""
    pytest(session, *SIDE_BY_SIDE, "--cov", "--cov-report=term:skip-covered", "--cov-report=html", extras="test,check")


@nox.session
def bench(session: nox.Session) -> None:
    """Two commits side by side: nox -s bench -- main HEAD [bench_engine ...]."""
    session.install("--quiet", "--editable", ".[test]", "setuptools>=77")
    session.run("python", "-m", "tests.bench.compare", *session.posargs)
