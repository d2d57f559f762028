"""Databases in order: by any fields, stable, and larger than memory."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabiya.errors import UsageError
from tabiya.formats.choose import opened
from tabiya.formats.conversion import convert
from tabiya.formats.progress import Progress
from tabiya.formats.selection import Part
from tabiya.game import GameBatch
from tabiya.maintenance.external_sort import USUAL_MEMORY, ExternalSort
from tabiya.maintenance.sort_keys import keys_of, sort_fields

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from numpy.typing import NDArray

    from tabiya.formats import ConversionReport, Database, Format
    from tabiya.formats.choose import Location, Locations
    from tabiya.formats.progress import Watcher

__all__ = ["Sorted", "bytes_of_memory", "sort", "sorted_database"]

_LEAST_MEMORY = 16
"""Megabytes."""


class Sorted(Part):
    """What ``database.sort`` gives: the records of a database in another order, with the numbers they have there.

    Iterating and ``batches`` read the database once and sort as much as there is; the length is that of the database,
    and single games need the fields of all records first.
    """

    def __init__(
        self, database: Database, by: str | Iterable[str], *, memory: int = USUAL_MEMORY, progress: Watcher = None
    ) -> None:
        super().__init__(database)
        self._fields = sort_fields(by)
        self._memory = memory
        self._watcher = progress
        self._done = 0
        self._total = 0

    @property
    def progress(self) -> float | None:
        """Half of the work is reading; the other half is handing on."""
        if self._total:
            return 0.5 + self._done / self._total / 2
        read = self._database.progress
        return None if read is None else read / 2

    @cached_property
    def _order(self) -> NDArray[np.int64]:
        """The positions in the database, in the order of the fields."""
        found: Iterable[pa.RecordBatch]
        if any(field.needs_moves for field in self._fields):
            found = (batch.record_batch for batch in self._database.batches())
        else:
            found = self._database.headers()
        keys = [keys_of(records, self._fields) for records in found]
        if not keys:
            return np.empty(0, np.int64)
        whole = pa.chunked_array(keys, pa.binary())
        table = pa.table({"key": whole, "place": np.arange(len(whole))})
        order = pc.sort_indices(table, sort_keys=[("key", "ascending"), ("place", "ascending")])
        places: NDArray[np.int64] = order.to_numpy().astype(np.int64)
        return places

    def _count(self) -> int:
        return len(self._database)

    def _count_up_to(self, limit: int) -> int:
        return self._database.count_up_to(limit)

    def _read(self, start: int, stop: int) -> GameBatch:
        places = self._order[start:stop]
        ascending = np.argsort(places)
        batch = self._database.take(places[ascending])
        return GameBatch(batch.record_batch.take(pa.array(np.argsort(ascending))))

    def _batches(self, threads: int) -> Iterator[GameBatch]:
        self._done = self._total = 0
        with ExternalSort(self._fields, memory=self._memory) as sorter:
            for batch in self._database.batches(threads=threads):
                sorter.add(batch)
                if self._watcher is not None:
                    self._watcher(Progress(sorter.count, self.progress))
            self._total = sorter.count
            for batch in sorter.batches():
                self._done += len(batch)
                yield batch


def sorted_database(database: Database, by: str | Iterable[str], *, memory: int | None = None) -> Database:
    """Return a database in another order; see ``Database.sort``."""
    return Sorted(database, by, memory=bytes_of_memory(memory))


def bytes_of_memory(megabytes: int | None) -> int:
    """Return how many bytes work may take; so many megabytes, or what is usual."""
    if megabytes is None:
        return USUAL_MEMORY
    if megabytes < _LEAST_MEMORY:
        raise UsageError(f"sorting needs {_LEAST_MEMORY} MB of memory at least, not {megabytes}")
    return megabytes << 20


def sort(
    source: Locations | Database,
    target: Location,
    by: str | Iterable[str],
    *,
    memory: int | None = None,
    source_format: str | Format | None = None,
    progress: Watcher = None,
    source_options: Mapping[str, Any] | None = None,
    **options: Any,
) -> ConversionReport:
    """Write the records of a database in another order, into a new one of any format.

    Texts are compared without case and accents, then by how they are written; numbers within rounds and other tags by
    their value, so that round 9 comes before round 10. What is not known comes last, in either direction. Records that
    are equal keep their order. Memory stays bounded: what is more goes to a temporary file.

    Args:
        source: what ``tabiya.open`` takes, or an open database, which stays open.
        target: what ``tabiya.create`` takes; never one of the files that are read.
        by: fields, the most important first: ``"date,-white_elo"``; a minus turns the order around. There are the
            columns of a record (``white``, ``event``, ``round``, ``eco`` and so on), ``date``, ``mean_elo``,
            ``ply_count`` and any tag, ``tag:TimeControl``.
        memory: about so many megabytes.
        source_format: a format or its name, instead of sniffing.
        progress: called while records are read and written.
        source_options: options for reading.
        options: those of ``tabiya.convert``: ``overwrite``, ``strict``, ``threads``, options for writing.

    Raises:
        UsageError: There is no such field, the target exists, or it is also the source.
    """
    room = bytes_of_memory(memory)
    with opened(source, format=source_format, **(source_options or {})) as database:
        ordered = Sorted(database, by, memory=room, progress=progress)
        return convert(ordered, target, progress=progress, **options)
