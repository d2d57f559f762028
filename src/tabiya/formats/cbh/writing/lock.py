"""One writer at a time: a lock beside a base, which ends with its process however that ends."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from tabiya.errors import TabiyaError, UsageError
from tabiya.files.file_errors import sentence_of
from tabiya.files.locks import take_lock

__all__ = ["Lock", "lock_file"]


def lock_file(main: Path) -> Path:
    """Return the file whose lock says that a base is being written."""
    return main.parent / f".{main.stem}.tabiya-lock"


class Lock:
    """A lock file beside the base, which the system gives back when the process ends, however it ends."""

    def __init__(self, main: Path) -> None:
        self._path = lock_file(main)
        taken = False
        while not taken:
            try:
                self._descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o666)
            except OSError as error:
                what = f"cannot be changed, because its folder cannot be written to: {sentence_of(error)}"
                raise TabiyaError(what, path=main) from error
            try:
                take_lock(self._descriptor)
                taken = self._is_current()
            except OSError as error:
                raise UsageError("is being written by another program, or elsewhere in this one", path=main) from error
            finally:
                if not taken:
                    os.close(self._descriptor)

    def _is_current(self) -> bool:
        """Return whether the file that is locked still has its name: who had the lock before has removed it."""
        try:
            return os.path.samestat(os.fstat(self._descriptor), self._path.stat())
        except FileNotFoundError:
            return False

    def release(self) -> None:
        """Give the lock back."""
        if os.name == "nt":  # an open file cannot be removed there
            os.close(self._descriptor)
            with suppress(OSError):
                self._path.unlink()
            return
        try:
            self._path.unlink(missing_ok=True)
        finally:
            os.close(self._descriptor)
