"""Finds positions in the files of an index.

These never change once they have their names, so they are mapped into memory. Their metadata are checked against their
sizes when they are opened, and all data when they are read.
"""

from __future__ import annotations

import mmap
import zlib
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from tabiya.errors import CorruptError
from tabiya.files.closing import Closing
from tabiya.files.file_bytes import FileBytes
from tabiya.files.file_errors import errors_of
from tabiya.files.parallel import ordered_map
from tabiya.positions.index.delta_kernel import find_key, read_column, read_rows
from tabiya.positions.index.frame_kernel import page_head
from tabiya.positions.index.layout import FENCES, GROUP_ROWS, MOST_COLUMNS, POSITIONS, VARIATIONS, Table, checked_mark
from tabiya.positions.index.parquet_frame import MAGIC
from tabiya.positions.searchable import IndexRows, VariationRows

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from numpy.typing import NDArray

    Words = NDArray[np.uint64]

_MOST_PAGE_BYTES = 9 * GROUP_ROWS
_STRETCH_GROUPS = 4
_IN_THIS_THREAD = pa.ipc.IpcReadOptions(use_threads=False)


class PositionIndex(Closing):
    """The files of an index, for lookups by one or several threads. Must be closed.

    A file is a path, or already open: a caller whose files may be removed opens them first.

    Args:
        positions: the positions of main lines.
        fences: the first key of every group of rows, and its place.
        variations: the positions of variations, if there is such a file.
        records: the number of records: a game with a higher number is damage.
    """

    def __init__(
        self,
        positions: Path | FileBytes,
        fences: Path | FileBytes,
        variations: Path | FileBytes | None = None,
        *,
        records: int = 1 << 31,
    ) -> None:
        mark, columns = _read_fences(fences)
        self._tables: dict[str, _TableFile] = {}
        try:
            for file, table in ((positions, POSITIONS), (variations, VARIATIONS)):
                if file is not None:
                    mine = columns["table"] == table.number
                    groups = {name: column[mine] for name, column in columns.items()}
                    self._tables[table.holds] = _TableFile(file, table, mark.get(table.holds), groups, records)
        except BaseException:
            self.close()
            raise

    @property
    def rows(self) -> int:
        """Number of positions of main lines."""
        return self.rows_of(POSITIONS)

    @property
    def variation_rows(self) -> int:
        """Number of positions of variations."""
        return self.rows_of(VARIATIONS)

    def rows_of(self, table: Table) -> int:
        """Return the number of rows of a table; 0 if it does not exist."""
        return self._tables[table.holds].rows if table.holds in self._tables else 0

    def find(self, key: int, *, plies: bool = True) -> IndexRows:
        """Return the occurrences of a position in main lines, by its Polyglot key, signed or not.

        If ``plies`` is False they are not read, which saves time, and are all 0.
        """
        return IndexRows(*self._tables[POSITIONS.holds].find(_signed(key), left_out=() if plies else ("ply",)))

    def find_variations(self, key: int) -> VariationRows:
        """Return the occurrences of a position in variations; none if the index has no variations."""
        if VARIATIONS.holds not in self._tables:
            return VariationRows(np.empty(0, np.int32), np.empty(0, np.int32))
        return VariationRows(*self._tables[VARIATIONS.holds].find(_signed(key)))

    def stretches(self, table: Table = POSITIONS, *, threads: int = 1) -> Iterator[Words]:
        """Yield all rows of a table in order, some ten thousand at a time, as two words each: see ``IndexWriter``."""
        return self._tables[table.holds].stretches(threads) if table.holds in self._tables else iter(())

    def close(self) -> None:
        """Close the files. May be called twice."""
        for table in self._tables.values():
            table.close()


