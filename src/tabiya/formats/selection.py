"""Some records of a database, chosen by conditions: a database like any other."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from tabiya.errors import UsageError
from tabiya.formats.database import HEADER_SCHEMA, Database
from tabiya.game import GameBatch
from tabiya.game.where import chosen_of, mask_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from tabiya.game import Game
    from tabiya.game.record import Problem
    from tabiya.game.where import Where

__all__ = ["Part", "Selection"]


class Part(Database):
    """Some records of a database, which stays open; they keep the numbers they have there."""

    def __init__(self, database: Database) -> None:
        super().__init__(database.path, database.format)
        self._database = database

    @property
    def name(self) -> str:
        """That of the database."""
        return self._database.name

    @property
    def files(self) -> tuple[Path, ...]:
        """Those of the database."""
        return self._database.files

    @property
    def base(self) -> Database:
        """The database beside whose files those lie that records refer to."""
        base: Database = getattr(self._database, "base", self._database)
        return base

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What is wrong with the database as a whole."""
        return self._database.problems

    @property
    def progress(self) -> float | None:
        """How much of the database has been read."""
        return self._database.progress

    @property
    def has_origins(self) -> bool:
        """Whether those of the database come from several files."""
        return self._database.has_origins

    @property
    def remarks(self) -> tuple[str, ...]:
        """What else there is to say about the database."""
        return self._database.remarks

    def origins(self, numbers: NDArray[np.int64]) -> tuple[pa.DictionaryArray, NDArray[np.int64]]:
        """Return the files that records come from, and their numbers there."""
        return self._database.origins(numbers)

    def _unfolded(self, batch: GameBatch) -> Iterator[Game]:
        return self._database._unfolded(batch)


class Selection(Part):
    """What ``database.filter`` gives.

    Iterating and ``batches`` read the database once; the length and single games need the headers of all records
    first, or all of them where a condition looks at moves or annotations.
    """

    def __init__(self, database: Database, where: Where) -> None:
        super().__init__(database)
        self._where = where

    @cached_property
    def _places(self) -> NDArray[np.int64]:
        """The positions of the chosen records in the database."""
        masks = [mask_of(records, self._where) for records in self._records(1)]
        return np.flatnonzero(np.concatenate(masks)) if masks else np.empty(0, np.int64)

    def _records(self, threads: int) -> Iterator[pa.RecordBatch]:
        """Yield all records, with moves and the like only if the condition looks at them."""
        try:
            mask_of(GameBatch.empty().record_batch.select(HEADER_SCHEMA.names), self._where)
        except UsageError:
            return (batch.record_batch for batch in self._database.batches(threads=threads))
        return self._database.headers(threads=threads)

    def _count(self) -> int:
        return len(self._places)

    def _read(self, start: int, stop: int) -> GameBatch:
        return self._database.take(self._places[start:stop])

    def _batches(self, threads: int) -> Iterator[GameBatch]:
        chosen = (chosen_of(batch, self._where) for batch in self._database.batches(threads=threads))
        return (batch for batch in chosen if len(batch))

    def _headers(self, threads: int) -> Iterator[pa.RecordBatch]:
        for records in self._records(threads):
            yield records.filter(pa.array(mask_of(records, self._where))).select(HEADER_SCHEMA.names)
