"""Resolve the databases that users specify: paths, patterns, folders, and lists of names.

A database that is found twice, by another name or through a link, is used once.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from fnmatch import filter as names_like
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from tabiya.errors import FormatError, TabiyaError, UsageError
from tabiya.files.file_errors import errors_of, sentence_of
from tabiya.formats.collection.zip_format import ZIP, is_zip_head
from tabiya.formats.description import Formats, Match, best_fit, named
from tabiya.formats.open_and_create import head_at, path_of, sniffed
from tabiya.formats.url import url_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabiya.formats.format import Format
    from tabiya.formats.open_and_create import Location, Locations

_MAGIC: Final = re.compile(r"[*?\[]")
_ALL_BELOW: Final = "**"
_HIDDEN: Final = "."
_COMMENT: Final = ("#", ";")
"""Characters that begin a comment in a list of names, as in rsync."""


@dataclass(frozen=True, slots=True)
class FoundDatabase:
    """One database."""

    location: Location
    format: Format | None = None
    """None for servers and streams, until they are opened."""
    size: int = 0
    """Bytes of its main file, if known: the measure of progress."""
    found: bool = False
    """Whether it was found in a folder or by a pattern, not named."""
    failure: str = ""
    """Why it cannot be read, if already known."""

    @property
    def path(self) -> Path | None:
        """Path of the database; None for servers and streams."""
        return self.location if isinstance(self.location, Path) else None

    @property
    def is_stream(self) -> bool:
        """Whether it can be read only once."""
        return self.path is None and url_of(self.location) is None


@dataclass(slots=True)
class FoundDatabases:
    """The databases found, in the order given; in folders and for patterns in the order of names."""

    sources: list[FoundDatabase] = field(default_factory=list)
    skipped: list[Path] = field(default_factory=list)
    """Files that were found, not named, and are not databases."""


def is_pattern(location: object) -> bool:
    """Return whether a text is a file name pattern; the name of an existing file is not."""
    if not isinstance(location, str) or not _MAGIC.search(location) or url_of(location) is not None:
        return False
    return not os.path.lexists(location)


def is_list(location: object) -> bool:
    """Return whether a user specified several locations instead of one text, path or file object."""
    return isinstance(location, Iterable) and not (
        isinstance(location, (str, bytes, PathLike)) or hasattr(location, "read")
    )


def means_several(
    location: Locations, *, format: str | Format | None, formats: Sequence[Format], recursive: bool
) -> bool:
    """Return whether a location can specify several databases: a list, a pattern, a folder that is not a database."""
    if is_list(location) or is_pattern(location):
        return True
    path = path_of(cast("Location", location))
    with errors_of(path):
        if path is None or not path.is_dir():
            return False
    chosen = formats if format is None else (named(format, formats),)
    return _whole_database(path, chosen, recursive=recursive) is None


def names_in(content: bytes) -> list[str]:
    """Return the names in a list: one per line, as in rsync and tar, or each terminated by NUL.

    Empty lines and lines that begin with ``#`` or ``;`` are ignored.
    """
    if b"\0" in content:
        return [os.fsdecode(name) for name in content.split(b"\0") if name]
    lines = content.removeprefix(b"\xef\xbb\xbf").splitlines()
    return [name for line in lines if (name := os.fsdecode(line)).strip() and not name.startswith(_COMMENT)]


def find_sources(
    locations: Iterable[Location],
    *,
    format: str | Format | None,
    formats: Sequence[Format],
    recursive: bool,
    within: Path | None = None,
) -> FoundDatabases:
    """Return the databases at some locations; with ``within``, links that lead outside of it are not followed.

    Raises:
        TabiyaError: A named location is missing or not a database, or a folder or pattern has no database.
    """
    finder = _Finder(formats, None if format is None else named(format, formats), recursive=recursive, within=within)
    for location in locations:
        finder.add(location)
    return finder.found


def walk_sources(folder: Path, *, formats: Sequence[Format], within: Path | None = None) -> Iterator[FoundDatabases]:
    """Yield the databases of a folder and its subfolders, folder by folder, without waiting for the whole tree.

    Raises:
        OSError: The folder itself cannot be read.
    """
    finder = _Finder(formats, None, recursive=True, within=within)
    whole = _whole_database(folder, formats, recursive=True)
    if whole is not None:
        finder.take(folder, whole, found=True)
        yield finder.found
        return
    for _ in finder.walk(folder):
        yield finder.found
        finder.found = FoundDatabases()


class _Finder:
    def __init__(
        self, formats: Sequence[Format], format: Format | None, *, recursive: bool, within: Path | None = None
    ) -> None:
        self.found = FoundDatabases()
        self._within = None if within is None else within.resolve()
        self._formats = formats if format is None else (format,)
        self._format = format
        self._recursive = recursive
        self._seen: set[object] = set()
        self._known = 0
        """Number of databases that were found again."""

    def add(self, location: Location) -> None:
        """Add a location that the user specified."""
        before = self._met
        if is_pattern(location):
            for path in _matching(str(location)):
                if not path.is_dir():
                    self._consider(path)
                elif (whole := self._whole(path)) is not None:
                    self.take(path, whole, found=True)
                else:
                    self._look_in(path)
            if self._met == before:
                raise UsageError("no database matches this pattern", path=str(location))
            return
        named_path = path_of(location)
        if named_path is None:
            self.found.sources.append(FoundDatabase(location, self._format))
            return
        self._add_path(named_path)

    def _add_path(self, path: Path) -> None:
        before = self._met
        with errors_of(path):
            if path.is_dir() and self._whole(path) is None:
                self._look_in(path)
                if self._met == before:
                    raise FormatError(f"holds no database that tabiya can read{self._hint()}", path=path)
                return
            if self._format is None:
                with ExitStack() as opened:
                    chosen = sniffed(head_at(path, opened)[0], path, self._formats)
            else:
                chosen = self._format
            self.take(path, chosen, found=False)

    @property
    def _met(self) -> int:
        return len(self.found.sources) + self._known

    def _hint(self) -> str:
        return "" if self._recursive else "; folders in it were not searched: recursive=True does that"

    def _whole(self, folder: Path) -> Format | None:
        return _whole_database(folder, self._formats, recursive=self._recursive)

    def _look_in(self, folder: Path) -> None:
        """Add the databases in a folder, in the order of their names."""
        for _ in self.walk(folder):
            pass

    def walk(self, folder: Path) -> Iterator[Path]:
        """Add the databases in a folder and, if recursive, in its subfolders; yield each folder after reading it."""
        waiting = [folder]
        while waiting:
            here = waiting.pop()
            if not self._is_new(here):
                continue  # a link that leads back
            try:
                entries = sorted(each for each in here.iterdir() if self._is_visible(each))
            except OSError as error:
                if here == folder:
                    raise
                self._note_failure(here, error)
                continue
            below = []
            for path in entries:
                if not path.is_dir():
                    self._consider(path)
                elif (whole := self._whole(path)) is not None and whole.main is None:
                    self.take(path, whole, found=True)
                elif self._recursive:
                    below.append(path)
            waiting += reversed(below)
            yield here

    def _is_visible(self, path: Path) -> bool:
        if path.name.startswith(_HIDDEN):
            return False
        return self._within is None or not path.is_symlink() or path.resolve().is_relative_to(self._within)

    def _consider(self, path: Path) -> None:
        """Add a file that was found, if it is a database."""
        try:
            if not path.is_file():  # reading a pipe blocks, and links may be broken
                self.found.skipped.append(path)
                return
            with ExitStack() as opened:
                head, _ = head_at(path, opened)
            best, match = best_fit(head, path, self._formats)
            if best is None and is_zip_head(head) and ZIP.fits(path):
                best, match = ZIP, Match.CERTAIN
            if best is None or (match < Match.LIKELY and not best.fits(path)) or best.excludes(head, match):
                self.found.skipped.append(path)
            else:
                self.take(path, best, found=True)
        except OSError as error:
            self._note_failure(path, error)

    def take(self, path: Path, format: Format, *, found: bool) -> None:
        """Add a database, unless it was found before."""
        if format.main is not None:
            with suppress(TabiyaError):  # opening it reports what is missing
                path = format.main(path)
        if self._is_new(path):
            status = path.stat() if path.is_file() else None
            self.found.sources.append(FoundDatabase(path, format, 0 if status is None else status.st_size, found))
        else:
            self._known += 1

    def _note_failure(self, path: Path, error: OSError) -> None:
        self.found.sources.append(FoundDatabase(path, found=True, failure=sentence_of(error)))

    def _is_new(self, path: Path) -> bool:
        try:
            status = path.stat()
            identity: object = (status.st_dev, status.st_ino) if status.st_ino else path.resolve()
        except OSError:
            identity = path
        if identity in self._seen:
            return False
        self._seen.add(identity)
        return True


def _whole_database(folder: Path, formats: Sequence[Format], *, recursive: bool) -> Format | None:
    """Return the format of a folder that is one database; with ``recursive`` a folder with a base in it is not."""
    best, match = best_fit(b"", folder, formats)
    if best is None or match < Match.LIKELY or (recursive and best.main is not None):
        return None
    # A folder with a base in it may have one of another format, too, such as a .cbh made from a .2cbh.
    others = formats.built_in if isinstance(formats, Formats) else formats
    if best.main is not None and any(
        each.sniff(b"", folder) >= Match.LIKELY for each in others if each is not best and each.main is not None
    ):
        return None
    return best


def _matching(pattern: str) -> list[Path]:
    """Return the files and folders whose names match a pattern; ``**`` is any number of folders, each visited once.

    As in a shell, wildcards do not match names that begin with a dot.
    """
    shape = Path(pattern)
    places = [Path(shape.anchor)]
    for part in shape.parts[1 if shape.anchor else 0 :]:
        if part == _ALL_BELOW:
            places = list(_folders_below(places))
        elif _MAGIC.search(part):
            places = [place / name for place in places for name in sorted(names_like(_names(place, part), part))]
        else:
            places = [place / part for place in places if (place / part).exists()]
    return [place for place in places if place != Path(shape.anchor)]


def _names(folder: Path, part: str) -> list[str]:
    try:
        return [each.name for each in folder.iterdir() if part.startswith(_HIDDEN) or not each.name.startswith(_HIDDEN)]
    except OSError:  # not a folder, or not readable
        return []


def _folders_below(folders: Iterable[Path]) -> Iterator[Path]:
    """Yield folders and all their subfolders, each once even if links form cycles."""
    seen: set[Path] = set()
    waiting = list(folders)[::-1]
    while waiting:
        folder = waiting.pop()
        with suppress(OSError):
            real = folder.resolve()
            if real in seen or not folder.is_dir():
                continue
            seen.add(real)
            yield folder
            waiting += sorted((folder / name for name in _names(folder, "")), reverse=True)
