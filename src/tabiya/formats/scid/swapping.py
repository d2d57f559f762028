"""The three files of a base change together: written beside it, then renamed through a journal.

New files are complete and on disk under names of their own before the journal appears; from that moment on the change
is decided, and whoever opens the base finishes it. A kill at any time leaves the old base or the new one. A lock keeps
a second writer out; it ends with its process.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import stat
import time
import weakref
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Final

from tabiya.errors import CorruptError, FormatError, TabiyaError, UsageError
from tabiya.files.atomic import flush_folder
from tabiya.files.file_bytes import FileBytes
from tabiya.files.file_errors import sentence_of
from tabiya.files.locks import WriterLock
from tabiya.files.temporary import machine_mark, sweep
from tabiya.formats.scid.base_files import GENERATIONS, base_at, generation_of
from tabiya.formats.scid.index_file import Generation

__all__ = ["Swap", "finish_swap", "open_base"]

_BUFFER_BYTES: Final = 1 << 20
_TEMPORARY: Final = ".tabiya-"
_TRIES: Final = 100
_PATIENCE: Final = 10.0
"""Seconds to wait for a writer that is just about to finish."""


def _journal_of(index: Path) -> Path:
    return index.parent / f".{index.name}.tabiya-journal"


def _lock(index: Path) -> WriterLock:
    return WriterLock(index.parent / f".{index.name}.tabiya-lock", index)


def open_base(place: Path) -> tuple[Generation, dict[str, FileBytes]]:
    """Open the files of a base as they belong together, also while others change it.

    Raises:
        UsageError: Somebody changes it again and again.
    """
    for _ in range(_TRIES):
        _finish_all(place)
        generation, paths = base_at(place)
        index = paths[generation.index]
        # The index is renamed last: if it is the same one before and after, so are the others.
        files = {suffix: FileBytes(paths[suffix]) for suffix in reversed(generation.suffixes)}
        if not _journal_of(index).exists() and os.path.samestat(files[generation.index].status, index.stat()):
            return generation, files
        for file in files.values():
            file.close()
    raise UsageError("is constantly being changed by another program; try again later", path=place)


def _finish_all(place: Path) -> None:
    """Finish interrupted changes of the bases that a place may mean."""
    if place.is_dir():
        return
    generation = generation_of(place)
    if generation is not None:
        finish_swap(place.with_suffix(generation.index.upper() if place.suffix.isupper() else generation.index))
        return
    for each in GENERATIONS:
        finish_swap(place.with_name(place.name + each.index))


def finish_swap(index: Path) -> None:
    """Finish a change of a base that was interrupted, and clear away what killed writers have left.

    Raises:
        UsageError: Another program is changing the base, and does not come to an end.
    """
    waited_until = time.monotonic() + _PATIENCE
    while _journal_of(index).exists():
        try:
            lock = _lock(index)
        except UsageError:
            if time.monotonic() > waited_until:
                raise
            time.sleep(0.01)
            continue
        try:
            if _journal_of(index).exists():  # else its owner has finished the change meanwhile
                _roll_forward(index)
        except OSError as error:
            what = f"an interrupted change of the base cannot be finished: {sentence_of(error)}"
            raise TabiyaError(what, path=index) from error
        finally:
            lock.release()
    with suppress(OSError, TabiyaError):  # a folder may be for reading only
        if _leftovers(index):
            lock = _lock(index)
            try:
                if not _journal_of(index).exists():
                    _remove(_leftovers(index))
            finally:
                lock.release()


def _leftovers(index: Path) -> list[Path]:
    """Temporary files of writers of this base on this machine."""
    left = re.compile(rf"{re.escape(f'{_TEMPORARY}{index.name}-{machine_mark()}')}[0-9a-f]{{16}}\.[a-z0-9-]+\.tmp")
    with os.scandir(index.parent) as entries:
        return [Path(entry.path) for entry in entries if left.fullmatch(entry.name)]


def _remove(paths: list[Path]) -> None:
    for path in paths:
        with suppress(OSError):
            path.unlink(missing_ok=True)


def _roll_forward(index: Path) -> None:
    """Do what the journal says, as far as it is not done; then it is not needed any more."""
    journal, folder = _journal_of(index), index.parent
    try:
        renames = [(str(old), str(new)) for old, new in json.loads(journal.read_bytes())]
    except (ValueError, TypeError) as error:
        raise CorruptError("the journal of an interrupted change is damaged", path=journal) from error
    for old, new in renames:
        own = Path(new).stem.lower() == index.stem.lower() and generation_of(Path(new)) is generation_of(index)
        if not own or not old.startswith(_TEMPORARY) or {Path(old).name, Path(new).name} != {old, new}:
            what = "the journal of an interrupted change names files that do not belong to this base"
            raise CorruptError(what, path=journal)
    for old, new in renames:
        if (folder / old).exists():
            (folder / old).replace(folder / new)
    flush_folder(folder)
    journal.unlink(missing_ok=True)
    flush_folder(folder)


class Swap:
    """A change of the files of one base.

    ``open`` gives a new file for a suffix; ``commit`` puts all of them in the place of the old ones; ``discard`` leaves
    no trace. What is neither committed nor discarded vanishes with the object.
    """

    def __init__(self, generation: Generation, paths: dict[str, Path]) -> None:
        self._paths = {suffix: path.resolve() for suffix, path in paths.items()}
        self._generation = generation
        self.index = self._paths[generation.index]
        self._start = f"{_TEMPORARY}{self.index.name}-{machine_mark()}{secrets.token_hex(8)}"
        self._files: dict[str, BinaryIO] = {}
        if not self.index.parent.is_dir():
            raise FormatError("there is no such folder", path=self.index.parent)
        lock = _lock(self.index)
        self._end = weakref.finalize(self, _discard, self.index, self._start, self._files, lock, os.getpid())
        try:
            if _journal_of(self.index).exists():
                _roll_forward(self.index)
            _remove(_leftovers(self.index))
            sweep(self.index.parent)  # what writers of other formats have left
        except BaseException:
            self._end()
            raise

    def _temporary(self, suffix: str) -> Path:
        return self.index.parent / f"{self._start}{suffix}.tmp"

    def open(self, suffix: str) -> BinaryIO:
        """Return a new file, to be read and written, that will be the one of this suffix."""
        self._files[suffix] = file = self._temporary(suffix).open("x+b", buffering=_BUFFER_BYTES)
        return file

    def commit(self, *, overwrite: bool = True) -> None:
        """Put the new files in place, the index last."""
        try:
            for suffix, file in self._files.items():
                file.flush()
                os.fsync(file.fileno())
                file.close()
                if self._paths[suffix].exists():
                    self._temporary(suffix).chmod(stat.S_IMODE(self._paths[suffix].stat().st_mode))
            if not overwrite and self.index.exists():
                raise UsageError("already exists; use --force, or overwrite=True, to replace it", path=self.index)
            renames = [
                (self._temporary(suffix).name, self._paths[suffix].name)
                for suffix in self._generation.suffixes
                if suffix in self._files
            ]
            self._decide(renames)
        finally:
            self.discard()

    def _decide(self, renames: list[tuple[str, str]]) -> None:
        temporary = self._temporary(".journal")
        try:
            with temporary.open("xb") as file:
                file.write(json.dumps(renames).encode())
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(_journal_of(self.index))
        finally:
            temporary.unlink(missing_ok=True)
        try:
            flush_folder(self.index.parent)
            _roll_forward(self.index)
        except BaseException as error:
            if all((self.index.parent / old).exists() for old, _ in renames):
                _journal_of(self.index).unlink(missing_ok=True)  # nothing is done yet: the base is the old one
            elif isinstance(error, OSError):
                what = f"the new base is written; opening it again puts it in place ({sentence_of(error)})"
                raise TabiyaError(what, path=self.index) from error
            raise

    def discard(self) -> None:
        """Remove what was not committed; do nothing after a commit."""
        self._end()


def _discard(index: Path, start: str, files: dict[str, BinaryIO], lock: WriterLock, owner: int) -> None:
    """Remove new files, unless the journal is there: then it needs them, whatever has happened."""
    if os.getpid() != owner:  # a forked child must not remove the files of its parent
        return
    try:
        for file in files.values():
            with suppress(OSError):  # a full disk: what could not be flushed is thrown away anyway
                file.close()
        if not _journal_of(index).exists():
            _remove([index.parent / f"{start}{suffix}.tmp" for suffix in files])
    finally:
        with suppress(OSError):
            lock.release()
