"""One change of a file, or of files that belong together: either all of it happens or nothing.

1. **Stage.** New files and folders are written under temporary names beside their targets (see ``temporary``).
2. **Flush.** ``commit`` first flushes them to disk. Until then, and after any error, the old files are unchanged.
3. **Decide.** One rename decides: that of the only file that changes, or of a new folder; that of the file that names
   all others, such as the manifest of a library; in all other cases that of the journal, which lists what is left.
4. **Finish.** The renames and removals of the journal follow, the main file last; then the journal is removed.
5. **Recover.** If the process is killed after the decision, the next program that opens the files, for reading or
   writing, finishes the change (``recovery.recover``). If it is killed before, the next writer in the folder removes
   the temporary files.

Locks: the files of a set are locked from the beginning, and a second writer is refused at once. A single file is not
locked: several programs may write it, and the last commit counts. Without ``overwrite`` an existing target is refused,
also one that appears before the decision.
"""

from __future__ import annotations

import os
import stat
import weakref
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, BinaryIO, Final

from tabiya.errors import TabiyaError, UsageError
from tabiya.files.file_errors import errors_of, sentence_of
from tabiya.files.flushing import flush_file, flush_folder, flush_tree
from tabiya.files.recovery import FileSet, FolderFiles, Journal, finish, recover
from tabiya.files.shared_files import replace
from tabiya.files.temporary import Claim, fresh_name, is_in_temporary, machine_mark, sweep
from tabiya.files.undoing import Undoing

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from tabiya.files.locks import WriterLock

_BUFFER_BYTES: Final = 1 << 20
NEW: Final = "new"
"""In a temporary folder: the new content ..."""
OLD: Final = "old"
"""... and the folder that it replaces: a folder cannot replace another one in one step."""


def refuse_existing(path: Path, *, overwrite: bool) -> None:
    """Raise ``UsageError`` if ``path`` cannot become a new file."""
    if path.is_dir():
        raise UsageError("is a folder", path=path)
    if not overwrite and path.exists():
        raise UsageError("already exists; overwrite=True replaces it", path=path)


class Transaction:
    """A change of a set of files.

    ``open`` creates a new file, ``folder`` a new folder; ``commit`` replaces the old ones by all of them; ``discard``
    removes them, and so does the end of a ``with`` block or of the object. New files get the permissions of old ones.

    Args:
        files: the files that may change.
        overwrite: whether the main file may exist already.
        lock: whether to exclude other writers.
        home: the folder for temporary files and folders, by default that of the files.
        paths: the paths of files by key, if the keys are not their names. Links are followed.
    """

    def __init__(
        self,
        files: FileSet,
        *,
        overwrite: bool = False,
        lock: bool = True,
        home: Path | None = None,
        paths: Mapping[str, Path] = MappingProxyType({}),
    ) -> None:
        self._files = files
        self._paths = {key: path.resolve() for key, path in paths.items()}
        if any(path.with_suffix("") != files.main.with_suffix("") for path in self._paths.values()):
            what = "cannot be changed, because links lead to its files in different folders or under other names"
            raise UsageError(what, path=next(iter(paths.values())))
        self._overwrite = overwrite
        self._home = home or files.folder
        self._mark = machine_mark()
        self._streams: dict[str, BinaryIO] = {}
        self._claims: dict[str, Claim] = {}
        with suppress(TabiyaError):  # programs that open its files report it
            recover(FolderFiles(self._home))
        taken = files.lock() if lock else None
        self._end = weakref.finalize(self, _end, files, self._streams, self._claims, taken, os.getpid())
        try:
            if taken is not None and files.is_decided:
                finish(files)
            sweep(self._home)
        except BaseException:
            self._end()
            raise

    @property
    def opened(self) -> frozenset[str]:
        """The keys of new files so far."""
        return frozenset(self._streams)

    @property
    def folders(self) -> tuple[str, ...]:
        """The keys of new folders so far."""
        return tuple(key for key in self._claims if key not in self._streams)

    def open(self, key: str) -> BinaryIO:
        """Return a new file for reading and writing; its name is the key, or what a subclass makes of it."""
        path = fresh_name(self._home, self._mark)
        self._streams[key] = file = path.open("x+b", buffering=_BUFFER_BYTES)
        self._claims[key] = Claim(path)
        return file

    def folder(self, key: str) -> Path:
        """Return a new folder."""
        self._claims[key] = claim = Claim.of_folder(self._home)
        path = claim.path / NEW
        path.mkdir()
        return path

    def _final(self, key: str) -> Path:
        """Return the path that a new file or folder gets."""
        return self._paths.get(key, self._files.folder / key)

    def commit(self, *, gone: Iterable[str] = (), check: Callable[[], object] = lambda: None) -> None:
        """Put everything in place, and remove the files in ``gone``.

        ``check`` is called immediately before the decision; if it raises an error, nothing changes.
        """
        try:
            self._flush()
            check()
            self._publish(sorted(gone))
        finally:
            self.discard()

    def _flush(self) -> None:
        """Flush everything to disk."""
        for key, file in self._streams.items():
            if file.closed:
                continue
            file.flush()
            flush_file(file.fileno())
            file.close()
            if self._overwrite:
                keep_permissions(self._claims[key].path, self._final(key))
        for key in self.folders:
            flush_tree(self._claims[key].path / NEW)

    def _publish(self, gone: list[str]) -> None:
        main = self._files.main
        finals = {key: self._final(key) for key in self._claims}
        if not self._overwrite and main.exists():
            raise UsageError("already exists; overwrite=True replaces it", path=main)
        if not gone and len(finals) == len(self._streams) == 1:
            ((key, final),) = finals.items()
            self._rename(self._claims[key].path, final)
            return
        ordered = sorted(self._streams, key=lambda key: finals[key].suffix.lower() == self._files.last_suffix)
        temporary = {key: claim.path.name for key, claim in self._claims.items()}
        self._swap(
            Journal(
                new=[(temporary[key], finals[key].name) for key in ordered],
                gone=gone,
                folders=[
                    (f"{temporary[key]}/{NEW}", finals[key].name, f"{temporary[key]}/{OLD}") for key in self.folders
                ],
            )
        )

    def _rename(self, temporary: Path, final: Path) -> None:
        """Decide by the only rename there is."""
        if self._overwrite:
            replace(temporary, final)
        else:
            _move_to_new(temporary, final)
        flush_folder(final.parent)

    def _swap(self, journal: Journal) -> None:
        """Decide by a journal, and do what it lists."""
        files = self._files
        undoing = Undoing(files.folder, journal, self._mark)
        try:
            self._write(journal.encode())
            finish(files)
        except BaseException as error:
            with suppress(OSError):  # then the next program that opens the files performs the change
                undoing.undo()
                if undoing.is_done:
                    files.journal.unlink(missing_ok=True)
            taken_back = undoing.is_done and not files.is_decided
            if not taken_back and isinstance(error, OSError) and not is_in_temporary(files.folder):
                raise TabiyaError(_decided(files, error), path=files.main) from error
            raise
        finally:
            undoing.close()

    def _write(self, journal: bytes) -> None:
        temporary = fresh_name(self._files.folder, self._mark)
        try:
            with temporary.open("xb") as file:
                file.write(journal)
                file.flush()
                flush_file(file.fileno())
            flush_folder(self._files.folder)  # so that the journal never exists without the files that it names
            replace(temporary, self._files.journal)
        finally:
            temporary.unlink(missing_ok=True)
        flush_folder(self._files.folder)

    def discard(self) -> None:
        """Remove everything that was not put in place; do nothing afterwards."""
        self._end()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.discard()


