"""XML as a tree over the bytes that it was read from: what is not changed is written as it was, byte for byte.

Read by expat, the parser of Python itself. A document type is refused, so there are no entities but XML's own five.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from xml.parsers import expat

MAX_DEPTH = 256  # of elements in each other
MAX_ELEMENTS = 1_000_000  # of a tree
_SEPARATOR = "}"  # of namespace, name and prefix in what expat reports
SPACE = "http://www.w3.org/XML/1998/namespace}space}xml"  # how expat reports the attribute xml:space

_START = re.compile(rb"""<[^\s<>/]+(?:\s+[^\s=<>]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*\s*(/?)>""")
_ATTRIBUTE = re.compile(rb"""\s+([^\s=<>]+)\s*=\s*("[^"<]*"|'[^'<]*')""")
_ENCODING = re.compile(
    rb"""(\A(?:\xef\xbb\xbf)?\s*<\?xml\s[^>]*?\sencoding\s*=\s*)(?!["'](?i:utf-8)["'])("[^"]*"|'[^']*')"""
)
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
_IN_QUOTES = _ESCAPES | str.maketrans({'"': "&quot;", "\n": "&#10;", "\t": "&#9;", "\r": "&#13;"})


class MarkupError(ValueError):
    """Bytes that are not XML, or XML that no document of ours is written in.

    line : where, counted from 1
    """

    def __init__(self, reason: str, line: int) -> None:
        super().__init__(reason)
        self.line = line


