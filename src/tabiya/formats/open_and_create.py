"""``tabiya.open`` and ``tabiya.create``: detect the format of a file by its content, then by its name, and open it."""

from __future__ import annotations

import inspect
import io
import os
import weakref
from contextlib import ExitStack, contextmanager
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TypeAlias, cast

from tabiya.errors import CorruptError, FormatError, UnsupportedError, UsageError
from tabiya.files.file_errors import errors_of
from tabiya.formats.collection.zip_format import ZIP, is_zip_head
from tabiya.formats.description import HEAD_BYTES, Match, best_fit, head_of, known, named, no_suffix, suffixed
from tabiya.formats.registry import FORMATS
from tabiya.formats.url import Url, local_path, url_of
from tabiya.lazy import borrowed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from typing_extensions import Buffer

    from tabiya.formats.database import Database, Opening
    from tabiya.formats.format import Format, Place
    from tabiya.formats.writer import Writer

Location: TypeAlias = "str | PathLike[str] | BinaryIO"
"""A location: a path, ``-`` for standard input or output, the URL of a server, or a binary file object."""

Locations: TypeAlias = "Location | Iterable[Location]"
"""One location, or several, where several databases can be read."""

_STANDARD = "-"
_INPUT, _OUTPUT = 0, 1


def open(  # noqa: A001 - tabiya.open is the name that users expect
    location: Locations,
    *,
    format: str | Format | None = None,
    formats: Sequence[Format] = FORMATS,
    recursive: bool = False,
    **options: Any,
) -> Database:
    """Open a database of any known format for reading, or several as one.

    Several databases are specified by a list of locations, a pattern such as ``games/*.pgn`` or ``**/*.cbh``, a folder
    that is not itself a database, or a ZIP archive. They become a ``Collection``, whose ``origin`` returns where a
    record came from.

    Args:
        location: a path, ``-`` for standard input, a URL such as ``mysql://user@host/base``, or a binary file object;
            or several of these.
        format: a format or its name, instead of detecting it.
        formats: the formats to choose from.
        recursive: also search the subfolders of a folder.
        options: options of the format, such as an encoding.

    Raises:
        TabiyaError: The file is missing or unreadable.
        FormatError: The format of the file is unknown.
    """
    from tabiya.formats.collection.sources import is_list, means_several  # noqa: PLC0415 - it needs this module

    if is_list(location):
        location = list(cast("Iterable[Location]", location))
    if means_several(location, format=format, formats=formats, recursive=recursive):
        from tabiya.formats.collection.database import open_collection  # noqa: PLC0415 - imports pyarrow

        database: Database = open_collection(
            location, format=format, formats=formats, recursive=recursive, options=options
        )
    else:
        database = _open_one(cast("Location", location), format, formats, options)
    whole = {"format": format, "recursive": recursive, **options}
    database._opening = _opening(database, location, whole) if formats is FORMATS else "its formats were given"
    return database


def _opening(database: Database, location: Locations, options: Mapping[str, Any]) -> Opening | str:
    """Return how another process can open the same database, or why it cannot."""
    places = cast("list[Location]", location if isinstance(location, list) else [location])
    if options.get("password") is not None or any(url_of(place) is not None for place in places):
        return "the pickle would contain a password"
    if database.path is None:
        return "it is a stream"
    if not isinstance(options["format"], str | None):
        return "its format was given as an object, not by name"
    # Another process may have another working folder. A string may be a pattern, a path object is not.
    there = [
        str(Path(place).absolute()) if isinstance(place, str) else Path(cast("PathLike[str]", place)).absolute()
        for place in places
    ]
    return _open_again, (there if isinstance(location, list) else there[0], dict(options))


def _open_again(location: Locations, options: Mapping[str, Any]) -> Database:
    return open(location, **options)


def _open_one(
    location: Location, format: str | Format | None, formats: Sequence[Format], options: Mapping[str, Any]
) -> Database:
    """Open a single database."""
    url = url_of(location)
    if url is not None:
        served = _served(url, format, formats)
        if served.open_url is None:
            raise UnsupportedError(f"{served.name} cannot be read from a server", path=str(url))
        check_options(served, served.open_url, options)
        return served.open_url(url, **options)
    path = path_of(location)
    with errors_of(path), ExitStack() as opened:
        head, place = head_at(path or _stream(location, _INPUT, "rb"), opened)
        chosen = sniffed(head, path, formats) if format is None else named(format, formats)
        if not isinstance(place, Path) and not chosen.streams:
            raise UnsupportedError(f"{chosen.name} must be read from a file, not from a stream", path=path)
        check_options(chosen, chosen.open, options)
        database = _opened(chosen, place, head, options)
        weakref.finalize(database, opened.pop_all().close)
        return database


