"""Flushing of folders to disk."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path


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
            with Path(place, name).open("rb") as file:
                os.fsync(file.fileno())
        flush_folder(Path(place))
