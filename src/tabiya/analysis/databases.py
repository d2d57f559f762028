"""Analysis of games and whole databases: positions to engines, findings into games."""

from __future__ import annotations

from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tabiya.analysis.annotating import annotate
from tabiya.analysis.cache import AnalysisCache, Effort, identity_of
from tabiya.analysis.engine import Engine
from tabiya.analysis.game_plan import Notation, plan_game
from tabiya.analysis.limits import Limit
from tabiya.analysis.openings import known_openings
from tabiya.analysis.pool import EnginePool, Outcome, process_count
from tabiya.errors import EngineError, TabiyaError, UnsupportedError, UsageError
from tabiya.files.transaction import refuse_existing
from tabiya.formats.description import named, no_suffix, suffixed
from tabiya.formats.open_and_create import opened, path_of
from tabiya.formats.progress import Progress
from tabiya.formats.registry import FORMATS
from tabiya.formats.row_changes import replaced_rows
from tabiya.game import GameBatch
from tabiya.game.annotations import EvaluationProfile
from tabiya.game.record import RecordKind
from tabiya.maintenance.rewriting import Changed, ChangeReport, editable_path, rewrite
from tabiya.positions.game_facts import main_lines_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from os import PathLike
    from typing import Unpack

    from numpy.typing import NDArray

    from tabiya.analysis.game_plan import Known, Plan
    from tabiya.analysis.options import OptionValue
    from tabiya.formats import Database
    from tabiya.formats.format import Format
    from tabiya.formats.open_and_create import Location, Locations
    from tabiya.formats.progress import Watcher
    from tabiya.maintenance.rewriting import ChangeOptions

_GAMES_AT_ONCE: Final = 128
_RUN: Final = 16
"""Positions that one process analyses in a row: enough to profit from what it remembers."""
_WAITING_RUNS: Final = 4
_MOST_FAILURES: Final = 5
_TOLERATED_SHARE: Final = 0.01
"""Of the positions searched: an engine that fails in a few of many is not given up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalysisReport:
    """The result of an analysis of games."""

    engine: str
    """Name of the engine."""
    games: int
    """Games that can be analysed, among the chosen records."""
    positions: int
    """Positions in these games from the first ply on, that have no evaluation."""
    searched: int
    """How many of them an engine has analysed now; others occur several times, or were in the cache."""
    refused: int
    """Positions that the engine could not analyse."""
    unfinished: int
    """Games without some of their findings, because of an interrupt. They are unchanged."""
    skipped: int
    """Records that are no games, or whose moves cannot be played."""
    interrupted: bool
    """Whether Ctrl-C ended the analysis early."""
    changes: ChangeReport
    """The games changed; ``noted`` counts what was added to them: evaluations, mistakes, better lines …"""
    problem: str = ""
    """Why positions were refused: the sentence for the last one."""

    def as_dict(self) -> dict[str, Any]:
        """Return the report for JSON."""
        own = {name: getattr(self, name) for name in AnalysisReport.__slots__ if name != "changes"}
        return {**own, "added": dict(sorted(self.changes.noted.items())), **self.changes.as_dict()}


def analyse(
    source: Locations | Database,
    target: Location | None = None,
    *,
    engine: str | PathLike[str] | Sequence[str | PathLike[str]],
    engine_options: Mapping[str, OptionValue] | None = None,
    depth: int | None = None,
    time: float | None = None,
    nodes: int | None = None,
    notation: Notation | None = None,
    book: str | PathLike[str] | None = None,
    processes: int | None = None,
    cache: str | PathLike[str] | None = None,
    **how: Unpack[ChangeOptions],
) -> AnalysisReport:
    """Analyse the main lines of games with an engine: evaluations, symbols for mistakes, and better lines.

    What games contain already is kept, and moves with an evaluation are not analysed again. A position that occurs in
    several games is analysed once. An interrupt (Ctrl-C) ends the analysis: games that are finished are written, the
    others stay as they are, and the next call goes on from the cache. A second interrupt writes nothing.

    Without ``target`` and ``in_place``, and with ``dry_run``, no engine searches: the report counts the positions.

    Args:
        source: what ``tabiya.open`` takes, or an open database, which remains open; not a stream.
        target: a new database with all records.
        engine: the program of an engine, as for ``Engine``.
        engine_options: options of the engine, by name.
        depth: limit for each position, in plies; 16 if there is no limit at all.
        time: limit in seconds.
        nodes: limit in examined positions.
        notation: what to write into games.
        book: an opening book, or a database: moves at the beginning of a game that it contains are not analysed.
        processes: number of processes of the engine; by default as many as the cores allow.
        cache: a file that keeps findings for later calls, see ``default_cache``.
        how: ``numbers`` (the records to analyse, ascending), ``in_place`` (change the records where they are, if the
            format supports it), ``dry_run`` (write nothing), ``overwrite``, ``strict``, ``threads``, ``progress``
            (here ``records`` counts positions), and ``options`` for ``tabiya.convert``.

    Raises:
        UsageError: The source is a stream, or an argument is not valid.
        EngineError: The engine does not start, or fails in many positions.
    """
    limit = Limit.of_position(depth, time, nodes)
    options = dict(engine_options or {})
    notation = notation or Notation()
    threads = how.get("threads", 1)
    with ExitStack() as stack:
        database = stack.enter_context(opened(source))
        if database.path is None and not database.has_origins:
            raise UsageError("a stream cannot be analysed, because it is read twice; write it to a file first")
        format = _target_format(database, target, how)
        if notation.profile is None:
            notation = replace(notation, profile=_is_for_chessbase(format))
        first = stack.enter_context(Engine(engine, options=options))
        if notation.lines > 1 and "multipv" not in map(str.lower, first.options):
            raise UnsupportedError(f"{first.name} cannot report {notation.lines} lines", path=first.command[0])
        findings = stack.enter_context(AnalysisCache(cache))
        known = stack.enter_context(known_openings(book, threads=threads))
        analyst = _Analyst(first, identity_of(first, options), findings, limit, notation, known)
        is_dry = how.get("dry_run", False) or (target is None and not how.get("in_place"))
        analyst.visit(
            database,
            how.get("numbers"),
            partial(Engine, engine, options=options),
            0 if is_dry else process_count(processes, options),
            threads,
            how.pop("progress", None),
        )
        if analyst.is_fruitless:
            raise KeyboardInterrupt
        changes = rewrite(database, analyst.change, target, **how)
    return analyst.report(changes)


def _target_format(database: Database, target: Location | None, how: ChangeOptions) -> Format | None:
    """Return the format to be written; refuse at once what would be refused after hours of analysis."""
    if target is None:
        if how.get("in_place"):
            editable_path(database)
        return database.format
    if how.get("in_place"):
        raise UsageError("a change is made in place or written to a new database, not both")
    path, name = path_of(target), (how.get("options") or {}).get("target_format")
    if path is not None:
        refuse_existing(path, overwrite=how.get("overwrite", False))
    format: Format | None
    if name:
        format = named(name, FORMATS)  # the list of formats is generic: this names the type
        return format
    format = None if path is None else suffixed(path, FORMATS)
    if path is not None and format is None:
        raise no_suffix(path, FORMATS)
    return format


def _is_for_chessbase(format: Format | None) -> bool:
    """Return whether a format stores exactly ChessBase's kinds of annotations."""
    kinds = "all" if format is None else format.keeps.annotations
    return kinds != "all" and EvaluationProfile.kind in kinds


