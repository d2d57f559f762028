"""Several files that change together: written beside the old ones, then swapped in through a journal.

New files are complete and on disk under names of their own before the journal appears; from that moment on the change
is decided, and whoever opens the files finishes it (``finish_swap``). A kill at any time leaves the old files or the
new ones. A lock keeps a second writer out; it ends with its process.
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

__all__ = ["FileSet", "Swap", "finish_swap"]

_BUFFER_BYTES: Final = 1 << 20
_TEMPORARY: Final = ".tabiya-"
_ASIDE: Final = "-aside"
_PATIENCE: Final = 10.0
"""Seconds to wait for a writer that is just about to finish."""


@dataclass(frozen=True, slots=True)
class FileSet:
    """Files of one stem, in one folder, that change together: a base."""

    main: Path
    """The file that stands for all of them, and is renamed last: a base is there when it is."""
    name: str
    """What journal, lock and temporary files are called after."""
    suffixes: frozenset[str]
    """Those of its files, in lower case."""
    folder_suffixes: frozenset[str] = frozenset()
    """Those of folders that belong to it."""
    removable: frozenset[str] = frozenset()
    """Those of files that a change may remove."""

    @property
    def folder(self) -> Path:
        """Where all of it is."""
        return self.main.parent

    @property
    def journal(self) -> Path:
        """What says that a change is decided."""
        return journal_of(self.folder, self.name)

    @property
    def lock_file(self) -> Path:
        """The file whose lock says that the set is being written."""
        return self.folder / f".{self.name}.tabiya-lock"

    @property
    def is_decided(self) -> bool:
        """Whether a change has begun that somebody must finish."""
        return self.journal.is_file()

    def lock(self) -> WriterLock:
        """Keep other writers out."""
        return WriterLock(self.lock_file, self.main)

    def owns(self, name: str, suffixes: frozenset[str]) -> bool:
        """Return whether a name, without a path, is that of this stem and one of the suffixes."""
        path = Path(name)
        return path.name == name and path.stem.lower() == self.main.stem.lower() and path.suffix.lower() in suffixes

    def temporary_name(self, mark: str) -> re.Pattern[str]:
        """Return what the names of temporary files and folders look like; ``mark`` is that of their machine."""
        start = re.escape(f"{_TEMPORARY}{self.name}-")
        return re.compile(rf"{start}{mark}[0-9a-f]{{16}}({_ASIDE})?\.([0-9a-z-]+)\.tmp")

    def leftovers(self) -> list[Path]:
        """Return temporary files and folders of writers on this machine: see ``temporary`` about others."""
        known = {suffix[1:] for suffix in self.suffixes | self.folder_suffixes | {JOURNAL}}
        left = self.temporary_name(re.escape(machine_mark()))
        with os.scandir(self.folder) as entries:
            found = [(entry.path, left.fullmatch(entry.name)) for entry in entries]
        return [Path(path) for path, match in found if match and match[2] in known]

    def remove_leftovers(self) -> None:
        """Remove them. To be called by who has the lock: then nobody needs them any more."""
        for path in self.leftovers():
            _remove(path)


def finish_swap(files: FileSet) -> None:
    """Finish a change that was interrupted, or clear away one that was never decided.

    Raises:
        UsageError: Another program is changing the files, and does not come to an end.
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
            if files.is_decided:  # else its owner has finished the change meanwhile
                _roll_forward(files)
        except OSError as error:
            what = f"an interrupted change of the base cannot be finished: {sentence_of(error)}"
            raise TabiyaError(what, path=files.main) from error
        finally:
            lock.release()
    # A writer that is alive has the lock, and a folder may be for reading only.
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
    """What is to be done; all are names of files in the folder of the set."""

    new: list[tuple[str, str]]
    """Temporary files, and the names that they get."""
    gone: list[str]
    """Files that are removed."""
    folders: list[tuple[str, str, str]]
    """Temporary folders, the names that they get, and the names of those that were there before."""

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
        """Return whether it names files of this set and nothing else."""
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
    """Do what the journal says, as far as it is not done; then it is not needed any more."""
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
        with suppress(OSError):  # the change is done; what is left of it is swept up later
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

    ``open`` gives a file to write for a suffix, ``folder`` a folder; ``put_in_place`` puts all of them in the place of
    the old ones; ``discard`` leaves no trace. What is neither put in place nor discarded vanishes with the object.
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
            sweep(files.folder)  # what writers of other formats have left
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
        """Return a new file, to be read and written, that will be the one of this suffix."""
        self._files[suffix] = file = self._temporary(suffix).open("x+b", buffering=_BUFFER_BYTES)
        return file

    def folder(self, suffix: str) -> Path:
        """Return a new folder, to be filled, that will be the one of this suffix."""
        self._folders[suffix] = folder = self._temporary(suffix)
        folder.mkdir()
        return folder

    def put_in_place(self, finals: Mapping[str, Path], *, gone: Iterable[str], overwrite: bool) -> None:
        """Give the new files and folders their names, and remove files that are ``gone``.

        Args:
            finals: by suffix, the paths of new files and folders, which may be those of old ones.
            gone: names of old files without a successor.
            overwrite: whether there may be a main file already.
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
        """Flush everything new to disk, and let those read it who could read the old files."""
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
        """Return where the old folder waits for its end: one cannot be put in the place of another at once."""
        return self._temporary(f"{_ASIDE}{suffix}")

    def _write_journal(self, data: bytes) -> None:
        """Commit: make the journal appear as a whole."""
        temporary = self._temporary(JOURNAL)
        try:
            with temporary.open("xb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            flush_folder(self._set.folder)  # so that no journal is there without the files that it names
            temporary.replace(self._set.journal)
        finally:
            temporary.unlink(missing_ok=True)
        flush_folder(self._set.folder)

    def _take_back(self) -> bool:
        """Undo the decision if nothing is done yet, which the disk knows better than an interrupted program.

        Gives whether the files are the old ones.
        """
        waiting = [*map(self._temporary, self._files), *self._folders.values()]
        moved_aside = [self._aside(suffix) for suffix in self._folders]
        if not all(path.exists() for path in waiting) or any(path.exists() for path in moved_aside):
            return False
        with suppress(OSError):  # then it stays, and whoever opens the files makes the change
            self._set.journal.unlink(missing_ok=True)
        return not self._set.is_decided

    def discard(self) -> None:
        """Remove what was not put in place; do nothing afterwards."""
        self._end()


def _decided(files: FileSet, error: OSError) -> str:
    """Return what is true of a base whose change was decided, though something went wrong afterwards."""
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
    """Remove new files and folders, unless the journal is there: then it needs them, whatever has happened."""
    if os.getpid() != owner:  # a forked child must not remove the files of its parent
        return
    try:
        for file in new.values():
            with suppress(OSError):  # a full disk: what could not be flushed is thrown away anyway
                file.close()
        with suppress(OSError):
            if not files.is_decided:
                for path in (*map(temporary, new), *folders.values()):
                    with suppress(OSError):
                        _remove(path)
    finally:
        with suppress(OSError):
            lock.release()
