"""Check a database: every game is replayed, and the reader's repairs are collected."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tabiya.formats.open_and_create import opened
from tabiya.formats.operations.conversion import GameProblem
from tabiya.formats.progress import watched_batches
from tabiya.formats.registry import sentence
from tabiya.game.record import Problem, RecordKind
from tabiya.game.replay import unplayable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabiya.formats.database import Database
    from tabiya.formats.format import Census
    from tabiya.formats.open_and_create import Locations
    from tabiya.formats.progress import Watcher
    from tabiya.game import GameBatch

UNPLAYABLE = 40
"""Problem code: a game cannot be replayed."""
_SHOWN_GAMES: Final = 10
"""Number of records named for each problem code in a report."""


class Verification:
    """Iterator over the problems of a database; it can be used once. The counts are complete at the end."""

    def __init__(
        self, source: Locations | Database, *, threads: int = 1, progress: Watcher = None, report: bool = False
    ) -> None:
        """Prepare to check what ``tabiya.open`` takes, or an open database, which remains open.

        ``report`` also collects what ``report()`` returns from formats that have more to report.
        """
        self._source = source
        self._threads = threads
        self._progress = progress
        self._wants_report = report
        self._census: Census | None = None
        self._format = ""
        self._codes: Counter[int] = Counter()
        self._first: defaultdict[int, list[int]] = defaultdict(list)
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
        self._format = database.format.name
        maker = database.format.census
        self._census = maker(database) if self._wants_report and maker is not None else None
        self.problems += len(database.problems)
        self._codes.update(problem.code for problem in database.problems)
        yield from (GameProblem(None, problem) for problem in database.problems)
        for batch in watched_batches(database, self._threads, self._progress):
            self.records += len(batch)
            if self._census is not None:
                self._census.add(batch)
            self.games += int(np.count_nonzero(batch.record_batch["kind"].to_numpy() == RecordKind.GAME))
            for found in _problems(batch):
                self.faulty += 1
                self.problems += len(found)
                self._count(found)
                yield from found

    def _count(self, found: list[GameProblem]) -> None:
        """Count the problems of a record by code."""
        for code in {each.problem.code for each in found}:
            number = found[0].game
            if number is not None and len(self._first[code]) < _SHOWN_GAMES:
                self._first[code].append(number)
        self._codes.update(each.problem.code for each in found)

    def report(self) -> dict[str, Any]:
        """Return the counts as plain values, without contents of games: problems by code, with some record numbers.

        ``facts`` are those of the format, if the verification was made with ``report=True`` and the format has any.
        """
        problems = [
            {"code": code, "problem": sentence(code, ""), "count": count, "games": self._first[code]}
            for code, count in sorted(self._codes.items())
        ]
        facts = {} if self._census is None else {"facts": self._census.facts()}
        counts = {"records": self.records, "games": self.games, "faulty": self.faulty}
        return {"format": self._format, **counts, "problems": problems, **facts}


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
