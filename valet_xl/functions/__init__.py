"""The worksheet functions, a module for each subject; `valet_xl.functions.catalogue` has them all."""
