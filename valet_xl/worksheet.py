"""The catalogue: every worksheet function, as all hosts offer them, in the order in which they are listed."""

# isort: off - a module's functions are listed after those of the modules before it
from valet_xl.functions import board, results
from valet_xl.registry import REGISTRY

# isort: on

__all__ = ["REGISTRY", "board", "results"]
