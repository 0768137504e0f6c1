"""The catalogue: every worksheet function, as all hosts offer them, in the order in which they are listed."""

# A module's functions are listed after those of the modules before it.
# isort: off
from valet_xl.registry import REGISTRY
from valet_xl.functions import board, results, ranking, victory, teams, rulings, binky
# isort: on

__all__ = ["REGISTRY", "binky", "board", "ranking", "results", "rulings", "teams", "victory"]
