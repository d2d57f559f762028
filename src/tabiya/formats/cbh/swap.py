"""Many files that change together: written beside the base, then swapped in through a journal.

New files are complete and on disk under names of their own before the journal appears; from that moment on the change
is decided, and whoever opens the base finishes it. A kill at any time leaves the old base or the new one. A lock keeps
a second writer out; it ends with its process.
"""

from __future__ import annotations

import json
import os
import secrets
import stat
import time
import weakref
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

from tabiya.errors import CorruptError, UsageError
from tabiya.formats.cbh import has_journal
from tabiya.formats.cbh.files import KNOWN_SUFFIXES, MAIN

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Swap", "finish_swap"]

_BUFFER_BYTES: Final = 1 << 20
_TEMPORARY: Final = ".tabiya-"
_LOCK_END: Final = ".tabiya-lock"
_JOURNAL_END: Final = ".tabiya-journal"
_PATIENCE: Final = 10.0
"""Seconds to wait for a writer that is just about to finish."""


def _journal_of(main: Path) -> Path:
    return main.with_name(f".{main.stem}{_JOURNAL_END}")


def finish_swap(main: Path) -> None:
    """Finish a change of the base that was interrupted; does nothing if there is none.

    Raises:
        UsageError: Another program is changing the base, and does not come to an end.
    """
    waited_until = time.monotonic() + _PATIENCE
    while has_journal(main):
        try:
            lock = _Lock(main)
        except UsageError:
            if time.monotonic() > waited_until:
                raise
            time.sleep(0.01)
            continue
        try:
            _roll_forward(main, replace=Path.replace)
        finally:
            lock.release()


class _Lock:
    """A lock file beside the base, which the system gives back when the process ends, however it ends."""

    def __init__(self, main: Path) -> None:
        self._path = main.with_name(f".{main.stem}{_LOCK_END}")
        while True:
            self._descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o666)
            try:
                _take(self._descriptor)
                if self._is_current():
                    return
            except OSError as error:
                os.close(self._descriptor)
                raise UsageError("is being written by another program, or elsewhere in this one", path=main) from error
            os.close(self._descriptor)

    def _is_current(self) -> bool:
        """Whether the file that is locked still has its name: who had the lock before has removed it."""
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


