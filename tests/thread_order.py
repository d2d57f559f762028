"""Threads that finish in another order than they began: what they do together must not depend on it."""

from __future__ import annotations

import threading
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pytest

_PATIENCE = 0.05
"""Seconds to wait for a task that may never come."""


class BackwardsPool(ThreadPoolExecutor):
    """Of two tasks in a row, the second finishes first."""

    def __init__(self, max_workers: int, **options: Any) -> None:
        super().__init__(max_workers, **options)
        self._waits: threading.Event | None = None

    def submit(self, function: Any, /, *arguments: Any, **named: Any) -> Future[Any]:
        if self._max_workers == 1:
            return super().submit(function, *arguments, **named)
        if self._waits is None:
            self._waits = follower = threading.Event()
            return super().submit(_after, follower, function, *arguments, **named)
        waits, self._waits = self._waits, None
        return super().submit(_before, waits, function, *arguments, **named)


def _after(follower: threading.Event, function: Any, *arguments: Any, **named: Any) -> Any:
    follower.wait(_PATIENCE)
    return function(*arguments, **named)


def _before(waits: threading.Event, function: Any, *arguments: Any, **named: Any) -> Any:
    try:
        return function(*arguments, **named)
    finally:
        waits.set()


def finish_backwards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every pool of tabiya finish tasks in another order than that in which they came."""
    for module in ("tabiya.files.parallel", "tabiya.positions.index.building"):
        monkeypatch.setattr(f"{module}.ThreadPoolExecutor", BackwardsPool)
