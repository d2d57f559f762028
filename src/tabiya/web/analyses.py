"""Engines for HTTP: a bounded number of processes, one per viewer, and live analysis, stopped without a viewer."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Final, Protocol

from tabiya.analysis import Engine
from tabiya.analysis.process import command_words
from tabiya.errors import TabiyaError
from tabiya.web.request import ApiError, error_of

if TYPE_CHECKING:
    from tabiya.analysis import Analysis, Line
    from tabiya.analysis.options import OptionValue
    from tabiya.chess import Position
    from tabiya.game.annotations import Evaluation
    from tabiya.web.answers import engines as answers

MOST_PROCESSES: Final = 2
MOST_SECONDS: Final = 120.0
MOST_LINES: Final = 5
_IDLE_SECONDS: Final = 30.0
"""Seconds that a process waits for another position before it ends."""
_TIMEOUT: Final = 10.0
"""Seconds in which an engine must answer whatever needs no search."""
_PATIENCE: Final = 0.5
_LONGEST_LINE: Final = 30


class Job(Protocol):
    """Work for a process of an engine."""

    def run(self, engine: Engine) -> None:
        """Do it, in the thread of a worker."""

    def fail(self, error: TabiyaError) -> None:
        """There is no engine to do it."""

    def end(self) -> None:
        """End now, whatever was found, because the result is no longer needed. Any thread may call this."""


class LiveAnalysis:
    """An analysis that somebody watches. The worker's thread fills it, the stream takes what is new."""

    def __init__(self, position: Position, lines: int, seconds: float) -> None:
        self._position = position
        self._lines = lines
        self._seconds = seconds
        self._lock = threading.Lock()
        self._engine: Engine | None = None
        self._fresh: dict[int, Line] = {}
        """By rank: the latest line that has not been taken."""
        self._end: answers.AnalysisEvent | None = None
        self._notify: Callable[[], None] = lambda: None
        self._is_unwanted = False
        self.is_over = False
        """Whether the last event has been taken."""

    def when_changed(self, notify: Callable[[], None]) -> None:
        """Register a function to call, from any thread, when there is something to take; maybe at once."""
        with self._lock:
            self._notify = notify
        notify()

    def take(self) -> list[answers.AnalysisEvent]:
        """Return what is new: the latest line of each rank, and the end."""
        with self._lock:
            lines = [self._fresh[rank] for rank in sorted(self._fresh)]
            self._fresh = {}
            end, self.is_over = self._end, self._end is not None
        events: list[answers.AnalysisEvent] = [{"kind": "line", "line": line_values(line)} for line in lines]
        return [*events, end] if end is not None else events

    def stop(self) -> None:
        """End the analysis: its viewer has left."""
        with self._lock:
            self._is_unwanted = True
            engine = self._engine
        if engine is not None:
            engine.stop()

    def run(self, engine: Engine) -> None:
        """Analyse, in the thread of a worker."""
        try:
            with engine.search(self._position, time=self._seconds, lines=self._lines) as search:
                with self._lock:
                    self._engine = None if self._is_unwanted else engine
                if self._engine is not None:
                    for line in search:
                        self._put(line)
                    self.finish(_done(search.result()))
        except TabiyaError as error:
            self.fail(error)
        finally:
            with self._lock:
                self._engine = None

    def _put(self, line: Line) -> None:
        with self._lock:
            self._fresh[line.rank] = line
            notify = self._notify
        notify()

    def end(self) -> None:
        """End without a choice of the engine: another analysis replaces this one."""
        self.finish({"kind": "done", "best": None, "evaluation": None})
        self.stop()

    def fail(self, error: TabiyaError) -> None:
        """End with an error."""
        self.finish({"kind": "error", "sentence": error_of(error).sentence})

    def finish(self, event: answers.AnalysisEvent) -> None:
        """End with this event, unless there is an end already."""
        with self._lock:
            self._end = self._end or event
            notify = self._notify
        notify()


@dataclass(slots=True, eq=False)
class _Worker:
    """A process of an engine and its thread, which ends when it has waited in vain."""

    command: tuple[str, ...]
    options: Mapping[str, OptionValue]
    viewer: Hashable
    job: Job | None
    changed: threading.Condition
    """Of all workers: guards the fields."""
    engine: Engine | None = None
    current: Job | None = None
    is_ending: bool = False
    thread: threading.Thread | None = None

    def run(self, remove: Callable[[_Worker], None]) -> None:
        """Analyse one position after the other."""
        try:
            while (job := self._next()) is not None:
                self._analyse(job)
        finally:
            if self.engine is not None:
                self.engine.close()
            remove(self)

    def _next(self) -> Job | None:
        with self.changed:
            self.current = None
            self.changed.wait_for(lambda: self.job is not None or self.is_ending, _IDLE_SECONDS)
            if self.is_ending or self.job is None:
                self.is_ending = True
                return None
            self.current, self.job = self.job, None
            return self.current

    def _analyse(self, job: Job) -> None:
        try:
            if self.engine is None or self.engine.is_closed:
                self.engine = Engine(self.command, options=self.options, timeout=_TIMEOUT)
        except TabiyaError as error:
            job.fail(error)
            return
        job.run(self.engine)

    def end(self) -> None:
        """End soon: the search stops at once. The caller holds the condition."""
        self.is_ending = True
        for job in (self.current, self.job):
            if job is not None:
                job.end()
        self.changed.notify_all()


