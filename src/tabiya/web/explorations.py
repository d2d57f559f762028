"""Cached answers that may take a while: of the explorer, which reads a database without an index, and of reports."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock, Thread
from typing import TYPE_CHECKING, Final

from tabiya.errors import TabiyaError
from tabiya.search.explorer import explore
from tabiya.web.request import ApiError, Later

if TYPE_CHECKING:
    from typing import Any

    from tabiya.formats.progress import Progress
    from tabiya.search.explorer_results import Exploration
    from tabiya.search.listing import ListedDatabase
    from tabiya.web.source import Opened, Source

_MOST_JOBS: Final = 256
_AT_ONCE: Final = 2
"""Number of requests processed per source; a new one replaces the oldest."""
_MOST_WAITING: Final = 64
"""Number of requests that may wait for answers; a browser or a server has a limited number of connections."""


class _GivenUpError(Exception):
    """A more important request has replaced this one."""


class ExplorerJob:
    """A request to the explorer, and its answer as soon as it is available."""

    def __init__(self) -> None:
        self.answer: Any = None
        self.error: TabiyaError | None = None
        self.progress: float | None = 0.0
        self.given_up = False
        self.is_done = False
        self._lock = Lock()
        self._waiting: list[Callable[[], None]] = []

    def when_done(self, call: Callable[[], None]) -> Callable[[], None]:
        """Call a function when the work has ended, at once if it has; return a function that cancels this."""
        with self._lock:
            if not self.is_done:
                self._waiting.append(call)
                return lambda: self._forget(call)
        call()
        return lambda: None

    def _forget(self, call: Callable[[], None]) -> None:
        with self._lock:
            if call in self._waiting:
                self._waiting.remove(call)

    def _end(self) -> None:
        with self._lock:
            self.is_done = True
            waiting, self._waiting = self._waiting, []
        for call in waiting:
            call()

    def work(self, find: Callable[..., Any]) -> None:
        """Find the answer."""
        try:
            self.answer = find(progress=self._note)
        except _GivenUpError:
            self.given_up = True
        except TabiyaError as error:
            self.error = error
        except Exception:
            self.error = TabiyaError("something unexpected went wrong; the terminal of tabiya serve shows it")
            raise
        finally:
            self._end()

    def give_up(self) -> None:
        """Report that the answer is not needed any more."""
        self.given_up = True

    def _note(self, progress: Progress) -> None:
        self.progress = progress.fraction
        if self.given_up:
            raise _GivenUpError


def _explored(listed_database: ListedDatabase, **options: Any) -> Exploration:
    return explore(listed_database.database, threads=listed_database.threads, **options)


class Explorations:
    """All requests, the latest last."""

    def __init__(self, *, most: int = _MOST_JOBS, at_once: int = _AT_ONCE) -> None:
        self._most = most
        self._at_once = at_once
        self._lock = Lock()
        self._jobs: OrderedDict[Hashable, ExplorerJob] = OrderedDict()
        self._working: dict[str, list[ExplorerJob]] = {}
        self._waiting = 0

    def later(self, job: ExplorerJob, seconds: float, answer: Callable[[], Any]) -> Later:
        """Return an object that waits for an answer; raise an error if too many requests already wait."""

        def when_done(call: Callable[[], None]) -> Callable[[], None]:
            with self._lock:
                if self._waiting >= _MOST_WAITING:
                    raise ApiError(503, "Too many requests wait for the explorer; try again in a moment.")
                self._waiting += 1
            forget = job.when_done(call)

            def undo() -> None:
                forget()
                with self._lock:
                    self._waiting -= 1

            return undo

        return Later(when_done, seconds, answer)

    def start(
        self, source: Source, opened: Opened, options: dict[str, Any], work: Callable[..., Any] = _explored
    ) -> ExplorerJob:
        """Return the current state of a request; identical requests share it.

        ``work`` takes the listed database, the options and ``progress``; only the explorer of an index answers at once.
        """
        listed_database = opened.listed_database
        assert listed_database is not None
        at_once = listed_database.indexed and work is _explored
        key = (source.id, opened.generation, work.__module__, work.__qualname__, _hashable(options))
        with self._lock:
            cached = self._jobs.get(key)
            if cached is not None and not cached.given_up:
                self._jobs.move_to_end(key)
                return cached
            job = self._jobs[key] = ExplorerJob()
            while len(self._jobs) > self._most:
                self._jobs.popitem(last=False)
            if not at_once:
                working = self._working.setdefault(source.id, [])
                while len(working) >= self._at_once:
                    working.pop(0).give_up()
                working.append(job)

        def find(**more: Any) -> Any:
            return work(listed_database, **options, **more)

        if at_once:
            job.work(find)
            return job
        source.hold(opened)
        Thread(target=self._work, args=(source, opened, job, find), name="tabiya-explorer").start()
        return job

    def _work(self, source: Source, opened: Opened, job: ExplorerJob, find: Callable[..., Any]) -> None:
        try:
            job.work(find)
        finally:
            source.release(opened)
            with self._lock:
                working = self._working.get(source.id, [])
                if job in working:
                    working.remove(job)

    def close(self) -> None:
        """Cancel all requests."""
        with self._lock:
            for working in self._working.values():
                for job in working:
                    job.give_up()


def _hashable(options: dict[str, Any]) -> Hashable:
    return tuple(sorted((name, tuple(value) if isinstance(value, list) else value) for name, value in options.items()))
