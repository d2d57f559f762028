"""A database or a book on the page: opened on request, and again when its files have changed."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from stat import S_ISDIR
from threading import Lock, RLock
from typing import TYPE_CHECKING, Final, Literal

from tabiya.books import open_book
from tabiya.errors import TabiyaError, UsageError
from tabiya.files.file_bytes import size_of
from tabiya.files.file_errors import errors_of
from tabiya.files.safe_names import folded
from tabiya.formats import open as open_database
from tabiya.formats.description import named
from tabiya.formats.format import APPEND
from tabiya.formats.registry import FORMATS
from tabiya.search.listing import ListedDatabase
from tabiya.web.request import ApiError, error_of

if TYPE_CHECKING:
    from tabiya.books.book import Book
    from tabiya.books.book_format import BookFormat
    from tabiya.formats.format import Format
    from tabiya.web.answers import server

_PACKED: Final = frozenset({".gz", ".bz2", ".xz", ".zst"})
"""Suffixes of packed files, which come after the suffix of the format."""
LIBRARY: Final = "library"
"""The format that answers questions fast."""
Origin = Literal["argument", "root", "upload"]


def generation_of(files: Sequence[Path]) -> str:
    """Return a string that changes whenever one of the files does."""
    digest = hashlib.blake2s(digest_size=6)
    for path in files:
        try:
            status = path.stat()
        except OSError:
            digest.update(b"gone")
            continue
        if not S_ISDIR(status.st_mode):
            digest.update(
                f"{path.name}\0{status.st_size}\0{status.st_mtime_ns}\0{status.st_ino}\0".encode("utf-8", "replace")
            )
    return digest.hexdigest()


def _links_beside(path: Path) -> Iterator[Path]:
    """Yield the links among the files of a source: all in its folder, else the files of its name next to it."""
    folder = path if path.is_dir() else path.parent
    stem = folded(path.stem)
    for each in folder.iterdir():
        if each.is_symlink() and (folder == path or folded(each.stem) == stem):
            yield each


class Opened:
    """An open source, as it was when it was opened; closed when it is no longer used."""

    def __init__(self, source: Source, *, threads: int) -> None:
        self.listed_database: ListedDatabase | None = None
        self.book: Book | None = None
        self.remarks: list[str] = []
        path = source.checked_path()
        if source.kind == "book":
            self.book = open_book(path)
            self.files: tuple[Path, ...] = self.book.files
        else:
            database = open_database(path, formats=FORMATS)
            self.files = database.files
            self.remarks += [remark.removeprefix(f"{database.name}: ") for remark in database.remarks]
            self.listed_database = ListedDatabase(database, threads=threads)
        try:
            source.check(self.files)
        except BaseException:
            self.close()
            raise
        self.generation = generation_of(self.files)
        self.users = 0
        self.retired = False

    @property
    def records(self) -> int:
        """Number of known records or positions."""
        if self.listed_database is not None:
            return self.listed_database.count
        return 0 if self.book is None else len(self.book)

    @property
    def complete(self) -> bool:
        """Whether these are all."""
        return self.listed_database is None or self.listed_database.counted

    def close(self) -> None:
        """Close the files."""
        if self.listed_database is not None:
            self.listed_database.close()
        if self.book is not None:
            self.book.close()


class Source:
    """A database or a book; opened when it is first requested, and again when its files have changed."""

    def __init__(
        self,
        name: str,
        path: Path,
        format: Format | BookFormat,
        *,
        kind: Literal["database", "book"],
        origin: Origin,
        within: Path | None,
        label: str,
        threads: int,
        upload: Path | None = None,
    ) -> None:
        self.id = name
        self.path = path
        self.format = format
        self.kind = kind
        self.origin = origin
        self.upload = upload
        """The folder that was created for it and for files uploaded with it."""
        self.writing = Lock()
        """Held while the source is changed."""
        self._within = within
        self._label = label
        self._threads = threads
        self._lock = RLock()
        self._opened: Opened | None = None
        self._live = 0
        self.when_free: Callable[[], None] | None = None
        """Called whenever a part of it was closed, once it has left the list."""
        self._failure = ""

    def checked_path(self) -> Path:
        """Return the path after checking its location and that of related files: a link may have replaced it."""
        if self._within is not None:
            with errors_of(self.path):
                self.path.resolve(strict=True)
                self.check([self.path, *_links_beside(self.path)])
        return self.path

    def check(self, files: Iterable[Path]) -> None:
        """Raise an error if one of its files is outside the served folder."""
        if self._within is None:
            return
        for path in files:
            with errors_of(path):
                if not path.resolve().is_relative_to(self._within):
                    raise UsageError("is outside the folder that is served", path=path)

    def acquire(self) -> Opened:
        """Return the open source in its current state; the caller must ``release`` it."""
        with self._lock:
            current = self._opened
            if current is not None and generation_of(current.files) != current.generation:
                self.retire()
                current = None
            if current is None:
                try:
                    current = self._opened = Opened(self, threads=self._threads)
                    self._live += 1
                except TabiyaError as error:
                    self._failure = error_of(error).sentence
                    raise
                self._failure = ""
                if current.listed_database is not None:
                    current.listed_database.start()
            current.users += 1
            return current

    def release(self, opened: Opened) -> None:
        """Return the source after use."""
        with self._lock:
            opened.users -= 1
            self._close_unused(opened)

    def hold(self, opened: Opened) -> None:
        """Keep what is open from being closed, until ``release``."""
        with self._lock:
            opened.users += 1

    def is_current(self, opened: Opened) -> bool:
        """Return whether the files on disk are unchanged since it was opened."""
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
    def listed_database(self) -> Iterator[tuple[Opened, ListedDatabase]]:
        """Yield the database; raise an error for a book."""
        with self.using() as opened:
            if opened.listed_database is None:
                raise ApiError(422, f"{self.path.name} is an opening book: it has no games.")
            yield opened, opened.listed_database

    def retire(self) -> None:
        """Release what is open; the next request opens it again."""
        with self._lock:
            current, self._opened = self._opened, None
            if current is not None:
                current.retired = True
                self._close_unused(current)

    def _close_unused(self, opened: Opened) -> None:
        """Close what is no longer used, and notify the waiting callers."""
        if opened.retired and not opened.users:
            opened.close()
            self._live -= 1
            if self.when_free is not None:
                self.when_free()

    @property
    def in_use(self) -> bool:
        """Whether any of its files is still open."""
        return self._live > 0

    def counted(self) -> int | None:
        """Return the number of records, if it is open and they are counted."""
        with self._lock:
            current = self._opened
        return current.records if current is not None and current.complete else None

    def can(self, what: Literal["append", "replace"]) -> bool:
        """Return whether its format supports this change; not for uploads, which are temporary."""
        if self.kind == "book" or self.origin == "upload":
            return False
        if what == "append":
            return APPEND in getattr(self.format, "write_options", ())
        return getattr(self.format, "edit", None) is not None

    def library_path(self) -> Path | None:
        """Return where a library made from it would be; None for books, uploads and databases with an index."""
        with self._lock:
            current = self._opened
        is_indexed = current is not None and current.listed_database is not None and current.listed_database.indexed
        if self.kind == "book" or self.origin == "upload" or is_indexed or self.format.name == LIBRARY:
            return None
        plain = self.path.with_suffix("") if self.path.suffix in _PACKED else self.path
        return plain.with_suffix(named(LIBRARY, FORMATS).suffixes[0])

    def _can_have_library(self, *, write: bool) -> bool:
        target = self.library_path() if write else None
        return target is not None and not target.exists()

    def as_dict(self, *, write: bool) -> server.Source:
        """Return its entry in the list of sources."""
        with self._lock:
            current = self._opened
        answer: server.Source = {
            "id": self.id,
            "kind": self.kind,
            "name": self.path.name,
            "path": self._label,
            "format": self.format.name,
            "format_title": self.format.title,
            "origin": self.origin,
            "open": current is not None,
            "append": write and self.can("append"),
            "replace": write and self.can("replace"),
            "indexed": False,
            "library": self._can_have_library(write=write),
            "records": None,
            "complete": False,
            "progress": None,
            "generation": None,
            "error": self._failure or None,
        }
        if current is None:
            return answer
        listed_database = current.listed_database
        return {
            **answer,
            "generation": current.generation,
            "records": current.records,
            "complete": current.complete,
            "progress": 1.0
            if listed_database is None or listed_database.counted
            else listed_database.catalogue.progress,
            "indexed": listed_database is None or listed_database.indexed,
            "size": size_of(current.files),
            "remarks": current.remarks,
        }