@dataclass(slots=True)
class Analyses:
    """All live analyses of a server."""

    engines: Sequence[str] = ()
    """The programs that may run; no other ones can be requested."""
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    most: int = MOST_PROCESSES
    """Maximum number of processes."""
    seconds: float = MOST_SECONDS
    """Maximum duration of a search."""
    _workers: list[_Worker] = field(default_factory=list)
    _changed: threading.Condition = field(default_factory=threading.Condition)
    _is_closed: bool = False

    def commands(self) -> list[tuple[str, ...]]:
        """Return the programs; raise ``MissingFileError`` if one does not exist."""
        return [command_words(engine) for engine in self.engines]

    def names(self) -> list[str]:
        """Return the names of the programs, without their folders."""
        return [Path(command[0]).name for command in self.commands()]

    def begin(self, engine: int, viewer: str, position: Position, lines: int, seconds: float) -> LiveAnalysis:
        """Begin an analysis; it replaces that of the same viewer.

        Raises:
            ApiError: There is no such engine, or all processes are in use.
        """
        job = LiveAnalysis(position, max(1, min(lines, MOST_LINES)), max(0.1, min(seconds, self.seconds)))
        self.assign(engine, viewer, job)
        return job

    def assign(self, engine: int, viewer: Hashable, job: Job) -> None:
        """Give a job to a process; it replaces that of the same viewer.

        Raises:
            ApiError: There is no such engine, or all processes are in use.
        """
        commands = self.commands()
        if not 0 <= engine < len(commands):
            raise ApiError(404, "There is no such engine; tabiya serve --engine names those that may run.")
        _await(self._assign(commands[engine], viewer, job))

    def _assign(self, command: tuple[str, ...], viewer: Hashable, job: Job) -> list[_Worker]:
        """Give a job to a worker; return the workers that end for it."""
        with self._changed:
            if self._is_closed:
                raise ApiError(503, "The server ends.")
            active = [worker for worker in self._workers if not worker.is_ending]
            own = next((worker for worker in active if worker.viewer == viewer), None)
            idle = [worker for worker in active if worker.current is None and worker.job is None]
            fitting = next((each for each in ([own] if own else idle) if each.command == command), None)
            if fitting is not None:
                _replace(fitting, viewer, job)
                return []
            ended = [own] if own is not None else []
            if len(self._workers) - len(ended) >= self.most:
                if not idle:
                    raise ApiError(503, f"All {self.most} engine processes are in use; try again later.")
                ended = [idle[0]]
            for worker in ended:
                worker.end()
            self._start(_Worker(command, self.options, viewer, job, self._changed))
            return ended

    def _start(self, worker: _Worker) -> None:
        worker.thread = threading.Thread(target=worker.run, args=(self._remove,), name="tabiya-live")
        self._workers.append(worker)
        worker.thread.start()

    def _remove(self, worker: _Worker) -> None:
        with self._changed:
            self._workers.remove(worker)

    def close(self) -> None:
        """End all processes."""
        with self._changed:
            self._is_closed = True
            workers = list(self._workers)
            for worker in workers:
                worker.end()
        _await(workers)


def _await(ended: Sequence[_Worker]) -> None:
    """Wait for workers that end; their processes have a moment before they are killed."""
    end = monotonic() + _PATIENCE
    for worker in ended:
        if worker.thread is not None:
            worker.thread.join(max(0.0, end - monotonic()))
        if worker.engine is not None:
            worker.engine.kill()
    for worker in ended:
        if worker.thread is not None:
            worker.thread.join(_TIMEOUT)


def _replace(worker: _Worker, viewer: Hashable, job: Job) -> None:
    """Give a worker another job instead of what it does. The caller holds the condition."""
    for old in (worker.current, worker.job):
        if old is not None:
            old.end()
    worker.viewer, worker.job = viewer, job
    worker.changed.notify_all()


def line_values(line: Line) -> answers.EngineLine:
    """Return a line for JSON."""
    return {
        "rank": line.rank,
        "depth": line.depth,
        "selective_depth": line.selective_depth,
        "evaluation": evaluation_values(line.evaluation),
        "bound": line.bound or None,
        "wdl": None if line.wdl is None else list(line.wdl),
        "moves": list(line.uci[:_LONGEST_LINE]),
        "san": list(line.san[:_LONGEST_LINE]),
        "nodes": line.nodes,
        "nodes_per_second": line.nodes_per_second,
        "seconds": line.seconds,
    }


def _done(analysis: Analysis) -> answers.AnalysisEvent:
    best = None if analysis.best is None else analysis.position.uci(analysis.best)
    return {"kind": "done", "best": best, "evaluation": evaluation_values(analysis.evaluation)}


def evaluation_values(evaluation: Evaluation) -> answers.EngineEvaluation:
    """Return an evaluation for JSON."""
    value = evaluation.value
    return {"centipawns": None, "mate": value} if evaluation.is_mate else {"centipawns": value, "mate": None}
