"""A PGN file open for reading."""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
import weakref
from bisect import bisect_right
from itertools import islice
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, BinaryIO, Final, NamedTuple, cast

import numpy as np

from tabiya.errors import CorruptError, UsageError
from tabiya.files.file_errors import errors_of
from tabiya.files.parallel import ordered_map
from tabiya.formats.database import READ_ONCE, Database
from tabiya.formats.pgn import PGN
from tabiya.formats.pgn.extras_as_tags import from_tags
from tabiya.formats.pgn.read_kernel import read_games
from tabiya.formats.pgn.source import Chunk, DamagedError, chunks, unpacked
from tabiya.formats.pgn.spellings import (
    piece_letters,
    result_table,
    sign_table,
    variant_table,
)
from tabiya.formats.pgn.splicing import borders_of
from tabiya.formats.pgn.text_tags import from_text_tags
from tabiya.game import GameBatch
from tabiya.game.annotations.rare_commands import read_with_answers
from tabiya.game.assemble import assemble
from tabiya.game.code_pages import code_page, encoding_called
from tabiya.game.record import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray
    from typing_extensions import Buffer

    from tabiya.formats.format import Place
    from tabiya.game.annotations.read_comments_kernel import Commands
    from tabiya.game.columns_kernel import BatchBuilder

_AUTO: Final = "auto"
_UTF8_NAMES: Final = frozenset({"utf-8", "utf-8-sig"})
_FALLBACK: Final = "cp1252"
_COMMAND: Final = re.compile(rb"\[%")
_SMALL_BYTES: Final = 1 << 20
"""Texts up to this size are searched for commands first: importing the annotation classes takes longer."""
_END_BYTES: Final = 8

_MOST_TOGETHER: Final = 8 << 20
"""Maximum bytes of files read together."""


class _Stretch(NamedTuple):
    """The start of a chunk in the text, and the positions of its games: from ``first`` up to ``end``."""

    offset: int
    first: int
    end: int


