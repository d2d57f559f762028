"""A cache of the row groups read last: games next to the current one are often read next."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    import pyarrow as pa


class GroupCache:
    """Reads groups, and caches the latest that fit into a number of bytes, at least one. Threads may share it."""

    def __init__(self, read: Callable[[int], pa.RecordBatch], most_bytes: int) -> None:
        self._read = read
        self._most_bytes = most_bytes
        self._lock = Lock()
        self._kept: OrderedDict[int, pa.RecordBatch] = OrderedDict()
        self._bytes = 0

    def __getitem__(self, group: int) -> pa.RecordBatch:
        """Return a group."""
        with self._lock:
            kept = self._kept.get(group)
            if kept is not None:
                self._kept.move_to_end(group)
                return kept
        records = self._read(group)  # other threads may use the cache meanwhile
        with self._lock:
            if group not in self._kept:
                self._kept[group] = records
                self._bytes += records.get_total_buffer_size()
            while self._bytes > self._most_bytes and len(self._kept) > 1:
                self._bytes -= self._kept.popitem(last=False)[1].get_total_buffer_size()
        return records
