"""The databases and books on the page: those named by the user, those below a folder, and dropped files."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import RLock
from typing import Any, Final, Literal

from tabiya.books import BOOK_FORMATS
from tabiya.books.open_and_create import format_of_book, is_book
from tabiya.errors import FormatError, TabiyaError, UsageError
from tabiya.files.file_errors import errors_of
from tabiya.formats.collection.sources import FoundDatabases, find_sources
from tabiya.formats.registry import FORMATS
from tabiya.formats.url import url_of
from tabiya.web.folder_scan import FolderScan
from tabiya.web.request import ApiError
from tabiya.web.source import Origin, Source

_MOST_SOURCES: Final = 10_000
_OPENED_AT_ONCE: Final = 20
_MOST_UPLOADS: Final = 64
_UPLOADS_AT_MOST: Final = 4
"""Limit of all uploads together, as a multiple of the limit of one."""
_MOST_FILES: Final = 64
"""Maximum number of files of one upload."""
_ABANDONED: Final = 10 * 60.0
"""Seconds without data after which an upload that was never opened is removed."""


@dataclass(slots=True)
class _Upload:
    folder: Path
    bytes_left: int
    """Bytes that this upload may still receive."""
    files: int = 0
    grown: float = field(default_factory=time.monotonic)
    """Time of the last data."""


class Sources:
    """All sources, by id."""

    def __init__(self, *, root: Path | None = None, threads: int = 1, most_bytes: int = 1 << 30) -> None:
        self.root = None if root is None else root.resolve()
        self.most_bytes = most_bytes
        self._threads = threads
        self._lock = RLock()
        self._by_id: dict[str, Source] = {}
        self._ids: dict[Path, str | None] = {}
        """By path; None for a closed source that must not come back."""
        self._uploads: dict[str, _Upload] = {}
        self._leaving: list[Source] = []
        """Uploads that were closed, but are still in use."""
        self._sizes: dict[Path, int] = {}
        """Bytes of each upload, by its folder ..."""
        self._used = 0
        """... and of all of them."""
        self._counted = 0
        self._walk = None if self.root is None else FolderScan(self.root, self._take_found)
        self._temporary: tempfile.TemporaryDirectory[str] | None = None

    # Finding.

    def add(self, location: str) -> None:
        """Add what a user names: a file, or a folder with databases and books."""
        if url_of(location) is not None:
            raise UsageError("is on a server; the page shows files, so copy it with tabiya convert", path=location)
        path = Path(location)
        with errors_of(path):
            if path.is_file() and is_book(path):
                self._add(path, format_of_book(path), "argument")
                return
        self._find(path if path.is_dir() else location)

    def named(self, location: str | Path) -> Source | None:
        """Return the source that is exactly this file; None for a folder with several, and for a closed one."""
        with self._lock:
            name = self._ids.get(Path(location).absolute())
            return None if name is None else self._by_id.get(name)

    def open_path(self, path: Path) -> Source:
        """Return the source for a path that the user has opened before, or that was just written."""
        with self._lock:
            place = path.absolute()
            if self._ids.get(place, "") is None:
                del self._ids[place]  # it was closed, and is wanted again
        if self.named(path) is None:
            self._open_file(path)
        found = self.named(path)
        if found is None:
            raise ApiError(422, f"{path.name} is not a database or opening book any more.")
        return found

    def _open_file(self, path: Path) -> None:
        with errors_of(path):
            path.stat()
            if path.is_file() and is_book(path):
                self._add(path, format_of_book(path), "argument")
                return
        found = find_sources([str(path)], format=None, formats=FORMATS, recursive=False)
        self._take([each for each in found.sources if each.path == path], [], "argument")

    def _find(self, location: Path | str) -> None:
        """Add the sources at a place; a folder may contain books and no database."""
        folder = location if isinstance(location, Path) else None
        try:
            found = find_sources([location], format=None, formats=FORMATS, recursive=folder is not None)
        except FormatError:
            files = [] if folder is None else sorted(path for path in folder.rglob("*") if path.is_file())
            if not self._take([], files, "argument"):
                raise
        else:
            self._take(found.sources, found.skipped, "argument")

    def _take_found(self, found: FoundDatabases) -> bool:
        """Add the sources in a folder below the root, up to the limit."""
        with suppress(TabiyaError, OSError):  # it was removed in the meantime
            self._take(found.sources, found.skipped, "root")
        return len(self._by_id) < _MOST_SOURCES

    def _take(
        self, sources: Sequence[Any], skipped: Sequence[Path], origin: Origin, upload: Path | None = None
    ) -> list[Source]:
        existing = [each for each in sources if each.path is not None and each.format is not None]
        taken = [self._add(each.path, each.format, origin, upload=upload) for each in existing]
        for path in skipped:
            with_name = any(format.suffixes[0] == path.suffix.lower() for format in BOOK_FORMATS)
            if with_name and path.is_file() and is_book(path):
                taken.append(self._add(path, format_of_book(path), origin, upload=upload))
        return [source for source in taken if source is not None]

    def _add(self, path: Path, format: Any, origin: Origin, *, upload: Path | None = None) -> Source | None:
        with self._lock:
            place = path.absolute()
            if place in self._ids or len(self._by_id) >= _MOST_SOURCES:
                existing = self._ids.get(place)
                return None if existing is None else self._by_id[existing]
            within = self.root if origin == "root" else None
            if within is not None and not path.resolve().is_relative_to(within):
                return None
            self._counted += 1
            name = f"s{self._counted}"
            kind: Literal["database", "book"] = "book" if format in BOOK_FORMATS else "database"
            label = str(path.relative_to(self.root)) if within is not None and self.root is not None else path.name
            source = Source(
                name,
                place,
                format,
                kind=kind,
                origin=origin,
                within=within,
                label=label,
                threads=self._threads,
                upload=upload,
            )
            self._by_id[name], self._ids[place] = source, name
            return source

    def warm(self) -> None:
        """Open the named sources in advance; errors are shown in the list."""
        for source in self.all()[:_OPENED_AT_ONCE]:
            if source.origin == "argument":
                with suppress(TabiyaError), source.using():
                    pass

    # Queries.

    def all(self) -> list[Source]:
        """Return all known sources, in the order in which they were found."""
        if self._walk is not None:
            self._walk.look()
        with self._lock:
            return [*self._by_id.values()]

    def known(self) -> list[Source]:
        """Return the sources that were found so far, without looking for more."""
        with self._lock:
            return [*self._by_id.values()]

    @property
    def looking(self) -> bool:
        """Whether the search below the root is incomplete."""
        return self._walk is not None and self._walk.looking

    def get(self, name: str) -> Source:
        """Return the source of this id."""
        with self._lock:
            found = self._by_id.get(name)
        if found is None:
            raise ApiError(404, f"There is no source {name[:40]!r}; it may have been closed.")
        return found

    def remove(self, name: str) -> None:
        """Close a source; what was uploaded is removed from disk."""
        source = self.get(name)
        with self._lock:
            del self._by_id[name]
            self._ids[source.path] = None
            if source.upload is not None:
                self._leaving.append(source)
                source.when_free = self._sweep
        source.retire()
        self._sweep()

    def _sweep(self) -> None:
        """Remove uploads that are neither in the list nor in use any more."""
        with self._lock:
            used = {each.upload for each in [*self._by_id.values(), *(each for each in self._leaving if each.in_use)]}
            free = {each.upload for each in self._leaving} - used
            self._leaving = [each for each in self._leaving if each.upload not in free]
        for folder in free:
            if folder is not None:
                self._discard(folder)

    def _discard(self, folder: Path) -> None:
        """Remove an upload from disk and free its space."""
        shutil.rmtree(folder, ignore_errors=True)
        with self._lock:
            self._used -= self._sizes.pop(folder, 0)

    # Uploads.

    def begin_upload(self) -> str:
        """Create a folder for files that are uploaded one by one."""
        self._remove_abandoned()
        with self._lock:
            if self._temporary is None:
                self._temporary = tempfile.TemporaryDirectory(prefix="tabiya-web-", ignore_cleanup_errors=True)
            if len(self._sizes) >= _MOST_UPLOADS:
                raise ApiError(413, f"There are {_MOST_UPLOADS} uploads already; close one of them.")
            self._counted += 1
            name = f"u{self._counted}"
            folder = Path(self._temporary.name) / name
            folder.mkdir()
            self._uploads[name] = _Upload(folder, self.most_bytes)
            self._sizes[folder] = 0
            return name

    def _remove_abandoned(self) -> None:
        limit = time.monotonic() - _ABANDONED
        with self._lock:
            old = [name for name, upload in self._uploads.items() if upload.grown < limit]
            folders = [self._uploads.pop(name).folder for name in old]
        for folder in folders:
            self._discard(folder)

    def upload(self, name: str) -> _Upload:
        """Return an upload that has not been opened yet."""
        with self._lock:
            found = self._uploads.get(name)
        if found is None:
            raise ApiError(404, f"There is no upload {name[:40]!r}.")
        return found

    def upload_path(self, name: str, file: str) -> Path:
        """Return the path for a file of an upload; its name must not contain a path."""
        upload = self.upload(name)
        plain = file.strip()
        hidden = plain.startswith(".") or any(ord(letter) < 32 for letter in plain)
        if not plain or hidden or {*plain} & {*'/\\:*?"<>|'} or len(os.fsencode(plain)) > 200:
            raise ApiError(422, f"{file[:60]!r} is not a name that a file can have here.")
        if upload.files >= _MOST_FILES:
            raise ApiError(413, f"An upload can have {_MOST_FILES} files.")
        path = upload.folder / plain
        if path.exists():
            raise ApiError(409, f"The upload has a file {plain!r} already.")
        upload.files += 1
        return path

    def count_upload(self, upload: _Upload, size: int) -> None:
        """Count received bytes; raise an error if they exceed the limit of the upload or of all uploads."""
        with self._lock:
            if upload.folder not in self._sizes:
                raise ApiError(410, "This upload no longer exists.")
            upload.grown = time.monotonic()
            upload.bytes_left -= size
            self._used += size
            self._sizes[upload.folder] += size
            if upload.bytes_left < 0:
                most = self.most_bytes >> 20
                raise ApiError(413, f"Files may have {most:,} MB together; name larger ones on the command line.")
            if self._used > _UPLOADS_AT_MOST * self.most_bytes:
                raise ApiError(413, "Too much has been dropped onto the page; close one of the uploads.")

    def forget_file(self, upload: _Upload, size: int) -> None:
        """Free the space of a file whose upload failed."""
        with self._lock:
            upload.files -= 1
            if upload.folder in self._sizes:
                upload.bytes_left += size
                self._used -= size
                self._sizes[upload.folder] -= size

    def open_upload(self, name: str) -> list[Source]:
        """Return the sources in an upload; if there are none it is removed."""
        upload = self.upload(name)
        with self._lock:
            self._uploads.pop(name, None)
        try:
            found = find_sources([upload.folder], format=None, formats=FORMATS, recursive=True)
            sources, skipped = found.sources, found.skipped
        except TabiyaError:
            sources, skipped = [], [path for path in sorted(upload.folder.iterdir()) if path.is_file()]
        taken = self._take(sources, skipped, "upload", upload.folder)
        if not taken:
            names = ", ".join(path.name for path in sorted(upload.folder.iterdir()))[:200]
            self._discard(upload.folder)
            raise ApiError(422, f"This is not a database or opening book that tabiya can read: {names or 'no files'}.")
        return taken

    def close(self) -> None:
        """Close everything, and remove what was uploaded."""
        if self._walk is not None:
            self._walk.close()
        with self._lock:
            for source in self._by_id.values():
                source.retire()
            self._by_id.clear()
            if self._temporary is not None:
                self._temporary.cleanup()
                self._temporary = None
