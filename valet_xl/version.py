"""The version of valet_xl, said once: the package, the add-ins and the command line take it from here."""

__version__ = "0.1.0"
