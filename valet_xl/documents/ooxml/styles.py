"""The XML part of a workbook's cell formats: each is looked for before it is added."""

from __future__ import annotations

from valet_xl.documents.markup import Element
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

    def __init__(self, root: Element | None) -> None:
        self.changed = False
        self._root = root
        self._formats = None if root is None else root.child("cellXfs")
        self._known: dict[Content, int] = {}
        self._found: dict[tuple[int, str | None, bool], int] = {}
        if self._formats is not None:
            for index, element in enumerate(members(self._formats)):
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
            elements = members(self._formats)
            if not elements:
                return 0
            new = elements[base if base < len(elements) else 0].copy()
            if number_format is None:
                if not base:
                    new.set("fontId", str(self._bold(whole_number(new, "fontId"))))
                    new.set("applyFont", "1")
                if over_numbers:
                    self._align_right(new)
            else:
                # Numbers under a left-aligned text are still numbers.
                for alignment in new.children("alignment"):
                    alignment.remove()
                for attribute in ("quotePrefix", "applyAlignment"):
                    new.drop(attribute)
                new.set("numFmtId", str(self._number_format(number_format)))
                new.set("applyNumberFormat", "1")
            content = _content(new)
            if content not in self._known:
                self._known[content] = len(elements)
                self._add(self._formats, new)
            self._found[key] = self._known[content]
        return self._found[key]

    def _align_right(self, cell_format: Element) -> None:
        alignment = cell_format.child("alignment")
        if alignment is None:
            alignment = cell_format.new("alignment")
            cell_format.insert(alignment)
        alignment.set("horizontal", "right")
        cell_format.set("applyAlignment", "1")

    def _number_format(self, code: str) -> int:
        """Give a number format's identifier."""
        if code in _BUILT_IN:
            return _BUILT_IN[code]
        assert self._root is not None
        known = self._root.child("numFmts")
        if known is None:
            known = self._root.new("numFmts")
            self._root.insert(known)
        highest = _FIRST_CUSTOM - 1
        for element in known.children("numFmt"):
            if element.get("formatCode") == code:
                return whole_number(element, "numFmtId")
            highest = max(highest, whole_number(element, "numFmtId"))
        self._add(known, known.new("numFmt", {"numFmtId": str(highest + 1), "formatCode": code}))
        return highest + 1

    def _bold(self, font: int) -> int:
        """Give the font that is like another one, but bold."""
        assert self._root is not None
        fonts = self._root.child("fonts")
        elements = [] if fonts is None else members(fonts)
        if fonts is None or font >= len(elements) or elements[font].child("b") is not None:
            return font
        new = elements[font].copy()
        new.insert(new.new("b"))
        content = _content(new)
        for index, element in enumerate(elements):
            if _content(element) == content:
                return index
        self._add(fonts, new)
        return len(elements)

    def _add(self, parent: Element, element: Element) -> None:
        """Add a child and count it."""
        self.changed = True
        parent.append(element)
        parent.set("count", str(len(members(parent))))


def members(parent: Element) -> list[Element]:
    """Give the elements of a collection in the order in which they are counted.

    Where a program offers another one that is its own, the member is the one for all programs (ECMA-376 part 3, 9.3).
    """
    found = []
    for child in parent:
        fallback = child.child("Fallback") if child.tag == _CHOICE else None
        found.append(child if fallback is None else next(iter(fallback), child))
    return found


def _content(element: Element) -> Content:
    """Give what makes two elements equal: tag, attributes, text and children, wherever namespaces are declared."""
    return element.tag, frozenset(element.attributes.items()), element.text.strip(), tuple(map(_content, element))
