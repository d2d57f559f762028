"""Check a database: every game is replayed, and the reader's repairs are collected."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tabiya.formats.conversion import GameProblem
from tabiya.formats.opening import opened
from tabiya.formats.progress import watched_batches
from tabiya.game.record import Problem, RecordKind
from tabiya.game.replay import unplayable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabiya.formats.database import Database
    from tabiya.formats.opening import Locations
    from tabiya.formats.progress import Watcher
    from tabiya.game import GameBatch

UNPLAYABLE = 40
"""Problem code: a game cannot be replayed."""


class Verification:
    """Iterator over the problems of a database; it can be used once. The counts are complete at the end."""

    def __init__(self, source: Locations | Database, *, threads: int = 1, progress: Watcher = None) -> None:
        """Prepare to check what ``tabiya.open`` takes, or an open database, which remains open."""
        self._source = source
        self._threads = threads
        self._progress = progress
        self.records = 0
        """Records read."""
        self.games = 0
        """Games replayed."""
        self.faulty = 0
        """Records with problems."""
        self.problems = 0
        """Problems found."""

    def __iter__(self) -> Iterator[GameProblem]:
        with opened(self._source) as database:
            yield from self._found(database)

    def _found(self, database: Database) -> Iterator[GameProblem]:
        self.problems += len(database.problems)
        yield from (GameProblem(None, problem) for problem in database.problems)
        for batch in watched_batches(database, self._threads, self._progress):
            self.records += len(batch)
            self.games += int(np.count_nonzero(batch.record_batch["kind"].to_numpy() == RecordKind.GAME))
            for found in _problems(batch):
                self.faulty += 1
                self.problems += len(found)
                yield from found


def _problems(batch: GameBatch) -> Iterator[list[GameProblem]]:
    """Yield the problems of each record that has any."""
    records = batch.record_batch
    reasons = dict(unplayable(batch))
    noted = np.flatnonzero(np.diff(records["problems"].offsets.to_numpy()))
    for row in sorted({*noted.tolist(), *reasons}):
        found = [Problem(**problem) for problem in records["problems"][row].as_py()]
        if row in reasons:
            found.append(Problem(UNPLAYABLE, None, reasons[row]))
        number = records["number"][row].as_py()
        yield [GameProblem(number, problem) for problem in found]
