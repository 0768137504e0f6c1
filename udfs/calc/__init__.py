"""The host LibreOffice Calc: worksheet functions, menu and toolbar, carried in and out by UNO."""

EXTENSION = "valetxl"  # the extension's identifier; UNO's names take no underscore
SERVICE = f"{EXTENSION}.Functions"
INTERFACE = f"{EXTENSION}.XFunctions"
HANDLER = f"{EXTENSION}.Commands"
OPENED = f"{EXTENSION}.Opened"
PROTOCOL = f"{EXTENSION}:"  # what the commands' addresses begin with


def method_name(function: str) -> str:
    """What a worksheet function is called in UNO.

    >>> method_name("VALET_MP_PERCENT")
    'valetMpPercent'
    """
    first, *others = function.lower().split("_")
    return first + "".join(map(str.capitalize, others))
