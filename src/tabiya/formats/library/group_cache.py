"""A cache of the row groups read last: games next to the current one are often read next."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

    import pyarrow as pa


_AHEAD: Final = 256


class GroupCache:
    """Reads groups, and caches the latest that fit into a number of bytes, at least one. Threads may share it.

    A Parquet file is read from the beginning of a group, and most games are requested alone. So the first time, a group
    is read up to the requested records and a few more; if records after these are requested, all of it is read.
    """

    def __init__(self, read: Callable[[int, int | None], pa.RecordBatch], most_bytes: int) -> None:
        """``read`` returns a group, or at least as many of its first records as the number states."""
        self._read = read
        self._most_bytes = most_bytes
        self._lock = Lock()
        self._kept: OrderedDict[int, pa.RecordBatch] = OrderedDict()
        self._bytes = 0

    def first(self, group: int, count: int) -> pa.RecordBatch:
        """Return the first records of a group, at least this many."""
        with self._lock:
            kept = self._kept.get(group)
            if kept is not None and len(kept) >= count:
                self._kept.move_to_end(group)
                return kept
        records = self._read(group, count + _AHEAD if kept is None else None)  # other threads may use the cache
        with self._lock:
            kept = self._kept.get(group)
            if kept is None or len(kept) < len(records):
                self._bytes += records.get_total_buffer_size() - (0 if kept is None else kept.get_total_buffer_size())
                self._kept[group] = records
                self._kept.move_to_end(group)
            while self._bytes > self._most_bytes and len(self._kept) > 1:
                self._bytes -= self._kept.popitem(last=False)[1].get_total_buffer_size()
        return records
