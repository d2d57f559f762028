"""Progress of reading a whole database."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from tabiya.formats.open_and_create import opened

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tabiya.formats.database import Database
    from tabiya.formats.open_and_create import Locations
    from tabiya.game import GameBatch


@dataclass(frozen=True, slots=True)
class Progress:
    """Progress of a conversion."""

    records: int
    """Records read."""
    fraction: float | None
    """Fraction of the input that has been read, if known."""


Watcher: TypeAlias = "Callable[[Progress], None] | None"
"""A callback that receives the progress, or None."""


def watched_batches(source: Locations | Database, threads: int, progress: Watcher) -> Iterator[GameBatch]:
    """Yield all batches of a database; ``progress`` is called after each has been processed."""
    records = 0
    with opened(source) as database:
        for batch in database.batches(threads=threads):
            yield batch
            records += len(batch)
            if progress is not None:
                progress(Progress(records, database.progress))