class Element:
    """An element with its attributes, its text and its children.

    Attributes
    ----------
    tag : its name with its namespace, as in "{urn:x}name"
    parent : the element that it is in; None for the root, and for one that is not in a tree
    text : the text that is directly in it
    before, after : of a root, the bytes around it
    """

    __slots__ = ("_attributes", "_content", "_end", "_start", "after", "before", "parent", "spaces", "tag", "text")

    def __init__(self, tag: str, start: bytes, attributes: dict[str, str], parent: Element | None = None) -> None:
        self.tag = tag
        self.parent = parent
        self.text = ""
        self.before = self.after = b""
        self.spaces: dict[str, str] = {}  # the namespaces that it declares, by prefix
        self._attributes = attributes
        self._start = start
        self._content: list[Element | bytes] = []
        self._end = b""  # nothing where the start tag is the whole element

    @property
    def namespace(self) -> str:
        """The namespace of its name; "" for none."""
        return self.tag[1:].partition("}")[0] if self.tag.startswith("{") else ""

    @property
    def name(self) -> str:
        """Its name without the namespace."""
        return self.tag.rpartition("}")[2]

    @property
    def prefix(self) -> str:
        """What comes before its name in the text, with the colon; "" for nothing."""
        before, colon, _ = re.split(rb"[\s/>]", self._start[1:], maxsplit=1)[0].decode().rpartition(":")
        return before + colon

    @property
    def attributes(self) -> Mapping[str, str]:
        """Its attributes by their names, which have a namespace as in `tag` where they have a prefix."""
        return self._attributes

    def get(self, name: str, default: str = "") -> str:
        """An attribute, or the default where there is none."""
        return self._attributes.get(name, default)

    def set(self, name: str, value: str) -> None:
        """Give an attribute that has no prefix a value."""
        if self._attributes.get(name) == value:
            return
        self._attributes[name] = value
        written = f'"{value.translate(_IN_QUOTES)}"'.encode()
        found = self._written(name)
        if found is not None:
            self._start = self._start[: found.start(2)] + written + self._start[found.end(2) :]
        else:
            self._write_attribute(name, written)

    def drop(self, name: str) -> None:
        """Take away an attribute that has no prefix, if it is there."""
        found = self._written(name)
        if found is not None:
            self._start = self._start[: found.start()] + self._start[found.end() :]
            del self._attributes[name]

    def __iter__(self) -> Iterator[Element]:
        return iter([each for each in self._content if isinstance(each, Element)])

    def children(self, *names: str) -> list[Element]:
        """The children of these names in the element's own namespace."""
        tags = {self._tag(name) for name in names}
        return [each for each in self if each.tag in tags]

    def child(self, *path: str) -> Element | None:
        """The first element on a path of names in the element's own namespace; None where there is none."""
        found: Element | None = self
        for name in path:
            found = next(iter(found.children(name)), None) if found is not None else None
        return found

    def iter(self) -> Iterator[Element]:
        """The element and all that is in it, in the order of the text."""
        yield self
        for each in self:
            yield from each.iter()

    def new(self, name: str, attributes: Mapping[str, str] | None = None) -> Element:
        """Make an element with the same namespace and prefix, which is in no tree yet."""
        made = Element(self._tag(name), f"<{self.prefix}{name}/>".encode(), {})
        for key, value in (attributes or {}).items():
            made.set(key, value)
        return made

    def copy(self) -> Element:
        """A copy of all of it, which is in no tree; namespaces that it needs are declared in it."""
        made = self._copied()
        text = bytes(made)
        for prefix, space in self._in_scope().items():
            if prefix and prefix not in made.spaces and f"{prefix}:".encode() in text:
                made.spaces[prefix] = space
        return made

    def append(self, child: Element) -> None:
        """Put an element behind all that is in this one."""
        self._put(len(self._content), child)

    def insert(self, child: Element) -> None:
        """Put an element before all that is in this one."""
        self._put(0, child)

    def put_before(self, child: Element) -> None:
        """Put an element before this one."""
        assert self.parent is not None
        self.parent._put(self.parent._content.index(self), child)

    def put_behind(self, child: Element) -> None:
        """Put an element behind this one."""
        assert self.parent is not None
        self.parent._put(self.parent._content.index(self) + 1, child)

    def remove(self) -> None:
        """Take the element out of its parent."""
        assert self.parent is not None
        self.parent._content.remove(self)
        self.parent = None

    def fill(self, content: bytes) -> None:
        """Put the text of other elements in place of all that is in this one."""
        self._content = [content] if content else []

    def write(self, text: str) -> None:
        """Put a text in place of all that is in the element."""
        self.text = text
        self.fill(escaped(text).encode())

    def __bytes__(self) -> bytes:
        pieces: list[bytes] = []
        self._pieces(pieces)
        return b"".join(pieces)

    def _pieces(self, to: list[bytes]) -> None:
        closed = self._start.endswith(b"/>")
        if closed and not self._content:
            to.append(self._start)
            return
        to.append(self._start[:-2].rstrip() + b">" if closed else self._start)
        for each in self._content:
            if isinstance(each, bytes):
                to.append(each)
            else:
                each._pieces(to)
        to.append(f"</{self.prefix}{self.name}>".encode() if closed else self._end)

    def _put(self, at: int, child: Element) -> None:
        assert child.parent is None
        scope = self._in_scope()
        for prefix, space in child.spaces.items():
            if scope.get(prefix) != space and child._written(f"xmlns:{prefix}") is None:
                child._write_attribute(f"xmlns:{prefix}", f'"{space.translate(_IN_QUOTES)}"'.encode())
        child.parent = self
        self._content.insert(at, child)

    def _copied(self) -> Element:
        made = Element(self.tag, self._start, dict(self._attributes))
        made.text, made.spaces, made._end = self.text, dict(self.spaces), self._end
        for each in self._content:
            if isinstance(each, Element):
                inner = each._copied()
                inner.parent = made
                made._content.append(inner)
            else:
                made._content.append(each)
        return made

    def _in_scope(self) -> dict[str, str]:
        """The namespaces that are declared where the element is, by prefix."""
        above = {} if self.parent is None else self.parent._in_scope()
        return above | self.spaces

    def _write_attribute(self, name: str, written: bytes) -> None:
        """Put an attribute that is not there yet at the end of the start tag."""
        at = re.search(rb"\s*/?>\Z", self._start)
        assert at is not None
        self._start = b"%s %s=%s%s" % (self._start[: at.start()], name.encode(), written, at[0])

    def _written(self, name: str) -> re.Match[bytes] | None:
        """Where in the start tag an attribute is."""
        first = re.match(rb"<[^\s<>/]+", self._start)
        assert first is not None
        key = name.encode()
        return next((each for each in _ATTRIBUTE.finditer(self._start, first.end()) if each[1] == key), None)

    def _tag(self, name: str) -> str:
        return f"{{{self.namespace}}}{name}" if self.namespace else name


def parse(data: bytes) -> Element:
    """Read XML, in UTF-8 whatever it declares.

    Raises
    ------
    MarkupError : for what is not XML, has a document type, or has elements deeper in each other than `MAX_DEPTH`
    """
    return _Builder(data).root()


