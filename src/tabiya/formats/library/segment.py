"""An open segment of a library: games, facts, main lines, positions and names of its records."""

from __future__ import annotations

import mmap
import os
import weakref
import zlib
from contextlib import contextmanager
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from tabiya.errors import CorruptError, FormatError
from tabiya.files.file_bytes import FileBytes
from tabiya.files.shared_files import open_shared
from tabiya.formats.library.group_cache import GroupCache
from tabiya.formats.library.layout import FILTER, NAMES, NUMBERED_FILTER, ORIGINS, TAPES, remedy_of
from tabiya.formats.library.manifest import SegmentEntry, file_name
from tabiya.formats.record_file import RecordFile
from tabiya.game.record import Variant
from tabiya.positions.game_facts import FACTS, Flag, MainLines
from tabiya.positions.index import PositionIndex
from tabiya.positions.searchable import MOST_PLY, IndexRows, VariationRows

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

    from numpy.typing import NDArray
    from typing_extensions import Buffer

    Found = TypeVar("Found", bound=tuple[NDArray[Any], ...])

_KEPT_BYTES: Final = {"batch": 16 << 20, "headers": 4 << 20, "origins": 1 << 20}
"""Cache sizes by kind: about eight groups of games without many comments. Lists do not evict games."""

_PIECE_BYTES: Final = 32 << 20
"""Mapped bytes that are compared with a checksum before they are dropped from memory again."""

_FEW: Final = 16
"""For more rows of a group, the group is read as a whole: bulk work goes on with the rows after them."""

_IN_THIS_THREAD: Final = pa.ipc.IpcReadOptions(use_threads=False)


