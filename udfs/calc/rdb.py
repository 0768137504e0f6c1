"""A type library with one interface, in UNO's binary format (.rdb), written without LibreOffice."""

from __future__ import annotations

import struct
from collections.abc import Iterable
from dataclasses import dataclass

# The format is described at the head of LibreOffice's unoidl/source/unoidlprovider.cxx.
_MAGIC = b"UNOIDL\xff\0"
_INTERFACE = b"\5"  # neither published nor annotated
_MODULE = b"\0"
_IN = b"\0"


@dataclass(frozen=True, slots=True)
class Method:
    """A method of the interface, its types under their UNO names: `[][]any` is a sequence of sequences."""

    name: str
    result: str
    arguments: tuple[tuple[str, str], ...]  # name and type


def type_library(interface: str, methods: Iterable[Method], base: str = "com.sun.star.uno.XInterface") -> bytes:
    """The type library of an interface, whose name has its modules' before it, dots between."""
    every = list(methods)
    parts = interface.split(".")
    data = bytearray(_MAGIC + bytes(8))  # in which the place and size of the root map come
    place = len(data)
    data += _INTERFACE + _number(1) + _text(base) + _number(0) + _number(0) + _number(len(every))
    for method in every:
        data += _text(method.name) + _text(method.result) + _number(len(method.arguments))
        for name, kind in method.arguments:
            data += _IN + _text(name) + _text(kind)
        data += _number(0)  # exceptions
    for depth, name in reversed(list(enumerate(parts))):
        named = len(data)
        data += name.encode("ascii") + b"\0"
        entry = len(data)
        if depth:
            data += _MODULE + _number(1)
        data += _number(named) + _number(place)
        place = entry
    struct.pack_into("<II", data, len(_MAGIC), place, 1)
    return bytes(data)


def _number(value: int) -> bytes:
    return struct.pack("<I", value)


def _text(value: str) -> bytes:
    return _number(len(value)) + value.encode("ascii")