@contextmanager
def opened(source: Locations | Database, **options: Any) -> Iterator[Database]:
    """Yield a database for reading: an open one, which remains open, or one opened from what ``open`` takes."""
    from tabiya.formats.database import Database  # noqa: PLC0415 - imports pyarrow

    if isinstance(source, Database):
        yield source
        return
    with open(source, **options) as database:
        yield database


def create(
    location: Location,
    *,
    format: str | Format | None = None,
    formats: Sequence[Format] = FORMATS,
    overwrite: bool = False,
    strict: bool = False,
    **options: Any,
) -> Writer:
    """Create a database; its format is specified by the suffix or by name.

    Args:
        location: a path, ``-`` for standard output, a URL such as ``mysql://user@host/base``, or a binary file object.
        format: a format or its name; required if there is no suffix.
        formats: the formats to choose from.
        overwrite: replace an existing database.
        strict: refuse to commit if anything is lost.
        options: options of the format, such as a profile.

    Raises:
        UsageError: The target exists and ``overwrite`` is false, or both ``overwrite`` and an option that adds to it
            were given.
        FormatError: No format has this suffix.
        UnsupportedError: The format can only be read.
    """
    if overwrite and options.get("append"):
        what = "append=True adds to the target, overwrite=True replaces it: give one of them"
        raise UsageError(what, path=path_of(location))
    url = url_of(location)
    if url is not None:
        served = _served(url, format, formats)
        if served.create_url is None:
            raise UnsupportedError(f"{served.name} cannot be written to a server", path=str(url))
        check_options(served, served.create_url, options)
        return served.create_url(url, overwrite=overwrite, strict=strict, **options)
    path = path_of(location)
    chosen = _suffixed(path, formats) if format is None else named(format, formats)
    if chosen.create is None:
        reason = f": {chosen.read_only}" if chosen.read_only else ""
        raise UnsupportedError(f"{chosen.name} can be read but not written{reason}", path=path)
    if path is None and not chosen.streams:
        raise UnsupportedError(f"{chosen.name} must be written to a file, not to a stream")
    check_options(chosen, chosen.create, options)
    with errors_of(path):
        return chosen.create(path or _stream(location, _OUTPUT, "wb"), overwrite=overwrite, strict=strict, **options)


def _opened(format: Format, place: Place, head: bytes, options: Mapping[str, Any]) -> Database:
    """Open a database; for a file without any bytes, every error of the format becomes "is empty"."""
    try:
        return format.open(place, **options)
    except (FormatError, CorruptError, UsageError) as error:
        if head or not isinstance(place, Path) or not place.is_file():
            raise
        raise FormatError("is empty", path=place) from error


def path_of(location: Location) -> Path | None:
    """Return the path that a location specifies; None for streams and servers."""
    if not isinstance(location, (str, PathLike)) or location == _STANDARD or url_of(location) is not None:
        return None
    return local_path(location)


def _stream(location: object, standard: int, mode: str) -> BinaryIO:
    """Return the stream for a location that is not a path."""
    if location == _STANDARD:
        return cast("BinaryIO", os.fdopen(standard, mode, closefd=False))
    if isinstance(location, (io.TextIOBase, io.RawIOBase)):
        raise UsageError("a file object must be binary and buffered: open it with mode 'rb' or 'wb'")
    if not hasattr(location, "read" if mode == "rb" else "write"):
        raise UsageError(f"expected a path or a file object, not {location!r}")
    return cast("BinaryIO", location)


def head_at(place: Place, opened: ExitStack) -> tuple[bytes, Place]:
    """Return the first bytes of a place, and a place that can still be read from the start."""
    if isinstance(place, Path):
        if place.is_file():
            return head_of(place), place
        if place.is_dir() or not place.exists():
            return b"", place
        place = opened.enter_context(place.open("rb"))  # a pipe or a device: it can be read only once
    seekable = place.seekable()
    begin = place.tell() if seekable else 0
    head = b""
    while len(head) < HEAD_BYTES and (piece := place.read(HEAD_BYTES - len(head))):
        head += piece
    if seekable:
        place.seek(begin)
        return head, place
    return head, cast("BinaryIO", io.BufferedReader(_Replayed(head, place)))