class LibrarySegment:
    """The files of a segment. All are opened at once, so that a writer may remove them; their contents are read later.

    Files are opened by name only here: everything later reads through the descriptor. A file never changes once it has
    its name, so it may be mapped into memory after its size was compared. Its checksum, compared when it is first read,
    detects changes all the same.
    """

    KINDS: ClassVar[Collection[str] | None] = None
    """Files to open; None for all."""

    def __init__(self, folder: Path, entry: SegmentEntry) -> None:
        self.entry = entry
        self._folder = folder
        self._descriptors: dict[str, int] = {}
        self._maps: list[mmap.mmap] = []
        self._end = weakref.finalize(self, _close, self._descriptors)
        self.later: tuple[LibrarySegment, ...] = ()
        """Segments that may hide rows of this one."""
        try:
            for kind, stored in entry.files.items():
                if self.KINDS is not None and kind not in self.KINDS:
                    continue
                self._descriptors[kind] = open_shared(self.path(kind))
                size = os.fstat(self._descriptors[kind]).st_size
                if size != stored.bytes:
                    what = f"has {size:,} bytes, but the manifest of the library states {stored.bytes:,}"
                    raise CorruptError(f"{what}; {remedy_of(kind)}", path=self.path(kind))
        except BaseException:
            self.close()
            raise
        self._groups = {kind: GroupCache(partial(self._read_group, kind), most) for kind, most in _KEPT_BYTES.items()}

    def path(self, kind: str) -> Path:
        """Return the path of a file of the segment, which may be gone."""
        return self._folder / file_name(kind, self.entry.number)

    def data(self, kind: str) -> FileBytes:
        """Return the bytes of a file; the caller closes them."""
        self._check_open()
        return FileBytes(self.path(kind), self._descriptors[kind])

    def close(self) -> None:
        """Close the files. May be called twice."""
        if "index" in vars(self):
            self.index.close()
        if "games" in vars(self):
            self.games.close()
        self._end()

    # Interface for searches.

    @property
    def first(self) -> int:
        """Number of records before it."""
        return self.entry.first

    @cached_property
    def numbers(self) -> NDArray[np.int32] | None:
        """Number of records before each of its rows; None if they are consecutive."""
        if not self.entry.numbered:
            return None
        return self._in_order(self._filter["game"].to_numpy(), "filter")

    def _in_order(self, numbers: NDArray[np.int32], kind: str) -> NDArray[np.int32]:
        if numbers[0] != self.first or (np.diff(numbers) <= 0).any():
            raise CorruptError(f"has numbers of records that are not in order; {remedy_of(kind)}", path=self.path(kind))
        return numbers

    @property
    def end(self) -> int:
        """Number of records up to its last one."""
        return self.first + self.entry.rows if self.numbers is None else int(self.numbers[-1]) + 1

    @cached_property
    def hidden(self) -> NDArray[np.bool_] | None:
        """Which of its rows a later segment has replaced; None if there are none."""
        numbers = self.numbers_of(np.arange(self.entry.rows)) if self.later else np.empty(0, np.int64)
        hidden = np.zeros(len(numbers), np.bool_)
        for later in self.later:
            if later.numbers is None:
                hidden |= (numbers >= later.first) & (numbers < later.end)
            else:
                hidden |= np.isin(numbers, later.numbers)
        return hidden if hidden.any() else None

    @cached_property
    def facts(self) -> NDArray[Any]:
        """A row of FACTS for each of its records."""
        column = self._filter["facts"]
        with self._reading("filter"):
            facts: NDArray[Any] = np.frombuffer(column.buffers()[1], FACTS, len(column))
        return facts

    @cached_property
    def lines(self) -> MainLines:
        """The moves of its main lines."""
        tapes = self._mapped("tapes", TAPES)
        with self._reading("tapes"):
            tapes.validate(full=True)
            lines = tapes["line"]
            return MainLines(lines.values.to_numpy(), lines.offsets.to_numpy(), tapes["start"])

    def forget_pages(self) -> None:
        """Drop the mapped pages of facts and main lines from memory; they are read again when needed."""
        for mapped in self._maps:
            _forget(mapped, 0, len(mapped))

    @property
    def has_positions(self) -> bool:
        """Whether there is an index."""
        return self.entry.positions is not None

    @cached_property
    def has_chess960(self) -> bool:
        """Whether the index includes all games of Chess960; those of earlier versions of tabiya lack them."""
        if self.entry.chess960 is not None:
            return True
        facts = self.facts
        return not ((facts["variant"] != Variant.STANDARD) | (facts["flags"] & Flag.SET_UP != 0)).any()

    def count_chess960(self) -> int:
        """Return the number of its visible games of Chess960."""
        facts = self.facts
        visible = np.ones(len(facts), np.bool_) if self.hidden is None else ~self.hidden
        games = facts["flags"] & (Flag.GAME | Flag.DELETED) == Flag.GAME
        return int(np.count_nonzero(games & visible & (facts["variant"] == Variant.CHESS960)))

    @property
    def has_variations(self) -> bool:
        """Whether the index includes positions in variations."""
        return self.entry.variations is not None

    @cached_property
    def index(self) -> PositionIndex:
        """The index, if there is one."""
        fences = self.data("fences")
        self._compare("fences", fences[:])
        variations = self.data("variations") if self.has_variations else None
        index = PositionIndex(self.data("positions"), fences, variations, records=self.end)
        if (index.rows, index.variation_rows) != (self.entry.positions, self.entry.variations or 0):
            index.close()
            what = "does not have as many positions as the manifest of the library states"
            raise CorruptError(f"{what}; {remedy_of('fences')}", path=self.path("fences"))
        return index

    @cached_property
    def cut_rows(self) -> NDArray[np.int64]:
        """Rows whose games are too long for the index."""
        return np.flatnonzero(self.facts["plies"] > MOST_PLY)

    def find(self, key: int, *, plies: bool = True) -> IndexRows:
        """Return the games of a position, by its Polyglot key. If ``plies`` is False they are not read, and all 0."""
        if not self.has_positions:
            return IndexRows(np.empty(0, np.int32), np.empty(0, np.int16), np.empty(0, np.int16))
        return IndexRows(*self._own(self.index.find(key, plies=plies)))

    def find_variations(self, key: int) -> VariationRows:
        """Return the games that contain it in a variation."""
        if not self.has_variations:
            return VariationRows(np.empty(0, np.int32), np.empty(0, np.int32))
        return VariationRows(*self._own(self.index.find_variations(key)))

    def _own(self, rows: Found) -> Found:
        """Return rows of the index after checking that their games are in the segment."""
        if len(rows[0]) and int(rows[0].min()) < self.first:
            what = "names games that are not in its segment"
            raise CorruptError(f"{what}; {remedy_of('positions')}", path=self.path("positions"))
        return rows

    # Records.

    def numbers_of(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the number of records before each of some rows."""
        return rows + self.first if self.numbers is None else self.numbers[rows].astype(np.int64)

    @cached_property
    def games(self) -> RecordFile:
        """The records themselves."""
        try:
            games = RecordFile(self.data("games"))
        except FormatError as error:  # a file with this name in a library was one of its files
            raise CorruptError(f"is damaged: {error}", path=self.path("games")) from error
        if games.starts[-1] != self.entry.rows:
            what = f"has {games.starts[-1]:,} records, but the manifest of the library states {self.entry.rows:,}"
            raise CorruptError(what, path=self.path("games"))
        return games

    def read(self, rows: NDArray[np.int64], kind: str) -> pa.RecordBatch:
        """Return some rows: ``batch`` for all columns of a record, ``headers`` or ``origins``."""
        starts = self.games.starts
        groups = np.searchsorted(starts, rows, side="right") - 1
        cuts = np.flatnonzero(np.diff(groups)) + 1
        parts = []
        for part in np.split(np.arange(len(rows)), cuts):
            group = int(groups[part[0]])
            selected = rows[part] - starts[group]
            whole = int(starts[group + 1] - starts[group])
            records = self._groups[kind].first(group, int(selected.max()) + 1 if len(selected) <= _FEW else whole)
            follow = bool((np.diff(selected) == 1).all())
            parts.append(records.slice(selected[0], len(selected)) if follow else records.take(pa.array(selected)))
        return parts[0] if len(parts) == 1 else pa.concat_batches(parts)

    def _read_group(self, kind: str, group: int, most: int | None) -> pa.RecordBatch:
        self._check_open()
        if kind == "batch":
            return self.games.batch(group, most).record_batch
        if kind == "headers":
            return self.games.headers(group)
        return self._origins(group)

    def _origins(self, group: int) -> pa.RecordBatch:
        rows = int(self.games.starts[group + 1] - self.games.starts[group])
        if not set(ORIGINS.names) <= set(self.games.columns):  # another program made the file
            return pa.RecordBatch.from_arrays([pa.nulls(rows, field.type) for field in ORIGINS], schema=ORIGINS)
        with self._reading("games"):
            table = self.games.table(group, ORIGINS.names).cast(ORIGINS).combine_chunks()
            table.validate(full=True)
            return table.to_batches()[0]

    def names(self) -> pa.StringArray:
        """Return the names that it adds, in the order of their numbers."""
        data = self.data("names")
        content = data[:]
        self._compare("names", content)
        with self._reading("names"):
            file = pq.ParquetFile(pa.BufferReader(content), pre_buffer=False)
            table = file.read(columns=["name"], use_threads=False)
            names = table.cast(pa.schema([NAMES.field("name")])).column(0).combine_chunks()
            names.validate(full=True)
        data.close()
        if len(names) != self.entry.names or names.null_count:
            raise CorruptError("does not have the names that the manifest states", path=self.path("names"))
        return names

    # Files.

    @cached_property
    def _filter(self) -> pa.RecordBatch:
        return self._mapped("filter", NUMBERED_FILTER if self.entry.numbered else FILTER)

    def _mapped(self, kind: str, schema: pa.Schema) -> pa.RecordBatch:
        data = self.data(kind)
        with self._reading(kind):
            mapped = data.mapped()
            self._maps.append(mapped)
            self._compare(kind, mapped)
            reader = pa.ipc.open_file(pa.py_buffer(mapped), options=_IN_THIS_THREAD)
            if not reader.schema.equals(schema) or reader.num_record_batches != 1:
                raise CorruptError("does not have the columns of a library")
            records = reader.get_batch(0)
            records.validate()
            if len(records) != self.entry.rows or any(
                column.null_count and not field.nullable for column, field in zip(records.columns, schema, strict=True)
            ):
                raise CorruptError(f"does not have the {self.entry.rows:,} rows that the manifest states")
        return records

    def _compare(self, kind: str, content: Buffer) -> None:
        """Raise an error if a file has changed; libraries of earlier versions have no checksums."""
        known = self.entry.files[kind].crc32
        if known is not None and _checksum(content) != known:
            raise CorruptError(f"has changed since it was written; {remedy_of(kind)}", path=self.path(kind))

    def _check_open(self) -> None:
        if not self._descriptors:
            raise CorruptError("the library is closed", path=self._folder)

    @contextmanager
    def _reading(self, kind: str) -> Iterator[None]:
        """Name the damaged file in errors; pyarrow also reports damage as an ``OSError`` without a number."""
        try:
            yield
        except CorruptError as error:
            error.path = error.path or str(self.path(kind))
            raise
        except (pa.ArrowException, OSError, ValueError) as error:
            if isinstance(error, OSError) and error.errno is not None:
                raise
            what = f"is damaged: {str(error).splitlines()[0]}"
            raise CorruptError(f"{what}; {remedy_of(kind)}", path=self.path(kind)) from error


def _checksum(content: Buffer) -> int:
    """Return the CRC-32 of a file. Mapped pages do not remain in memory, except those of a small file."""
    checksum, whole = 0, memoryview(content)
    for begin in range(0, len(whole), _PIECE_BYTES):
        checksum = zlib.crc32(whole[begin : begin + _PIECE_BYTES], checksum)
        if begin and isinstance(content, mmap.mmap):
            _forget(content, begin - _PIECE_BYTES, _PIECE_BYTES)
    return checksum


def _forget(mapped: mmap.mmap, begin: int, size: int) -> None:
    if hasattr(mmap, "MADV_DONTNEED"):
        mapped.madvise(mmap.MADV_DONTNEED, begin, size)


def _close(descriptors: dict[str, int]) -> None:
    while descriptors:
        os.close(descriptors.popitem()[1])
