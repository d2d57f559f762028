"""Several processes of one engine, which analyse positions side by side."""

from __future__ import annotations

import os
import threading
from queue import Empty, Queue
from typing import TYPE_CHECKING, Final, NamedTuple

from tabiya.analysis.findings import FoundLine, found_lines, named_position
from tabiya.errors import EngineError, FormatError, TabiyaError, UnsupportedError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tabiya.analysis.engine import Engine
    from tabiya.analysis.limits import Limit
    from tabiya.analysis.options import OptionValue

_MOST_PROCESSES: Final = 512
_TRIES: Final = 2
_TURN: Final = 0.2


class Outcome(NamedTuple):
    """What became of a position."""

    position: str
    lines: tuple[FoundLine, ...] | None
    """None if the engine could not analyse it."""
    error: TabiyaError | None = None


class EnginePool:
    """Analyses runs of positions in several processes. Results come in any order.

    The positions of a run are analysed by one process, the last first: what it remembers of a position helps with
    those before it. At the beginning of a run it forgets everything, so results do not depend on other runs.

    Args:
        start: starts a process.
        processes: how many.
        first: a process that runs already.
    """

    def __init__(self, start: Callable[[], Engine], processes: int, first: Engine, limit: Limit, lines: int) -> None:
        self._start = start
        self._limit = limit
        self._lines = lines
        self._tasks: Queue[Sequence[str] | None] = Queue()
        self._outcomes: Queue[Outcome | BaseException] = Queue()
        self._unwanted = threading.Event()
        self._engines: list[Engine | None] = [first, *[None] * (processes - 1)]
        self._threads = [
            threading.Thread(target=self._work, args=(place,), name="tabiya-analysis") for place in range(processes)
        ]
        self.waiting = 0
        """Positions without a result."""
        for thread in self._threads:
            thread.start()

    def submit(self, positions: Sequence[str]) -> None:
        """Add a run of positions, by name."""
        self.waiting += len(positions)
        self._tasks.put(positions)

    def outcome(self) -> Outcome:
        """Wait for the next result.

        Raises:
            TabiyaError: No process can be started any more.
        """
        while True:
            try:
                outcome = self._outcomes.get(timeout=_TURN)  # in turns, because a wait cannot be interrupted everywhere
            except Empty:
                continue
            if isinstance(outcome, BaseException):
                raise outcome
            self.waiting -= 1
            return outcome

    def finished(self) -> Iterator[Outcome]:
        """Yield results that are there already, such as those not taken when the pool was closed."""
        while True:
            try:
                outcome = self._outcomes.get_nowait()
            except Empty:
                return
            if isinstance(outcome, Outcome):
                self.waiting -= 1
                yield outcome

    def close(self) -> None:
        """Stop all searches and end all processes. An interrupt meanwhile ends them by force."""
        self._unwanted.set()
        for _ in self._threads:
            self._tasks.put(None)
        try:
            while any(thread.is_alive() for thread in self._threads):
                for engine in list(self._engines):
                    if engine is not None:
                        engine.stop()
                for thread in self._threads:
                    thread.join(_TURN)
        finally:
            for engine in list(self._engines):
                if engine is not None:
                    engine.kill()

    def _work(self, place: int) -> None:
        try:
            while (run := self._tasks.get()) is not None and not self._unwanted.is_set():
                self._analyse_run(place, run)
        except BaseException as error:  # noqa: BLE001 - raised where results are requested
            self._outcomes.put(error)
        finally:
            engine = self._engines[place]
            if engine is not None:
                engine.close()

    def _analyse_run(self, place: int, run: Sequence[str]) -> None:
        fresh = True
        for name in reversed(run):
            if self._unwanted.is_set():
                return
            outcome = self._analyse(place, name, fresh=fresh)
            fresh = False
            if not self._unwanted.is_set():  # else the search was cut short
                self._outcomes.put(outcome)

    def _analyse(self, place: int, name: str, *, fresh: bool) -> Outcome:
        """Analyse a position; a process that fails is replaced, once."""
        error: TabiyaError | None = None
        for _ in range(_TRIES):
            engine = self._engines[place]
            if engine is None or engine.is_closed:
                engine = self._engines[place] = self._start()
            try:
                if fresh:
                    engine.new_game()
                analysis = engine.analyse(
                    named_position(name),
                    depth=self._limit.depth,
                    time=self._limit.time,
                    nodes=self._limit.nodes,
                    mate=self._limit.mate,
                    lines=self._lines,
                )
            except (FormatError, UnsupportedError) as refusal:
                return Outcome(name, None, refusal)
            except EngineError as failure:
                error = failure
                continue
            return Outcome(name, found_lines(analysis))
        return Outcome(name, None, error)


def process_count(processes: int | None, options: Mapping[str, OptionValue]) -> int:
    """Return the number of processes to start: by default as many as the cores allow."""
    if processes is None:
        own = next((str(value) for name, value in options.items() if name.lower() == "threads"), "1")
        return max(1, (os.cpu_count() or 1) // (int(own) or 1 if own.isdecimal() else 1))
    if type(processes) is not int or not 1 <= processes <= _MOST_PROCESSES:
        raise UsageError(f"the number of processes must be from 1 to {_MOST_PROCESSES}, not {processes!r}")
    return processes
