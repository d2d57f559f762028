"""The databases and books that may be looked at: those that were named, those below a folder, and dropped files."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock, RLock
from typing import TYPE_CHECKING, Any, Final, Literal

from tabiya.books import BOOK_FORMATS, open_book
from tabiya.books.choose import format_of_book, is_book
from tabiya.errors import TabiyaError, UsageError
from tabiya.files.file_errors import errors_of
from tabiya.formats import FORMATS
from tabiya.formats import open as open_database
from tabiya.formats.format import APPEND
from tabiya.formats.sources import find_sources
from tabiya.search.listing import Shelf
from tabiya.web.calls import ApiError, error_of

if TYPE_CHECKING:
    from tabiya.books.book import Book
    from tabiya.books.book_format import BookFormat
    from tabiya.formats.format import Format

__all__ = ["Opened", "Source", "Sources"]

_MOST_SOURCES: Final = 10_000
_LOOK_AGAIN: Final = 3.0
"""Seconds after which a folder is looked through again."""
_OPENED_AT_ONCE: Final = 20
_MOST_FILES: Final = 64
"""Of one upload."""

Origin = Literal["argument", "root", "upload"]


def generation_of(files: Sequence[Path]) -> str:
    """Return a word that changes whenever one of the files does."""
    told = hashlib.blake2s(digest_size=6)
    for path in files:
        try:
            status = path.stat()
        except OSError:
            told.update(b"gone")
            continue
        if not path.is_dir():
            told.update(
                f"{path.name}\0{status.st_size}\0{status.st_mtime_ns}\0{status.st_ino}\0".encode("utf-8", "replace")
            )
    return told.hexdigest()


class Opened:
    """A source that is open, as it was when it was opened; closed when nobody uses it any more."""

    def __init__(self, source: Source, *, threads: int) -> None:
        self.shelf: Shelf | None = None
        self.book: Book | None = None
        path = source.checked_path()
        if source.kind == "book":
            self.book = open_book(path)
            self.files: tuple[Path, ...] = self.book.files
        else:
            database = open_database(path, formats=FORMATS)
            self.files = database.files
            self.shelf = Shelf(database, threads=threads)
        self.generation = generation_of(self.files)
        self.users = 0
        self.retired = False

    @property
    def records(self) -> int:
        """How many records or positions are known."""
        if self.shelf is not None:
            return self.shelf.count
        return 0 if self.book is None else len(self.book)

    @property
    def complete(self) -> bool:
        """Whether these are all."""
        return self.shelf is None or self.shelf.counted

    def close(self) -> None:
        """Give back files."""
        if self.shelf is not None:
            self.shelf.close()
        if self.book is not None:
            self.book.close()


class Source:
    """A database or a book; opened when it is first asked for, and again when its files have changed."""

    def __init__(
        self,
        name: str,
        path: Path,
        format: Format | BookFormat,
        *,
        kind: Literal["database", "book"],
        origin: Origin,
        within: Path | None,
        shown: str,
        threads: int,
    ) -> None:
        self.id = name
        self.path = path
        self.format = format
        self.kind = kind
        self.origin = origin
        self.writing = Lock()
        """Held while the source is changed."""
        self._within = within
        self._shown = shown
        self._threads = threads
        self._lock = RLock()
        self._opened: Opened | None = None
        self._failure = ""

    def checked_path(self) -> Path:
        """Return the path, if it still lies where it may: a link may have been put in its place."""
        if self._within is not None:
            with errors_of(self.path):
                if not self.path.resolve(strict=True).is_relative_to(self._within):
                    raise UsageError("lies outside of the folder that may be looked at", path=self.path)
        return self.path

    def acquire(self) -> Opened:
        """Return the source as it is now, open; to be given back with ``release``."""
        with self._lock:
            current = self._opened
            if current is not None and generation_of(current.files) != current.generation:
                self.retire()
                current = None
            if current is None:
                try:
                    current = self._opened = Opened(self, threads=self._threads)
                except TabiyaError as error:
                    self._failure = error_of(error).sentence
                    raise
                self._failure = ""
                if current.shelf is not None:
                    current.shelf.start()
            current.users += 1
            return current

    def release(self, opened: Opened) -> None:
        """Give it back."""
        with self._lock:
            opened.users -= 1
            if opened.retired and not opened.users:
                opened.close()

    def hold(self, opened: Opened) -> None:
        """Keep what is open from being closed, until ``release``."""
        with self._lock:
            opened.users += 1

    def is_current(self, opened: Opened) -> bool:
        """Return whether what was opened is still what is on disk."""
        with self._lock:
            if not opened.retired and generation_of(opened.files) != opened.generation:
                self.retire()
            return not opened.retired

    @contextmanager
    def using(self) -> Iterator[Opened]:
        """Yield the source as it is now, open."""
        opened = self.acquire()
        try:
            yield opened
        finally:
            self.release(opened)

    @contextmanager
    def shelf(self) -> Iterator[tuple[Opened, Shelf]]:
        """Yield the database; an error if it is a book."""
        with self.using() as opened:
            if opened.shelf is None:
                raise ApiError(422, f"{self.path.name} is an opening book: it has no games.")
            yield opened, opened.shelf

    def retire(self) -> None:
        """Let go of what is open; the next who asks opens it again."""
        with self._lock:
            current, self._opened = self._opened, None
            if current is not None:
                current.retired = True
                if not current.users:
                    current.close()

    def can(self, what: Literal["append", "replace"]) -> bool:
        """Return whether its format can be changed in this way; that of an upload is thrown away anyway."""
        if self.kind == "book" or self.origin == "upload":
            return False
        if what == "append":
            return APPEND in getattr(self.format, "write_options", ())
        return getattr(self.format, "edit", None) is not None

    def as_dict(self, *, write: bool) -> dict[str, Any]:
        """Return what the list of sources shows."""
        with self._lock:
            current = self._opened
        told: dict[str, Any] = {
            "id": self.id,
            "kind": self.kind,
            "name": self.path.name,
            "path": self._shown,
            "format": self.format.name,
            "format_title": self.format.title,
            "origin": self.origin,
            "open": current is not None,
            "append": write and self.can("append"),
            "replace": write and self.can("replace"),
            "indexed": False,
            "records": None,
            "complete": False,
            "progress": None,
            "generation": None,
            "error": self._failure or None,
        }
        if current is None:
            return told
        shelf = current.shelf
        return told | {
            "generation": current.generation,
            "records": current.records,
            "complete": current.complete,
            "progress": 1.0 if shelf is None or shelf.counted else shelf.catalogue.progress,
            "indexed": shelf is None or shelf.indexed,
            "size": sum(path.stat().st_size for path in current.files if path.is_file()),
        }


@dataclass(slots=True)
class _Upload:
    folder: Path
    left: int
    """Bytes that may still come."""
    files: int = 0


class Sources:
    """All sources, by id."""

    def __init__(self, *, root: Path | None = None, threads: int = 1, most_bytes: int = 1 << 30) -> None:
        self.root = None if root is None else root.resolve()
        self.most_bytes = most_bytes
        self._threads = threads
        self._lock = RLock()
        self._by_id: dict[str, Source] = {}
        self._ids: dict[Path, str | None] = {}
        """By path; None for what was closed and is not to come back."""
        self._uploads: dict[str, _Upload] = {}
        self._counted = 0
        self._looked: float | None = None
        self._temporary: tempfile.TemporaryDirectory[str] | None = None

    # Finding.

    def add(self, location: str) -> None:
        """Add what a user names: a file, or a folder with databases and books."""
        path = Path(location)
        with errors_of(path):
            if path.is_file() and is_book(path):
                self._add(path, format_of_book(path), "argument", shown=location)
                return
        found = find_sources([location], format=None, formats=FORMATS, recursive=path.is_dir())
        self._take(found.sources, found.skipped, "argument")

    def look(self) -> None:
        """Look what is below the root, unless that was done just now."""
        if self.root is None:
            return
        with self._lock:
            if self._looked is not None and time.monotonic() - self._looked < _LOOK_AGAIN:
                return
            try:
                found = find_sources([self.root], format=None, formats=FORMATS, recursive=True, within=self.root)
                self._take(found.sources, found.skipped, "root")
            except TabiyaError:
                pass  # an empty folder, so far
            self._looked = time.monotonic()

    def _take(self, sources: Sequence[Any], skipped: Sequence[Path], origin: Origin) -> list[Source]:
        known = [each for each in sources if each.path is not None and each.format is not None]
        taken = [self._add(each.path, each.format, origin) for each in known]
        for path in skipped:
            with_name = any(format.suffixes[0] == path.suffix.lower() for format in BOOK_FORMATS)
            if with_name and path.is_file() and is_book(path):
                taken.append(self._add(path, format_of_book(path), origin))
        return [source for source in taken if source is not None]

    def _add(self, path: Path, format: Any, origin: Origin, shown: str | None = None) -> Source | None:
        with self._lock:
            place = path.absolute()
            if place in self._ids or len(self._by_id) >= _MOST_SOURCES:
                known = self._ids.get(place)
                return None if known is None else self._by_id[known]
            within = self.root if origin == "root" else None
            if within is not None and not path.resolve().is_relative_to(within):
                return None
            self._counted += 1
            name = f"s{self._counted}"
            kind: Literal["database", "book"] = "book" if format in BOOK_FORMATS else "database"
            if shown is None:
                shown = str(path.relative_to(self.root)) if within is not None and self.root is not None else path.name
            source = Source(
                name, place, format, kind=kind, origin=origin, within=within, shown=shown, threads=self._threads
            )
            self._by_id[name], self._ids[place] = source, name
            return source

    def warm(self) -> None:
        """Open what was named, so that the page finds it open; what cannot be opened says so in the list."""
        for source in self.all()[:_OPENED_AT_ONCE]:
            if source.origin == "argument":
                with suppress(TabiyaError), source.using():
                    pass

    # Asking.

    def all(self) -> list[Source]:
        """Return all sources, in the order in which they were found."""
        self.look()
        with self._lock:
            return [*self._by_id.values()]

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
        source.retire()
        if source.origin == "upload":
            folder = source.path.parent
            with self._lock:
                left = [each for each in self._by_id.values() if each.path.parent == folder]
            if not left:
                shutil.rmtree(folder, ignore_errors=True)

    # Uploads.

    def begin_upload(self) -> str:
        """Make a folder for files that come one by one."""
        with self._lock:
            if self._temporary is None:
                self._temporary = tempfile.TemporaryDirectory(prefix="tabiya-web-", ignore_cleanup_errors=True)
            self._counted += 1
            name = f"u{self._counted}"
            folder = Path(self._temporary.name) / name
            folder.mkdir()
            self._uploads[name] = _Upload(folder, self.most_bytes)
            return name

    def upload(self, name: str) -> _Upload:
        """Return an upload that has not been opened yet."""
        with self._lock:
            found = self._uploads.get(name)
        if found is None:
            raise ApiError(404, f"There is no upload {name[:40]!r}.")
        return found

    def upload_path(self, name: str, file: str) -> Path:
        """Return where a file of an upload goes; its name must be one, not a path."""
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
        taken = self._take(sources, skipped, "upload")
        if not taken:
            names = ", ".join(path.name for path in sorted(upload.folder.iterdir()))[:200]
            shutil.rmtree(upload.folder, ignore_errors=True)
            raise ApiError(422, f"This is no database or opening book that tabiya can read: {names or 'no files'}.")
        return taken

    def close(self) -> None:
        """Close everything, and remove what was uploaded."""
        with self._lock:
            for source in self._by_id.values():
                source.retire()
            self._by_id.clear()
            if self._temporary is not None:
                self._temporary.cleanup()
                self._temporary = None
