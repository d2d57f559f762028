"""A BCGN file open for reading."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final, cast

import numpy as np

from tabiya.errors import UsageError
from tabiya.files.parallel import ordered_map
from tabiya.formats.bcgn import BCGN
from tabiya.formats.bcgn.entries import Stretch, stretches
from tabiya.formats.bcgn.file_header import HEADER_BYTES, FileHeader
from tabiya.formats.bcgn.read_kernel import read_games
from tabiya.formats.database import HEADER_SCHEMA, READ_ONCE, Database
from tabiya.game import GameBatch
from tabiya.game.assemble import assemble, new_builder
from tabiya.game.code_pages import code_page, encoding_called

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa

    from tabiya.formats.format import Place
    from tabiya.game.record import Problem

_AUTO: Final = "auto"
_UTF8_NAMES: Final = frozenset({"utf-8", "utf-8-sig"})
_FALLBACK: Final = "cp1252"


@dataclass(slots=True)
class _Tally:
    """Counts from a complete pass over the file."""

    entries: int = 0
    plies: int = 0
    movetext: int = 0
    size: int = HEADER_BYTES

    def add(self, stretch: Stretch) -> None:
        self.entries += len(stretch.ends)
        self.plies += stretch.plies
        self.movetext += stretch.movetext
        self.size = stretch.offset + len(stretch.data)


@dataclass(frozen=True, slots=True)
class _Place:
    """The beginning of a stretch, for random access."""

    offset: int
    first: int
    count: int


class BcgnDatabase(Database):
    """The games of a BCGN file or stream.

    There is no index in the file: games are found by following their lengths, once. Strings are bytes of unknown
    encoding; those that are not UTF-8 are read as ``cp1252`` (``encoding="auto"``), or all are read in the given
    encoding. A stream can be read once; its length and single games first require a copy in a temporary file.
    """

    def __init__(self, place: Place, *, encoding: str = _AUTO) -> None:
        super().__init__(place if isinstance(place, Path) else None, BCGN)
        utf8 = encoding.lower() == _AUTO or encoding_called(encoding).name in _UTF8_NAMES
        page = code_page(_FALLBACK if utf8 else encoding)
        if page is None:
            raise UsageError(f"BCGN strings are UTF-8 or have one byte per character, so they cannot be {encoding}")
        self._page = page
        self._always_page = not utf8
        self._place: Place | None = place
        self._spool: BinaryIO | None = None
        self._places: list[_Place] | None = None
        self._kept: tuple[int, Stretch] | None = None
        self._tally: _Tally | None = None
        self._size = place.stat().st_size if isinstance(place, Path) else None
        self._consumed = 0
        if isinstance(place, Path):
            with place.open("rb") as file:
                self._header = FileHeader.decode(file.read(HEADER_BYTES), place)
        else:
            self._header = FileHeader.decode(_read_header(place), None)

    @property
    def level(self) -> int:
        """The compression level: 0 two bytes per move, 1 the move index, 2 as few bits as possible."""
        return self._header.level

    @property
    def headerless(self) -> bool:
        """Whether the file contains only moves and results."""
        return self._header.headerless

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Anomalies of the file header."""
        return self._header.problems

    @property
    def progress(self) -> float | None:
        """Fraction of the file that has been read; None for streams."""
        return min(1.0, self._consumed / self._size) if self._size else None

    def details(self) -> dict[str, str | int | float]:
        """Return level and flags, and the space that games and moves take."""
        facts: dict[str, str | int | float] = {
            "level": self.level,
            "flags": "headerless" if self.headerless else "none",
        }
        if self._tally is None and self._place is not None:
            self._find_places()
        if self._tally is not None and self._tally.entries:
            facts["bytes per game"] = round((self._tally.size - HEADER_BYTES) / self._tally.entries, 1)
        if self._tally is not None and self._tally.plies:
            facts["bits per move"] = round(8 * self._tally.movetext / self._tally.plies, 2)
        return facts

    # Reading.

    @contextmanager
    def _opened(self) -> Iterator[BinaryIO]:
        """Yield the bytes after the header; a stream is returned only once."""
        if self._spool is not None:
            self._spool.seek(0)
            yield self._spool
        elif isinstance(self._place, Path):
            with self._place.open("rb") as file:
                file.seek(HEADER_BYTES)
                yield file
        elif self._place is None:
            raise UsageError(READ_ONCE)
        else:
            stream, self._place = self._place, None
            yield stream

    def _stretches(self) -> Iterator[Stretch]:
        tally = _Tally()
        with self._opened() as stream:
            for stretch in stretches(stream, self._header):
                self._consumed = stretch.offset + len(stretch.data)
                tally.add(stretch)
                yield stretch
        self._tally = tally

    def _parse(self, stretch: Stretch, *, bare: bool = False) -> GameBatch:
        builder = new_builder()
        read_games(
            builder,
            stretch.data,
            stretch.ends,
            stretch.offset,
            self.level,
            self.headerless,
            stretch.final,
            bare,
            self._page,
            self._always_page,
        )
        return assemble(builder.finish())

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
                places.append(_Place(stretch.offset, first, len(stretch.ends)))
                first += len(stretch.ends)
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
                found.append(self._parse(self._stretch(number).part(begin, end)))
            number += 1
        return GameBatch.concat(found).numbered(start + 1)

    def _stretch(self, number: int) -> Stretch:
        """Return a stretch by its number; the last one is cached for adjacent games."""
        if self._kept is None or self._kept[0] != number:
            place = self._find_places()[number]
            with self._opened() as stream:
                stream.seek(place.offset - HEADER_BYTES, 1)
                self._kept = number, next(stretches(stream, self._header, offset=place.offset))
        return self._kept[1]

    def _close(self) -> None:
        self._kept = None
        if self._spool is not None:
            self._spool.close()


def _read_header(stream: BinaryIO) -> bytes:
    header = b""
    while len(header) < HEADER_BYTES and (piece := stream.read(HEADER_BYTES - len(header))):
        header += piece
    return header


def _numbered(batches: Iterator[GameBatch]) -> Iterator[GameBatch]:
    """Yield the batches with their records numbered consecutively."""
    first = 1
    for batch in batches:
        yield batch.numbered(first)
        first += len(batch)
