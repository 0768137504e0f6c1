"""What all tests share: the reference data next to the project, property tests without a clock, a watched fault log."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

SHARED = Path(__file__).parents[1].parent / "shared"

# Before numpy is loaded: on a busy machine its threads wait for each other.
os.environ.setdefault("OMP_NUM_THREADS", "1")

settings.register_profile("tests", deadline=None, max_examples=50)
settings.register_profile("fast", deadline=None, max_examples=10)  # --hypothesis-profile fast
settings.load_profile("tests")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The directory of reference data next to the project; a test that needs it is skipped if it is absent."""
    if not SHARED.is_dir():
        pytest.skip("no reference data: there is no ../shared next to the project")
    return SHARED


@pytest.fixture(scope="session", autouse=True)
def _log_of_this_run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Keep the faults of this run, and of the programs that it starts, in a file of their own."""
    from valet_xl.faults import PLACE

    log = tmp_path_factory.mktemp("faults") / "faults.log"
    before = os.environ.get(PLACE)
    os.environ[PLACE] = str(log)
    yield log
    if before is None:
        del os.environ[PLACE]
    else:
        os.environ[PLACE] = before


@pytest.fixture(autouse=True)
def _no_fault(_log_of_this_run: Path) -> Iterator[None]:
    """Fail every test during which a fault was logged that the test did not ask for with `fault_log`."""
    yield
    if _log_of_this_run.exists():
        text = _log_of_this_run.read_text(encoding="utf-8")
        _log_of_this_run.unlink()
        pytest.fail(f"a fault was logged:\n{text}")


@pytest.fixture
def fault_log(_no_fault: None, _log_of_this_run: Path) -> Iterator[Path]:
    """The fault log, for a test that plants a fault; it is removed afterwards."""
    yield _log_of_this_run
    _log_of_this_run.unlink(missing_ok=True)
