"""Where the add-in keeps what it must know of a machine: names that its VBA and its installation share."""

FOLDER = "valet_xl"  # below the user's local application data: xlwings' libraries
REGISTRY_KEY = r"Software\valet_xl"  # below HKEY_CURRENT_USER
INTERPRETER = "Interpreter"  # the registry's entry for the Python that is started


def library_entry(bits: str) -> str:
    """The registry's entry for the library of an Excel with 64 or 32 bits.

    >>> library_entry("64")
    'Library64'
    """
    return f"Library{bits}"
