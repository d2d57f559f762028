"""A file system that fails: the n-th operation that changes anything raises, or is the last that the process does."""

from __future__ import annotations

import builtins
import errno
import io
import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from enum import Enum
from typing import Any, Self
from unittest import mock

_CALLS = ("replace", "rename", "unlink", "remove", "rmdir", "mkdir", "fsync", "chmod", "link")


class Mode(Enum):
    """What happens at the step."""

    FAULT = "fault"
    """It fails, once."""
    INTERRUPT = "interrupt"
    """Someone presses Ctrl-C, once."""
    BROKEN = "broken"
    """It fails, and so does everything after it: the disk is gone."""
    CRASH = "crash"
    """The process is dead: nothing it does afterwards, cleaning up least of all, has any effect."""


class CrashError(BaseException):
    """What stands for the end of the process."""


class Disk:
    """Counts the operations that change anything, and fails at one of them."""

    def __init__(self, fail_at: int | None, mode: Mode) -> None:
        self.done = 0
        self.decided = 0
        """The step at which a journal appeared."""
        self._fail_at = fail_at
        self._mode = mode

    def works(self) -> bool:
        """Whether the next operation is to be done; raises if it fails."""
        self.done += 1
        if self._fail_at is None or self.done < self._fail_at:
            return True
        if self.done == self._fail_at and self._mode is Mode.CRASH:
            raise CrashError
        if self._mode is Mode.CRASH:
            return False
        if self._mode is Mode.INTERRUPT:
            if self.done == self._fail_at:
                raise KeyboardInterrupt
            return True
        if self.done == self._fail_at or self._mode is Mode.BROKEN:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return True

    def around(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*arguments: Any, **named: Any) -> Any:
            works = self.works()
            if function is _real_replace and str(arguments[1]).endswith("-journal"):
                self.decided = self.done
            return function(*arguments, **named) if works else None

        return counted

    def opening(self, file: Any, mode: str = "r", *arguments: Any, **named: Any) -> Any:
        if not set("wxa+") & set(mode):
            return _real_open(file, mode, *arguments, **named)
        if not self.works():
            file, mode = os.devnull, mode.replace("x", "w")
        return _Stream(_real_open(file, mode, *arguments, **named), self)


_real_open, _real_replace = io.open, os.replace


class _Stream:
    """A file whose writing, flushing and closing count."""

    def __init__(self, file: Any, disk: Disk) -> None:
        self._file = file
        self._disk = disk

    def write(self, data: Any) -> int:
        written: int = self._file.write(data) if self._disk.works() else len(data)
        return written

    def flush(self) -> None:
        if self._disk.works():
            self._file.flush()

    def close(self) -> None:
        if self._file.closed:
            return
        try:
            self._disk.works()
        finally:
            self._file.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *arguments: object) -> None:
        self.close()


class _Watched(Disk):
    """Lets somebody look at the files before every operation: what is there is what a kill at that moment leaves.

    What stands in buffers of a file that is being written is not there, as it would not be after a kill.
    """

    def __init__(self, look: Callable[[], object]) -> None:
        super().__init__(None, Mode.FAULT)
        self._look = look
        self._looking = False

    def works(self) -> bool:
        if not self._looking:
            self._looking = True
            try:
                self._look()
            finally:
                self._looking = False
            self.done += 1
        return True


def failing(fail_at: int | None, mode: Mode = Mode.FAULT) -> AbstractContextManager[Disk]:
    """Opening for writing, writing, flushing, closing, renaming, removing and making folders count as steps."""
    return _in_place(Disk(fail_at, mode))


def watched(look: Callable[[], object]) -> AbstractContextManager[Disk]:
    """Call a function before every such step; what it does itself does not count."""
    return _in_place(_Watched(look))


@contextmanager
def _in_place(disk: Disk) -> Iterator[Disk]:
    with ExitStack() as stack:
        for module in (io, builtins):
            stack.enter_context(mock.patch.object(module, "open", disk.opening))
        for name in _CALLS:
            stack.enter_context(mock.patch.object(os, name, disk.around(getattr(os, name))))
        yield disk
