"""Flushing of files and folders to disk."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

F_FULLFSYNC: int | None = None
"""The request to a drive to write what it holds, which only macOS has."""
with suppress(ImportError):
    import fcntl

    F_FULLFSYNC = getattr(fcntl, "F_FULLFSYNC", None)

_HOW_TO_OPEN: Final = "r+b" if os.name == "nt" else "rb"
"""Windows flushes only files that are open for writing."""


def flush_file(descriptor: int) -> None:
    """Flush a file to disk. On macOS ``fsync`` leaves the data in the memory of the drive."""
    if F_FULLFSYNC is not None:
        with suppress(OSError):  # a file system that does not know it
            fcntl.fcntl(descriptor, F_FULLFSYNC)
            return
    os.fsync(descriptor)


def flush_folder(folder: Path) -> None:
    """Flush renames in a folder to disk as far as possible; the renames themselves have succeeded."""
    if os.name == "nt":
        return
    with suppress(OSError):  # some network file systems cannot, and a folder may be writable but not readable
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def flush_tree(folder: Path) -> None:
    """Flush all files and folders in a folder to disk, including the folder itself and its name."""
    flush_folder(folder.parent)
    for place, _, names in os.walk(folder):
        for name in names:
            with Path(place, name).open(_HOW_TO_OPEN) as file:
                flush_file(file.fileno())
        flush_folder(Path(place))
