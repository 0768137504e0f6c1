"""What a file format is: a record of how its files are recognised and read. Each format's own module declares one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from valet_xl.documents.disk import read_file
from valet_xl.documents.page import Block, Page
from valet_xl.documents.text import Text, read_text
from valet_xl.reading.source import Source

if TYPE_CHECKING:  # loaded for files of deals alone
    from valet_xl.reading.deal_rows import DealRows


@dataclass(frozen=True)
class File:
    """A file, read from the disk once, before it is known what it is."""

    path: Path
    data: bytes

    @classmethod
    def of(cls, path: Path) -> File:
        """Read a file.

        Raises
        ------
        FileError : where the file cannot be read
        """
        return cls(path, read_file(path))

    @property
    def suffix(self) -> str:
        """The end of its name in small letters, such as '.xlsx'."""
        return self.path.suffix.lower()

    @cached_property
    def decoded(self) -> Text:
        """What its bytes are read as, if they are text."""
        return read_text(self.data)

    @cached_property
    def is_text(self) -> bool:
        """Whether its bytes are text."""
        return b"\0" not in self.data or "\0" not in self.decoded.text

    @property
    def text(self) -> str:
        """Its text; '' where it is not a text file."""
        return self.decoded.text if self.is_text else ""

    @property
    def beginning(self) -> str:
        """How its text begins, at least its first 100,000 letters; '' where it is not a text file."""
        return self.decoded.beginning if self.is_text else ""

    def lines(self) -> Iterator[str]:
        """The lines of its text that are not empty, one by one; none where it is not a text file."""
        return self.decoded.lines() if self.is_text else iter(())

    @property
    def encoding(self) -> str:
        """The encoding of its text."""
        return self.decoded.encoding


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked for besides the file.

    sheet : of a workbook, the sheet
    names : for Valet text, the file of names
    """

    sheet: str | None = None
    names: Path | None = None


@dataclass(frozen=True, slots=True)
class SheetFile:
    """A file that is a table of cells.

    page : the cells, and the tables of a spreadsheet program
    write : puts columns into the cells, and writes all of it to a file
    sheet : the name of the sheet, '' where the file has no sheets
    sheets : the names of all its sheets
    encoding : of a text file
    """

    page: Page
    write: Callable[[Block, Path], None]
    sheet: str = ""
    encoding: str = ""
    sheets: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Format:
    """A file format.

    name : what people call it, such as "USEBIO"
    file : what a message calls a file of it, such as "a USEBIO file"
    suffixes : how the names of such files usually end; the content decides
    recognise : whether a file is of this format, if it is of none before it in the list of formats
    read : gives the file's rows: a `SheetFile` where they are cells under headings, else a `Source`
    sheets : gives the names of a file's sheets, one of which can be named; None for a format without sheets
    names : whether a file of players' names goes with it
    in_place : whether scores are written into the file itself; else they go to a CSV file
    deals : gives the cards in a file, where they are not beside the results as the field `deal`
    """

    name: str
    file: str
    suffixes: tuple[str, ...]
    recognise: Callable[[File], bool]
    read: Callable[[File, Asked], Source | SheetFile]
    sheets: Callable[[File], tuple[str, ...]] | None = None
    names: bool = False
    in_place: bool = False
    deals: Callable[[File], DealRows | None] | None = None
