"""The segment and row that contain each record."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from tabiya.formats import record_file
from tabiya.game.schema import RECORD_SCHEMA

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from tabiya.formats.library.segment import LibrarySegment


class RecordMap:
    """The records of some segments in order; of two with the same number, that of the later segment counts.

    Places count the existing records from 0.
    """

    def __init__(self, segments: Sequence[LibrarySegment]) -> None:
        self._segments = segments
        self.first = min((segment.first for segment in segments), default=0)
        """Number of library records before the first of these."""
        self._starts = np.cumsum([0, *(segment.entry.rows for segment in segments)])
        self.numbers: NDArray[np.int64] | None = None
        """Number of records before each, if they are not consecutive."""
        self._found: tuple[NDArray[np.int16], NDArray[np.int32]] | None = None
        if not self._is_chain():
            self._overlay()

    def _is_chain(self) -> bool:
        """Return whether every segment continues where the one before it ends."""
        firsts = [segment.first for segment in self._segments]
        expected = (self._starts[:-1] + self.first).tolist()
        return firsts == expected and all(segment.numbers is None for segment in self._segments)

    def _overlay(self) -> None:
        span = max(segment.end for segment in self._segments) - self.first
        owners, rows = np.full(span, -1, np.int16), np.zeros(span, np.int32)
        for owner, segment in enumerate(self._segments):
            own = np.arange(segment.entry.rows)
            places = segment.numbers_of(own) - self.first
            owners[places], rows[places] = owner, own
        there = owners >= 0
        if not there.all():
            self.numbers = np.flatnonzero(there) + self.first
        self._found = owners[there], rows[there]

    def __len__(self) -> int:
        return int(self._starts[-1]) if self._found is None else len(self._found[0])

    def _find(self, places: NDArray[np.int64]) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return the segments that have the records at some places, and the rows there."""
        if self._found is not None:
            return self._found[0][places], self._found[1][places].astype(np.int64)
        owners = np.searchsorted(self._starts, places, side="right") - 1
        return owners, places - self._starts[owners]

    def read(self, places: NDArray[np.int64], kind: str) -> pa.RecordBatch:
        """Return the records at some places, one or more, in that order; see ``LibrarySegment.read``."""
        owners, rows = self._find(places)
        parts, order = [], []
        for owner in np.unique(owners).tolist():
            mine = np.flatnonzero(owners == owner)
            parts.append(self._segments[owner].read(rows[mine], kind))
            order.append(mine)
        records = parts[0]
        if len(parts) > 1:
            records = pa.concat_batches(parts)
            back = np.argsort(np.concatenate(order), kind="stable")
            if (np.diff(back) < 0).any():
                records = records.take(pa.array(back))
        if kind == "origins":
            return records
        numbers = places + self.first if self.numbers is None else self.numbers[places]
        return records.set_column(0, RECORD_SCHEMA.field("number"), pa.array(numbers + 1))

    def stretches(self) -> list[tuple[int, int]]:
        """Return where to cut all places, so that as few row groups as possible are read twice."""
        cuts = {0, len(self)}
        for segment in self._segments:
            starts = segment.games.starts  # opened here, before threads start
            if self.numbers is None and segment.numbers is None:
                cuts.update((starts + (segment.first - self.first)).tolist())
        most = record_file.GROUP_RECORDS
        return [
            (begin, min(begin + most, end))
            for start, end in pairwise(sorted(cuts))
            for begin in range(start, end, most)
        ]
