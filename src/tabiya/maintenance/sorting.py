"""Sort databases by any fields; stable, and larger than memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabiya.errors import UsageError
from tabiya.formats.open_and_create import opened
from tabiya.formats.operations.conversion import convert
from tabiya.formats.progress import Progress
from tabiya.formats.subset import EVERYTHING, Subset
from tabiya.maintenance.external_sort import USUAL_MEMORY, ExternalSort
from tabiya.maintenance.sort_keys import keys_of, sort_fields

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from tabiya.formats import ConversionReport, Database, Format
    from tabiya.formats.open_and_create import Location, Locations
    from tabiya.formats.progress import Watcher
    from tabiya.game import GameBatch
    from tabiya.maintenance.sort_keys import SortField

_LEAST_MEMORY = 16
"""Megabytes."""


def sorted_database(
    database: Database, by: str | Iterable[str], *, memory: int | None = None, progress: Watcher = None
) -> Subset:
    """Return a database in another order; see ``Database.sort``.

    Iterating and ``batches`` read the database once and sort all of it; the length is that of the database, and single
    games first require the fields of all records.
    """
    fields, bytes_limit = sort_fields(by), bytes_of_memory(memory)
    done: float | None = None

    def batches(threads: int) -> Iterator[GameBatch]:
        """Half of the progress is reading; the other half is yielding."""
        nonlocal done
        with ExternalSort(fields, memory=bytes_limit) as sorter:
            for batch in database.batches(threads=threads):
                sorter.add(batch)
                done = None if (read := database.progress) is None else read / 2
                if progress is not None:
                    progress(Progress(sorter.count, done))
            given = 0
            for batch in sorter.batches():
                given += len(batch)
                done = 0.5 + given / sorter.count / 2
                yield batch

    return Subset(database, EVERYTHING, lambda: _order(database, fields), batches=batches, progress=lambda: done)


def _order(database: Database, fields: Sequence[SortField]) -> NDArray[np.int64]:
    """Return the positions of all records in the order of the fields."""
    found: Iterable[pa.RecordBatch]
    if any(field.needs_moves for field in fields):
        found = (batch.record_batch for batch in database.batches())
    else:
        found = database.headers()
    keys = pa.chunked_array([keys_of(records, fields) for records in found], pa.binary())
    table = pa.table({"key": keys, "place": np.arange(len(keys))})
    order = pc.sort_indices(table, sort_keys=[("key", "ascending"), ("place", "ascending")])
    places: NDArray[np.int64] = order.to_numpy().astype(np.int64)
    return places


def bytes_of_memory(megabytes: int | None) -> int:
    """Return the memory to use in bytes; by default the usual amount."""
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
    """Write the records of a database in another order into a new one of any format.

    Texts are compared without case and accents, then by their exact spelling; numbers within rounds and other tags by
    their value, so that round 9 comes before round 10. Unknown values come last, in either direction. The sort is
    stable. Memory is bounded: the rest goes to a temporary file.

    Args:
        source: what ``tabiya.open`` takes, or an open database, which remains open.
        target: what ``tabiya.create`` takes; never one of the files that are read.
        by: fields, the most important first: ``"date,-white_elo"``; a minus reverses the order. Fields are the columns
            of a record (``white``, ``event``, ``round``, ``eco`` and so on), ``date``, ``mean_elo``, ``ply_count`` and
            any tag, ``tag:TimeControl``.
        memory: approximate memory in megabytes.
        source_format: a format or its name, instead of detecting it.
        progress: called while records are read and written.
        source_options: options for reading.
        options: those of ``tabiya.convert``: ``overwrite``, ``strict``, ``threads``, options for writing.

    Raises:
        UsageError: A field is unknown, the target exists, or it is also the source.
    """
    with opened(source, format=source_format, **(source_options or {})) as database:
        ordered = sorted_database(database, by, memory=memory, progress=progress)
        return convert(ordered, target, progress=progress, **options)
