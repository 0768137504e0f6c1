"""The catalogue: every worksheet function, as all hosts offer them, in the order in which they are listed."""

from valet_xl.functions import binky, board, deals, ranking, results, rulings, teams, victory
from valet_xl.functions.registry import REGISTRY as REGISTERED

_SUBJECTS = (board, results, ranking, victory, teams, rulings, binky, deals)

REGISTRY = {
    name: function
    for subject in _SUBJECTS
    for name, function in REGISTERED.items()
    if function.compute.__module__ == subject.__name__
}
"""The functions by their names: those of a subject come one after the other, in whatever order modules were loaded."""
