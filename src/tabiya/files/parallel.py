"""Work in threads whose results come out in order."""

from __future__ import annotations

import threading
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Final, TypeVar

from tabiya.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable

_MOST_THREADS = 1024

Item = TypeVar("Item")
Result = TypeVar("Result")


_work: Final = threading.local()
"""What the current thread works for: ``cancelled`` is an event that is set when its result is not needed any more."""


class _CancelledError(BaseException):
    """Ends work whose result is not needed any more; no handler of errors must stop it."""


def stop_if_cancelled() -> None:
    """End work in a thread of ``ordered_map`` that has been closed, so that an interrupt need not wait for it.

    Python interrupts its main thread only. So this is called in loops of Python code, which may take minutes for a
    hostile record, at every step.
    """
    cancelled = getattr(_work, "cancelled", None)
    if cancelled is not None and cancelled.is_set():
        raise _CancelledError


def _done(cancelled: threading.Event, function: Callable[[Item], Result], item: Item) -> Result:
    _work.cancelled = cancelled
    return function(item)


def check_threads(threads: int) -> int:
    """Reject invalid numbers of threads: memory use grows with it."""
    if not 1 <= threads <= _MOST_THREADS:
        raise UsageError(f"the number of threads must be from 1 to {_MOST_THREADS}, not {threads}")
    return threads


def ordered_map(
    function: Callable[[Item], Result], items: Iterable[Item], threads: int, *, ahead: int = 2
) -> Generator[Result, None, None]:
    """Apply ``function`` to every item in ``threads`` threads and yield the results in the order of the items.

    Only the caller's thread advances ``items``. At most ``ahead * threads`` items are in progress or finished before
    their results are requested, so memory stays bounded. An error, of the function or of ``items``, is raised after the
    results of all items before it, exactly as with one thread. Closing the generator, or an interrupt, cancels pending
    items and waits for running ones, which end at their next call of ``stop_if_cancelled``.
    """
    if check_threads(threads) == 1:
        yield from map(function, items)
        return
    source = iter(items)
    pending: deque[Future[Result]] = deque()
    failure: Exception | None = None
    exhausted = False
    cancelled = threading.Event()
    pool = ThreadPoolExecutor(threads, thread_name_prefix="tabiya")
    try:
        while True:
            while not exhausted and len(pending) < ahead * threads:
                try:
                    pending.append(pool.submit(_done, cancelled, function, next(source)))
                except StopIteration:
                    exhausted = True
                except Exception as error:  # noqa: BLE001 - raised below, in order
                    failure, exhausted = error, True
            if not pending:
                break
            yield pending.popleft().result()
        if failure is not None:
            raise failure
    finally:
        cancelled.set()
        pool.shutdown(wait=True, cancel_futures=True)


class Background:
    """Runs tasks one after the other in a separate thread while the caller continues.

    The queue is short, so memory stays bounded. An error is raised by a later call, or where the result of its task is
    requested. If only one thread is allowed, tasks run immediately.

    Args:
        threads: maximum number of working threads.
        waiting: maximum number of queued tasks.
    """

    def __init__(self, threads: int, *, waiting: int = 2) -> None:
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="tabiya") if check_threads(threads) > 1 else None
        self._pending: deque[Future[Any]] = deque()
        self._waiting = waiting

    def add(self, task: Callable[[], Result]) -> Future[Result]:
        """Queue a task; wait if the queue is full."""
        if self._pool is None:
            done: Future[Result] = Future()
            done.set_result(task())
            return done
        while len(self._pending) > self._waiting:
            self._pending.popleft().result()
        future = self._pool.submit(task)
        self._pending.append(future)
        return future

    def wait(self) -> None:
        """Wait until all tasks are done."""
        while self._pending:
            self._pending.popleft().result()

    def close(self) -> None:
        """Wait for the running task and drop the queued ones. May be called twice."""
        self._pending.clear()
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
