"""The parts of a workbook as Office Open XML (ECMA-376) writes them, and the package that they are in."""
