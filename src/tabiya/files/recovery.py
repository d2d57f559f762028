"""Files that change together, and how an interrupted change of them is finished. See ``transaction`` for the whole.

A journal lists the renames and removals that are left of a decided change. Programs that read such files call
``recover`` before they open them. It needs no lock and writes nothing, unless there is a journal.
"""

from __future__ import annotations

import json
import re
import shutil
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final, TypeVar

from tabiya.errors import CorruptError, TabiyaError, UsageError
from tabiya.files.file_errors import sentence_of
from tabiya.files.flushing import flush_folder
from tabiya.files.journals import journal_of
from tabiya.files.locks import WriterLock
from tabiya.files.safe_names import folded, is_own, safe_parts
from tabiya.files.shared_files import replace
from tabiya.files.temporary import sweep

_LOCK: Final = ".tabiya-lock"
_PATIENCE: Final = 10.0
"""Seconds to wait for a writer that is about to finish."""
_TRIES: Final = 100
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class FileSet:
    """Files of one stem, in one folder, that change together: a base or a book."""

    main: Path
    """The main file. It is renamed last: the set exists if this file exists."""
    name: str
    """The part of the names of journal and lock that no other set in the folder has."""
    suffixes: frozenset[str]
    """Suffixes of its files, in lower case."""
    folder_suffixes: frozenset[str] = frozenset()
    """Suffixes of folders that belong to it."""
    removable: frozenset[str] = frozenset()
    """Suffixes of files that a change may remove."""
    noun: str = "base"
    """What it is, for messages."""
    last: str | None = None
    """Suffix of the file that is renamed last, if that is not the main file."""

    @property
    def last_suffix(self) -> str:
        """Suffix of the file that is renamed last, in lower case."""
        return self.main.suffix.lower() if self.last is None else self.last

    @property
    def folder(self) -> Path:
        """The folder with all its files."""
        return self.main.parent

    @property
    def journal(self) -> Path:
        """The journal, which exists while a change is decided but not finished."""
        return journal_of(self.folder, self.name)

    @property
    def is_decided(self) -> bool:
        """Whether a decided change has to be finished."""
        return self.journal.is_file()

    def lock(self) -> WriterLock:
        """Exclude other writers."""
        return WriterLock(self.folder / (f".{self.name}{_LOCK}" if self.name else _LOCK), self.main)

    def owns(self, name: str, suffixes: frozenset[str]) -> bool:
        """Return whether a file name consists of this stem and one of the suffixes."""
        path = Path(name)
        return path.name == name and folded(path.stem) == folded(self.main.stem) and path.suffix.lower() in suffixes

    def owns_temporary(self, name: str) -> bool:
        """Return whether this is the name of a temporary file; earlier versions put the name of the set into it."""
        mark = rf"(?:{re.escape(self.name)}-)?(?:[0-9a-f]{{8}}-)?[0-9a-f]{{16}}"
        return re.fullmatch(rf"\.tabiya-{mark}(-aside)?(\.[0-9a-z-]+)?\.tmp(/new|/old)?", name) is not None


@dataclass(frozen=True, slots=True)
class FolderFiles(FileSet):
    """Any files in a folder (``main``) and below it, whose names are relative paths with ``/``."""

    name: str = ""
    suffixes: frozenset[str] = frozenset()
    noun: str = "content"

    @property
    def folder(self) -> Path:
        """The folder itself."""
        return self.main

    def owns(self, name: str, suffixes: frozenset[str]) -> bool:  # noqa: ARG002 - any suffix
        """Return whether this is the path of a file in the folder, which no link leads out of."""
        parts = safe_parts(name) or ()
        above = (self.main.joinpath(*parts[:length]) for length in range(1, len(parts)))
        return bool(parts) and not is_own(parts) and not any(map(Path.is_symlink, above))

    def owns_temporary(self, name: str) -> bool:
        """Return whether this is the path of a file in a temporary folder."""
        parts = safe_parts(name) or ("",)
        return FileSet.owns_temporary(self, parts[0]) and parts[1:2] == ("new",)


