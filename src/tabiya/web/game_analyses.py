"""Analyses of whole games for HTTP: one per viewer, on the processes of live analysis, dropped when requests stop."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, Literal

from tabiya.analysis import AnalysisCache
from tabiya.analysis.single_games import GameAnalysis, Settings
from tabiya.errors import TabiyaError
from tabiya.web.request import ApiError, Later, error_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from tabiya.analysis import Engine, Limit, Notation
    from tabiya.game import Game
    from tabiya.web.analyses import Analyses

MOST_POSITIONS: Final = 1000
_MOST_RESULTS: Final = 16
_FORGOTTEN: Final = 300.0
"""Seconds without a request after which an analysis ends."""
_MOST_WAITING: Final = 32
"""Number of requests that may wait for progress."""

State = Literal["running", "done", "failed", "cancelled"]


class GameJob:
    """The analysis of a game that a viewer waits for: work for a process of live analysis."""

    def __init__(self, name: str, viewer: str, analysis: GameAnalysis, settings: Settings) -> None:
        self.name = name
        self.viewer = viewer
        self.analysis = analysis
        self.state: State = "running"
        self.sentence: str | None = None
        """Why it failed."""
        self.added: dict[str, int] = {}
        """What was added to the game, by kind."""
        self._settings = settings
        self._last_request = monotonic()
        self._lock = threading.Lock()
        self._waiting: list[tuple[int, Callable[[], None]]] = []

    def run(self, engine: Engine) -> None:
        """Analyse, in the thread of a worker."""
        try:
            added = self.analysis.run(engine, self._settings, self._watch)
        except TabiyaError as error:
            self.fail(error)
            return
        except Exception:
            self._finish("failed", "Something unexpected went wrong; the terminal of tabiya serve shows it.")
            raise
        if added is None:
            self._finish("cancelled")
        else:
            self.added = dict(sorted(added.items()))
            self._finish("done")

    def _watch(self) -> None:
        """Notify waiting requests of another position; give up after a long time without requests."""
        if monotonic() - self._last_request > _FORGOTTEN:
            self.analysis.stop()
        settled = self.analysis.settled
        with self._lock:
            called = [call for seen, call in self._waiting if settled > seen]
            self._waiting = [each for each in self._waiting if settled <= each[0]]
        for call in called:
            call()

    def fail(self, error: TabiyaError) -> None:
        """End with an error."""
        self._finish("failed", error_of(error).sentence)

    def end(self) -> None:
        """End without a result: another job takes the process, or this one is no longer needed."""
        self._finish("cancelled")
        self.analysis.stop()

    def _finish(self, state: State, sentence: str | None = None) -> None:
        with self._lock:
            if self.state == "running":
                self.state, self.sentence = state, sentence
            called, self._waiting = self._waiting, []
        for _, call in called:
            call()

    def note_interest(self) -> None:
        """Note a request."""
        self._last_request = monotonic()

    def when_changed(self, seen: int, call: Callable[[], None]) -> Callable[[], None]:
        """Call a function when more than the seen positions are settled, or at the end, perhaps at once.

        Returns:
            A function that cancels this.
        """
        entry = (seen, call)
        with self._lock:
            waits = self.state == "running" and self.analysis.settled <= seen
            if waits:
                self._waiting.append(entry)
        if not waits:
            call()

        def forget() -> None:
            with self._lock:
                if entry in self._waiting:
                    self._waiting.remove(entry)

        return forget


@dataclass(slots=True)
class GameAnalyses:
    """All analyses of games of a server."""

    live: Analyses
    """Has the engines, their processes and limits."""
    _jobs: OrderedDict[str, GameJob] = field(default_factory=OrderedDict)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _counted: int = 0
    _waiting: int = 0
    _cache: AnalysisCache | None = None
    """Findings for as long as the server runs: an analysis that was cancelled goes on where it was."""

    def begin(self, engine: int, viewer: str, game: Game, notation: Notation, limit: Limit) -> GameJob:
        """Begin the analysis of a game, which receives the findings; it replaces that of the same viewer.

        Raises:
            ApiError: There is no such engine, all processes are in use, or the game is too long.
            FormatError: The game cannot be analysed.
        """
        analysis = GameAnalysis(game, notation)
        if analysis.positions > MOST_POSITIONS:
            counted = f"{analysis.positions:,} positions to analyse"
            raise ApiError(422, f"The game has {counted}; the page analyses up to {MOST_POSITIONS:,}.")
        with self._lock:
            if self._cache is None:
                self._cache = AnalysisCache(None)
            self._counted += 1
            job = GameJob(f"a{self._counted}", viewer, analysis, Settings(limit, self._cache, self.live.options))
        self.live.assign(engine, ("game", viewer), job)
        with self._lock:
            for other in [each for each in self._jobs.values() if each.viewer == viewer]:
                del self._jobs[other.name]
            self._jobs[job.name] = job
            finished = [each.name for each in self._jobs.values() if each.state != "running"]
            for name in finished[: max(0, len(self._jobs) - _MOST_RESULTS)]:
                del self._jobs[name]
        return job

    def get(self, name: str) -> GameJob:
        """Return an analysis by its id."""
        with self._lock:
            found = self._jobs.get(name)
        if found is None:
            raise ApiError(410, "This analysis no longer exists.")
        found.note_interest()
        return found

    def later(self, job: GameJob, seen: int, seconds: float, answer: Callable[[], Any]) -> Later:
        """Return an object that waits for progress; raise an error if too many requests already wait."""

        def when_done(call: Callable[[], None]) -> Callable[[], None]:
            with self._lock:
                if self._waiting >= _MOST_WAITING:
                    raise ApiError(503, "Too many requests wait for analyses; try again in a moment.")
                self._waiting += 1
            forget = job.when_changed(seen, call)

            def undo() -> None:
                forget()
                with self._lock:
                    self._waiting -= 1

            return undo

        return Later(when_done, seconds, answer)

    def remove(self, name: str) -> None:
        """Cancel an analysis, and remove its result; it may be gone already, replaced by that of another game."""
        with self._lock:
            job = self._jobs.pop(name, None)
        if job is not None:
            job.end()

    def close(self) -> None:
        """Forget everything. The processes end with live analysis, before this."""
        with self._lock:
            for job in self._jobs.values():
                job.end()
            self._jobs.clear()
            if self._cache is not None:
                self._cache.close()
                self._cache = None