@dataclass(slots=True)
class _Tally:
    """What an analyst has counted."""

    games: int = 0
    positions: int = 0
    searched: int = 0
    skipped: int = 0
    refused: dict[str, TabiyaError] = field(default_factory=dict)
    """Positions that an engine could not analyse, and why."""
    interrupted: bool = False


class _Analyst:
    """Finds the positions that need an engine, and writes the findings into games."""

    def __init__(
        self,
        engine: Engine,
        identity: str,
        cache: AnalysisCache,
        limit: Limit,
        notation: Notation,
        known: Known | None,
    ) -> None:
        self._engine = engine
        self._identity = identity
        self._cache = cache
        self._limit = limit
        self._effort = Effort.of(limit, notation.lines)
        self._notation = notation
        self._known = known
        self._tally = _Tally()

    # The first pass: positions to engines.

    def visit(
        self,
        database: Database,
        numbers: NDArray[np.int64] | None,
        start: partial[Engine],
        processes: int,
        threads: int,
        progress: Watcher,
    ) -> None:
        """Analyse all positions that need it; with 0 processes, only count them."""
        watch = _Watch(database, numbers, threads, progress)
        if not processes:
            for plans in self._plans(database, numbers, threads):
                self._missing(plans)
            return
        pool = EnginePool(start, processes, self._engine, self._limit, self._notation.lines)
        try:
            flight: set[str] = set()
            for plans in self._plans(database, numbers, threads):
                missing = [name for name in self._missing(plans) if name not in flight]
                watch.planned(sum(len(plan.nodes) for plan in plans), len(missing))
                for run in _runs(missing):
                    flight.update(run)
                    pool.submit(run)
                    while pool.waiting > _WAITING_RUNS * processes * _RUN:
                        flight.discard(self._take(pool, watch))
            while pool.waiting:
                self._take(pool, watch)
        except KeyboardInterrupt:
            self._tally.interrupted = True
        finally:
            pool.close()
            for outcome in pool.finished():  # an interrupt must not cost what was found while it came
                self._keep(outcome)

    def _plans(self, database: Database, numbers: NDArray[np.int64] | None, threads: int) -> Iterator[list[Plan]]:
        for batch in database.batches(threads=threads):
            rows = np.flatnonzero(_chosen(batch, numbers))
            for start in range(0, len(rows), _GAMES_AT_ONCE):
                yield [plan for _, plan in self._planned(batch, rows[start : start + _GAMES_AT_ONCE], count=True)]

    def _planned(self, batch: GameBatch, rows: NDArray[np.int64], *, count: bool = False) -> Iterator[tuple[int, Plan]]:
        """Yield the games that can be analysed, with their rows."""
        for row in rows.tolist():
            plan = plan_game(batch[row], self._notation, self._known)
            if count:
                self._tally.games += plan is not None
                self._tally.skipped += plan is None
            if plan is not None:
                yield row, plan

    def _missing(self, plans: Sequence[Plan]) -> list[str]:
        """Return the names of positions without findings, in the order of games."""
        wanted = dict.fromkeys(name for plan in plans for name in plan.needed.values())
        self._tally.positions += sum(len(plan.needed) for plan in plans)
        known = self._cache.known(self._identity, self._effort, wanted)
        return [name for name in wanted if name not in known and name not in self._tally.refused]

    def _take(self, pool: EnginePool, watch: _Watch) -> str:
        """Store the next finding, and return its position."""
        outcome = pool.outcome()
        self._keep(outcome)
        if outcome.error is not None:
            failures = [error for error in self._tally.refused.values() if isinstance(error, EngineError)]
            if len(failures) > max(_MOST_FAILURES, self._tally.searched * _TOLERATED_SHARE):
                raise outcome.error
        watch.settled()
        return outcome.position

    def _keep(self, outcome: Outcome) -> None:
        if outcome.lines is not None:
            self._cache.store(self._identity, self._effort, [(outcome.position, outcome.lines)])
            self._tally.searched += 1
        elif outcome.error is not None:
            self._tally.refused[outcome.position] = outcome.error

    @property
    def is_fruitless(self) -> bool:
        """Whether an interrupt came before anything was found."""
        return self._tally.interrupted and not self._tally.searched

    # The second pass: findings into games.

    def change(self, batch: GameBatch, chosen: NDArray[np.bool_]) -> Changed:
        """Return a batch with the findings; the change for ``rewrite``."""
        rows = np.flatnonzero(chosen)
        games, added, unfinished = [], Counter[str](), 0
        changed: list[int] = []
        for start in range(0, len(rows), _GAMES_AT_ONCE):
            planned = list(self._planned(batch, rows[start : start + _GAMES_AT_ONCE]))
            wanted = dict.fromkeys(name for _, plan in planned for name in plan.needed.values())
            findings = self._cache.find(self._identity, self._effort, wanted)
            for row, plan in planned:
                counts = annotate(plan, findings, self._tally.refused, self._notation)
                unfinished += counts is None
                if counts:
                    added += counts
                    changed.append(row)
                    games.append(plan.nodes[0].game)
        mask = np.zeros(len(batch), np.bool_)
        mask[changed] = True
        noted = added + Counter({"unfinished": unfinished})
        if not changed:
            return Changed(batch, mask, {}, noted)
        whole = replaced_rows(batch, changed, GameBatch.from_games(games))
        return Changed(whole, mask, {"annotations": len(changed)}, noted)

    def report(self, changes: ChangeReport) -> AnalysisReport:
        """Return the report."""
        tally = self._tally
        unfinished = changes.noted.pop("unfinished", 0)
        return AnalysisReport(
            engine=self._engine.name,
            games=tally.games,
            positions=tally.positions,
            searched=tally.searched,
            refused=len(tally.refused),
            unfinished=unfinished,
            skipped=tally.skipped,
            interrupted=tally.interrupted,
            changes=changes,
            problem=str(next(reversed(tally.refused.values()))) if tally.refused else "",
        )


