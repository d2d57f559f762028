"""Test suites: positions with a best move, or one to avoid, and whether an engine finds it."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from tabiya.analysis.cache import AnalysisCache, Effort, identity_of
from tabiya.analysis.engine import Engine
from tabiya.analysis.findings import position_name
from tabiya.analysis.limits import Limit
from tabiya.analysis.pool import EnginePool, process_count
from tabiya.errors import FormatError, TabiyaError, UsageError
from tabiya.formats.open_and_create import opened
from tabiya.formats.progress import Progress
from tabiya.game.record import RecordKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from os import PathLike

    import numpy as np
    from numpy.typing import NDArray

    from tabiya.analysis.findings import FoundLine
    from tabiya.analysis.options import OptionValue
    from tabiya.chess import Move, Position
    from tabiya.formats import Database
    from tabiya.formats.open_and_create import Locations
    from tabiya.formats.progress import Watcher
    from tabiya.game import Game
    from tabiya.game.annotations import Evaluation

_BEST: Final = "epd.bm"
_AVOID: Final = "epd.am"


@dataclass(frozen=True, slots=True)
class TestedPosition:
    """A position of a suite, and what an engine played there."""

    number: int
    """Of its record."""
    name: str
    """Its tag Event, which is the ``id`` of EPD."""
    best: tuple[str, ...]
    """The moves of which one has to be found, in SAN."""
    avoid: tuple[str, ...]
    """The moves that must not be played."""
    played: str | None = None
    """The move of the engine; None if it could not analyse the position."""
    evaluation: Evaluation | None = None
    solved: bool = False
    problem: str = ""
    """Why the position could not be tested."""

    def as_dict(self) -> dict[str, Any]:
        """Return the result for JSON."""
        found = {name: getattr(self, name) for name in TestedPosition.__slots__}
        return {**found, "evaluation": None if self.evaluation is None else self.evaluation.format()}


@dataclass(frozen=True, slots=True)
class SuiteReport:
    """The result of a test suite."""

    engine: str
    """Name of the engine."""
    positions: tuple[TestedPosition, ...]

    @property
    def tested(self) -> int:
        """Number of positions that the engine has analysed."""
        return sum(each.played is not None for each in self.positions)

    @property
    def solved(self) -> int:
        """Number of positions whose best move the engine found."""
        return sum(each.solved for each in self.positions)

    def as_dict(self) -> dict[str, Any]:
        """Return the report for JSON."""
        positions = [each.as_dict() for each in self.positions]
        return {"engine": self.engine, "tested": self.tested, "solved": self.solved, "positions": positions}


def is_suite(database: Database) -> bool:
    """Return whether the first records of a database contain a position with a best move, or one to avoid."""
    first = next((batch for batch in database.batches() if len(batch)), ())
    return any(extra.key in (_BEST, _AVOID) for game in first for extra in game.extras)


def run_suite(
    source: Locations | Database,
    *,
    engine: str | PathLike[str] | Sequence[str | PathLike[str]],
    engine_options: Mapping[str, OptionValue] | None = None,
    depth: int | None = None,
    time: float | None = None,
    nodes: int | None = None,
    processes: int | None = None,
    cache: str | PathLike[str] | None = None,
    numbers: NDArray[np.int64] | None = None,
    progress: Watcher = None,
) -> SuiteReport:
    """Test an engine on positions with ``bm`` (best moves) or ``am`` (moves to avoid), as EPD has them.

    A position is solved if the engine plays one of the best moves, and none of those to avoid. Records without either
    are left out. The engine forgets everything before each position.

    Args:
        source: what ``tabiya.open`` takes, or an open database, which remains open.
        engine: the program of an engine, as for ``Engine``.
        engine_options: options of the engine, by name.
        depth: limit for each position, in plies; 16 if there is no limit at all.
        time: limit in seconds.
        nodes: limit in examined positions.
        processes: number of processes of the engine; by default as many as the cores allow.
        cache: a file that keeps findings for later calls, see ``default_cache``.
        numbers: the records to test; by default all.
        progress: is called with the progress.

    Raises:
        UsageError: There is no such position, or an argument is not valid.
        EngineError: The engine does not start.
    """
    limit = Limit.of_position(depth, time, nodes)
    options = dict(engine_options or {})
    with ExitStack() as stack:
        database = stack.enter_context(opened(source))
        chosen = None if numbers is None else frozenset(numbers.tolist())
        tests = [
            test
            for batch in database.batches()
            for game in batch
            if (chosen is None or game.number in chosen) and (test := _Test.of(game))
        ]
        if not tests:
            raise UsageError("has no position with a best move (bm) or one to avoid (am)", path=database.path)
        first = stack.enter_context(Engine(engine, options=options))
        findings = stack.enter_context(AnalysisCache(cache))
        identity, effort = identity_of(first, options), Effort.of(limit, 1)
        wanted = dict.fromkeys(test.place for test in tests if not test.problem)
        found = dict(findings.find(identity, effort, wanted))
        problems: dict[str, str] = {}
        pool = EnginePool(
            partial(Engine, engine, options=options), process_count(processes, options), first, limit, lines=1
        )
        try:
            missing = [place for place in wanted if place not in found]
            for place in missing:
                pool.submit([place])
            while pool.waiting:
                outcome = pool.outcome()
                if outcome.lines is not None:
                    findings.store(identity, effort, [(outcome.position, outcome.lines)])
                    found[outcome.position] = outcome.lines
                elif outcome.error is not None:
                    problems[outcome.position] = str(outcome.error)
                if progress is not None:
                    done = len(missing) - pool.waiting
                    progress(Progress(done, done / len(missing)))
        finally:
            pool.close()
        return SuiteReport(first.name, tuple(test.result(found.get(test.place, ()), problems) for test in tests))


class _Test:
    """A position to test."""

    def __init__(self, game: Game, number: int) -> None:
        self.number = number
        self.name = game.tags.get("Event") or ""
        self.best: tuple[Move, ...] = ()
        self.avoid: tuple[Move, ...] = ()
        self.place = ""
        self.problem = ""
        self.position: Position | None = None
        try:
            position = self.position = game.start_position
            self.place = position_name(position)
            self.best = tuple(_moves(game, _BEST, position))
            self.avoid = tuple(_moves(game, _AVOID, position))
            if not position.legal_moves():
                self.problem = "the game is over in this position"
        except TabiyaError as error:
            self.problem = error.message

    @classmethod
    def of(cls, game: Game) -> _Test | None:
        """Return the test of a record; None if it has none."""
        if game.kind is not RecordKind.GAME or not any(extra.key in (_BEST, _AVOID) for extra in game.extras):
            return None
        return cls(game, game.number or 0)

    def result(self, lines: tuple[FoundLine, ...], problems: Mapping[str, str]) -> TestedPosition:
        """Return the result, given what the engine has found."""
        if self.problem or self.position is None or not lines or not lines[0].moves:
            problem = self.problem or problems.get(self.place, "the engine reported no move")
            return TestedPosition(self.number, self.name, *self._sans(), problem=problem)
        played = lines[0].moves[0]
        solved = played not in self.avoid and (not self.best or played in self.best)
        return TestedPosition(
            self.number, self.name, *self._sans(), self.position.san(played), lines[0].evaluation, solved
        )

    def _sans(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        if self.position is None:
            return (), ()
        return tuple(map(self.position.san, self.best)), tuple(map(self.position.san, self.avoid))


def _moves(game: Game, key: str, position: Position) -> Iterator[Move]:
    for extra in game.extras:
        if extra.key == key:
            for word in extra.value.decode("utf-8", "replace").split():
                try:
                    yield position.parse_san(word)
                except FormatError as error:
                    raise FormatError(f"{word!r} ({key.removeprefix('epd.')}) is no move here") from error
