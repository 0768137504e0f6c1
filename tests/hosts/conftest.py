"""Every test in this folder has the marker `host`."""

from __future__ import annotations

from pathlib import Path

import pytest

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of this folder; pytest hands over those of all folders."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.host)
