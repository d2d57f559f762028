"""One writer at a time: a lock beside a base, which ends with its process however that ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabiya.files.locks import WriterLock

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Lock", "lock_file"]


def lock_file(main: Path) -> Path:
    """Return the file whose lock says that a base is being written."""
    return main.parent / f".{main.stem}.tabiya-lock"


class Lock(WriterLock):
    """The lock of a base."""

    def __init__(self, main: Path) -> None:
        super().__init__(lock_file(main), main)