class _TableFile:
    """One Parquet file of an index."""

    def __init__(
        self, file: Path | FileBytes, table: Table, metadata: Any, groups: dict[str, NDArray[Any]], records: int
    ) -> None:
        self._path = _path_of(file)
        self._records = records
        self._table = table
        self._keys = groups["key"]
        self._codec = pa.Codec("lz4_raw")
        with errors_of(self._path):
            opened = FileBytes(file) if isinstance(file, Path) else file
            self.rows = _checked_groups(table, metadata, groups, len(opened))
            self._map = opened.mapped()
            self._data = memoryview(self._map)
            if {bytes(self._data[:4]), bytes(self._data[-4:])} != {MAGIC}:
                self.close()
                raise CorruptError("is not a Parquet file, or its end is missing")
        self._rows = groups["rows"].tolist()
        self._places, self._stored, self._plain = (groups[name] for name in ("place", "stored", "plain"))
        self._compared = np.zeros(self._places.shape, np.bool_)

    def _page(self, group: int, column: int) -> Any:
        """Return the content of a page."""
        place, stored = int(self._places[group, column]), int(self._stored[group, column])
        data = self._data[place : place + stored]
        if not self._compared[group, column]:
            self._compare(group, column, data)
        if not self._table.columns[column].compressed:
            return data
        try:
            return np.frombuffer(self._codec.decompress(data, int(self._plain[group, column])), np.uint8)
        except (pa.ArrowException, OSError) as error:
            raise self._damage(group, column) from error

    def _compare(self, group: int, column: int, data: memoryview) -> None:
        """Compare a page with its checksum, once, when it is first read; older versions of tabiya wrote none."""
        place, sizes = int(self._places[group, column]), (int(self._plain[group, column]), len(data))
        heads = [page_head(self._rows[group], *sizes, crc32) for crc32 in (zlib.crc32(data), None)]
        if not any(self._data[max(0, place - len(head)) : place] == head for head in heads):
            raise self._damage(group, column)
        self._compared[group, column] = True

    def _damage(self, group: int, column: int) -> CorruptError:
        name = self._table.columns[column].name
        return CorruptError(
            f"is damaged in the column {name} of group {group}; build the index again",
            path=self._path,
            offset=int(self._places[group, column]),
        )

    def _span(self, group: int, key: int) -> tuple[int, int, int]:
        begin, end = find_key(self._page(group, 0), self._rows[group], key)
        if begin < 0:
            raise self._damage(group, 0)
        return group, begin, end

    def find(self, key: int, left_out: Collection[str] = ()) -> list[NDArray[Any]]:
        """Return the columns after the key for all rows with it; those in ``left_out`` are 0."""
        first = max(0, int(self._keys.searchsorted(key, "left")) - 1)
        last = int(self._keys.searchsorted(key, "right")) - 1
        spans = [self._span(group, key) for group in sorted({first, last}) if group >= 0 and first <= last]
        spans[1:1] = [(group, 0, self._rows[group]) for group in range(first + 1, last)]
        spans = [(group, begin, end) for group, begin, end in spans if begin < end]
        total = sum(end - begin for _, begin, end in spans)
        found = [
            np.zeros(total, each.dtype) if each.name in left_out else self._column(place, spans, total)
            for place, each in enumerate(self._table.columns[1:], start=1)
        ]
        if total and int(found[0].max()) >= self._records:
            raise self._damage(first, 1)
        return found

    def _column(self, column: int, spans: list[tuple[int, int, int]], total: int) -> NDArray[Any]:
        dtype, number = self._table.columns[column].dtype, self._table.columns[column].number
        found = np.empty(total, dtype)
        target = found.view(np.uint8)
        done = 0
        for group, begin, end in spans:
            if not read_column(self._page(group, column), self._rows[group], number, begin, end, target[done:]):
                raise self._damage(group, column)
            done += (end - begin) * dtype.itemsize
        return found

    def stretches(self, threads: int) -> Iterator[Words]:
        firsts = range(0, len(self._rows), _STRETCH_GROUPS)
        return ordered_map(self._stretch, firsts, threads)

    def _stretch(self, first: int) -> Words:
        rows = self._rows[first : first + _STRETCH_GROUPS]
        words = np.empty((sum(rows), 2), np.uint64)
        done = 0
        for group, count in enumerate(rows, start=first):
            for place, column in enumerate(self._table.columns):
                if not read_rows(self._page(group, place), column.number, words[done : done + count]):
                    raise self._damage(group, place)
            done += count
        self._forget(first)
        return words

    def _forget(self, first: int) -> None:
        """Release memory pages of some groups that were read; otherwise all of the file stays in memory."""
        if hasattr(self._map, "madvise"):
            begin = int(self._places[first, 0]) // mmap.PAGESIZE * mmap.PAGESIZE
            last = min(first + _STRETCH_GROUPS, len(self._rows)) - 1
            end = int(self._places[last, len(self._table.columns) - 1])
            self._map.madvise(mmap.MADV_DONTNEED, begin, end - begin)

    def close(self) -> None:
        with suppress(BufferError):  # another thread is reading: the map is closed when it is done
            self._data.release()
            self._map.close()


def _path_of(file: Path | FileBytes) -> Path:
    return file if isinstance(file, Path) else file.path


def _read_fences(file: Path | FileBytes) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Return the metadata in the fences, and their columns."""
    with errors_of(_path_of(file)):
        try:
            data = (FileBytes(file) if isinstance(file, Path) else file)[:]
            table = pa.ipc.open_file(data, options=_IN_THIS_THREAD).read_all().combine_chunks()
            mark = checked_mark(table.schema.metadata, "fences")
            if not table.schema.equals(FENCES):
                raise CorruptError("has columns that are not those of fences")
            table.validate(full=True)
        except (pa.ArrowException, OSError, ValueError) as error:
            if isinstance(error, OSError) and error.errno is not None:
                raise
            raise CorruptError(f"is damaged: {str(error).splitlines()[0]}") from error
    return mark, {name: _numbers(table.column(name).combine_chunks()) for name in FENCES.names}


def _numbers(column: pa.Array) -> NDArray[Any]:
    """Return the numbers of a column, which may have several per row."""
    several = pa.types.is_fixed_size_list(column.type)
    flat = column.values if several else column
    dtype = np.dtype(str(flat.type))
    numbers = np.frombuffer(flat.buffers()[1] or b"", dtype, len(flat), flat.offset * dtype.itemsize)
    return numbers.reshape(-1, MOST_COLUMNS) if several else numbers


def _checked_groups(table: Table, metadata: Any, groups: dict[str, NDArray[Any]], size: int) -> int:
    """Return the number of rows of a file by its fences; raise an error if they do not match its size."""
    count = len(table.columns)
    keys, rows = groups["key"], groups["rows"]
    place, stored, plain = (groups[name][:, :count] for name in ("place", "stored", "plain"))
    total = int(rows.sum())
    if not isinstance(metadata, dict) or (metadata.get("rows"), metadata.get("bytes")) != (total, size):
        raise CorruptError(f"has {size:,} bytes, which does not match its fences; build the index again")
    sound = (
        bool((keys[1:] >= keys[:-1]).all())
        and bool((rows[:-1] == GROUP_ROWS).all())
        and bool(((rows > 0) & (rows <= GROUP_ROWS)).all())
        and bool(((len(MAGIC) <= place) & (place <= size) & (stored >= 0) & (stored <= size - place)).all())
        and bool(((plain > 0) & (plain <= _MOST_PAGE_BYTES)).all())
    )
    if not sound:
        raise CorruptError("does not match its fences, which point to places that do not exist; build the index again")
    return total


def _signed(key: int) -> int:
    key &= (1 << 64) - 1
    return key - (1 << 64) if key >> 63 else key
