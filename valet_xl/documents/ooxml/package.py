"""The zip package under a workbook: its parts, the relations between them, opened with limits and saved whole."""

from __future__ import annotations

import io
import posixpath
import re
import struct
import zipfile
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote

from valet_xl.documents.disk import replace_file
from valet_xl.documents.markup import Element, MarkupError, parse
from valet_xl.errors import FileError

MAX_BYTES = 1 << 30  # of all parts inflated
MAX_PARTS = 100_000
MAX_RATIO = 200  # inflated to deflated, of a part over LARGE; a real sheet has 10 to 50
LARGE = 50 << 20
LEVEL = 2  # of zlib: half the time of its default, a third more bytes

_OLE = bytes.fromhex("D0CF11E0A1B11AE1")
_ENCRYPTED, *_OLD = (name.encode("utf-16-le") for name in ("EncryptedPackage", "Workbook", "Book"))  # in its directory
SAVE_AGAIN = "open it in a spreadsheet program and save it there, then try again"
_DAMAGED = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, NotImplementedError, RuntimeError, ValueError)
# The possessive group reads what may come before a document type, once and without going back.
_DOCTYPE = re.compile(rb"(?:\xef\xbb\xbf)?(?>\s+|<\?.*?\?>|<!--.*?-->)*+<!DOCTYPE", re.DOTALL)
_NUMBER = re.compile("[0-9]{1,9}")
_DECLARATION = re.compile(r"\s*<\?xml\s.*?\?>", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Relation:
    """A link from one part to another: its identifier, the last word of its type, and the other part's name."""

    id: str
    kind: str
    part: str


@dataclass(slots=True)
class Package:
    """The parts of a zip package, in memory. What is not written to stays byte for byte.

    parts : by their names, in which the slashes lean forward, though some programs write backslashes
    """

    name: str  # the file's, for messages
    parts: dict[str, bytes]
    _members: list[zipfile.ZipInfo]
    _comment: bytes
    _packed: dict[str, memoryview] = field(default_factory=dict)  # parts that are as in the file, as it has them
    _trees: dict[str, Element] = field(default_factory=dict)
    _spelled: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._spelled = {name.casefold(): name for name in self.parts}

    @classmethod
    def of(cls, name: str, data: bytes) -> Package:
        """Check a package and take it apart.

        Parameters
        ----------
        name : the file's, for messages
        data : the whole file

        Raises
        ------
        FileError
            Not a package, or one that is damaged, encrypted, ambiguous, or too large for what it is.
        """
        _check_beginning(name, data)
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                members = archive.infolist()
                _check_members(name, members)
                parts = {_part_name(member): _inflate(archive, member) for member in members}
                packed = {_part_name(member): _as_packed(data, member) for member in members}
                comment = archive.comment
        except FileError:
            raise
        except _DAMAGED as error:
            raise FileError(f"{name}: is damaged or incomplete (a whole file expected)") from error
        return cls(name, parts, members, comment, packed)

    def relations(self, part: str) -> list[Relation]:
        """List the links that go out from a part ('' for the package itself) to other parts."""
        folder, name = posixpath.split(part)
        source = self.find(posixpath.join(folder, "_rels", f"{name}.rels"))
        if source is None:
            return []
        found = []
        for link in self.xml(source):
            if link.name != "Relationship" or link.get("TargetMode") == "External":
                continue
            target = posixpath.normpath(posixpath.join("/", folder, unquote(link.get("Target")))).lstrip("/")
            kind = link.get("Type").rpartition("/")[2]
            found.append(Relation(link.get("Id"), kind, self.find(target) or target))
        return found

    def find(self, part: str) -> str | None:
        """Give a part's name as the package spells it, as names of parts do not depend on capitals."""
        return part if part in self.parts else self._spelled.get(part.casefold())

    def content_type(self, part: str) -> str:
        """Give a part's content type, '' where none is declared."""
        types = self.find("[Content_Types].xml")
        if types is None:
            return ""
        extension = part.rpartition(".")[2].casefold()
        default = ""
        for entry in self.xml(types):
            if entry.name == "Override" and entry.get("PartName").lstrip("/").casefold() == part.casefold():
                return entry.get("ContentType")
            if entry.name == "Default" and entry.get("Extension").casefold() == extension:
                default = entry.get("ContentType")
        return default

    def utf8(self, part: str) -> bytes:
        """Give an XML part's bytes in UTF-8.

        Raises
        ------
        FileError
            There is no such part, or it has a document type, which no part of a workbook has.
        """
        try:
            data = self.parts[part]
        except KeyError:
            raise FileError(f"{self.name}: is incomplete, it lacks the part {part!r}") from None
        if data[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\0" in data[:4]:
            encoding = (
                "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-16-be" if data[0] == 0 else "utf-16-le"
            )
            try:
                data = _DECLARATION.sub("", data.decode(encoding), count=1).encode()
            except UnicodeError as error:
                raise self.malformed(part) from error
        if _DOCTYPE.match(data):
            raise FileError(f"{self.name}: {part!r} has a document type (plain XML expected)")
        return data

    def xml(self, part: str) -> Element:
        """Parse an XML part; the same tree is given until the part is written."""
        if part not in self._trees:
            # The encoding that a part declares is not believed: `utf8` has seen the same text as the parser will.
            try:
                self._trees[part] = parse(self.utf8(part))
            except MarkupError as error:
                raise self.malformed(part, error.line) from error
        return self._trees[part]

    def write(self, part: str, data: bytes) -> None:
        """Put other bytes in a part's place."""
        if data != self.parts[part]:
            self.parts[part] = data
            self._packed.pop(part, None)
        self._trees.pop(part, None)

    def forget_trees(self) -> None:
        """Let `xml` parse every part again, so that changes to trees that were not written are lost."""
        self._trees.clear()

    def save(self, path: Path) -> None:
        """Write the package to disk, whole or not at all; members keep order, names and dates.

        Notes
        -----
        What was not written to is copied as the old file has it, deflated.
        """
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w") as archive:
            archive.comment = self._comment
            for old in self._members:
                member = zipfile.ZipInfo(old.filename, old.date_time)
                member.compress_type = old.compress_type
                member.create_system = old.create_system
                member.external_attr = old.external_attr
                member.comment = old.comment
                part = _part_name(old)
                if part in self._packed:
                    _copy(archive, member, old, self._packed[part])
                else:
                    archive.writestr(member, self.parts[part], compresslevel=LEVEL)
        replace_file(path, buffer.getvalue())

    def malformed(self, part: str, line: int = 0) -> FileError:
        """Give the error that names a part which cannot be read, and the line, if it is known."""
        where = f", line {line}" if line else ""
        return FileError(f"{self.name}: {part!r} is damaged{where} ({SAVE_AGAIN})")


def whole_number(element: Element, attribute: str, default: int = 0) -> int:
    """Give an attribute that is a whole number, the default where there is none."""
    text = element.get(attribute, str(default))
    if not _NUMBER.fullmatch(text):
        raise FileError(f"invalid {attribute}: {text!r} (a whole number expected)")
    return int(text)


def _part_name(member: zipfile.ZipInfo) -> str:
    """Give the name of the part that a member of the zip file is."""
    return member.filename.replace("\\", "/").lstrip("/")


def _check_beginning(name: str, data: bytes) -> None:
    """Refuse a file that does not begin as a zip file does."""
    if data.startswith(_OLE):
        if _ENCRYPTED in data:
            raise FileError(f"{name}: is protected by a password (save it without one, then try again)")
        if any(stream in data for stream in _OLD):
            raise FileError(f"{name}: is an old workbook, .xls (save it as .xlsx, then try again)")
        raise FileError(
            f"{name}: is password-protected or an old Office file (save it as .xlsx without a password, then try again)"
        )
    if not data.startswith(b"PK"):
        raise FileError(f"{name}: is not a workbook (an .xlsx or .xlsm file expected)")


def _check_members(name: str, members: list[zipfile.ZipInfo]) -> None:
    """Refuse, before anything is inflated, what no spreadsheet program writes."""
    if len(members) > MAX_PARTS:
        raise FileError(f"{name}: has {len(members):,} parts (at most {MAX_PARTS:,} expected)")
    seen = set()
    for member in members:
        part = _part_name(member)
        if part.casefold() in seen:
            raise FileError(f"{name}: has two parts {part!r} (one of a name expected)")
        seen.add(part.casefold())
        if member.flag_bits & 1:
            raise FileError(f"{name}: {part!r} is encrypted (save it without a password, then try again)")
        if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise FileError(f"{name}: {part!r} is compressed in an unknown way (deflate expected)")
        if member.file_size > LARGE and member.file_size > MAX_RATIO * member.compress_size:
            raise FileError(f"{name}: {part!r} would inflate to {member.file_size:,} bytes; that is no workbook")
    total = sum(member.file_size for member in members)
    if total > MAX_BYTES:
        raise FileError(f"{name}: would inflate to {total:,} bytes (at most {MAX_BYTES:,} expected)")


def _inflate(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    """Read a part, never inflating more than the size that it declares, which `_check_members` has limited."""
    with archive.open(member) as stream:
        # One byte more makes zipfile reach the end and compare the checksum; without a size it inflates all there is.
        data = stream.read(member.file_size + 1)
    if len(data) != member.file_size:
        raise zipfile.BadZipFile(f"{member.filename!r} is shorter than it says")
    return data


def _as_packed(data: bytes, member: zipfile.ZipInfo) -> memoryview:
    """Give a member's bytes as they are in the file, which zipfile has read before."""
    lengths = struct.unpack_from("<HH", data, member.header_offset + 26)  # of its name and of what follows that
    start = member.header_offset + 30 + sum(lengths)
    return memoryview(data)[start : start + member.compress_size]


def _copy(archive: zipfile.ZipFile, member: zipfile.ZipInfo, old: zipfile.ZipInfo, packed: memoryview) -> None:
    """Add a member to a new file as another file has it; zipfile itself can only deflate it again."""
    file = archive.fp
    assert file is not None
    member.CRC, member.file_size, member.compress_size = old.CRC, old.file_size, old.compress_size
    member.header_offset = file.tell()
    file.write(member.FileHeader())
    file.write(packed)
    archive.filelist.append(member)
    archive.NameToInfo[member.filename] = member
    archive.start_dir = file.tell()
