"""External sorting of records: sorted runs on disk, merged one block of each at a time."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabiya.files.closing import Closing
from tabiya.files.scratch import ScratchFile
from tabiya.game import GameBatch
from tabiya.game.own_names import with_own_names
from tabiya.game.schema import RECORD_SCHEMA
from tabiya.maintenance.sort_keys import keys_of, places_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tabiya.maintenance.sort_keys import SortField

USUAL_MEMORY: Final = 768 << 20
"""Bytes."""
_COPIES: Final = 3
"""How often the records of a run are in memory while they are sorted."""
_BLOCK_BYTES: Final = 1 << 19
_BLOCK_RECORDS: Final = 1024
_KEY: Final = "key"
_SCHEMA: Final = RECORD_SCHEMA.append(pa.field(_KEY, pa.binary()))
_PACKED: Final = pa.ipc.IpcWriteOptions(compression="lz4", use_threads=False)
_UNPACKED: Final = pa.ipc.IpcReadOptions(use_threads=False)


class ExternalSort(Closing):
    """Takes records and returns them in order; the sort is stable.

    Memory stays below about ``memory`` bytes plus a block per run; the rest goes to a temporary file.
    """

    def __init__(self, fields: Sequence[SortField], *, memory: int = USUAL_MEMORY) -> None:
        self._fields = fields
        self._run_bytes = memory // _COPIES
        self._scratch = ScratchFile()
        self._runs: list[list[tuple[int, int]]] = []
        """For each run, the position and size of its blocks in the temporary file."""
        self._waiting: list[pa.RecordBatch] = []
        self._waiting_bytes = 0
        self.count = 0
        """Records so far."""

    def add(self, batch: GameBatch) -> pa.BinaryArray:
        """Add records; return the keys of their fields."""
        records = batch.record_batch
        keys = keys_of(records, self._fields)
        sortable = pc.binary_join_element_wise(keys, places_of(self.count, len(records)), b"")
        self._waiting.append(records.append_column(_SCHEMA.field(_KEY), sortable))
        self._waiting_bytes += self._waiting[-1].nbytes
        self.count += len(records)
        if self._waiting_bytes >= self._run_bytes:
            self._runs.append([self._stored(block) for block in self._sorted_blocks()])
        return keys

    def batches(self) -> Iterator[GameBatch]:
        """Yield all records in order; the batches do not depend on the memory."""
        if not self._runs:
            return _even(self._sorted_blocks())
        if self._waiting:
            self._runs.append([self._stored(block) for block in self._sorted_blocks()])
        return _even(self._merged())

    def close(self) -> None:
        """Free the temporary file."""
        self._waiting = []
        self._scratch.close()

    def _sorted_blocks(self) -> Iterator[pa.RecordBatch]:
        """Yield the pending records in order, in blocks; afterwards nothing is pending."""
        if not self._waiting:
            return
        records = pa.concat_batches(self._waiting)
        length = max(1, min(_BLOCK_RECORDS, len(records) * _BLOCK_BYTES // max(1, self._waiting_bytes)))
        self._waiting, self._waiting_bytes = [], 0
        order = pc.sort_indices(records[_KEY])
        for begin in range(0, len(records), length):
            yield records.take(order[begin : begin + length])

    def _stored(self, block: pa.RecordBatch) -> tuple[int, int]:
        block = with_own_names(block)
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, block.schema, options=_PACKED) as stream:
            stream.write_batch(block)
        data = sink.getvalue()
        return self._scratch.append(np.frombuffer(data, np.uint8)), data.size

    def _read(self, place: tuple[int, int]) -> pa.RecordBatch:
        with pa.ipc.open_stream(self._scratch.read_bytes(*place), options=_UNPACKED) as stream:
            return stream.read_next_batch()

    def _merged(self) -> Iterator[pa.RecordBatch]:
        runs = [_Run(self, places) for places in self._runs]
        while runs:
            # No unread record sorts before the smallest of the last loaded keys.
            unread = [run.last for run in runs if not run.is_complete]
            limit = min(unread) if unread else None
            parts = [part for run in runs if len(part := run.taken(limit))]
            records = pa.concat_batches(parts)
            yield records.take(pc.sort_indices(records[_KEY]))
            runs = [run for run in runs if run.advance()]


class _Run:
    """Sorted records on disk, of which one block is loaded."""

    def __init__(self, owner: ExternalSort, places: Sequence[tuple[int, int]]) -> None:
        self._owner = owner
        self._places = iter(places)
        self._remaining = len(places)
        self._records: Any = None
        self.advance()

    @property
    def is_complete(self) -> bool:
        """Whether the loaded block is the last one."""
        return self._remaining == 0

    @property
    def last(self) -> bytes:
        key: bytes = self._records[_KEY][-1].as_py()
        return key

    def taken(self, limit: bytes | None) -> pa.RecordBatch:
        """Remove and return the loaded records up to a key; all of them without one."""
        keys = self._records[_KEY]
        end = len(keys) if limit is None else bisect_right(range(len(keys)), limit, key=lambda at: keys[at].as_py())
        part, self._records = self._records.slice(0, end), self._records.slice(end)
        return part

    def advance(self) -> bool:
        """Make sure that a block is loaded; False if none is left."""
        if self._remaining and not (self._records is not None and len(self._records)):
            self._records = self._owner._read(next(self._places))
            self._remaining -= 1
        return len(self._records) > 0


def _even(blocks: Iterable[pa.RecordBatch]) -> Iterator[GameBatch]:
    """Yield the records of blocks in batches of one size."""
    waiting: list[pa.RecordBatch] = []
    missing = _BLOCK_RECORDS
    for block in blocks:
        begin = 0
        while begin < len(block):
            waiting.append(block.slice(begin, missing))
            begin += len(waiting[-1])
            missing -= len(waiting[-1])
            if not missing:
                yield _batch(waiting)
                waiting, missing = [], _BLOCK_RECORDS
    if waiting:
        yield _batch(waiting)


def _batch(parts: Sequence[pa.RecordBatch]) -> GameBatch:
    own = (with_own_names(part.select(RECORD_SCHEMA.names)) for part in parts)
    return GameBatch(with_own_names(pa.concat_batches(list(own))))