class _Replayed(io.RawIOBase):
    """A stream whose first bytes were already read; closing it leaves the stream open."""

    def __init__(self, head: bytes, stream: BinaryIO) -> None:
        self._head = head
        # Available bytes are returned at once: Ctrl-C would not interrupt one long read for all requested bytes.
        self._read: Callable[[int], bytes] = getattr(stream, "read1", stream.read)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Buffer, /) -> int:
        view = memoryview(buffer)
        piece = self._head[: len(view)] or self._read(len(view))
        self._head = self._head[len(piece) :]
        view[: len(piece)] = piece
        return len(piece)


def format_of(path: Path, formats: Sequence[Format] = FORMATS) -> Format:
    """Return the format of an existing database."""
    with errors_of(path), ExitStack() as opened:
        return sniffed(head_at(path, opened)[0], path, formats)


def sniffed(head: bytes, path: Path | None, formats: Sequence[Format]) -> Format:
    """Return the format of a place that begins with these bytes; ``ZIP`` for an archive that is not a database."""
    exists = path is None or path.exists()
    best, match = best_fit(head, path, formats, by_name=exists)
    if match < Match.LIKELY and is_zip_head(head):
        return ZIP
    if best is not None and not best.excludes(head, match):
        return best
    if best is not None:
        raise FormatError(f"has the name of a file of {best.title}, but holds something else", path=path)
    if not exists:
        raise FileNotFoundError
    kind = "folder" if path is not None and path.is_dir() else "file"
    if kind == "file" and _names_a_book(path):
        raise FormatError(
            "is an opening book by its name, not a database: use tabiya.open_book",
            path=path,
        )
    raise FormatError(
        f"is not a kind of {kind} that tabiya can read; known formats: {known(formats)}", path=path or "stream"
    )


def _suffixed(path: Path | None, formats: Sequence[Format]) -> Format:
    if path is None:
        raise UsageError(f"a stream has no suffix: name the format; known: {known(formats)}")
    best = suffixed(path, formats)
    if best is None and _names_a_book(path):
        raise FormatError("is the name of an opening book, not of a database: use tabiya.build_book", path=path)
    if best is None:
        raise no_suffix(path, formats)
    return best


def _names_a_book(path: Path | None) -> bool:
    """Return whether a path has the suffix of a book; imported late, because the package of books needs this one."""
    return path is not None and bool(borrowed("books.open_and_create.names_a_book")(path))


def _served(url: Url, format: str | Format | None, formats: Sequence[Format]) -> Format:
    """Return the format of a server: the one that is given, or the one that has the scheme."""
    if format is not None:
        return named(format, formats)
    for each in formats:
        if url.scheme in each.schemes:
            return each
    raise FormatError(f"no known format uses URLs of the scheme {url.scheme}; known: {known(formats)}", path=str(url))


def check_options(format: Format, function: Callable[..., object], options: Mapping[str, object]) -> None:
    """Raise an error for options that the format does not take."""
    if not options:
        return
    taken = options_of(function)
    unknown = sorted(options.keys() - taken)
    if unknown:
        offer = ", ".join(sorted({*taken, "format"}))
        hint = _hint(unknown[0]) if function in (format.create, format.create_url) else ""
        raise UsageError(f"{format.name} has no option {unknown[0]!r} here; it has: {offer}{hint}")


def _hint(option: str) -> str:
    """Return a hint for an option for reading that was passed to a writer."""
    readers = [function for each in FORMATS for function in (each.open, each.open_url) if function is not None]
    if not any(option in options_of(function) for function in readers):
        return ""
    return f"; {option!r} is for reading: give it to tabiya.open, or to tabiya.convert in source_options"


def options_of(function: Callable[..., object]) -> set[str]:
    """Return the names of the options that an opener or creator takes."""
    parameters = inspect.signature(function).parameters.values()
    return {parameter.name for parameter in parameters if parameter.kind is parameter.KEYWORD_ONLY}
