"""Temporary files and folders beside a target. The next writer removes what killed writers have left.

A writer holds a lock on what it writes to, and only files that can be locked are removed. Until the writer has the
lock, the name contains ``new-``: such a file is removed only after a minute, because its writer may be about to lock
it. While there is a journal in the folder, nothing is removed: a decided change may need it. On a file system without
locks, a writer uses a name that is never removed. The name also contains the machine, because network file systems do
not always show the locks of other machines: each machine removes only its own files.
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

from tabiya.files.journals import has_journals
from tabiya.files.locks import take_lock

if TYPE_CHECKING:
    from typing import Self

_START, _END = ".tabiya-", ".tmp"
_ON_WINDOWS: Final = os.name == "nt"
_SECONDS_OF_A_DAY: Final = 86_400
_SECONDS_TO_LOCK: Final = 60
_NEW: Final = "new-"
"""Part of the name of a file that its writer has not locked yet."""


def fresh_name(folder: Path, mark: str = "") -> Path:
    """Return an unused name for a file that a claim or a rename follows; ``mark`` is that of the machine if known."""
    return folder / f"{_START}{'' if _ON_WINDOWS else _NEW}{mark or machine_mark()}{secrets.token_hex(8)}{_END}"


def is_in_temporary(path: Path) -> bool:
    """Return whether a path is inside a temporary folder, whose content is private."""
    return any(part.startswith(_START) and part.endswith(_END) for part in path.parts)


class Claim:
    """Marks a temporary file or folder as in use, which renames it (see ``path``)."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock: int | None = None
        if not _ON_WINDOWS:  # on Windows an open file can be neither renamed nor removed
            try:
                self._mark()
            except BaseException:  # an interrupt
                self.end()
                raise

    def _mark(self) -> None:
        name = self.path.name.removeprefix(_START + _NEW)
        with suppress(OSError):
            self._lock = _locked(self.path)
        with suppress(OSError):
            name = name.removeprefix(machine_mark()) if self._lock is None else name
            self.path = self.path.rename(self.path.with_name(_START + name))

    @classmethod
    def of_folder(cls, home: Path) -> Claim:
        """Create a folder inside another one."""
        path = fresh_name(home)
        path.mkdir(0o777 if _ON_WINDOWS else 0o700)  # Windows would keep the access rights under the final name
        return cls(path)

    def end(self, *, keep: bool = False) -> None:
        """Remove the file or folder if it still exists, unless it is to be kept; if that fails, it is removed later."""
        try:
            if not keep:
                _remove(self.path)
        finally:
            if self._lock is not None:
                os.close(self._lock)
                self._lock = None


class TemporaryFolder:
    """A new folder inside another one; it is removed with the object or by ``remove``."""

    def __init__(self, home: Path) -> None:
        sweep(home)
        claim = Claim.of_folder(home)
        self.path = claim.path
        self.remove = weakref.finalize(self, _end, claim, os.getpid())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.remove()


def sweep(folder: Path) -> None:
    """Remove leftovers of killed writers of this machine from a folder, as far as possible."""
    leftover = re.compile(rf"{re.escape(_START)}(?:{_NEW})?{machine_mark()}[0-9a-f]{{16}}{re.escape(_END)}")
    with suppress(OSError):
        with os.scandir(folder) as entries:
            found = [Path(entry.path) for entry in entries if leftover.fullmatch(entry.name) and _is_plain(entry)]
        for path in found:
            with suppress(OSError):  # its owner is running, or it belongs to another user
                _sweep(path)


def _is_plain(entry: os.DirEntry[str]) -> bool:
    """Return whether it is a file or folder itself: no link, and no pipe, which would wait for its other end."""
    return entry.is_file(follow_symlinks=False) or entry.is_dir(follow_symlinks=False)


def _sweep(path: Path) -> None:
    if _ON_WINDOWS:
        if time.time() - path.stat().st_mtime > _SECONDS_OF_A_DAY:  # else it may be about to be renamed
            _remove(path)
        return
    if path.name.startswith(_START + _NEW) and time.time() - path.stat().st_mtime < _SECONDS_TO_LOCK:
        return
    lock = _locked(path)
    try:
        if not has_journals(path.parent):  # its owner is dead, so this cannot change any more
            _remove(path)
    finally:
        os.close(lock)


def _locked(path: Path) -> int:
    """Return a descriptor with the lock of a file or folder; raises ``OSError`` if it cannot be locked."""
    try:
        descriptor = os.open(path, os.O_RDWR)
    except IsADirectoryError:
        descriptor = os.open(path, os.O_RDONLY)
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
            return
        if _ON_WINDOWS and path.exists():  # it may have got the permissions of a read-only file
            path.chmod(0o666)
        path.unlink(missing_ok=True)


def _end(claim: Claim, owner: int) -> None:
    if os.getpid() == owner:  # a forked child must not remove files of its parent
        claim.end()


def machine_mark() -> str:
    """The identity of this machine in file names: made from its host name and, if available, its id."""
    identity = b""
    with suppress(OSError):
        identity = Path("/etc/machine-id").read_bytes()
    name = os.environ.get("COMPUTERNAME", "") if _ON_WINDOWS else os.uname().nodename
    return f"{zlib.crc32(identity + name.encode('utf-8', 'surrogateescape')):08x}-"
