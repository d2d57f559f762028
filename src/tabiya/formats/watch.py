"""Reading a whole database while somebody watches how far it has come."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from tabiya.formats.conversion import Progress

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tabiya.formats.database import Database
    from tabiya.game import GameBatch

    Watcher: TypeAlias = Callable[[Progress], None] | None

__all__ = ["watched_batches"]


def watched_batches(database: Database, threads: int, progress: Watcher) -> Iterator[GameBatch]:
    """All batches of a database; ``progress`` is called after each has been dealt with."""
    records = 0
    for batch in database.batches(threads=threads):
        yield batch
        records += len(batch)
        if progress is not None:
            progress(Progress(records, database.progress))
