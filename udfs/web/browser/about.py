"""What is at work: versions, and a call that shows that the engine answers."""

from __future__ import annotations

import platform
import sys
from importlib.metadata import packages_distributions

import numpy as np

from valet_xl.version import __version__
from valet_xl_web.browser.answers import Answer, Calls, Request


def versions(request: Request) -> Answer:
    """The versions of all that works together, and the packages that are loaded."""
    return Answer(
        {
            "valet_xl": __version__,
            "python": platform.python_version(),
            "numpy": np.__version__,
            "platform": sys.platform,
            "packages": sorted({name.partition(".")[0] for name in sys.modules} & set(packages_distributions())),
        }
    )


CALLS: Calls = {"versions": versions}
