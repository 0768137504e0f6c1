"""The commands of `valet-xl`, a module for each, and what they share; `valet_xl.cli` has them all."""
