"""A change of a library: new files beside the old ones, then a new manifest.

A kill at any moment leaves the old library or the new one. Files with the names of library files that are not in the
manifest were left by a killed writer; the next writer removes them. Other files are never touched.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Final

from tabiya.errors import CorruptError, FormatError, UnsupportedError, UsageError
from tabiya.files.folder_transaction import FolderTransaction
from tabiya.formats.library.manifest import MANIFEST, Manifest, own_number

if TYPE_CHECKING:
    from pathlib import Path

_EXISTS: Final = "already exists; overwrite=True replaces it"


class LibraryChange:
    """Locks out other writers until the end; if neither committed nor discarded, it is discarded with the object.

    ``folder`` receives the files of new segments. ``commit`` may be called more than once, for independent steps.

    Args:
        path: the library.
        overwrite: replace it by an empty one.
        append: continue from the existing library.
        repair: continue even if the manifest has changed since it was written.
    """

    def __init__(self, path: Path, *, overwrite: bool = False, append: bool = False, repair: bool = False) -> None:
        self.path = path
        self._final = path.resolve()
        if self._final.exists():
            self._refuse(overwrite=overwrite, append=append)
        self._transaction = FolderTransaction(path, overwrite=True, lock=True)
        try:
            self.manifest = Manifest() if self.is_new else self._former(append=append, repair=repair)
            """The current or future manifest of the library."""
        except BaseException:
            self.discard()
            raise
        self.folder = self._transaction.new
        """Folder for new files."""

    @property
    def is_new(self) -> bool:
        """Whether there was no library before."""
        return self._transaction.is_new

    def _refuse(self, *, overwrite: bool, append: bool) -> None:
        if not self._final.is_dir():
            raise UsageError("is a file, not a library, which is a folder", path=self.path)
        if not (overwrite or append):
            raise UsageError(_EXISTS, path=self.path)
        if not (self._final / MANIFEST).exists() and any(self._final.iterdir()):
            raise UsageError(f"is a folder with other files, but no library: it has no {MANIFEST}", path=self.path)

    def _former(self, *, append: bool, repair: bool) -> Manifest:
        """Return the manifest to continue from; one to be replaced may be damaged, but not of another program."""
        if not (self._final / MANIFEST).exists():
            return Manifest()
        try:
            manifest = Manifest.read(self._final, repair=repair)
        except FormatError as error:
            raise UsageError(f"{error.message}; nothing was changed", path=self.path) from error
        except (CorruptError, UnsupportedError):
            if append:
                raise
            numbers = [own_number(file.name) or 0 for file in self._final.iterdir()]
            return Manifest(next=1 + max(numbers))
        return manifest if append else Manifest(next=manifest.next)

    def commit(self, manifest: Manifest) -> None:
        """Move the files in ``folder`` that a manifest names into the library, then the manifest."""
        named = manifest.file_names()
        (self.folder / MANIFEST).write_bytes(manifest.to_bytes())
        self._transaction.publish(named, MANIFEST)
        if not self.is_new:
            self._remove_unnamed(named)
        self.manifest = manifest

    def _remove_unnamed(self, named: set[str]) -> None:
        for file in list(self._final.iterdir()):
            if own_number(file.name) is not None and file.name not in named:
                with suppress(OSError):  # on Windows while another program reads it: the next writer removes it
                    file.unlink()

    def discard(self) -> None:
        """End the change; committed steps remain. May be called twice."""
        self._transaction.discard()
