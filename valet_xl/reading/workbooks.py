"""Workbooks, .xlsx and .ods: the sheet that has the results. What reads them is loaded where a workbook is opened."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from valet_xl.documents.cell_names import sheet_title
from valet_xl.documents.page import Block
from valet_xl.errors import FileError, SheetError
from valet_xl.reading.formats import Asked, File, Format, SheetFile

if TYPE_CHECKING:
    from valet_xl.documents.ods import OdsBook
    from valet_xl.documents.xlsx import Workbook

_PACKED = (b"PK\3\4", b"\xd0\xcf\x11\xe0")  # a zip package; an old .xls, or one with a password
_ODS = b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet"  # the first part of the zip package
_EXCEL = (".xlsx", ".xlsm")


def _is_excel(file: File) -> bool:
    return file.suffix in _EXCEL or file.data.startswith(_PACKED)


def _is_ods(file: File) -> bool:
    return file.suffix == ".ods" or (file.suffix not in _EXCEL and _ODS in file.data[:200])


def _excel(file: File) -> Workbook:
    from valet_xl.documents.xlsx import Workbook  # noqa: PLC0415

    return Workbook.of(file.path, file.data)


def _ods(file: File) -> OdsBook:
    from valet_xl.documents.ods import OdsBook  # noqa: PLC0415

    return OdsBook.of(file.path, file.data)


def _read_excel(file: File, asked: Asked) -> SheetFile:
    return _sheet(_excel(file), asked.sheet)


def _read_ods(file: File, asked: Asked) -> SheetFile:
    return _sheet(_ods(file), asked.sheet)


def _sheet(book: Workbook | OdsBook, wanted: str | None) -> SheetFile:
    name = _name_of_sheet(book) if wanted is None else wanted
    return SheetFile(book.read(name), partial(_write, book, name), name, sheets=book.sheet_names)


def _write(book: Workbook | OdsBook, sheet: str, block: Block, target: Path) -> None:
    book.put(sheet, block)
    book.save(target)


def _name_of_sheet(book: Workbook | OdsBook) -> str:
    """The sheet that the book opens with if it has a heading row; else the only one that has."""
    from valet_xl.reading.shapes import take_shape  # noqa: PLC0415 - it loads all shapes of sheets

    def has_headings(name: str) -> bool:
        try:
            take_shape(book.read(name).cells)
        except (FileError, SheetError):
            return False
        return True

    try:
        take_shape(book.read(book.active).cells)
    except SheetError as error:
        others = [name for name in book.sheet_names if name != book.active and has_headings(name)]
        if len(others) == 1:
            return others[0]
        if others:
            names = ", ".join(map(sheet_title, others))
            raise SheetError(f"several sheets contain results: {names} (name one with --sheet)") from error
        raise SheetError(f"sheet {sheet_title(book.active)}: {error}") from error
    return book.active


def _names_of(book: Callable[[File], Workbook | OdsBook]) -> Callable[[File], tuple[str, ...]]:
    return lambda file: book(file).sheet_names


ODS = Format("sheet", "a workbook", (".ods",), _is_ods, _read_ods, sheets=_names_of(_ods), in_place=True)
EXCEL = Format("sheet", "a workbook", _EXCEL, _is_excel, _read_excel, sheets=_names_of(_excel), in_place=True)
