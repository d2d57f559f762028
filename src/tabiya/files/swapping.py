"""Several files that change together: written beside the old ones, then swapped in through a journal.

New files are complete and on disk under temporary names before the journal appears. From then on the change is
decided, and the next program that opens the files finishes it (``finish_swap``). If the process is killed, either all
old files or all new ones remain. A lock excludes other writers; the end of its process releases it.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import stat
import time
import weakref
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

from tabiya.errors import CorruptError, TabiyaError, UsageError
from tabiya.files.atomic import flush_folder, flush_tree
from tabiya.files.file_errors import sentence_of
from tabiya.files.journals import JOURNAL, journal_of
from tabiya.files.locks import WriterLock
from tabiya.files.temporary import machine_mark, sweep

_BUFFER_BYTES: Final = 1 << 20
_TEMPORARY: Final = ".tabiya-"
_ASIDE: Final = "-aside"
_PATIENCE: Final = 10.0
"""Seconds to wait for a writer that is about to finish."""


@dataclass(frozen=True, slots=True)
class FileSet:
    """Files of one stem, in one folder, that change together: a base."""

    main: Path
    """The main file. It is renamed last: the base exists if this file exists."""
    name: str
    """The stem of the names of journal, lock and temporary files."""
    suffixes: frozenset[str]
    """Suffixes of its files, in lower case."""
    folder_suffixes: frozenset[str] = frozenset()
    """Suffixes of folders that belong to it."""
    removable: frozenset[str] = frozenset()
    """Suffixes of files that a change may remove."""

    @property
    def folder(self) -> Path:
        """The folder with all its files."""
        return self.main.parent

    @property
    def journal(self) -> Path:
        """The journal, which exists while a change is decided but not finished."""
        return journal_of(self.folder, self.name)

    @property
    def lock_file(self) -> Path:
        """The file that is locked while the set is written."""
        return self.folder / f".{self.name}.tabiya-lock"

    @property
    def is_decided(self) -> bool:
        """Whether a decided change has to be finished."""
        return self.journal.is_file()

    def lock(self) -> WriterLock:
        """Exclude other writers."""
        return WriterLock(self.lock_file, self.main)

    def owns(self, name: str, suffixes: frozenset[str]) -> bool:
        """Return whether a file name consists of this stem and one of the suffixes."""
        path = Path(name)
        return path.name == name and path.stem.lower() == self.main.stem.lower() and path.suffix.lower() in suffixes

    def temporary_name(self, mark: str) -> re.Pattern[str]:
        """Return a pattern for the names of temporary files and folders; ``mark`` is that of their machine."""
        start = re.escape(f"{_TEMPORARY}{self.name}-")
        return re.compile(rf"{start}{mark}[0-9a-f]{{16}}({_ASIDE})?\.([0-9a-z-]+)\.tmp")

    def leftovers(self) -> list[Path]:
        """Return temporary files and folders of writers on this machine; ``temporary`` explains why not of others."""
        known = {suffix[1:] for suffix in self.suffixes | self.folder_suffixes | {JOURNAL}}
        left = self.temporary_name(re.escape(machine_mark()))
        with os.scandir(self.folder) as entries:
            found = [(entry.path, left.fullmatch(entry.name)) for entry in entries]
        return [Path(path) for path, match in found if match and match[2] in known]

    def remove_leftovers(self) -> None:
        """Remove leftovers. The caller must hold the lock, so that no other program needs them."""
        for path in self.leftovers():
            _remove(path)


def finish_swap(files: FileSet) -> None:
    """Finish an interrupted change, or remove the files of a change that was never decided.

    Raises:
        UsageError: Another program is changing the files and does not finish in time.
    """
    waited_until = time.monotonic() + _PATIENCE
    while files.is_decided:
        try:
            lock = files.lock()
        except UsageError:
            if time.monotonic() > waited_until:
                raise
            time.sleep(0.01)
            continue
        try:
            if files.is_decided:  # else the owner of the lock has finished the change meanwhile
                _roll_forward(files)
        except OSError as error:
            what = f"an interrupted change of the base cannot be finished: {sentence_of(error)}"
            raise TabiyaError(what, path=files.main) from error
        finally:
            lock.release()
    # A running writer holds the lock, and a folder may be read-only.
    with suppress(OSError, TabiyaError):
        if files.lock_file.exists() or files.leftovers():
            lock = files.lock()
            try:
                if not files.is_decided:
                    files.remove_leftovers()
            finally:
                lock.release()


@dataclass(frozen=True, slots=True)
class _Journal:
    """The steps of a change; all names are those of files in the folder of the set."""

    new: list[tuple[str, str]]
    """Temporary files and their final names."""
    gone: list[str]
    """Files to remove."""
    folders: list[tuple[str, str, str]]
    """Temporary folders, their final names, and the names that the old folders get."""

    def encode(self) -> bytes:
        return json.dumps({"new": self.new, "gone": self.gone, "folders": self.folders}).encode()

    @classmethod
    def read(cls, files: FileSet) -> _Journal:
        try:
            entry = json.loads(files.journal.read_bytes())
            journal = cls(
                new=[(str(old), str(new)) for old, new in entry["new"]],
                gone=[str(name) for name in entry["gone"]],
                folders=[(str(old), str(new), str(aside)) for old, new, aside in entry.get("folders", ())],
            )
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise CorruptError("the journal of an interrupted change is damaged", path=files.journal) from error
        if not journal.touches_only(files):
            what = "the journal of an interrupted change names files that do not belong to this base"
            raise CorruptError(what, path=files.journal)
        return journal

    def touches_only(self, files: FileSet) -> bool:
        """Return whether it names only files of this set."""
        temporaries = [old for old, _ in self.new]
        temporaries += [name for old, _, aside in self.folders for name in (old, aside)]
        temporary = files.temporary_name("[0-9a-f]{8}-")
        return (
            all(files.owns(new, files.suffixes) for _, new in self.new)
            and all(files.owns(name, files.removable) for name in self.gone)
            and all(files.owns(new, files.folder_suffixes) for _, new, _ in self.folders)
            and all(map(temporary.fullmatch, temporaries))
        )


def _roll_forward(files: FileSet) -> None:
    """Perform the remaining steps of the journal, then remove it."""
    folder, journal = files.folder, _Journal.read(files)
    for old, new, aside in journal.folders:
        if (folder / old).exists():
            if (folder / new).exists() or (folder / new).is_symlink():
                (folder / new).replace(folder / aside)
            (folder / old).replace(folder / new)
    for old, new in journal.new:
        if (folder / old).exists():
            (folder / old).replace(folder / new)
    for name in journal.gone:
        (folder / name).unlink(missing_ok=True)
    flush_folder(folder)
    for _, _, aside in journal.folders:
        with suppress(OSError):  # the change is complete; leftovers are removed later
            _remove(folder / aside)
    files.journal.unlink(missing_ok=True)
    flush_folder(folder)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


class Swap:
    """A change of a set of files.

    ``open`` returns a new file for a suffix, ``folder`` a new folder; ``put_in_place`` replaces the old ones with all
    of them; ``discard`` removes them. Files and folders that were neither put in place nor discarded are removed with
    the object.
    """

    def __init__(self, files: FileSet) -> None:
        self._set = files
        self._token = f"{machine_mark()}{secrets.token_hex(8)}"
        self._files: dict[str, BinaryIO] = {}
        self._folders: dict[str, Path] = {}
        lock = files.lock()
        self._end = weakref.finalize(
            self, _discard, files, self._files, self._folders, self._temporary, lock, os.getpid()
        )
        try:
            if files.is_decided:
                _roll_forward(files)
            files.remove_leftovers()
            sweep(files.folder)  # leftovers of writers of other formats
        except BaseException:
            self._end()
            raise

    @property
    def _temporary(self) -> Callable[[str], Path]:
        folder, start = self._set.folder, f"{_TEMPORARY}{self._set.name}-{self._token}"
        return lambda suffix: folder / f"{start}{suffix}.tmp"

    @property
    def opened(self) -> frozenset[str]:
        """The suffixes of new files so far."""
        return frozenset(self._files)

    @property
    def folders(self) -> tuple[str, ...]:
        """The suffixes of new folders so far."""
        return tuple(self._folders)

    def open(self, suffix: str) -> BinaryIO:
        """Return a new file for reading and writing, to become the file of this suffix."""
        self._files[suffix] = file = self._temporary(suffix).open("x+b", buffering=_BUFFER_BYTES)
        return file

    def folder(self, suffix: str) -> Path:
        """Return a new folder, to become the folder of this suffix."""
        self._folders[suffix] = folder = self._temporary(suffix)
        folder.mkdir()
        return folder

    def put_in_place(self, finals: Mapping[str, Path], *, gone: Iterable[str], overwrite: bool) -> None:
        """Give the new files and folders their names, and remove the files in ``gone``.

        Args:
            finals: by suffix, the paths of new files and folders, which may be those of old ones.
            gone: names of old files without a successor.
            overwrite: whether a main file may exist already.
        """
        try:
            self._flush(finals)
            if not overwrite and self._set.main.exists():
                raise UsageError("already exists; overwrite=True replaces it", path=self._set.main)
            journal = self._plan(finals, sorted(gone))
            try:
                self._write_journal(journal.encode())
                _roll_forward(self._set)
            except BaseException as error:
                if not self._take_back() and isinstance(error, OSError):
                    raise TabiyaError(_decided(self._set, error), path=self._set.main) from error
                raise
        finally:
            self.discard()

    def _flush(self, finals: Mapping[str, Path]) -> None:
        """Flush all new files to disk, and give them the permissions of the old files."""
        for suffix, file in self._files.items():
            file.flush()
            os.fsync(file.fileno())
            file.close()
            if finals[suffix].exists():
                self._temporary(suffix).chmod(stat.S_IMODE(finals[suffix].stat().st_mode))
        for folder in self._folders.values():
            flush_tree(folder)

    def _plan(self, finals: Mapping[str, Path], gone: list[str]) -> _Journal:
        ordered = sorted(self._files, key=lambda suffix: suffix == self._set.main.suffix.lower())
        return _Journal(
            new=[(self._temporary(suffix).name, finals[suffix].name) for suffix in ordered],
            gone=gone,
            folders=[
                (folder.name, finals[suffix].name, self._aside(suffix).name) for suffix, folder in self._folders.items()
            ],
        )

    def _aside(self, suffix: str) -> Path:
        """Return a temporary path for the old folder: a folder cannot replace another one atomically."""
        return self._temporary(f"{_ASIDE}{suffix}")

    def _write_journal(self, data: bytes) -> None:
        """Commit: create the journal atomically."""
        temporary = self._temporary(JOURNAL)
        try:
            with temporary.open("xb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            flush_folder(self._set.folder)  # so that the journal never exists without the files that it names
            temporary.replace(self._set.journal)
        finally:
            temporary.unlink(missing_ok=True)
        flush_folder(self._set.folder)

    def _take_back(self) -> bool:
        """Undo the decision if no step was performed; the disk shows this even after an interrupt.

        Returns whether the files are the old ones.
        """
        waiting = [*map(self._temporary, self._files), *self._folders.values()]
        moved_aside = [self._aside(suffix) for suffix in self._folders]
        if not all(path.exists() for path in waiting) or any(path.exists() for path in moved_aside):
            return False
        with suppress(OSError):  # then it stays, and the next program that opens the files performs the change
            self._set.journal.unlink(missing_ok=True)
        return not self._set.is_decided

    def discard(self) -> None:
        """Remove everything that was not put in place; do nothing afterwards."""
        self._end()


def _decided(files: FileSet, error: OSError) -> str:
    """Return the message for an error that occurred after a change was decided."""
    state = "is written, but not completely in place yet; opening it again completes that"
    return f"the new base {state if files.is_decided else 'is in place'} ({sentence_of(error)})"


def _discard(
    files: FileSet,
    new: dict[str, BinaryIO],
    folders: dict[str, Path],
    temporary: Callable[[str], Path],
    lock: WriterLock,
    owner: int,
) -> None:
    """Remove new files and folders, unless the journal exists: then they are still needed."""
    if os.getpid() != owner:  # a forked child must not remove the files of its parent
        return
    try:
        for file in new.values():
            with suppress(OSError):  # a full disk: data that could not be flushed is discarded anyway
                file.close()
        with suppress(OSError):
            if not files.is_decided:
                for path in (*map(temporary, new), *folders.values()):
                    with suppress(OSError):
                        _remove(path)
    finally:
        with suppress(OSError):
            lock.release()