class PgnDatabase(Database):
    """The games of a PGN file or stream.

    ``database[i]`` reads up to that game the first time, and one chunk of 4 MB afterwards (a compressed file is
    decompressed from its start again, unless the next chunk is read); ``len(database)`` reads everything once.

    Texts that are not valid UTF-8 are read as ``cp1252`` (``encoding="auto"``); with any other ``encoding`` all texts
    are read in it. With ``strict`` the first problem is an error. A stream can be read once from front to back; its
    length and single games first require a copy in a temporary file.
    """

    _damage = (DamagedError,)

    def __init__(self, place: Place, *, encoding: str = _AUTO, language: str = "en", strict: bool = False) -> None:
        super().__init__(place if isinstance(place, Path) else None, PGN)
        self._place: Place | None = place
        self._spool: BinaryIO | None = None
        self._strict = strict
        self._letters = piece_letters(language)
        utf8 = encoding.lower() == _AUTO or encoding_called(encoding).name in _UTF8_NAMES
        page = None if utf8 else code_page(encoding)
        self._always_page = page is not None
        self._page: Any = page if page is not None else code_page(_FALLBACK)
        self._encoding = encoding if page is None and not utf8 else None
        self._stretches: list[_Stretch] = []
        self._kept: tuple[int, GameBatch] | None = None
        self._walk: tuple[int, Iterator[Chunk]] | None = None
        self._lock = Lock()
        self._answers: dict[bytes, bytes] = {}
        self._size = place.stat().st_size if isinstance(place, Path) else None
        self._consumed = 0

    # Reading.

    def chunks(self, begin: int = 0) -> Iterator[Chunk]:
        """Yield the text in chunks of whole records, from the one that begins at this offset."""
        with unpacked(self._take_place()) as stream:
            yield from chunks(stream, encoding=self._encoding, begin=begin)

    def _take_place(self) -> Place:
        """Return where to read from next; a stream is returned only once."""
        if self._spool is not None:
            self._spool.seek(0)
            return self._spool
        if self._place is None:
            raise UsageError(READ_ONCE)
        place = self._place
        if not isinstance(place, Path):
            self._place = None
        return place

    def _parse(self, chunk: Chunk) -> GameBatch:
        return _assembled(self._filled(chunk)[0])

    def _filled(self, chunk: Chunk) -> tuple[BatchBuilder, Buffer]:
        """Return a builder with the records of a chunk, and where each of them ends."""
        return read_with_answers(
            lambda builder, commands: self._fill(builder, commands, chunk),
            has_commands=_has_commands(chunk),
            known=self._answers,
        )

    def _fill(self, builder: BatchBuilder, commands: Commands, chunk: Chunk) -> Buffer:
        """Read a chunk into a builder and return where each record ends, as ``read_games`` does."""
        return read_games(
            builder,
            chunk.text,
            chunk.offset,
            self._page,
            self._always_page,
            result_table(),
            variant_table(),
            sign_table(),
            commands,
            self._letters,
            int(chunk.tail),
        )

    def read_with(self, others: Sequence[Database]) -> tuple[GameBatch, list[int]] | None:
        """Read small files together: creating a batch takes as long as reading hundreds of games."""
        found, size = list[tuple[PgnDatabase, list[Chunk]]](), 0
        for each in (self, *others):
            if not isinstance(each, PgnDatabase) or each._strict:
                return None
            found.append((each, []))
            with errors_of(each.path, *self._damage):
                for chunk in each.chunks():
                    size += len(chunk.text)
                    if size > _MOST_TOGETHER:  # compressed files may be much larger than they seem
                        return None
                    found[-1][1].append(chunk)

        def read(builder: BatchBuilder, commands: Commands) -> list[int]:
            return [sum(_count(each._fill(builder, commands, chunk)) for chunk in chunks) for each, chunks in found]

        has_commands = any(_has_commands(chunk) for _, chunks in found for chunk in chunks)
        builder, counts = read_with_answers(read, has_commands=has_commands)
        return _assembled(builder), counts

    def _checked(self, batch: GameBatch) -> GameBatch:
        """Return the batch, unless ``strict`` is set and it has problems."""
        problems = batch.record_batch.column("problems")
        if self._strict and len(problems.flatten()):
            row = int(np.flatnonzero(np.diff(problems.offsets.to_numpy()))[0])
            problem = Problem(**problems[row].as_py()[0])
            number = batch.record_batch.column("number")[row].as_py()
            raise CorruptError(problem.sentence, path=self._path, game=number, offset=problem.offset)
        return batch

    def _batches(self, threads: int) -> Iterator[GameBatch]:
        number = 1
        for index, (offset, batch) in enumerate(ordered_map(self._parsed_at, self._tracked(), threads)):
            with self._lock:
                self._note(index, offset, len(batch))
            if len(batch):
                yield self._checked(batch.numbered(number))
                number += len(batch)

    def _parsed_at(self, chunk: Chunk) -> tuple[int, GameBatch]:
        return chunk.offset, self._parse(chunk)

    def _note(self, index: int, offset: int, games: int) -> None:
        """Record where a chunk begins and which games it has, if it is the first unknown one."""
        if index == len(self._stretches):
            first = self._stretches[-1].end if self._stretches else 0
            self._stretches.append(_Stretch(offset, first, first + games))

    def _tracked(self) -> Iterator[Chunk]:
        for chunk in self.chunks():
            self._consumed = chunk.offset + len(chunk.text)
            yield chunk

    @property
    def progress(self) -> float | None:
        """Fraction of the file that has been read; None for streams, and for compressed files."""
        if not self._size or self._path is None or self._path.suffix.lower() != ".pgn":
            return None
        return min(1.0, self._consumed / self._size)

    # Random access.

    def _settle(self) -> None:
        """Copy a stream to a temporary file, so that it can be read again."""
        if not isinstance(self._place, Path) and self._spool is None:
            stream = cast("BinaryIO", self._take_place())
            self._spool = cast("BinaryIO", tempfile.TemporaryFile(prefix="tabiya-"))  # noqa: SIM115 - closed by _close
            weakref.finalize(self, self._spool.close)
            shutil.copyfileobj(stream, self._spool)

    def _count(self) -> int:
        return self._count_up_to(sys.maxsize)

    def _count_up_to(self, limit: int) -> int:
        with self._lock:
            while (count := self._stretches[-1].end if self._stretches else 0) < limit:
                if self._batch(len(self._stretches)) is None:
                    break
            return min(count, limit)

    def _read(self, start: int, stop: int) -> GameBatch:
        found: list[GameBatch] = []
        with self._lock:
            index = bisect_right(self._stretches, start, key=lambda stretch: stretch.end)
            while start < stop and (batch := self._batch(index)) is not None:
                _, first, end = self._stretches[index]
                found.append(batch.numbered(first + 1).slice(start - first, min(stop, end) - start))
                start, index = end, index + 1
        return self._checked(GameBatch.concat(found))

    def _batch(self, index: int) -> GameBatch | None:
        """Return the games of a chunk, None after the last one; the latest is cached for adjacent games."""
        if self._kept is not None and self._kept[0] == index:
            return self._kept[1]
        chunk = self._chunk(index)
        if chunk is None:
            return None
        batch = self._parse(chunk)
        self._kept = index, batch
        self._note(index, chunk.offset, len(batch))
        return batch

    def _chunk(self, index: int) -> Chunk | None:
        """Return a known chunk, or the one after these. Reading continues where it stopped if that is possible.

        A stream in a temporary file has only one read position, which may have moved in the meantime.
        """
        if self._walk is None or self._walk[0] != index or self._spool is not None:
            self._settle()
            known = max(0, min(index, len(self._stretches) - 1))
            walk = self.chunks(self._stretches[known].offset if self._stretches else 0)
            walk = islice(walk, index - known, None)
        else:
            walk = self._walk[1]
        self._walk = index + 1, walk
        return next(walk, None)

    # Editing.

    def parse(self, chunk: Chunk) -> tuple[GameBatch, NDArray[np.int64]]:
        """Return the records of a chunk, and where each begins in its text, and where the last one ends."""
        builder, ends = self._filled(chunk)
        return _assembled(builder), borders_of(chunk.text, ends)

    def borders(self, chunk: Chunk) -> NDArray[np.int64]:
        """Return only the borders of the records."""
        return borders_of(chunk.text, self._filled(chunk)[1])

    def _close(self) -> None:
        self._kept = self._walk = None
        if self._spool is not None:
            self._spool.close()


def _assembled(builder: BatchBuilder) -> GameBatch:
    return from_text_tags(from_tags(assemble(builder.finish())))


def _count(ends: Buffer) -> int:
    return len(memoryview(ends)) // _END_BYTES


def _has_commands(chunk: Chunk) -> bool:
    """Return whether a chunk may contain commands: if not, their classes need not be imported."""
    return len(chunk.text) > _SMALL_BYTES or _COMMAND.search(chunk.text) is not None
