"""A segment of a library being written."""

from __future__ import annotations

import hashlib
import io
import weakref
import zlib
from collections import Counter
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from tabiya.errors import TabiyaError
from tabiya.files.parallel import Background
from tabiya.formats.library.column_spool import ColumnSpool, TextSpool
from tabiya.formats.library.indexing import IndexFiles
from tabiya.formats.library.layout import FILTER, GAMES, NAMES, NUMBERED_FILTER, TAPES
from tabiya.formats.library.manifest import SegmentEntry, StoredFile, file_name
from tabiya.formats.library.statistics import statistics_of
from tabiya.formats.record_file import RecordFileWriter
from tabiya.game import GameBatch
from tabiya.positions.game_facts import FACTS, facts_of, main_lines_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import BinaryIO

    from numpy.typing import NDArray

    from tabiya.formats.library.indexing import IndexSource
    from tabiya.positions.name_table import NameTable


_UNGUARDED: Final = frozenset({"filter", "tapes", "names", "fences"})
"""Kinds of files without checksums of their own."""
_CHUNK: Final = 1 << 20


def stored_file(path: Path, kind: str = "") -> StoredFile:
    """Return the data of a file for the manifest; of a file of a segment if ``kind`` is given."""
    known = _Hash(kind)
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            known.add(chunk)
    return known.stored()


