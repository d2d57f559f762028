"""A change of any files in a folder, which is created if it does not exist."""

from __future__ import annotations

import errno
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from tabiya.errors import UsageError
from tabiya.files.file_errors import errors_of
from tabiya.files.flushing import flush_folder
from tabiya.files.recovery import FolderFiles, Journal, wait_for_lock
from tabiya.files.shared_files import replace
from tabiya.files.temporary import sweep
from tabiya.files.transaction import NEW, Transaction, keep_permissions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from tabiya.files.safe_names import Parts

_TREE: Final = ""
"""Key of the temporary folder with all new files."""
_TAKEN: Final = (errno.ENOTEMPTY, errno.EEXIST, errno.ENOTDIR, errno.EACCES)


class FolderTransaction(Transaction):
    """A change of files in a folder and below it. Links in the folder are not followed.

    New files are written below ``new``, under the relative paths that they get. A new folder appears as a whole; in an
    existing one, either all files of the transaction are put in place or none.

    Args:
        folder: the folder.
        overwrite: replace existing files.
        lock: exclude other writers from the beginning, not only while the files are put in place.
    """

    def __init__(self, folder: Path, *, overwrite: bool = False, lock: bool = False) -> None:
        self.path = folder
        self._places: list[Parts] = []
        with errors_of(folder):
            final = folder.resolve()
            if final.exists() and not final.is_dir():
                raise UsageError("is not a folder", path=folder)
            self.is_new = not final.exists()
            """Whether the folder did not exist at the beginning."""
            self._is_locked = lock and not self.is_new
            home = final.parent if self.is_new else final
            super().__init__(FolderFiles(final), overwrite=overwrite, lock=self._is_locked, home=home)
            sweep(final.parent)  # a folder that was being created
            self.new = self.folder(_TREE)
            """The folder to write to."""

    def place(self, parts: Parts) -> Path:
        """Return the path to write a file to; its folder exists.

        Raises:
            UsageError: An existing file or folder is in the way.
        """
        with errors_of(self.path):
            self._refuse_obstacles(parts)
            path = self.new.joinpath(*parts)
            path.parent.mkdir(parents=True, exist_ok=True)
        self._places.append(parts)
        return path

    def place_all(self) -> None:
        """Add all written files to the commit, including files written beside or below ``place``."""
        files = (path for path in self.new.rglob("*") if not path.is_dir())
        self._places = sorted(path.relative_to(self.new).parts for path in files)

    def final_name(self, path: str) -> str:
        """Return the final path in the folder for a temporary path."""
        return path.replace(str(self.new), str(self.path))

    @property
    def files(self) -> list[Path]:
        """The final paths of the new files."""
        return [self.path.joinpath(*parts) for parts in self._places]

    def commit(self, *, gone: Iterable[str] = (), check: Callable[[], object] = lambda: None) -> None:
        """Put everything in place; ``gone`` contains relative paths. See ``Transaction.commit``."""
        with errors_of(self.path):
            super().commit(gone=gone, check=check)

    def publish(self, names: Iterable[str], last: str) -> None:
        """Put files of these names in place, of which readers use only those that the last one names; then continue."""
        self._flush()
        if self.is_new:
            self._appear()
            return
        for name in sorted(names):
            if (self.new / name).exists():
                replace(self.new / name, self._files.folder / name)
        flush_folder(self._files.folder)
        keep_permissions(self.new / last, self._files.folder / last)
        self._rename(self.new / last, self._files.folder / last)

    def _publish(self, gone: list[str]) -> None:
        if not self._files.folder.exists():
            self._appear()
            return
        claim = self._claims[_TREE]
        if self.is_new:  # it has appeared meanwhile
            claim.path = claim.path.rename(self._files.folder / claim.path.name)
        lock = None if self._is_locked else wait_for_lock(self._files)
        try:
            for parts in self._places:
                self._refuse_obstacles(parts)
            if not gone and len(self._places) == 1 and self.files[0].parent.is_dir():
                self._rename(self.new.joinpath(*self._places[0]), self.files[0])
                return
            names = ["/".join(parts) for parts in self._places]
            self._swap(Journal([(f"{claim.path.name}/{NEW}/{name}", name) for name in names], gone, []))
        finally:
            if lock is not None:
                with suppress(OSError):  # its file remains, but the lock is released
                    lock.release()

    def _appear(self) -> None:
        """Rename the whole folder to its final name."""
        try:
            self.new.rename(self._files.folder)
        except OSError as error:
            if error.errno in _TAKEN and self._files.folder.exists():
                raise UsageError("already exists; overwrite=True replaces it", path=self.path) from error
            raise
        flush_folder(self._files.folder.parent)

    def _refuse_obstacles(self, parts: Parts) -> None:
        for length in range(1, len(parts)):
            path = self.path.joinpath(*parts[:length])
            if path.is_symlink() or (path.exists() and not path.is_dir()):
                raise UsageError("cannot be replaced: it is not a folder", path=path)
        path = self.path.joinpath(*parts)
        if path.is_symlink() or path.is_dir():
            raise UsageError("cannot be replaced: it is not a file", path=path)
        if path.exists() and not self._overwrite:
            raise UsageError("already exists; overwrite=True replaces it", path=path)
