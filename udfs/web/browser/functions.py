"""The worksheet functions as a page calls them."""

from __future__ import annotations

from valet_xl.functions.catalogue import REGISTRY
from valet_xl.functions.examples import example
from valet_xl_web.browser.answers import Answer, Calls, Request
from valet_xl_web.browser.cells import JSON

_BOUND = {name: JSON.bind(function) for name, function in REGISTRY.items()}


def call(request: Request) -> Answer:
    """What a function gives for arguments, blocks of cells or null for one that was left out: a block of cells."""
    return Answer(_BOUND[request.given["name"]](*request.given["arguments"]))


def examples(request: Request) -> Answer:
    """The example of every function: its formula, the cells of the areas that it names, and what it gives."""
    found = []
    for function in REGISTRY.values():
        areas, arguments = example(function)
        filled = {area: JSON.written(rows) for area, rows in areas.items()}
        given = JSON.written(function(*arguments))
        found.append({"name": function.name, "formula": function.example, "areas": filled, "gives": given})
    return Answer(found)


CALLS: Calls = {"call": call, "examples": examples}
