"""A segment of a library that is being written."""

from __future__ import annotations

import hashlib
import mmap
import weakref
import zlib
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, BinaryIO, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from tabiya.files.parallel import Background
from tabiya.formats.library.indexing import IndexFiles
from tabiya.formats.library.layout import FILTER, GAMES, NAMES, NUMBERED_FILTER, TAPES
from tabiya.formats.library.manifest import SegmentEntry, StoredFile, file_name
from tabiya.formats.record_file import RecordFileWriter
from tabiya.game import GameBatch
from tabiya.positions.game_facts import FACTS, facts_of, main_lines_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from numpy.typing import NDArray

    from tabiya.formats.library.indexing import IndexSource
    from tabiya.positions.name_table import NameTable

__all__ = ["SegmentWriter", "stored_file"]


_UNGUARDED: Final = frozenset({"filter", "tapes", "names", "fences"})
"""Kinds of files without checksums of their own."""
_CHUNK: Final = 1 << 20


def stored_file(path: Path, kind: str | None = None) -> StoredFile:
    """Return what a manifest says about a file, of a segment if it is of some kind."""
    with path.open("rb") as file:
        if kind not in _UNGUARDED:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
            return StoredFile(file.tell(), digest)
        whole, checksum = hashlib.sha256(), 0
        while chunk := file.read(_CHUNK):
            whole.update(chunk)
            checksum = zlib.crc32(chunk, checksum)
        return StoredFile(file.tell(), whole.hexdigest(), checksum)


