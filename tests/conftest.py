"""What all tests share: the reference data beside the project, and property tests without a clock."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

SHARED = Path(__file__).parents[1].parent / "shared"

# Before numpy is loaded: on a busy machine its threads wait for each other.
os.environ.setdefault("OMP_NUM_THREADS", "1")

settings.register_profile("tests", deadline=None, max_examples=50)
settings.load_profile("tests")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The directory of reference data beside the project; a test that asks for it is skipped where it is not there."""
    if not SHARED.is_dir():
        pytest.skip("no reference data: there is no ../shared beside the project")
    return SHARED
