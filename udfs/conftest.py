"""What imports UNO is LibreOffice's Python's alone, and tested there (tests/hosts/test_calc_*.py)."""

from __future__ import annotations

import importlib.util

if importlib.util.find_spec("uno") is None:
    collect_ignore = [f"calc/{name}.py" for name in ("commands", "component", "extension", "sheet")]