class SegmentWriter:
    """Writes the files of a segment into a folder, in bounded memory.

    Args:
        folder: takes the files, and temporary ones.
        number: that of the segment.
        names: all names of the library, which grow.
        known: how many of the names earlier segments bring.
        index: makes the index; None for a library without.
        variations: whether the index has those of variations.
        threads: with more than one, games are stored in a thread of its own.
    """

    def __init__(
        self,
        folder: Path,
        number: int,
        names: NameTable,
        known: int,
        index: IndexSource | None,
        *,
        variations: bool = False,
        threads: int = 1,
    ) -> None:
        self._folder = folder
        self._number = number
        self._names = names
        self._known = known
        self._index = index
        self._variations = variations
        self._starts: list[pa.Array] = []
        self._numbers: list[NDArray[np.int64]] = []
        closing: list[Callable[[], None]] = [] if index is None else [index.close]
        self._end = weakref.finalize(self, _close, closing)
        self._stream: BinaryIO = self._path("games").open("wb")
        closing.append(self._stream.close)
        self._games = RecordFileWriter(self._stream, GAMES)
        closing.append(self._games.discard)
        self._facts, self._moves, self._ends = (
            _Spool(folder / f"{name}.raw", closing) for name in ("facts", "moves", "ends")
        )
        self._ends.append(np.zeros(1, np.int64))
        self._background = Background(threads)
        closing.append(self._background.close)  # before everything that it works on
        self.rows = 0
        """Records so far."""

    def _path(self, kind: str) -> Path:
        return self._folder / file_name(kind, self._number)

    def add(self, records: pa.RecordBatch, origins: pa.RecordBatch) -> None:
        """Add records, which have the numbers of the library, and where each comes from."""
        batch = GameBatch(records)
        self._background.add(partial(_store_games, self._games, records, origins))
        lines = main_lines_of(batch)
        self._facts.append(facts_of(batch, self._names, lines))
        self._ends.append(lines.ends[1:] + self._moves.size // lines.moves.itemsize)
        self._moves.append(lines.moves)
        self._starts.append(lines.starts)
        self._numbers.append(records["number"].to_numpy() - 1)
        self.rows += len(batch)
        if self._index is not None:
            self._index.add(batch)

    def finish(self) -> SegmentEntry:
        """Complete all files; one record or more must have been added."""
        numbers = np.concatenate(self._numbers)
        follow = bool(numbers[-1] - numbers[0] == len(numbers) - 1)
        new = self._names.array(self._known)
        others = self._background.add(partial(self._write_others, None if follow else numbers, new))
        files = {}
        positions = variations = None
        if self._index is not None:
            place = self._path("variations") if self._variations else None
            index = IndexFiles(self._path("positions"), self._path("fences"), place)
            hashes = _Hashes()
            positions, branches = self._index.finish(index, numbers, hashes.add)
            variations = branches if self._variations else None
            kinds = ["positions", "fences", *(["variations"] if self._variations else [])]
            files = {kind: hashes.stored(self._path(kind), kind) for kind in kinds}
        files = {**others.result(), **files}
        self.discard()
        return SegmentEntry(
            number=self._number,
            first=int(numbers[0]),
            rows=len(numbers),
            numbered=not follow,
            names=len(new),
            positions=positions,
            variations=variations,
            files=files,
        )

    def _write_others(self, numbers: NDArray[np.int64] | None, new: pa.StringArray) -> dict[str, StoredFile]:
        """Complete all files but those of the index, which takes as long."""
        self._games.finish()
        self._stream.close()
        self._write_filter(numbers)
        self._write_tapes()
        ids = np.arange(self._known, self._known + len(new), dtype=np.int32)
        table = pa.table([ids, new], schema=NAMES)
        with self._path("names").open("wb") as file:
            pq.write_table(table, file, compression="zstd")
        return {kind: stored_file(self._path(kind), kind) for kind in ("games", "filter", "tapes", "names")}

    def _write_filter(self, numbers: NDArray[np.int64] | None) -> None:
        facts = pa.Array.from_buffers(pa.binary(FACTS.itemsize), self.rows, [None, self._facts.buffer()])
        if numbers is None:
            self._write_mapped("filter", pa.RecordBatch.from_arrays([facts], schema=FILTER))
        else:
            columns = [facts, pa.array(numbers.astype(np.int32))]
            self._write_mapped("filter", pa.RecordBatch.from_arrays(columns, schema=NUMBERED_FILTER))

    def _write_tapes(self) -> None:
        count = self._moves.size // 2
        moves = pa.Array.from_buffers(pa.uint16(), count, [None, self._moves.buffer()])
        kind = TAPES.field("line").type
        lines = pa.Array.from_buffers(kind, self.rows, [None, self._ends.buffer()], children=[moves])
        starts = pa.concat_arrays(self._starts)
        self._write_mapped("tapes", pa.RecordBatch.from_arrays([lines, starts], schema=TAPES))

    def _write_mapped(self, kind: str, records: pa.RecordBatch) -> None:
        with self._path(kind).open("wb") as file, pa.ipc.new_file(file, records.schema) as writer:
            writer.write_batch(records)

    def discard(self) -> None:
        """Give back memory and temporary files; those of the segment stay where they are. May be called twice."""
        self._starts, self._numbers = [], []
        self._end()


def _store_games(games: RecordFileWriter, records: pa.RecordBatch, origins: pa.RecordBatch) -> None:
    origin = [origins["source"].dictionary_encode(), origins["source_number"]]
    games.add(pa.RecordBatch.from_arrays([*records.columns, *origin], schema=GAMES))


def _close(closing: list[Callable[[], None]]) -> None:
    while closing:
        with suppress(OSError):  # a full disk: what could not be flushed is thrown away anyway
            closing.pop()()


class _Hashes:
    """What is known about files that were seen while they were written, so that they need not be read again."""

    def __init__(self) -> None:
        self._known: dict[Path, tuple[Any, int]] = {}

    def add(self, path: Path, data: bytes | memoryview) -> None:
        """Look at what comes next in a file."""
        digest, size = self._known.get(path) or (hashlib.sha256(), 0)
        digest.update(data)
        self._known[path] = digest, size + len(data)

    def stored(self, path: Path, kind: str) -> StoredFile:
        """Return what a manifest says about a file of a segment, whether it was seen or not."""
        if path not in self._known or kind in _UNGUARDED:
            return stored_file(path, kind)
        digest, size = self._known[path]
        return StoredFile(size, digest.hexdigest())


class _Spool:
    """Numbers that are too many for memory, in a file of their own."""

    def __init__(self, path: Path, closing: list[Callable[[], None]]) -> None:
        self._path = path
        self._file = path.open("w+b", buffering=1 << 20)
        closing.append(self.close)
        self.size = 0
        """Bytes so far."""

    def append(self, numbers: NDArray[Any]) -> None:
        """Write behind what there is."""
        data = np.ascontiguousarray(numbers).view(np.uint8).data
        self._file.write(data)
        self.size += len(data)

    def buffer(self) -> pa.Buffer:
        """Return all of it, mapped into memory."""
        self._file.flush()
        return pa.py_buffer(mmap.mmap(self._file.fileno(), 0, access=mmap.ACCESS_READ) if self.size else b"")

    def close(self) -> None:
        """Remove the file. May be called twice."""
        try:
            self._file.close()
        finally:
            with suppress(OSError):  # Windows, while it is mapped: it goes with the folder
                self._path.unlink(missing_ok=True)