@dataclass(frozen=True, slots=True)
class Journal:
    """The steps of a change; all names are relative to the folder of the set."""

    new: list[tuple[str, str]]
    """Temporary files and their final names, in the order of the renames."""
    gone: list[str]
    """Files to remove."""
    folders: list[tuple[str, str, str]]
    """Temporary folders, their final names, and the names that the old folders get."""

    def encode(self) -> bytes:
        """Return the content of the file."""
        return json.dumps({"new": self.new, "gone": self.gone, "folders": self.folders}).encode()

    @classmethod
    def read(cls, files: FileSet) -> Journal:
        """Read the journal of a set; raise ``CorruptError`` if it is damaged or names any other files."""
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
            what = f"the journal of an interrupted change names files that do not belong to this {files.noun}"
            raise CorruptError(what, path=files.journal)
        return journal

    def touches_only(self, files: FileSet) -> bool:
        """Return whether it names only files of this set."""
        temporaries = [old for old, _ in self.new]
        temporaries += [name for old, _, aside in self.folders for name in (old, aside)]
        return (
            all(files.owns(new, files.suffixes) for _, new in self.new)
            and all(files.owns(name, files.removable) for name in self.gone)
            and all(files.owns(new, files.folder_suffixes) for _, new, _ in self.folders)
            and all(map(files.owns_temporary, temporaries))
        )


def recover(files: FileSet) -> None:
    """Finish a decided change of the files, or of any files in their folder; do nothing without a journal.

    Raises:
        UsageError: Another program is changing the files and does not finish in time.
    """
    for each in (FolderFiles(files.folder), files):
        lock = wait_for_lock(each, lambda each=each: each.is_decided)  # type: ignore[misc]
        if lock is None:
            continue
        try:
            if each.is_decided:  # else the owner of the lock has finished the change meanwhile
                finish(each)
        except OSError as error:
            what = f"an interrupted change of the {each.noun} cannot be finished: {sentence_of(error)}"
            raise TabiyaError(what, path=each.main) from error
        finally:
            lock.release()
        sweep(each.folder)


def until_consistent(opened: Callable[[], _T | None], path: Path) -> _T:
    """Call a function that opens files until it returns them; None means that a writer has replaced some meanwhile.

    Raises:
        UsageError: The files are changed again and again.
    """
    for _ in range(_TRIES):
        if (found := opened()) is not None:
            return found
    raise UsageError("is constantly being changed by another program; try again later", path=path)


def wait_for_lock(files: FileSet, is_needed: Callable[[], bool] = lambda: True) -> WriterLock | None:
    """Lock files, after waiting for a writer that is about to finish; return None when the lock is no longer needed."""
    waited_until = time.monotonic() + _PATIENCE
    while is_needed():
        try:
            return files.lock()
        except UsageError:
            if time.monotonic() > waited_until:
                raise
        time.sleep(0.01)
    return None


def finish(files: FileSet) -> None:
    """Perform the remaining steps of the journal, then remove it. The caller must hold the lock."""
    folder, journal = files.folder, Journal.read(files)
    for old, new, aside in journal.folders:
        if (folder / old).exists():
            if (folder / new).exists() or (folder / new).is_symlink():
                replace(folder / new, folder / aside)
            replace(folder / old, folder / new)
    for old, new in journal.new:
        if (folder / old).exists():
            if not (above := (folder / new).parent).exists():
                above.mkdir(parents=True)
                for place in above.relative_to(folder).parents:  # a folder that is lost would take the file with it
                    flush_folder(folder / place)
            replace(folder / old, folder / new)
    for name in journal.gone:
        (folder / name).unlink(missing_ok=True)
    names = [*(new for _, new in journal.new), *journal.gone]
    below = {folder / above for name in names if "/" in name for above in PurePosixPath(name).parents}
    for touched in sorted({folder} | below):
        flush_folder(touched)
    files.journal.unlink(missing_ok=True)
    flush_folder(folder)
    for _, _, aside in journal.folders:
        with suppress(OSError):  # the change is complete; leftovers are removed later
            _remove(folder / aside)


def _remove(path: Path) -> None:
    """Remove a file, or a folder with its content."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
