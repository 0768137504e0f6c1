"""The XML part of a workbook's cell formats: each is looked for before it is added."""

from __future__ import annotations

import copy

from lxml import etree

from valet_xl.documents.ooxml.package import whole_number

# Number formats that every spreadsheet knows: ECMA-376 part 1, 18.8.30.
_BUILT_IN = {"General": 0, "0": 1, "0.00": 2, "#,##0": 3, "#,##0.00": 4, "0%": 9, "0.00%": 10, "@": 49}
_FIRST_CUSTOM = 164

_COMPATIBILITY = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_CHOICE = f"{_COMPATIBILITY}AlternateContent"

Content = tuple[object, ...]


class StylesPart:
    """The tree of styles.xml.

    Parameters
    ----------
    root : the element `styleSheet`, in either namespace; None for a workbook without formats, where all styles are 0

    Attributes
    ----------
    changed : whether something was added
    """

    def __init__(self, root: etree._Element | None) -> None:
        self.changed = False
        self._root = root
        self._namespace = "" if root is None else etree.QName(root).namespace or ""
        self._formats = None if root is None else root.find(self._tag("cellXfs"))
        self._known: dict[Content, int] = {}
        self._found: dict[tuple[int, str | None, bool], int] = {}
        if self._formats is not None:
            for index, element in enumerate(_members(self._formats)):
                self._known.setdefault(_content(element), index)

    def style(self, base: int, number_format: str | None, over_numbers: bool = False) -> int:
        """Give the style of a new cell.

        Parameters
        ----------
        base : the style of the cell left of the new ones, whose font, fill, border and protection go on
        number_format : the new cell's own; None for a heading, which is like the base, or bold where that is plain
        over_numbers : whether it is a heading over numbers, to the right like them

        Returns
        -------
        int
            The place of the cell format in the part, added at its end where there was no equal one.
        """
        if self._formats is None:
            return base
        key = base, number_format, over_numbers
        if key not in self._found:
            elements = _members(self._formats)
            if not elements:
                return 0
            new = copy.deepcopy(elements[base if base < len(elements) else 0])
            new.tail = None
            if number_format is None:
                if not base:
                    new.set("fontId", str(self._bold(whole_number(new, "fontId"))))
                    new.set("applyFont", "1")
                if over_numbers:
                    self._align_right(new)
            else:
                # Numbers under a left-aligned text are still numbers.
                for alignment in new.findall(self._tag("alignment")):
                    new.remove(alignment)
                for attribute in ("quotePrefix", "applyAlignment"):
                    new.attrib.pop(attribute, "")
                new.set("numFmtId", str(self._number_format(number_format)))
                new.set("applyNumberFormat", "1")
            content = _content(new)
            if content not in self._known:
                self._known[content] = len(elements)
                self._add(self._formats, new)
            self._found[key] = self._known[content]
        return self._found[key]

    def _align_right(self, cell_format: etree._Element) -> None:
        alignment = cell_format.find(self._tag("alignment"))
        if alignment is None:
            alignment = cell_format.makeelement(self._tag("alignment"))
            cell_format.insert(0, alignment)
        alignment.set("horizontal", "right")
        cell_format.set("applyAlignment", "1")

    def _number_format(self, code: str) -> int:
        """Give a number format's identifier."""
        if code in _BUILT_IN:
            return _BUILT_IN[code]
        assert self._root is not None
        known = self._root.find(self._tag("numFmts"))
        if known is None:
            known = self._root.makeelement(self._tag("numFmts"))
            self._root.insert(0, known)
        highest = _FIRST_CUSTOM - 1
        for element in known.iterchildren(self._tag("numFmt")):
            if element.get("formatCode") == code:
                return whole_number(element, "numFmtId")
            highest = max(highest, whole_number(element, "numFmtId"))
        self._add(known, known.makeelement(self._tag("numFmt"), {"numFmtId": str(highest + 1), "formatCode": code}))
        return highest + 1

    def _bold(self, font: int) -> int:
        """Give the font that is like another one, but bold."""
        assert self._root is not None
        fonts = self._root.find(self._tag("fonts"))
        elements = [] if fonts is None else _members(fonts)
        if fonts is None or font >= len(elements) or elements[font].find(self._tag("b")) is not None:
            return font
        new = copy.deepcopy(elements[font])
        new.tail = None
        new.insert(0, new.makeelement(self._tag("b")))
        content = _content(new)
        for index, element in enumerate(elements):
            if _content(element) == content:
                return index
        self._add(fonts, new)
        return len(elements)

    def _add(self, parent: etree._Element, element: etree._Element) -> None:
        """Add a child and count it."""
        self.changed = True
        parent.append(element)
        parent.set("count", str(len(_members(parent))))

    def _tag(self, name: str) -> str:
        return f"{{{self._namespace}}}{name}"


def _members(parent: etree._Element) -> list[etree._Element]:
    """Give the elements of a collection in the order in which they are counted.

    Where a program offers another one that is its own, the member is the one for all programs (ECMA-376 part 3, 9.3).
    """
    found = []
    for child in parent.iterchildren("*"):
        other = next(child.iterfind(f"{_COMPATIBILITY}Fallback/*"), None) if child.tag == _CHOICE else child
        found.append(child if other is None else other)
    return found


def _content(element: etree._Element) -> Content:
    """Give what makes two elements equal: tag, attributes, text and children, wherever namespaces are declared."""
    children = tuple(_content(child) for child in element.iterchildren("*"))
    return element.tag, frozenset(element.attrib.items()), (element.text or "").strip(), children
