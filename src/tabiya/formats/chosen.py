"""Some records of a database, chosen by an array of their places: a database like any other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from tabiya.formats.selection import Part

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa
    from numpy.typing import NDArray

    from tabiya.formats.database import Database
    from tabiya.game import GameBatch

__all__ = ["Chosen"]

_BATCH_RECORDS: Final = 4096


class Chosen(Part):
    """The records at some places, in the order of the database; they keep the numbers they have there."""

    def __init__(self, database: Database, places: NDArray[np.int64]) -> None:
        super().__init__(database)
        self._places = np.unique(places)
        self._done = 0

    @property
    def progress(self) -> float | None:
        """How many of them have been read."""
        return self._done / len(self._places) if len(self._places) else None

    def _count(self) -> int:
        return len(self._places)

    def _read(self, start: int, stop: int) -> GameBatch:
        return self._database.take(self._places[start:stop])

    def _stretches(self) -> Iterator[NDArray[np.int64]]:
        for begin in range(0, len(self._places), _BATCH_RECORDS):
            part = self._places[begin : begin + _BATCH_RECORDS]
            self._done = begin + len(part)
            yield part

    def _batches(self, threads: int) -> Iterator[GameBatch]:  # noqa: ARG002 - each is read as a whole
        return map(self._database.take, self._stretches())

    def _headers(self, threads: int) -> Iterator[pa.RecordBatch]:  # noqa: ARG002
        return map(self._database.take_headers, self._stretches())
