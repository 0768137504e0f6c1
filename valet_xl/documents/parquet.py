"""Parquet files, here or at an address such as s3://bucket/night.parquet: found, opened, and read piece by piece."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from valet_xl.documents.disk import beside
from valet_xl.documents.libraries import loading
from valet_xl.errors import FileError, ValetError
from valet_xl.messages import one_line

MAGIC = b"PAR1"
ENDING = ".parquet"
ROWS = 1 << 18
"""Rows of a row group that is written, and about as many as are read at once."""
LOT = 1 << 17
"""Rows of those that are read at once whose results are in memory at the same time."""
_MANY = 16  # a column with a distinct text for so many rows may have texts that no row has


@dataclass(frozen=True, slots=True)
class Piece:
    """Row groups of a file that are read at once.

    address : of the file
    file : which of the files it is, from 0
    first, last : the row groups
    start : how many rows are before it
    rows : how many it has
    """

    address: str
    file: int
    first: int
    last: int
    start: int
    rows: int


@dataclass(frozen=True, slots=True, eq=False)
class Texts:
    """A column: its distinct texts, and for each of (n,) rows the place of its text, -1 where there is none."""

    texts: list[str]
    index: NDArray[np.intp]


def is_address(text: str) -> bool:
    """Whether something is the address of a place that is no folder of this machine."""
    return "://" in text


def is_place(text: str) -> bool:
    """Whether something is a folder or a pattern, and not the name of a file."""
    return Path(text).is_dir() or (not Path(text).exists() and any(mark in text for mark in "*?["))


def are_parquet(files: Sequence[str]) -> bool:
    """Whether all of these are Parquet files, or places where only those are read: folders, patterns and addresses.

    Raises
    ------
    FileError : where some are such places and others are not
    """
    places = [is_address(file) or "*" in file or _has_parquet(Path(file)) for file in files]
    parquet = [place or file.lower().endswith(ENDING) for place, file in zip(places, files, strict=True)]
    if any(places) and not all(parquet):
        other = next(file for file, is_one in zip(files, parquet, strict=True) if not is_one)
        raise FileError(f"{other}: is no Parquet file (folders, patterns and addresses go with those alone)")
    return all(parquet)


def _has_parquet(folder: Path) -> bool:
    """Whether it is a folder with Parquet files in it."""
    return folder.is_dir() and next(folder.rglob(f"*{ENDING}"), None) is not None


def find_files(addresses: Sequence[str]) -> list[str]:
    """The files at some addresses or paths, each of which may be a file, a folder, or a pattern such as 2024/*.parquet.

    Raises
    ------
    FileError : where there is none, or nobody answers
    """
    found: list[str] = []
    for address in addresses:
        with _reached(address):
            system, path = _system(address)
            if system.isdir(path):
                names = sorted(name for name in system.find(path) if name.endswith(ENDING))
            elif any(mark in path for mark in "*?["):
                names = sorted(name for name in system.glob(path) if not system.isdir(name))
            else:
                names = [path] if system.exists(path) else []
        if not names:
            raise FileError(f"{address}: no such file (expected Parquet files, a folder of them, or a pattern)")
        remote = is_address(address)
        found += [system.unstrip_protocol(name) if remote else name for name in names]
    twice = {name for name in found if found.count(name) > 1} if len(set(found)) < len(found) else set()
    if twice:
        raise FileError(f"{min(twice)}: is named twice (each file counts once)")
    return found


def pieces_of(addresses: Sequence[str]) -> list[Piece]:
    """The pieces of files, in their order.

    Raises
    ------
    FileError : where one cannot be opened
    """
    found: list[Piece] = []
    for file, address in enumerate(addresses):
        with opened(address) as parquet:
            sizes = [parquet.metadata.row_group(at).num_rows for at in range(parquet.metadata.num_row_groups)]
        first, start, rows = 0, 0, 0
        for at, size in enumerate(sizes):
            rows += size
            if rows >= ROWS or at == len(sizes) - 1:
                found.append(Piece(address, file, first, at, start, rows))
                first, start, rows = at + 1, start + rows, 0
    return found


@contextmanager
def opened(address: str, data: bytes | None = None) -> Iterator[Any]:
    """A Parquet file, its texts read as codes and what they mean.

    data : the whole file, if it has been read already

    Raises
    ------
    FileError : where it cannot be opened or read
    """
    with loading("pyarrow", extra="bulk"):
        import pyarrow.parquet as pq  # noqa: PLC0415 - loaded for Parquet alone
    with _reached(address), _bytes(address, data) as stream:
        metadata = pq.read_metadata(stream)
        schema = metadata.schema
        columns = [schema.column(at) for at in range(metadata.num_columns)]
        texts = [column.path for column in columns if column.physical_type == "BYTE_ARRAY"]
        yield pq.ParquetFile(stream, read_dictionary=texts, metadata=metadata)


def read_whole_keys(parquet: Any, piece: Piece, columns: Sequence[str], keys: Sequence[str]) -> tuple[Any, int]:
    """A piece with all rows of the keys that begin in it, and how many rows of the file are before these.

    Rows with one key that go over the end of the piece are read on; those of a key that began before are left out.

    Parameters
    ----------
    parquet, piece : the opened file, and the piece
    columns : those to read
    keys : some of the columns, which are the same in rows that belong together
    """
    there = [name for name in keys if name in parquet.schema_arrow.names]

    def read(first: int, last: int, names: Sequence[str]) -> Any:
        return parquet.read_row_groups(list(range(first, last + 1)), columns=list(names), use_threads=False)

    table, skipped = read(piece.first, piece.last, columns), 0
    if piece.first > 0:
        before = _key(read(piece.first - 1, piece.first - 1, there), there, -1)
        skipped = _alike(table, there, before)
        table = table.slice(skipped)
    last = piece.last
    while len(table) and last + 1 < parquet.metadata.num_row_groups:
        last += 1
        more = read(last, last, columns)
        count = _alike(more, there, _key(table, there, -1))
        if count:
            import pyarrow as pa  # noqa: PLC0415

            table = pa.concat_tables([table, more.slice(0, count)])
        if count < len(more):
            break
    return table, piece.start + skipped


def in_lots_of_keys(table: Any, keys: Sequence[str], rows: int = LOT) -> Iterator[tuple[int, Any]]:
    """A table in lots of about so many rows, all rows of a key in one; and how many rows are before each."""
    new = np.zeros(len(table), dtype=bool)
    for name in keys:
        if name in table.column_names:
            index = texts_of(table.column(name)).index
            new[1:] |= index[1:] != index[:-1]
    starts, start = np.append(np.flatnonzero(new), len(table)), 0
    while start < len(table):
        later = starts[starts > start]
        end = int(later[max(int(np.searchsorted(later, start + rows, side="right")) - 1, 0)])
        yield start, table.slice(start, end - start)
        start = end


def texts_of(column: Any) -> Texts:
    """A column of texts or whole numbers as texts."""
    import pyarrow as pa  # noqa: PLC0415 - loaded for Parquet alone

    if not pa.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    column = column.unify_dictionaries()
    chunks = column.chunks
    if not chunks:
        return Texts([], np.zeros(0, dtype=np.intp))
    index = np.concatenate([_values(chunk.indices, np.intp, -1) for chunk in chunks])
    texts = chunks[0].dictionary
    if len(texts) * _MANY > len(index):  # few of them may be used
        used = np.zeros(len(texts) + 1, dtype=bool)
        used[index] = True
        place = np.append(np.cumsum(used[:-1]) - 1, -1)  # the last is of none
        index, texts = (
            place[index],
            texts.filter(pa.Array.from_buffers(pa.bool_(), len(texts), [None, _bits(used[:-1])])),
        )
    return Texts([_text(each) for each in texts.to_pylist()], index)


def numbers_of(column: Any) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """(n,) a column of numbers or of their texts, NaN where there is none; and whether something else stands there."""
    import pyarrow as pa  # noqa: PLC0415 - loaded for Parquet alone

    if pa.types.is_integer(column.type) or pa.types.is_floating(column.type):
        values = np.concatenate([np.zeros(0), *(_values(chunk, np.float64, np.nan) for chunk in column.chunks)])
        return values, np.isinf(values)
    found = texts_of(column)
    known = [text.lstrip("+-").replace(".", "", 1).isdecimal() for text in found.texts]
    numbers = [float(text) if good else np.nan for text, good in zip(found.texts, known, strict=True)]
    bad = [bool(text) and not good for text, good in zip(found.texts, known, strict=True)]
    return np.array([*numbers, np.nan])[found.index], np.array([*bad, False])[found.index]


def _values(array: Any, kind: type[np.generic], missing: float) -> NDArray[Any]:
    """Numbers of a kind, and another where none is.

    They are taken from Arrow's own buffers: pyarrow's ways to numpy import pandas where that is installed.
    """
    known, values = array.buffers()
    start, end = array.offset, array.offset + len(array)
    found = np.frombuffer(values, dtype=array.type.to_pandas_dtype(), count=end)[start:].astype(kind)
    if array.null_count:
        bits = np.unpackbits(np.frombuffer(known, dtype=np.uint8), count=end, bitorder="little")[start:]
        found[bits == 0] = missing
    return found


def _bits(flags: NDArray[np.bool_]) -> Any:
    """Flags as Arrow keeps them."""
    import pyarrow as pa  # noqa: PLC0415 - loaded for Parquet alone

    return pa.py_buffer(np.packbits(flags, bitorder="little").tobytes())


def write_parquet(target: Path, tables: Iterator[Any], schema: Any) -> None:
    """Write tables to a new file, one after the other: the file has its name when all of it is there.

    Raises
    ------
    FileError : where it cannot be written; nothing is then changed
    """
    import pyarrow.parquet as pq  # noqa: PLC0415 - loaded for Parquet alone

    try:
        with beside(target) as (temporary, file):
            with pq.ParquetWriter(file, schema, compression="zstd", use_dictionary=True) as writer:
                for table in tables:
                    writer.write_table(table, row_group_size=max(len(table), 1))
            file.flush()
            temporary.replace(target)
    except OSError as error:
        raise FileError(f"{target}: not written, {one_line(error.strerror or error)}") from error


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value).strip()


def _key(table: Any, keys: Sequence[str], at: int) -> tuple[object, ...]:
    return tuple(table.column(name)[at].as_py() for name in keys)


def _alike(table: Any, keys: Sequence[str], key: tuple[object, ...]) -> int:
    """How many rows at the beginning have a key."""
    same = np.ones(len(table), dtype=bool)
    for name, wanted in zip(keys, key, strict=True):
        column = texts_of(table.column(name))
        codes = [at for at, text in enumerate(column.texts) if text == _text(wanted)] if wanted is not None else [-1]
        same &= np.isin(column.index, codes)
    return len(table) if same.all() else int(np.argmin(same))


def _system(address: str) -> tuple[Any, str]:
    with loading("fsspec", extra="bulk"):
        from fsspec.core import url_to_fs  # noqa: PLC0415 - loaded for Parquet alone
    found: tuple[Any, str] = url_to_fs(address)
    return found


@contextmanager
def _bytes(address: str, data: bytes | None) -> Iterator[IO[bytes]]:
    if data is not None:
        yield io.BytesIO(data)
    elif is_address(address):
        system, path = _system(address)
        with system.open(path, "rb") as file:
            yield file
    else:
        with Path(address).open("rb") as file:
            yield file


@contextmanager
def _reached(address: str) -> Iterator[None]:
    """Around what reads at an address: whatever its library raises becomes one line that names the address."""
    try:
        yield
    except ValetError:
        raise
    except ImportError as error:
        raise FileError(f"{address}: addresses of this kind need a library: {one_line(error)}") from error
    except FileNotFoundError as error:
        raise FileError(f"{address}: no such file or folder ({one_line(error) or 'it is not there'})") from error
    except Exception as error:  # each store's library has errors of its own
        kind = type(error).__name__
        raise FileError(f"{address}: cannot be read as Parquet ({kind}: {one_line(error)[:200]})") from error
