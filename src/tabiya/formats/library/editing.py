"""Change records of a library in place: a small segment replaces their rows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, NoReturn

import numpy as np
import pyarrow as pa

from tabiya.errors import UsageError
from tabiya.files.file_errors import errors_of
from tabiya.files.scratch import ScratchFile
from tabiya.formats.editor import DatabaseEditor
from tabiya.formats.library import LIBRARY
from tabiya.formats.library.change import LibraryChange
from tabiya.formats.library.contents import Library
from tabiya.formats.library.indexing import BuiltIndex
from tabiya.formats.library.manifest import Manifest
from tabiya.formats.library.merging import merge_by_rule
from tabiya.formats.library.segment_writer import SegmentWriter
from tabiya.formats.library.statistics import statistics_after
from tabiya.formats.loss_counting import fit
from tabiya.formats.url import local_path
from tabiya.formats.writer import Encoded
from tabiya.game.schema import RECORD_SCHEMA

if TYPE_CHECKING:
    from os import PathLike

    from numpy.typing import NDArray

    from tabiya.game import GameBatch

_AT_ONCE: Final = 1024
"""Number of records changed at a time."""
_IN_MEMORY: Final = 4 << 20
"""Above this number of bytes records go to a temporary file."""
_DELETED: Final = RECORD_SCHEMA.get_field_index("deleted")
_PACKED: Final = pa.ipc.IpcWriteOptions(compression="lz4", use_threads=False)
_UNPACKED: Final = pa.ipc.IpcReadOptions(use_threads=False)


class LibraryEditor(DatabaseEditor):
    """Changes records of a library: ``with LibraryEditor("x.tabiya") as editor: editor.delete([3])``.

    Records keep their numbers.
    """

    _database = "library"

    def __init__(self, place: str | PathLike[str]) -> None:
        given = local_path(place)
        with errors_of(given):
            Manifest.read(given)  # it must exist
            path = given.resolve()
            self._change = LibraryChange(given, append=True)
            try:
                self._library = Library(path)
            except BaseException:
                self._change.discard()
                raise
        super().__init__(path, self._library.manifest.records)
        self._new = _NewRecords(self._count, ScratchFile(self._change.folder, in_memory=_IN_MEMORY))

    # Changes.

    def edit(self, kind: str, number: int, **fields: str | int) -> NoReturn:  # noqa: ARG002 - the interface of editors
        """Raise an error: a library stores names only in its games."""
        raise UsageError(f"a library has no {kind!r} to edit; replace the games instead", path=self.path)

    def _encode(self, batch: GameBatch) -> Encoded:
        fitting, losses = fit(batch, LIBRARY.keeps)
        return Encoded(_packed(fitting.record_batch), len(fitting), losses)

    def _put(self, rows: NDArray[np.int64], content: bytes) -> None:
        self._new.put(rows, content)

    # The end.

    def _discard(self) -> None:
        self._library.close()
        self._new.file.close()
        self._change.discard()

    def _commit(self) -> None:
        rows = np.flatnonzero(self._replaced | (self._marks != 0))
        manifest, folder, names, threads = (
            self._change.manifest,
            self._change.folder,
            self._library.names,
            self._threads,
        )
        options: dict[str, Any] = {"variations": manifest.variations, "threads": threads}
        index = BuiltIndex(folder, None, **options) if manifest.positions else None
        writer = SegmentWriter(folder, manifest.next, names, len(names), index, **options)
        try:
            for begin in range(0, len(rows), _AT_ONCE):
                self._add(writer, rows[begin : begin + _AT_ONCE])
            if not writer.rows:
                return
            entry = writer.finish()
        finally:
            writer.discard()
        self._library.close()
        statistics = statistics_after(manifest, writer.statistics)
        segments = (*manifest.segments, entry)
        self._change.commit(replace(manifest, segments=segments, next=manifest.next + 1, statistics=statistics))
        self.unfinished = merge_by_rule(self._change, threads=self._threads)

    def _add(self, writer: SegmentWriter, rows: NDArray[np.int64]) -> None:
        """Write the changed records among some rows."""
        stored = self._library.records
        before = stored.read(rows, "headers")["deleted"].to_numpy(zero_copy_only=False)
        after = self._with_marks(rows, before)
        changed = self._replaced[rows] | (before != after)
        rows, after = rows[changed], after[changed]
        if not len(rows):
            return
        replaced = self._replaced[rows]
        former = stored.read(rows, "batch")
        parts = [former.filter(pa.array(~replaced)), *self._new.read(rows[replaced])]
        order = np.argsort(np.concatenate([np.flatnonzero(~replaced), np.flatnonzero(replaced)]), kind="stable")
        records = pa.concat_batches(parts).take(pa.array(order))
        records = records.set_column(0, RECORD_SCHEMA.field("number"), pa.array(rows + 1))
        records = records.set_column(_DELETED, RECORD_SCHEMA.field("deleted"), pa.array(after))
        writer.add(records, stored.read(rows, "origins"), former=former)


class _NewRecords:
    """Records that replace rows, compressed in a file; a number per row refers to them."""

    def __init__(self, count: int, file: ScratchFile) -> None:
        self.file = file
        self._places: list[tuple[int, int]] = []
        """Position of each batch in the file, and its size."""
        self._starts = [0]
        """Number of records before each batch."""
        self._where = np.zeros(count, np.int64)
        self._latest: tuple[int, pa.RecordBatch] | None = None

    def put(self, rows: NDArray[np.int64], packed: bytes) -> None:
        self._places.append((self.file.append(packed), len(packed)))
        self._where[rows] = self._starts[-1] + np.arange(len(rows))
        self._starts.append(self._starts[-1] + len(rows))

    def read(self, rows: NDArray[np.int64]) -> list[pa.RecordBatch]:
        """Return the records of some rows in order, in batches."""
        where = self._where[rows]
        batches = np.searchsorted(self._starts, where, side="right") - 1
        parts = []
        for run in np.split(np.arange(len(rows)), np.flatnonzero(np.diff(batches)) + 1) if len(rows) else ():
            batch = int(batches[run[0]])
            if self._latest is None or self._latest[0] != batch:
                self._latest = batch, _unpacked(self.file.read_bytes(*self._places[batch]))
            parts.append(self._latest[1].take(pa.array(where[run] - self._starts[batch])))
        return parts


def _packed(records: pa.RecordBatch) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, records.schema, options=_PACKED) as writer:
        writer.write_batch(records)
    data: bytes = sink.getvalue().to_pybytes()
    return data


def _unpacked(data: bytes) -> pa.RecordBatch:
    with pa.ipc.open_stream(data, options=_UNPACKED) as reader:
        return reader.read_next_batch()
