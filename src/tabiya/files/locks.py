"""Locks on open files, which the operating system releases when their process ends for any reason."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from tabiya.errors import TabiyaError, UsageError
from tabiya.files.file_errors import sentence_of

if TYPE_CHECKING:
    from pathlib import Path

if os.name == "nt":
    import msvcrt

    def take_lock(descriptor: int) -> None:
        """Lock a file without waiting, or raise ``OSError``."""
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
else:
    import fcntl

    def take_lock(descriptor: int) -> None:
        """Lock a file or folder without waiting, or raise ``OSError``."""
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


class WriterLock:
    """Allows one writer at a time: a lock file that the operating system unlocks when the process ends.

    Args:
        path: the lock file, which is created, and removed at the end.
        subject: what is written, for the error that a second writer gets.
    """

    def __init__(self, path: Path, subject: Path) -> None:
        self._path = path
        taken = False
        while not taken:
            try:
                self._descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o666)
            except OSError as error:
                what = f"cannot be changed, because its folder cannot be written to: {sentence_of(error)}"
                raise TabiyaError(what, path=subject) from error
            try:
                take_lock(self._descriptor)
                taken = self._is_current()
            except OSError as error:
                what = "is being written by another program, or elsewhere in this one; try again later"
                raise UsageError(what, path=subject) from error
            finally:
                if not taken:
                    os.close(self._descriptor)

    def _is_current(self) -> bool:
        """Return whether the locked file still has its name: the previous owner of the lock may have removed it."""
        if os.name == "nt":  # an open file cannot be removed there
            return True
        try:
            return os.path.samestat(os.fstat(self._descriptor), self._path.stat())
        except FileNotFoundError:
            return False

    def release(self) -> None:
        """Release the lock."""
        if os.name == "nt":  # an open file cannot be removed there
            os.close(self._descriptor)
            with suppress(OSError):
                self._path.unlink()
            return
        try:
            self._path.unlink(missing_ok=True)
        finally:
            os.close(self._descriptor)
