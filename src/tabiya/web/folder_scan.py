"""Search a folder in the background: a huge one takes time, and requests do not wait for all of it."""

from __future__ import annotations

import time
from contextlib import suppress
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, Final

from tabiya.formats.collection.sources import walk_sources
from tabiya.formats.registry import FORMATS

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tabiya.formats.collection.sources import FoundDatabases

_LOOK_AGAIN: Final = 3.0
"""Seconds after which a folder is searched again ..."""
_REST: Final = 10
"""... or this multiple of the time it took, so that a huge tree does not keep the machine busy."""
_PATIENCE: Final = 0.5
"""Seconds that requests wait for a walk, from its beginning: most folders are complete by then."""


class FolderScan:
    """Walks through a folder when its contents are requested, unless this was just done."""

    def __init__(
        self, folder: Path, take: Callable[[FoundDatabases], bool], *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.folder = folder
        self._clock = clock
        self._take = take
        """Receives the contents of each folder; returns whether there may be more."""
        self._lock = Lock()
        self._ended = Event()
        self._ended.set()
        self._began = 0.0
        self._next = clock()
        self._closed = False
        self.looking = True
        """Whether it has never been searched completely."""

    def look(self) -> None:
        """Start a walk, if it is due; return when it is complete, or after a moment."""
        with self._lock:
            now = self._clock()
            if self._ended.is_set() and now >= self._next and not self._closed:
                self._began = now
                self._ended.clear()
                Thread(target=self._walk, name="tabiya-root").start()
        self._ended.wait(max(0.0, self._began + _PATIENCE - self._clock()))

    def _walk(self) -> None:
        try:
            with suppress(OSError):  # the folder is gone, for now
                for found in walk_sources(self.folder, formats=FORMATS, within=self.folder):
                    if not self._take(found) or self._closed:
                        return
        finally:
            now = self._clock()
            self.looking = False
            self._next = now + max(_LOOK_AGAIN, _REST * (now - self._began))
            self._ended.set()

    def close(self) -> None:
        """Stop at the next folder."""
        self._closed = True
