"""Many files that change together: written beside the base, then swapped in through a journal.

New files are complete and on disk under names of their own before the journal appears; from that moment on the change
is decided, and whoever opens the base finishes it. A kill at any time leaves the old base or the new one. A lock keeps
a second writer out; it ends with its process.
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
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final, TypeAlias

from tabiya.errors import CorruptError, TabiyaError, UsageError
from tabiya.files.atomic import flush_folder, flush_tree
from tabiya.files.file_errors import sentence_of
from tabiya.files.temporary import machine_mark, sweep
from tabiya.formats.cbh import has_journal
from tabiya.formats.cbh.files.base_files import (
    KNOWN_SUFFIXES,
    MAIN,
    MEDIA_FOLDERS,
    UNREAD,
    BaseFiles,
    folders_of,
    main_file,
    sister,
)
from tabiya.formats.cbh.writing.lock import Lock, lock_file

__all__ = ["Swap", "changeable", "finish_swap", "open_files", "remarks_on", "settled"]

_BUFFER_BYTES: Final = 1 << 20
_TEMPORARY: Final = ".tabiya-"
_JOURNAL_END: Final = ".tabiya-journal"
_ASIDE: Final = "-aside"
_PATIENCE: Final = 10.0
"""Seconds to wait for a writer that is just about to finish."""
_TRIES: Final = 100
_BARE_SUFFIXES: Final = frozenset(
    {suffix[1:] for suffix in (*KNOWN_SUFFIXES, *MEDIA_FOLDERS)} | {_JOURNAL_END.removeprefix(".")}
)


def _journal_of(main: Path) -> Path:
    return main.parent / f".{main.stem}{_JOURNAL_END}"


def finish_swap(main: Path) -> None:
    """Finish a change of the base that was interrupted, or clear away one that was never decided.

    Raises:
        UsageError: Another program is changing the base, and does not come to an end.
    """
    waited_until = time.monotonic() + _PATIENCE
    while has_journal(main):
        try:
            lock = Lock(main)
        except UsageError:
            if time.monotonic() > waited_until:
                raise
            time.sleep(0.01)
            continue
        try:
            if has_journal(main):  # else its owner has finished the change meanwhile
                _roll_forward(main)
        except OSError as error:
            raise TabiyaError(
                f"an interrupted change of the base cannot be finished: {sentence_of(error)}", path=main
            ) from error
        finally:
            lock.release()
    _sweep(main)


def settled(place: Path) -> Path:
    """Return the .cbh that a place means, after an interrupted change of the base has been finished."""
    if not place.is_dir():
        finish_swap(place)  # which may have to put the .cbh there first
    main = main_file(place)
    finish_swap(main)
    return main


def remarks_on(*, gone: Iterable[str] = (), kept: Iterable[str] = (), replaced: Iterable[str] = ()) -> tuple[str, ...]:
    """Return sentences about the files of a base that a change removes or keeps, and folders that it replaces."""
    said = (
        ("file", sorted(gone), "removed as outdated"),
        ("file", sorted(kept), "kept unread, perhaps outdated now"),
        ("folder", sorted(replaced), "replaced"),
    )
    return tuple(
        f"{len(names)} {noun}{'s' if len(names) > 1 else ''} {what}: {', '.join(names)}"
        for noun, names, what in said
        if names
    )


def changeable(place: Path) -> Path:
    """Return the .cbh of a base that can be changed where it is."""
    main = settled(place)
    if main.suffix.lower() != MAIN:
        raise UsageError("the main file of a base must end with .cbh for the base to be changed; rename it", path=main)
    return main


def open_files(place: Path, *, everything: bool = False) -> BaseFiles:
    """Return the files of a base as they belong together, also while others change it.

    Raises:
        UsageError: Somebody changes it again and again.
    """
    for _ in range(_TRIES):
        files = BaseFiles(settled(place), everything=everything)
        if files.are_of_one_base():
            return files
        files.close()
    raise UsageError("is constantly being changed by another program; try again later", path=place)


def _sweep(main: Path) -> None:
    """Remove what killed writers have left. One that is alive has the lock, and a folder may be for reading only."""
    with suppress(OSError, TabiyaError):
        if lock_file(main).exists() or any(_leftovers(main)):
            lock = Lock(main)
            try:
                if not has_journal(main):
                    _remove_leftovers(main)
            finally:
                lock.release()


def _leftovers(main: Path) -> Iterator[Path]:
    """Temporary files and folders of writers of this base on this machine: see ``temporary`` about others."""
    start = re.escape(f"{_TEMPORARY}{main.stem}-{machine_mark()}")
    left = re.compile(rf"{start}[0-9a-f]{{16}}({_ASIDE})?\.([^.]+)\.tmp")
    with os.scandir(main.parent) as entries:
        for entry in entries:
            if (match := left.fullmatch(entry.name)) and match[2] in _BARE_SUFFIXES:
                yield Path(entry.path)


def _remove_leftovers(main: Path) -> None:
    """To be called by who has the lock: then nobody needs them any more."""
    for path in list(_leftovers(main)):
        _remove(path)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


class Swap:
    """A change of the files of one base.

    ``open`` gives a file to write for a suffix, ``folder`` one for media; ``commit`` puts all of them in the place of
    the old ones and removes others; ``discard`` leaves no trace. What is neither committed nor discarded vanishes with
    the object.
    """

    def __init__(self, main: Path) -> None:
        self.main = main
        self._token = f"{machine_mark()}{secrets.token_hex(8)}"
        self._files: dict[str, BinaryIO] = {}
        self._folders: dict[str, Path] = {}
        lock = Lock(main)
        new = self._files, self._folders, self._temporary
        self._end = weakref.finalize(self, _discard, main, new, lock, os.getpid())
        try:
            if has_journal(main):
                _roll_forward(main)
            _remove_leftovers(main)
            sweep(main.parent)  # what writers of other formats have left
        except BaseException:
            self._end()
            raise

    @property
    def _temporary(self) -> Callable[[str], Path]:
        folder, start = self.main.parent, f"{_TEMPORARY}{self.main.stem}-{self._token}"
        return lambda suffix: folder / f"{start}{suffix}.tmp"

    @property
    def opened(self) -> frozenset[str]:
        """The suffixes of new files so far."""
        return frozenset(self._files)

    def open(self, suffix: str) -> BinaryIO:
        """Return a new file, to be read and written, that will be the one of this suffix."""
        file = self._temporary(suffix).open("x+b", buffering=_BUFFER_BYTES)
        self._files[suffix] = file
        return file

    def folder(self, suffix: str) -> Path:
        """Return a new folder, to be filled, that will be the one of this suffix."""
        folder = self._temporary(suffix)
        self._folders[suffix] = folder
        folder.mkdir()
        return folder

    def commit(
        self,
        *,
        present: dict[str, Path],
        outdated: Iterable[str] = (),
        unread: Collection[str] = UNREAD,
        overwrite: bool = True,
    ) -> tuple[str, ...]:
        """Put the new files in place; ``present`` are the files there are, by suffix.

        Those that are ``outdated``, because they belong to what the base was before, are removed, but for those that
        tabiya cannot read (``unread``): they stay. Gives a sentence about the ones and about the others.
        """
        try:
            self._flush(present)
            if not overwrite and self.main.exists():
                raise UsageError("already exists; use --force, or overwrite=True, to replace it", path=self.main)
            old = {suffix: present[suffix].name for suffix in outdated if suffix in present.keys() - self._files.keys()}
            journal = self._plan(present, [name for suffix, name in old.items() if suffix not in unread])
            remarks = journal.remarks(self.main.parent, [name for suffix, name in old.items() if suffix in unread])
            try:
                self._write_journal(journal.encode())
                _roll_forward(self.main)
            except BaseException as error:
                if not self._take_back() and isinstance(error, OSError):
                    raise TabiyaError(_decided(self.main, error), path=self.main) from error
                raise
            return remarks
        finally:
            self.discard()

    def _flush(self, present: dict[str, Path]) -> None:
        """Flush everything new to disk, and let those read it who could read the old files."""
        for suffix, file in self._files.items():
            file.flush()
            os.fsync(file.fileno())
            file.close()
            if suffix in present and present[suffix].exists():
                self._temporary(suffix).chmod(stat.S_IMODE(present[suffix].stat().st_mode))
        for folder in self._folders.values():
            flush_tree(folder)

    def _plan(self, present: dict[str, Path], gone: list[str]) -> _Journal:
        finals = {suffix: present.get(suffix, sister(self.main, suffix)).name for suffix in self._files}
        ordered = sorted(finals, key=lambda suffix: suffix == MAIN)  # a base is there when its .cbh is
        return _Journal(
            new=[(self._temporary(suffix).name, finals[suffix]) for suffix in ordered],
            gone=sorted(gone),
            folders=[
                (folder.name, self._final_folder(suffix).name, self._aside(suffix).name)
                for suffix, folder in self._folders.items()
            ],
        )

    def _final_folder(self, suffix: str) -> Path:
        found = folders_of(self.main.parent, self.main.stem).get(suffix, sister(self.main, suffix))
        if found.exists() and not found.is_dir():
            raise UsageError("cannot be replaced: it is not a folder", path=found)
        return found

    def _aside(self, suffix: str) -> Path:
        """Return where the old folder waits for its end: one cannot be put in the place of another at once."""
        return self._temporary(f"{_ASIDE}{suffix}")

    def _write_journal(self, data: bytes) -> None:
        """Commit: make the journal appear as a whole."""
        temporary = self._temporary(_JOURNAL_END)
        try:
            with temporary.open("xb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(_journal_of(self.main))
        finally:
            temporary.unlink(missing_ok=True)
        flush_folder(self.main.parent)

    def _take_back(self) -> bool:
        """Undo the decision if nothing is done yet, which the disk knows better than an interrupted program.

        Gives whether the base is the old one.
        """
        waiting = [*map(self._temporary, self._files), *self._folders.values()]
        moved_aside = [self._aside(suffix) for suffix in self._folders]
        if not all(path.exists() for path in waiting) or any(path.exists() for path in moved_aside):
            return False
        with suppress(OSError):  # then it stays, and whoever opens the base makes the change
            _journal_of(self.main).unlink(missing_ok=True)
        return not has_journal(self.main)

    def discard(self) -> None:
        """Remove what was not committed; do nothing after a commit."""
        self._end()


@dataclass(frozen=True, slots=True)
class _Journal:
    """What is to be done; all are names of files in the folder of the base."""

    new: list[tuple[str, str]]
    """Temporary files, and the names that they get."""
    gone: list[str]
    """Files that are removed."""
    folders: list[tuple[str, str, str]]
    """Temporary folders, the names that they get, and the names of those that were there before."""

    def remarks(self, folder: Path, kept: list[str]) -> tuple[str, ...]:
        """Return what users should know about files that are not simply replaced; to be asked before it is done."""
        replaced = [new for _, new, _ in self.folders if (folder / new).exists()]
        return remarks_on(gone=self.gone, kept=kept, replaced=replaced)

    def encode(self) -> bytes:
        return json.dumps({"new": self.new, "gone": self.gone, "folders": self.folders}).encode()

    @classmethod
    def decode(cls, data: bytes) -> _Journal:
        entry = json.loads(data)
        return cls(
            new=[(str(old), str(new)) for old, new in entry["new"]],
            gone=[str(name) for name in entry["gone"]],
            folders=[(str(old), str(new), str(aside)) for old, new, aside in entry.get("folders", ())],
        )

    def touches_only(self, main: Path) -> bool:
        """Return whether it names files of this base and nothing else."""
        files = [*(new for _, new in self.new), *self.gone]
        folders = [new for _, new, _ in self.folders]
        temporaries = [old for old, _ in self.new]
        temporaries += [name for old, _, aside in self.folders for name in (old, aside)]
        return (
            all(Path(name).name == name for name in (*files, *folders, *temporaries))
            and all(_stem(name) == _stem(main.name) for name in (*files, *folders))
            and all(Path(name).suffix.lower() in KNOWN_SUFFIXES for name in files)
            and all(Path(name).suffix.lower() in MEDIA_FOLDERS for name in folders)
            and all(name.startswith(_TEMPORARY) for name in temporaries)
        )


def _decided(main: Path, error: OSError) -> str:
    """Return what is true of a base whose change was decided, though something went wrong afterwards."""
    state = "is written, but not completely in place yet; opening it again completes that"
    return f"the new base {state if has_journal(main) else 'is in place'} ({sentence_of(error)})"


def _stem(name: str) -> str:
    return Path(name).stem.lower()


def _read_journal(main: Path) -> _Journal:
    try:
        journal = _Journal.decode(_journal_of(main).read_bytes())
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise CorruptError("the journal of an interrupted change is damaged", path=_journal_of(main)) from error
    if not journal.touches_only(main):
        raise CorruptError(
            "the journal of an interrupted change names files that do not belong to this base", path=_journal_of(main)
        )
    return journal


def _roll_forward(main: Path) -> None:
    """Do what the journal says, as far as it is not done; then it is not needed any more."""
    folder, journal = main.parent, _read_journal(main)
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
    _journal_of(main).unlink(missing_ok=True)
    flush_folder(folder)


_New: TypeAlias = tuple[dict[str, BinaryIO], dict[str, Path], Callable[[str], Path]]
"""Files and folders by suffix, and where they lie."""


def _discard(main: Path, new: _New, lock: Lock, owner: int) -> None:
    """Remove new files and folders, unless the journal is there: then it needs them, whatever has happened."""
    if os.getpid() != owner:  # a forked child must not remove the files of its parent
        return
    files, folders, temporary = new
    try:
        for file in files.values():
            with suppress(OSError):  # a full disk: what could not be flushed is thrown away anyway
                file.close()
        with suppress(OSError):
            if not has_journal(main):
                for path in (*map(temporary, files), *folders.values()):
                    with suppress(OSError):
                        _remove(path)
    finally:
        with suppress(OSError):
            lock.release()
