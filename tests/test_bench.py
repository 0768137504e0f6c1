"""The examples of what the benchmarks are made of: they decide what is said to be slower."""

from __future__ import annotations

import doctest
from importlib import import_module
from pathlib import Path

import pytest


@pytest.mark.parametrize(("name", "examples"), [("compare", 2), ("history", 3), ("timing", 1)])
def test_examples_give_what_they_say(monkeypatch: pytest.MonkeyPatch, name: str, examples: int) -> None:
    monkeypatch.syspath_prepend(Path(__file__).parents[1])
    done = doctest.testmod(import_module(f"tests.bench.{name}"))
    assert done.attempted >= examples
    assert done.failed == 0
