"""How far reading a whole database has come."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from tabiya.formats.opening import opened

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tabiya.formats.database import Database
    from tabiya.formats.opening import Locations
    from tabiya.game import GameBatch

__all__ = ["Progress", "Watcher", "watched_batches"]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a conversion has come."""

    records: int
    """Records read."""
    fraction: float | None
    """Part of the input that has been read, if that is known."""


Watcher: TypeAlias = "Callable[[Progress], None] | None"
"""What is told how far it has come, if anybody wants to know."""


def watched_batches(source: Locations | Database, threads: int, progress: Watcher) -> Iterator[GameBatch]:
    """Yield all batches of a database; ``progress`` is called after each has been dealt with."""
    records = 0
    with opened(source) as database:
        for batch in database.batches(threads=threads):
            yield batch
            records += len(batch)
            if progress is not None:
                progress(Progress(records, database.progress))
