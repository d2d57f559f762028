"""Reports of the games of a database, from their evaluations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tabiya.evaluations.judging import LICHESS, Thresholds
from tabiya.evaluations.reporting import batch_reports
from tabiya.formats.open_and_create import opened
from tabiya.formats.progress import Progress

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabiya.evaluations.reporting import GameReport
    from tabiya.formats import Database
    from tabiya.formats.open_and_create import Locations
    from tabiya.formats.progress import Watcher


def game_reports(
    source: Locations | Database,
    *,
    thresholds: Thresholds = LICHESS,
    threads: int = 1,
    progress: Watcher = None,
    **conditions: Any,
) -> Iterator[GameReport]:
    """Yield the reports of all games that have evaluated moves, in the order of the database.

    Args:
        source: what ``tabiya.open`` takes, or an open database, which remains open.
        thresholds: points of win chances that inaccuracies, mistakes and blunders lose.
        threads: number of threads that read.
        progress: called after every batch.
        conditions: those of ``RecordFilter``, to select games.
    """
    with opened(source) as database:
        chosen = database.filter(**conditions) if conditions else database
        seen = 0
        for batch in chosen.batches(threads=threads):
            yield from batch_reports(batch, thresholds)
            seen += len(batch)
            if progress is not None:
                progress(Progress(seen, chosen.progress))
