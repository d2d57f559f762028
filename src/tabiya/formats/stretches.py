"""Databases of one file without an index: records are found by reading it once, a stretch of whole records at a time.

A stretch depends only on its own beginning, so any number of threads, and random access, read the same stretches.
"""

from __future__ import annotations

import shutil
import tempfile
import weakref
from abc import abstractmethod
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final, Generic, Protocol, TypeVar, cast

import numpy as np

from tabiya.errors import UsageError
from tabiya.files.parallel import ordered_map
from tabiya.files.shared_files import open_to_read
from tabiya.formats.database import HEADER_SCHEMA, READ_ONCE, Database
from tabiya.game import GameBatch
from tabiya.game.code_pages import code_page, encoding_called

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa
    from numpy.typing import NDArray

    from tabiya.formats.format import Format, Place

AUTO_ENCODING: Final = "auto"
_UTF8_NAMES: Final = frozenset({"utf-8", "utf-8-sig"})
_FALLBACK: Final = "cp1252"


class Stretch(Protocol):
    """Some consecutive records."""

    @property
    def data(self) -> bytes | memoryview:
        """Their bytes."""

    @property
    def offset(self) -> int:
        """Their offset in the file."""

    @property
    def count(self) -> int:
        """The number of records."""


S = TypeVar("S", bound=Stretch)


@dataclass(frozen=True, slots=True)
class _Place:
    """The beginning of a stretch, for random access."""

    offset: int
    first: int
    count: int


class StretchDatabase(Database, Generic[S]):
    """A file or a stream that is read in stretches.

    Strings are bytes of unknown encoding; those that are not UTF-8 are read as ``cp1252`` (``encoding="auto"``), or all
    are read in the given encoding. A stream can be read once; its length and single records first require a copy in a
    temporary file.
    """

    def __init__(self, place: Place, format: Format, *, encoding: str, begin: int = 0) -> None:
        super().__init__(place if isinstance(place, Path) else None, format)
        utf8 = encoding.lower() == AUTO_ENCODING or encoding_called(encoding).name in _UTF8_NAMES
        page = code_page(_FALLBACK if utf8 else encoding)
        if page is None:
            raise UsageError(
                f"strings of {format.title} are UTF-8 or have one byte per character, so they cannot be {encoding}"
            )
        self._page: NDArray[np.uint16] = page
        self._always_page = not utf8
        self._begin = begin
        self._place: Place | None = place
        self._spool: BinaryIO | None = None
        self._places: list[_Place] | None = None
        self._kept: tuple[int, S] | None = None
        self._size = place.stat().st_size if isinstance(place, Path) else None
        self._consumed = 0

    # Implemented by formats.

    @abstractmethod
    def _read_stretches(self, stream: BinaryIO, offset: int) -> Iterator[S]:
        """Read a stream positioned at the beginning of a record, which has this offset in the file."""

    @abstractmethod
    def _parse(self, stretch: S, *, bare: bool = False) -> GameBatch:
        """Return the records of a stretch; ``bare``: moves are not needed."""

    @abstractmethod
    def _records_of(self, stretch: S, start: int, stop: int) -> GameBatch:
        """Return some records of a stretch."""

    # Reading.

    @property
    def progress(self) -> float | None:
        """Fraction of the file that has been read; None for streams."""
        return min(1.0, self._consumed / self._size) if self._size else None

    @contextmanager
    def _opened(self) -> Iterator[BinaryIO]:
        """Yield the bytes from the first record on; a stream is returned only once."""
        if self._spool is not None:
            self._spool.seek(0)
            yield self._spool
        elif isinstance(self._place, Path):
            with open_to_read(self._place) as file:
                file.seek(self._begin)
                yield file
        elif self._place is None:
            raise UsageError(READ_ONCE)
        else:
            stream, self._place = self._place, None
            yield stream

    def _stretches(self) -> Iterator[S]:
        with self._opened() as stream:
            for stretch in self._read_stretches(stream, self._begin):
                self._consumed = stretch.offset + len(stretch.data)
                yield stretch

    def _batches(self, threads: int) -> Iterator[GameBatch]:
        return _numbered(ordered_map(self._parse, self._stretches(), threads))

    def _headers(self, threads: int) -> Iterator[pa.RecordBatch]:
        bare = ordered_map(lambda stretch: self._parse(stretch, bare=True), self._stretches(), threads)
        for batch in _numbered(bare):
            yield batch.record_batch.select(HEADER_SCHEMA.names)

    # Random access.

    def _settle(self) -> None:
        """Copy a stream to a temporary file, so that it can be read again."""
        if not isinstance(self._place, Path) and self._spool is None:
            with self._opened() as stream:
                spool = cast("BinaryIO", tempfile.TemporaryFile(prefix="tabiya-"))  # noqa: SIM115 - closed by _close
                weakref.finalize(self, spool.close)
                shutil.copyfileobj(stream, spool)
                self._spool = spool

    def _find_places(self) -> list[_Place]:
        if self._places is None:
            self._settle()
            places: list[_Place] = []
            first = 0
            for stretch in self._stretches():
                places.append(_Place(stretch.offset, first, stretch.count))
                first += stretch.count
            self._places = places
        return self._places

    def _count(self) -> int:
        places = self._find_places()
        return places[-1].first + places[-1].count if places else 0

    def _read(self, start: int, stop: int) -> GameBatch:
        places = self._find_places()
        firsts = np.array([place.first for place in places], np.int64)
        found = []
        number = int(np.searchsorted(firsts, start, side="right")) - 1
        while number < len(places) and places[max(number, 0)].first < stop:
            place = places[number]
            begin, end = max(start - place.first, 0), min(stop - place.first, place.count)
            if begin < end:
                found.append(self._records_of(self._stretch(number), begin, end))
            number += 1
        return GameBatch.concat(found).numbered(start + 1)

    def _stretch(self, number: int) -> S:
        """Return a stretch by its number; the last one is cached for adjacent records."""
        if self._kept is None or self._kept[0] != number:
            place = self._find_places()[number]
            with self._opened() as stream:
                stream.seek(place.offset - self._begin, 1)
                self._kept = number, next(self._read_stretches(stream, place.offset))
        return self._kept[1]

    def _close(self) -> None:
        self._kept = None
        if self._spool is not None:
            self._spool.close()


def read_fully(stream: BinaryIO, size: int) -> bytes:
    """Return this many bytes, or all that are left: pipes return fewer than requested."""
    parts: list[bytes] = []
    while size and (piece := stream.read(size)):
        parts.append(piece)
        size -= len(piece)
    return parts[0] if len(parts) == 1 else b"".join(parts)


def _numbered(batches: Iterator[GameBatch]) -> Iterator[GameBatch]:
    """Yield the batches with their records numbered consecutively."""
    first = 1
    for batch in batches:
        yield batch.numbered(first)
        first += len(batch)