class SegmentWriter:
    """Writes the files of a segment into a folder, in bounded memory.

    Args:
        folder: folder for the files, and for temporary ones.
        number: the number of the segment.
        names: all names of the library; new ones are added.
        known: number of names in earlier segments.
        index: builds the index; None for a library without one.
        variations: whether the index includes positions of variations.
        threads: with more than one, games are stored in a separate thread.
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
        closing: list[Callable[[], None]] = [] if index is None else [index.close]
        self._end = weakref.finalize(self, _close, closing)
        self._stream = self._new_file("games")
        closing.append(self._stream.close)
        self._games = RecordFileWriter(self._stream, GAMES)
        closing.append(self._games.discard)
        self._spools = [ColumnSpool(folder / f"{name}.raw", closing) for name in ("numbers", "facts", "moves", "ends")]
        self._numbers, self._facts, self._moves, self._ends = self._spools
        self._ends.append(np.zeros(1, np.int64))
        self._starts = TextSpool(folder / "starts", closing)
        self._background = Background(threads)
        closing.append(self._background.close)  # before everything that it uses
        self.rows = 0
        """Number of records so far."""
        self.statistics: Counter[str] = Counter()
        """Their contribution to the statistics of the library."""

    def _path(self, kind: str) -> Path:
        return self._folder / file_name(kind, self._number)

    def _new_file(self, kind: str, after: Callable[[], object] = lambda: None) -> _HashedFile:
        return _HashedFile(self._path(kind).open("wb"), kind, after)

    def add(self, records: pa.RecordBatch, origins: pa.RecordBatch, *, former: pa.RecordBatch | None = None) -> None:
        """Add records, which have the numbers of the library, with their origins, and the records they replace."""
        batch = GameBatch(records)
        self.statistics.update(statistics_of(records))
        if former is not None:
            self.statistics.subtract(statistics_of(former))
        self._background.add(partial(_store_games, self._games, records, origins))
        lines = main_lines_of(batch)
        self._facts.append(facts_of(batch, self._names, lines))
        self._ends.append(lines.ends[1:] + self._moves.size // lines.moves.itemsize)
        self._moves.append(lines.moves)
        self._starts.append(lines.starts)
        self._numbers.append((records["number"].to_numpy() - 1).astype(np.int32))
        self.rows += len(batch)
        if self._index is not None:
            with self._unnamed():
                self._index.add(batch)

    @contextmanager
    def _unnamed(self) -> Iterator[None]:
        """Name the library in errors, as other code does, instead of temporary files, which are then gone."""
        try:
            yield
        except TabiyaError as error:
            if error.path is not None and Path(error.path).is_relative_to(self._folder):
                error.path = None
            raise

    def finish(self) -> SegmentEntry:
        """Complete all files; at least one record must have been added."""
        numbers = np.frombuffer(self._numbers.buffer(), np.int32)
        first, follow = int(numbers[0]), bool(numbers[-1] - numbers[0] == self.rows - 1)
        new = self._names.array(self._known)
        others = self._background.add(partial(self._write_lists, None if follow else numbers, new))
        files = {}
        positions = variations = chess960 = None
        if self._index is not None:
            place = self._path("variations") if self._variations else None
            index = IndexFiles(self._path("positions"), self._path("fences"), place)
            kinds = ["positions", *(["variations"] if self._variations else [])]
            hashes = {self._path(kind): _Hash(kind) for kind in kinds}
            with self._unnamed():
                sizes = self._index.finish(index, numbers, lambda path, data: hashes[path].add(data))
            positions, branches, chess960 = sizes
            variations = branches if self._variations else None
            files = {kind: hashes[self._path(kind)].stored() for kind in kinds}
            files["fences"] = stored_file(self._path("fences"), "fences")
        files = {**others.result(), **files}
        del numbers  # it is mapped, and its file is removed now
        self.discard()
        return SegmentEntry(
            number=self._number,
            first=first,
            rows=self.rows,
            numbered=not follow,
            names=len(new),
            positions=positions,
            variations=variations,
            chess960=chess960,
            files=files,
        )

    def _write_lists(self, numbers: NDArray[np.int32] | None, new: pa.StringArray) -> dict[str, StoredFile]:
        """Complete all files except those of the index, which takes as long as all others."""
        self._games.finish()
        self._stream.close()
        ids = np.arange(self._known, self._known + len(new), dtype=np.int32)
        with self._new_file("names") as names:
            pq.write_table(pa.table([ids, new], schema=NAMES), names, compression="zstd")
        return {
            "games": self._stream.hash.stored(),
            "filter": self._write_filter(numbers),
            "tapes": self._write_tapes(),
            "names": names.hash.stored(),
        }

    def _write_filter(self, numbers: NDArray[np.int32] | None) -> StoredFile:
        facts = pa.Array.from_buffers(pa.binary(FACTS.itemsize), self.rows, [None, self._facts.buffer()])
        if numbers is None:
            return self._write_mapped("filter", pa.RecordBatch.from_arrays([facts], schema=FILTER))
        columns = [facts, pa.array(numbers)]
        return self._write_mapped("filter", pa.RecordBatch.from_arrays(columns, schema=NUMBERED_FILTER))

    def _write_tapes(self) -> StoredFile:
        count = self._moves.size // 2
        moves = pa.Array.from_buffers(pa.uint16(), count, [None, self._moves.buffer()])
        kind = TAPES.field("line").type
        lines = pa.Array.from_buffers(kind, self.rows, [None, self._ends.buffer()], children=[moves])
        return self._write_mapped("tapes", pa.RecordBatch.from_arrays([lines, self._starts.array()], schema=TAPES))

    def _write_mapped(self, kind: str, records: pa.RecordBatch) -> StoredFile:
        """Write a file for readers to map. Mapped data of the writer itself does not remain in memory."""

        def forget() -> None:
            for spool in (*self._spools, *self._starts.spools):
                spool.forget()

        with self._new_file(kind, forget) as file, pa.ipc.new_file(file, records.schema) as writer:
            writer.write_batch(records)
        return file.hash.stored()

    def discard(self) -> None:
        """Free memory and temporary files; the files of the segment remain. May be called twice."""
        self._end()


def _store_games(games: RecordFileWriter, records: pa.RecordBatch, origins: pa.RecordBatch) -> None:
    origin = [origins["source"].dictionary_encode(), origins["source_number"]]
    games.add(pa.RecordBatch.from_arrays([*records.columns, *origin], schema=GAMES))


def _close(closing: list[Callable[[], None]]) -> None:
    while closing:
        with suppress(OSError):  # a full disk: unflushed data is discarded anyway
            closing.pop()()


class _Hash:
    """The manifest data of a file, computed while it is written, so that it need not be read again."""

    def __init__(self, kind: str) -> None:
        self._whole = hashlib.sha256()
        self._checksum = 0 if kind in _UNGUARDED else None
        self._size = 0

    def add(self, data: bytes | memoryview) -> None:
        """Process the next bytes."""
        self._whole.update(data)
        if self._checksum is not None:
            self._checksum = zlib.crc32(data, self._checksum)
        self._size += len(data)

    def stored(self) -> StoredFile:
        """Return the data of the complete file."""
        return StoredFile(self._size, self._whole.hexdigest(), self._checksum)


class _HashedFile(io.RawIOBase):
    """A new file of a segment. ``after`` is called after every megabyte."""

    def __init__(self, file: BinaryIO, kind: str, after: Callable[[], object]) -> None:
        self._file = file
        self._after = after
        self.hash = _Hash(kind)

    def writable(self) -> bool:
        """Return True."""
        return True

    def tell(self) -> int:
        """Return the number of bytes written."""
        return self._file.tell()

    def write(self, data: Any) -> int:
        """Append bytes."""
        view = memoryview(data)
        for begin in range(0, len(view), _CHUNK):
            part = view[begin : begin + _CHUNK]
            self._file.write(part)
            self.hash.add(part)
            self._after()
        return len(view)

    def close(self) -> None:
        """Close the file. May be called twice."""
        self._file.close()
        super().close()
