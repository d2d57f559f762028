"""Locks on open files, which the system gives back when their process ends, however it ends."""

from __future__ import annotations

import os

__all__ = ["take_lock"]

if os.name == "nt":
    import msvcrt

    def take_lock(descriptor: int) -> None:
        """Lock a file at once, or raise ``OSError``."""
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
else:
    import fcntl

    def take_lock(descriptor: int) -> None:
        """Lock a file or folder at once, or raise ``OSError``."""
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
