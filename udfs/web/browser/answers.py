"""The one way between JavaScript and Python: a call has a name, arguments that JSON can carry, and files.

The worker (`udfs/web/engine/worker.js`) hands every call to `answer`. A call is named `module.function`, such as
`page.score`: the function is in the table `CALLS` of the module of that name in this package.
"""

from __future__ import annotations

import json
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from valet_xl.errors import ValetError
from valet_xl.faults import described
from valet_xl.messages import Progress, one_line, unsaid
from valet_xl_web.browser.said import in_page

USER, FAULT = "user", "fault"
"""The kinds of errors: what a user can put right, and what is our own fault."""


@dataclass(frozen=True, slots=True)
class Request:
    """What JavaScript asks.

    given : the arguments
    files : the bytes that come with them
    step : called with what is being done
    """

    given: Mapping[str, Any]
    files: Sequence[bytes] = ()
    step: Progress = unsaid


@dataclass(frozen=True, slots=True)
class Answer:
    """What JavaScript gets: a value that JSON can carry, without NaN, and files."""

    value: Any = None
    files: tuple[bytes, ...] = ()


Calls = Mapping[str, Callable[[Request], Answer]]
"""The functions of a module that JavaScript may call, by their names."""


def answer(name: str, given: str, files: Sequence[Any] = (), step: Progress = unsaid) -> tuple[str, tuple[bytes, ...]]:
    """Answer a call.

    Parameters
    ----------
    name : `module.function`
    given : the arguments as a JSON object
    files : bytes, or what has a buffer of them
    step : called with what is being done

    Returns
    -------
    a JSON object, `{"value": ...}` or `{"error": {"kind", "text", "details"}}`, and the bytes of files; this never
    raises

    >>> answer("answers.none", "{}")[0]
    '{"error": {"kind": "fault", "text": "there is no call answers.none", "details": ""}}'
    """
    try:
        module, _, function = name.partition(".")
        there = module.isidentifier() and find_spec(f"{__package__}.{module}") is not None
        calls: Calls = getattr(import_module(f"{__package__}.{module}"), "CALLS", {}) if there else {}
        if function not in calls:
            return _error(FAULT, f"there is no call {name}")
        found = calls[function](Request(json.loads(given), [bytes(each) for each in files], step))
        return json.dumps({"value": found.value}, allow_nan=False), found.files
    except ValetError as error:
        return _error(USER, in_page(one_line(error)))
    except MemoryError:
        return _error(
            USER, "the browser has not enough memory for that (use the command valet-xl for files this large)"
        )
    except Exception as error:
        return _error(FAULT, described(error), "".join(traceback.format_exception(error)))


def _error(kind: str, text: str, details: str = "") -> tuple[str, tuple[bytes, ...]]:
    return json.dumps({"error": {"kind": kind, "text": text, "details": details}}), ()
