"""Temporary files and folders beside a target. What killed writers have left goes when the next one comes.

A writer holds a lock on what it writes to, and only what can be locked is swept. Until the writer has the lock, the
name contains ``new-``: such a file is swept only when it is older than a minute, because its writer may be about to
lock it. A writer that gets no lock, on a file system without locks, takes a name that is never swept. The name also
contains the machine, because network file systems do not always show the locks of others: each machine sweeps its own
files.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
import time
import weakref
import zlib
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tabiya.files.locks import take_lock

if TYPE_CHECKING:
    from typing import Self

__all__ = ["Claim", "TemporaryFolder", "fresh_name", "machine_mark", "sweep"]

_START, _END = ".tabiya-", ".tmp"
_ON_WINDOWS: Final = os.name == "nt"
_SECONDS_OF_A_DAY: Final = 86_400
_SECONDS_TO_LOCK: Final = 60
_NEW: Final = "new-"
"""In the name of a file that its writer has not locked yet."""


def fresh_name(folder: Path) -> Path:
    """Return a name that nothing has; after sweeping the folder."""
    sweep(folder)
    return folder / f"{_START}{'' if _ON_WINDOWS else _NEW}{machine_mark()}{secrets.token_hex(8)}{_END}"


class Claim:
    """Says that somebody works on a temporary file or folder, which gets a new name (``path``) by that."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock: int | None = None
        if not _ON_WINDOWS:  # there what is open can be neither renamed nor removed
            marked = path.name.removeprefix(_START + _NEW)
            with suppress(OSError):
                self._lock = _locked(path)
            with suppress(OSError):
                name = marked.removeprefix(machine_mark()) if self._lock is None else marked
                self.path = path.rename(path.with_name(_START + name))

    def end(self) -> None:
        """Remove the file or folder if it is still there; what cannot be removed now is swept later."""
        _remove(self.path)
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


class TemporaryFolder:
    """A new folder in another one; it vanishes with the object, and by ``remove``."""

    def __init__(self, home: Path) -> None:
        path = fresh_name(home)
        path.mkdir(0o700)
        claim = Claim(path)
        self.path = claim.path
        self.remove = weakref.finalize(self, _end, claim, os.getpid())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.remove()


def sweep(folder: Path) -> None:
    """Remove what killed writers of this machine have left in a folder, as far as that is possible."""
    left = re.compile(rf"{re.escape(_START)}(?:{_NEW})?{machine_mark()}[0-9a-f]{{16}}{re.escape(_END)}")
    with suppress(OSError):
        with os.scandir(folder) as entries:
            found = [Path(entry.path) for entry in entries if left.fullmatch(entry.name) and _is_plain(entry)]
        for path in found:
            with suppress(OSError):  # its owner is alive, or it is somebody else's
                _sweep(path)


def _is_plain(entry: os.DirEntry[str]) -> bool:
    """Return whether it is a file or folder itself: no link, and no pipe, which would wait for its other end."""
    return entry.is_file(follow_symlinks=False) or entry.is_dir(follow_symlinks=False)


def _sweep(path: Path) -> None:
    if _ON_WINDOWS:
        if time.time() - path.stat().st_mtime > _SECONDS_OF_A_DAY:  # else it may just be about to be renamed
            path.unlink()
        return
    if path.name.startswith(_START + _NEW) and time.time() - path.stat().st_mtime < _SECONDS_TO_LOCK:
        return
    lock = _locked(path)
    try:
        _remove(path)
    finally:
        os.close(lock)


def _locked(path: Path) -> int:
    """Return a descriptor with the lock of a file or folder; raises ``OSError`` if it cannot be had."""
    descriptor = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        take_lock(descriptor)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def _remove(path: Path) -> None:
    with suppress(OSError):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def _end(claim: Claim, owner: int) -> None:
    if os.getpid() == owner:  # a forked child must not remove what is its parent's
        claim.end()


def machine_mark() -> str:
    """This machine in the names of files: what its host name and, where there is one, its id make."""
    identity = b""
    with suppress(OSError):
        identity = Path("/etc/machine-id").read_bytes()
    name = os.environ.get("COMPUTERNAME", "") if _ON_WINDOWS else os.uname().nodename
    return f"{zlib.crc32(identity + name.encode('utf-8', 'surrogateescape')):08x}-"
