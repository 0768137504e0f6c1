"""VBA as strictly as Excel reads it: by the grammar of MS-VBAL, with what each platform compiles."""

from __future__ import annotations

import re
from typing import Any

from antlr4 import CommonTokenStream, InputStream
from antlr4.error.ErrorListener import ErrorListener
from antlr4_vba.vbaLexer import vbaLexer
from antlr4_vba.vbaParser import vbaParser

PLATFORMS = {
    "Win64": {"VBA7": True, "Win64": True, "Win32": True, "Mac": False},
    "Win32": {"VBA7": True, "Win64": False, "Win32": True, "Mac": False},
    "Mac": {"VBA7": True, "Win64": True, "Win32": False, "Mac": True},
}
"""What each platform defines."""


class _Errors(ErrorListener):  # type: ignore[misc]
    def __init__(self) -> None:
        self.found: list[str] = []

    def syntaxError(self, _reader: Any, _token: Any, line: int, column: int, text: str, _error: Any) -> None:
        self.found.append(f"line {line}, column {column}: {text[:200]}")


def errors(source: str, platform: str = "Win64") -> list[str]:
    """What the grammar refuses in a module as the project has it; lines that are not compiled are blank."""
    listener = _Errors()
    lexer = vbaLexer(InputStream("\r\n".join(_compiled(source, PLATFORMS[platform])) + "\r\n"))
    parser = vbaParser(CommonTokenStream(lexer))
    for each in (lexer, parser):
        each.removeErrorListeners()
        each.addErrorListener(listener)
    parser.startRule()
    return listener.found


def _compiled(source: str, defined: dict[str, bool]) -> list[str]:
    """The lines that are compiled, the others blank. Attributes of a class or document, which no editor shows, too."""
    lines, taken = [], []
    for line in source.splitlines():
        text = line.strip()
        if condition := re.fullmatch(r"#If (Not )?(\w+) Then", text):
            taken.append(defined[condition[2]] is not bool(condition[1]))
        elif text == "#Else":
            taken[-1] = not taken[-1]
        elif text == "#End If":
            taken.pop()
        elif text.startswith("#"):
            raise ValueError(f"{text!r}: no directive that is known here")
        kept = all(taken) and not text.startswith("#") and not re.match(r"Attribute VB_(?!Name )", text)
        lines.append(line if kept else "")
    assert not taken, "#If without #End If"
    return lines


def reserved_words() -> set[str]:
    """Every word that the grammar keeps for the language itself (MS-VBAL 3.3.5.2)."""
    place = vbaParser.ruleNames.index("reservedIdentifier")
    tokens = vbaParser.atn.nextTokens(vbaParser.atn.ruleToStartState[place])
    return {re.sub(r"_X?$", "", vbaParser.symbolicNames[token]).lower() for token in tokens}
