"""The tags of rows and cells as all large programs write them, and which may follow which."""

from __future__ import annotations

import numpy as np

from valet_xl.documents.whole_numbers import LOW, word


class Tag:
    """What a tag of usual cells may be: bare numbers, for numpy compares an array with one in a tenth of the time."""

    NONE = 0
    ROW = 1
    ROW_END = 2
    CELL = 3
    CELL_END = 4
    V = 5
    V_END = 6
    V_ALL = 7
    F = 8
    F_LONG = 9
    F_END = 10
    F_ALL = 11
    IS = 12
    IS_END = 13
    T = 14
    T_LONG = 15
    T_END = 16
    ROW_ALL = 17
    CELL_ALL = 18
    F_LONG_ALL = 19


# How the tags are written. Those that go on are looked at more closely.
_WRITTEN = {
    Tag.ROW: b'<row r="',
    Tag.ROW_END: b"</row>",
    Tag.CELL: b'<c r="',
    Tag.CELL_END: b"</c>",
    Tag.V: b"<v>",
    Tag.V_END: b"</v>",
    Tag.F: b"<f>",
    Tag.F_LONG: b"<f ",
    Tag.F_END: b"</f>",
    Tag.IS: b"<is>",
    Tag.IS_END: b"</is>",
    Tag.T: b"<t>",
    Tag.T_LONG: b"<t xml:s",
    Tag.T_END: b"</t>",
    Tag.V_ALL: b"<v/>",
    Tag.F_ALL: b"<f/>",
}
KEPT_SPACE = b'<t xml:space="preserve">'
_CELL_ENDS = (Tag.CELL, Tag.CELL_ALL, Tag.ROW_END)
ROW_ENDS = (Tag.ROW, Tag.ROW_ALL)
_AFTER_FORMULA = (Tag.V, Tag.V_ALL, Tag.CELL_END)
_FOLLOW = {
    Tag.ROW: _CELL_ENDS,
    Tag.ROW_ALL: ROW_ENDS,
    Tag.ROW_END: ROW_ENDS,
    Tag.CELL: (Tag.F, Tag.F_LONG, Tag.F_LONG_ALL, Tag.F_ALL, Tag.V, Tag.V_ALL, Tag.IS, Tag.CELL_END),
    Tag.CELL_ALL: _CELL_ENDS,
    Tag.CELL_END: _CELL_ENDS,
    Tag.V: (Tag.V_END,),
    Tag.V_END: (Tag.CELL_END,),
    Tag.V_ALL: (Tag.CELL_END,),
    Tag.F: (Tag.F_END,),
    Tag.F_LONG: (Tag.F_END,),
    Tag.F_END: _AFTER_FORMULA,
    Tag.F_ALL: _AFTER_FORMULA,
    Tag.F_LONG_ALL: _AFTER_FORMULA,
    Tag.IS: (Tag.T, Tag.T_LONG),
    Tag.T: (Tag.T_END,),
    Tag.T_LONG: (Tag.T_END,),
    Tag.T_END: (Tag.IS_END,),
    Tag.IS_END: (Tag.CELL_END,),
}

# By the two letters behind the "<" of a tag which it may be; by that, how it must begin.
TAG_OF = np.zeros(1 << 16, dtype=np.uint8)
TAG_WORD, TAG_MASK = np.zeros(32, dtype=np.uint64), np.zeros(32, dtype=np.uint64)
for _tag, _text in _WRITTEN.items():
    TAG_OF[word(_text[1:3])] = _tag
    TAG_WORD[_tag], TAG_MASK[_tag] = word(_text), LOW[min(8, len(_text))]
# Whether one may follow another, at 32 times the one plus the other; what has text in it; what one with "/>" is.
FOLLOWS = np.zeros(32 * 32, dtype=np.bool_)
for _tag, _next in _FOLLOW.items():
    FOLLOWS[[32 * _tag + each for each in _next]] = True
HAS_TEXT = np.zeros(32, dtype=np.bool_)
HAS_TEXT[[Tag.V, Tag.F, Tag.F_LONG, Tag.T, Tag.T_LONG]] = True
CAN_CLOSE = np.zeros(32, dtype=np.uint8)
CAN_CLOSE[[Tag.ROW, Tag.CELL, Tag.F_LONG]] = [Tag.ROW_ALL, Tag.CELL_ALL, Tag.F_LONG_ALL]
IS_FORMULA = np.zeros(32, dtype=np.bool_)
IS_FORMULA[[Tag.F, Tag.F_LONG, Tag.F_ALL, Tag.F_LONG_ALL]] = True