if os.name == "nt":
    import msvcrt

    def _take(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
else:
    import fcntl

    def _take(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


class Swap:
    """A change of the files of one base.

    ``open`` gives a file to write for a suffix; ``commit`` puts all of them in the place of the old ones and removes
    others; ``discard`` leaves no trace. What is neither committed nor discarded vanishes with the object.
    """

    def __init__(self, main: Path) -> None:
        self.main = main
        self._token = secrets.token_hex(8)
        self._files: dict[str, BinaryIO] = {}
        lock = _Lock(main)
        self._end = weakref.finalize(self, _discard, self._files, self._temporary, lock, os.getpid())
        try:
            if has_journal(main):
                _roll_forward(main, replace=Path.replace)
            self._remove_leftovers()
        except BaseException:
            self._end()
            raise

    @property
    def _temporary(self) -> Callable[[str], Path]:
        folder, start = self.main.parent, f"{_TEMPORARY}{self.main.stem}-{self._token}"
        return lambda suffix: folder / f"{start}{suffix}.tmp"

    def _remove_leftovers(self) -> None:
        """Files of writers that were killed before they had decided anything; the lock is ours, so they are dead."""
        for path in self.main.parent.glob(f"{_TEMPORARY}*.tmp"):
            name = path.name.removeprefix(_TEMPORARY)
            if name.startswith(f"{self.main.stem}-") and "." in name and name.split(".")[-2] in _BARE_SUFFIXES:
                path.unlink(missing_ok=True)

    @property
    def opened(self) -> frozenset[str]:
        """The suffixes of new files so far."""
        return frozenset(self._files)

    def open(self, suffix: str) -> BinaryIO:
        """A new file, to be read and written, that will be the one of this suffix."""
        file = self._temporary(suffix).open("x+b", buffering=_BUFFER_BYTES)
        self._files[suffix] = file
        return file

    def commit(self, *, present: dict[str, Path], remove: Iterable[str] = (), overwrite: bool = True) -> None:
        """Put the new files in place; ``present`` are the files there are, by suffix, ``remove`` those to take away."""
        try:
            for suffix, file in self._files.items():
                file.flush()
                os.fsync(file.fileno())
                file.close()
                if suffix in present and present[suffix].exists():
                    self._temporary(suffix).chmod(stat.S_IMODE(present[suffix].stat().st_mode))
            if not overwrite and self.main.exists():
                raise UsageError("exists already, and overwriting was not asked for", path=self.main)
            finals = {suffix: present.get(suffix, self.main.with_suffix(suffix)).name for suffix in self._files}
            ordered = sorted(finals, key=lambda suffix: suffix == MAIN)  # a base is there when its .cbh is
            entry = {
                "new": [[self._temporary(suffix).name, finals[suffix]] for suffix in ordered],
                "gone": [present[suffix].name for suffix in remove if suffix in present and suffix not in finals],
            }
            self._write_journal(json.dumps(entry).encode())
            self._decided()
        finally:
            self.discard()

    def _write_journal(self, data: bytes) -> None:
        """The moment of decision: the journal appears as a whole."""
        journal = _journal_of(self.main)
        temporary = self._temporary(_JOURNAL_END)
        with temporary.open("xb") as file:
            try:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
                temporary.replace(journal)
            except BaseException:
                temporary.unlink(missing_ok=True)
                raise
        _flush_folder(self.main.parent)

    def _decided(self) -> None:
        moved = False

        def replace(old: Path, new: Path) -> None:
            nonlocal moved
            old.replace(new)
            moved = True

        try:
            _roll_forward(self.main, replace=replace)
        except BaseException:
            if moved:
                self._files.clear()  # the new base; its files are still needed
            else:
                _journal_of(self.main).unlink(missing_ok=True)  # the old one, untouched
            raise

    def discard(self) -> None:
        """Remove what was not committed; does nothing after a commit."""
        self._end()


_BARE_SUFFIXES: Final = frozenset({suffix[1:] for suffix in KNOWN_SUFFIXES} | {_JOURNAL_END[1:]})


def _roll_forward(main: Path, *, replace: Callable[[Path, Path], object]) -> None:
    """Do what the journal says, as far as it is not done; then it is not needed any more."""
    journal = _journal_of(main)
    entry = _parse_journal(main, journal.read_bytes())
    for old, new in entry["new"]:
        if (main.parent / old).exists():
            replace(main.parent / old, main.parent / new)
    for (name,) in entry["gone"]:
        (main.parent / name).unlink(missing_ok=True)
    _flush_folder(main.parent)
    journal.unlink(missing_ok=True)
    _flush_folder(main.parent)


def _parse_journal(main: Path, data: bytes) -> dict[str, list[list[str]]]:
    """What is to be done, each as a list of names; only files of this base are ever touched."""
    try:
        entry = json.loads(data)
        found = {"new": [[str(old), str(new)] for old, new in entry["new"]], "gone": [[str(n)] for n in entry["gone"]]}
    except (ValueError, KeyError, TypeError) as error:
        raise CorruptError("the journal of an interrupted change is damaged", path=_journal_of(main)) from error
    temporaries = [old for old, _ in found["new"]]
    names = [new for _, new in found["new"]] + [name for (name,) in found["gone"]]
    if not all(
        Path(name).name == name and Path(name).suffix.lower() in KNOWN_SUFFIXES and _stem(name) == _stem(main.name)
        for name in names
    ) or not all(Path(name).name == name and name.startswith(_TEMPORARY) for name in temporaries):
        raise CorruptError("the journal of an interrupted change names files of others", path=_journal_of(main))
    return found


def _stem(name: str) -> str:
    return Path(name).stem.lower()


def _discard(files: dict[str, BinaryIO], temporary: Callable[[str], Path], lock: _Lock, owner: int) -> None:
    if os.getpid() != owner:  # a forked child must not remove the files of its parent
        return
    for suffix, file in files.items():
        with suppress(OSError):  # a full disk: what could not be flushed is thrown away anyway
            file.close()
        with suppress(OSError):
            temporary(suffix).unlink(missing_ok=True)
    with suppress(OSError):
        lock.release()


def _flush_folder(folder: Path) -> None:
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # some network file systems cannot; the renames themselves have succeeded
            os.fsync(descriptor)
    finally:
        os.close(descriptor)