class AtomicFile(Transaction):
    """A single new file, which needs neither lock nor journal: write to ``stream``, then ``commit``.

    An existing target keeps its permissions, and a symbolic link keeps pointing to the replaced file.
    """

    def __init__(self, path: Path, *, overwrite: bool = False) -> None:
        self.path = path
        with errors_of(path):
            refuse_existing(path, overwrite=overwrite)
            final = path.resolve()
            super().__init__(FileSet(final, final.name, frozenset()), overwrite=overwrite, lock=False)
            self.stream = self.open(final.name)

    def complete(self) -> None:
        """Flush everything to disk, so that ``commit`` is only a rename and needs no space."""
        with errors_of(self.path):
            self._flush()

    def commit(self, *, gone: Iterable[str] = (), check: Callable[[], object] = lambda: None) -> None:
        """Put the file in place; see ``Transaction.commit``."""
        with errors_of(self.path):
            super().commit(gone=gone, check=check)


def keep_permissions(temporary: Path, final: Path) -> None:
    """Give a new file the permissions of the one that it replaces, if there is one."""
    with suppress(FileNotFoundError):
        temporary.chmod(stat.S_IMODE(final.stat().st_mode))


def _move_to_new(temporary: Path, final: Path) -> None:
    """Rename, but never over a file that has appeared in the meantime."""
    try:
        final.hardlink_to(temporary)
    except FileExistsError:
        refuse_existing(final, overwrite=False)
        raise
    except OSError:  # a file system without hard links
        refuse_existing(final, overwrite=False)
        temporary.rename(final)
    else:
        with suppress(OSError):  # the file is in place; its other name is removed later
            temporary.unlink()


def _decided(files: FileSet, error: OSError) -> str:
    """Return the message for an error that occurred after a change was decided."""
    state = "is written, but not completely in place yet; opening it again completes that"
    return f"the new {files.noun} {state if files.is_decided else 'is in place'} ({sentence_of(error)})"


def _end(
    files: FileSet, streams: dict[str, BinaryIO], claims: dict[str, Claim], lock: WriterLock | None, owner: int
) -> None:
    """Remove new files and folders, unless the journal exists: then they are still needed."""
    if os.getpid() != owner:  # a forked child must not remove the files of its parent
        return
    try:
        for file in streams.values():
            with suppress(OSError):  # a full disk: data that could not be flushed is discarded anyway
                file.close()
        decided = True
        with suppress(OSError):
            decided = files.is_decided
        for claim in claims.values():
            claim.end(keep=decided)
    finally:
        if lock is not None:
            with suppress(OSError):  # its file remains, but the lock is released
                lock.release()