def written(root: Element) -> bytes:
    """The bytes of a tree, in UTF-8, with what was around its root."""
    return _ENCODING.sub(rb'\1"UTF-8"', root.before) + bytes(root) + root.after


def escaped(text: str) -> str:
    """A text as XML has it between tags."""
    return text.translate(_ESCAPES)


def is_text(data: bytes) -> bool:
    """Whether bytes are UTF-8 without the characters above the control ones that XML cannot contain."""
    if data.isascii():
        return True
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return b"\xef\xbf\xbe" not in data and b"\xef\xbf\xbf" not in data


def plain_text(text: bytes) -> str:
    """A text of XML in which only its five entities are.

    >>> plain_text(b"N &amp; S &lt; 3")
    'N & S < 3'
    """
    plain = text.decode()
    if "&" in plain:
        for name, letter in (("lt", "<"), ("gt", ">"), ("quot", '"'), ("apos", "'"), ("amp", "&")):
            plain = plain.replace(f"&{name};", letter)
    return plain


def name_of(text: str) -> tuple[str, str]:
    """A name that expat gives, as in `Element.tag`, and its prefix.

    >>> name_of("urn:x}name}x"), name_of("name")
    (('{urn:x}name', 'x'), ('name', ''))
    """
    space, _, rest = text.partition(_SEPARATOR)
    if not rest:
        return text, ""
    name, _, prefix = rest.partition(_SEPARATOR)
    return f"{{{space}}}{name}", prefix


def parser_of(data: bytes) -> expat.XMLParserType:
    """A parser that knows namespaces and refuses document types; its names are for `name_of`."""
    parser = expat.ParserCreate("utf-8", _SEPARATOR)
    parser.namespace_prefixes = True
    parser.buffer_text = True

    def refuse(*_: object) -> None:
        raise MarkupError("has a document type", parser.CurrentLineNumber)

    parser.StartDoctypeDeclHandler = refuse
    return parser


def run(parser: expat.XMLParserType, data: bytes) -> None:
    """Let a parser read.

    Raises
    ------
    MarkupError : for what is not XML
    """
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise MarkupError(expat.ErrorString(error.code) or "no XML", error.lineno) from error


def start_tag(data: bytes, at: int) -> re.Match[bytes]:
    """The start tag at a place of XML that a parser has accepted; its group 1 is the slash of one that is all."""
    found = _START.match(data, at)
    assert found is not None
    return found


class _Builder:
    """What expat reports, made into a tree."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._parser = parser_of(data)
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text
        self._parser.StartNamespaceDeclHandler = self._declare
        self._open: list[Element] = []
        self._texts: list[list[str]] = []  # of the elements that are open
        self._count = 0
        self._root: Element | None = None
        self._done = 0  # up to where the bytes are in the tree
        self._spaces: dict[str, str] = {}

    def root(self) -> Element:
        run(self._parser, self._data)
        assert self._root is not None
        self._root.after = self._data[self._done :]
        return self._root

    def _declare(self, prefix: str | None, space: str | None) -> None:
        self._spaces[prefix or ""] = space or ""

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        at = self._parser.CurrentByteIndex
        if len(self._open) >= MAX_DEPTH:
            raise MarkupError("has elements too deep in each other", self._parser.CurrentLineNumber)
        self._count += 1
        if self._count > MAX_ELEMENTS:
            raise MarkupError("has too many elements", self._parser.CurrentLineNumber)
        tag = start_tag(self._data, at)
        parent = self._open[-1] if self._open else None
        named = {name_of(key)[0]: value for key, value in attributes.items()}
        element = Element(name_of(name)[0], tag[0], named, parent)
        if self._spaces:
            element.spaces, self._spaces = self._spaces, {}
        if parent is None:
            self._root = element
            element.before = self._data[:at]
        else:
            self._keep(parent, at)
            parent._content.append(element)
        self._open.append(element)
        self._texts.append([])
        self._done = tag.end()

    def _end(self, name: str) -> None:
        element = self._open.pop()
        element.text = "".join(self._texts.pop())
        if element._start.endswith(b"/>"):
            return
        at = self._parser.CurrentByteIndex
        self._keep(element, at)
        self._done = self._data.index(b">", at) + 1
        element._end = self._data[at : self._done]

    def _text(self, text: str) -> None:
        self._texts[-1].append(text)

    def _keep(self, element: Element, up_to: int) -> None:
        if up_to > self._done:
            element._content.append(self._data[self._done : up_to])