class _Watch:
    """Reports progress in positions, of which the whole number is counted first."""

    def __init__(self, database: Database, numbers: NDArray[np.int64] | None, threads: int, progress: Watcher) -> None:
        self._progress = progress
        self._planned = 0
        self._open = 0
        """Planned positions that have no result yet."""
        self._total = 0
        if progress is not None:
            for batch in database.batches(threads=threads):
                plies = np.diff(main_lines_of(batch).ends) + 1
                games = batch.record_batch["kind"].to_numpy() == RecordKind.GAME
                self._total += int(plies[games & _chosen(batch, numbers)].sum())

    def planned(self, positions: int, missing: int) -> None:
        """Games with so many positions have been planned; so many of these need an engine."""
        self._planned += positions
        self._open += missing
        self._show()

    def settled(self) -> None:
        """A position has its result."""
        self._open -= 1
        self._show()

    def _show(self) -> None:
        if self._progress is not None:
            done = self._planned - self._open
            self._progress(Progress(done, min(1.0, done / self._total) if self._total else None))


def _runs(names: Iterable[str]) -> Iterator[list[str]]:
    """Yield positions in runs for one process each."""
    run: list[str] = []
    for name in names:
        run.append(name)
        if len(run) == _RUN:
            yield run
            run = []
    if run:
        yield run


def _chosen(batch: GameBatch, numbers: NDArray[np.int64] | None) -> NDArray[np.bool_]:
    own = batch.record_batch["number"].to_numpy()
    return np.ones(len(own), np.bool_) if numbers is None else np.isin(own, numbers)
