"""``open_book``, ``create_book`` and the like: detect the format of a book by its content, then by its name."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tabiya.books.abk import ABK
from tabiya.books.ctg import CTG
from tabiya.books.polyglot import POLYGLOT
from tabiya.errors import FormatError, UnsupportedError, UsageError
from tabiya.files.file_errors import errors_of
from tabiya.files.journals import journal_of
from tabiya.formats.description import Match, best_fit, head_of, known, named, no_suffix, suffixed
from tabiya.formats.registry import FORMATS
from tabiya.formats.url import local_path

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from os import PathLike

    from tabiya.books.book import Book, Opening
    from tabiya.books.book_format import BookFormat
    from tabiya.books.editor import BookEditor
    from tabiya.books.report import BookProblem
    from tabiya.books.writer import BookWriter
    from tabiya.formats.format import Format
    from tabiya.formats.losses import LossReport

BOOK_FORMATS: tuple[BookFormat, ...] = (CTG, POLYGLOT, ABK)
"""All book formats that tabiya supports, in the order of lists."""


def open_book(
    path: str | PathLike[str], *, format: str | BookFormat | None = None, formats: Sequence[BookFormat] = BOOK_FORMATS
) -> Book:
    """Open an opening book of any known format for reading.

    Args:
        path: the book; of several files any of them.
        format: a format or its name; by default it is detected.
        formats: the formats to choose from.

    Raises:
        TabiyaError: the file is missing or unreadable.
        FormatError: the file has no known format.
        CorruptError: the book is too damaged to be used.
    """
    place = local_path(path)
    chosen = format_of_book(place, formats) if format is None else named_format(format, formats)
    with errors_of(place):
        book = chosen.open(place)
        book._opening = _opening(place, format, formats)
        return book


def _opening(path: Path, format: str | BookFormat | None, formats: Sequence[BookFormat]) -> Opening | str:
    """Return how another process opens the same book, or why it cannot."""
    if formats is not BOOK_FORMATS:
        return "its formats were given"
    if not isinstance(format, str | None):
        return "its format was given as an object, not by name"
    return _open_again, (path.absolute(), format)  # another process may have a different working folder


def _open_again(path: Path, format: str | None) -> Book:
    return open_book(path, format=format)


def create_book(
    path: str | PathLike[str],
    *,
    format: str | BookFormat | None = None,
    formats: Sequence[BookFormat] = BOOK_FORMATS,
    overwrite: bool = False,
    strict: bool = False,
) -> BookWriter:
    """Create a book to add positions to; its format is given or follows from the suffix.

    Raises:
        UsageError: the target exists and ``overwrite`` is false.
        FormatError: no format has such a suffix.
    """
    place = local_path(path)
    chosen = format_of_target(place, formats) if format is None else named_format(format, formats)
    with errors_of(place):
        return chosen.create(place, overwrite=overwrite, strict=strict)


def edit_book(
    path: str | PathLike[str],
    target: str | PathLike[str] | None = None,
    *,
    format: str | BookFormat | None = None,
    formats: Sequence[BookFormat] = BOOK_FORMATS,
    overwrite: bool = False,
) -> BookEditor:
    """Change single moves of a book; everything else in it stays as it is.

    Args:
        path: the book.
        target: the path of the changed book; by default the book itself is replaced.
        format: a format or its name; by default it is detected.
        formats: the formats to choose from.
        overwrite: replace an existing target.

    Raises:
        UsageError: the target exists and ``overwrite`` is false, or has the suffix of another format.
    """
    place = local_path(path)
    chosen = format_of_book(place, formats) if format is None else named_format(format, formats)
    if chosen.edit is None:
        raise UnsupportedError(f"{chosen.name} books cannot be edited", path=place)
    aim = None if target is None else local_path(target)
    if aim is not None:
        _refuse_other_suffix(chosen, aim, "edited")
    return chosen.edit(place, target=aim, overwrite=overwrite)


def check_book(path: str | PathLike[str], *, formats: Sequence[BookFormat] = BOOK_FORMATS) -> Iterator[BookProblem]:
    """Yield all problems of a book; nothing if it is valid.

    Raises:
        TabiyaError: the file is missing, of no known format, or too damaged to be examined.
    """
    place = local_path(path)
    with errors_of(place):
        yield from format_of_book(place, formats).check(place)


def repair_book(
    path: str | PathLike[str],
    target: str | PathLike[str],
    *,
    overwrite: bool = False,
    formats: Sequence[BookFormat] = BOOK_FORMATS,
) -> LossReport:
    """Write a valid book of the same format with all that can be recovered from a damaged one; return the losses."""
    source, place = local_path(path), local_path(target)
    format = format_of_book(source, formats)
    _refuse_other_suffix(format, place, "repaired")
    with errors_of(place):
        if place.exists() and place.samefile(source):
            raise UsageError("is also the source; choose another name for the target", path=place)
    with errors_of(source):
        return format.repair(source, place, overwrite=overwrite)


def _refuse_other_suffix(format: BookFormat, target: Path, done: str) -> None:
    if not format.fits(target):
        raise UsageError(
            f"a {format.name} book must be {done} into a file ending with {format.suffixes[0]}", path=target
        )


def format_of_book(path: Path, formats: Sequence[BookFormat] = BOOK_FORMATS) -> BookFormat:
    """Return the format that matches the content best; the suffix decides if no content matches."""
    with errors_of(path):
        if path.is_dir():
            raise FormatError("is a folder, not a book", path=path)
        is_interrupted = not path.exists() and journal_of(path.parent, path.name).is_file()
        head = b"" if is_interrupted else head_of(path)  # opening it finishes the change
    best, match = best_fit(head, path, formats)
    if match < Match.LIKELY:
        if database := _database_format(head, path, by_name=best is None or not best.fits(path)):
            raise FormatError(
                f"is a database ({database.name}), not an opening book: use tabiya.open, or make a book of its games "
                "with tabiya.build_book",
                path=path,
            )
        if best is not None and best.rules_out is not None and best.rules_out(head):
            raise FormatError(f"has the name of a {best.title} book, but its content is something else", path=path)
    if best is None:
        raise FormatError(f"is not an opening book in a known format; known formats: {known(formats)}", path=path)
    return best


def _database_format(head: bytes, path: Path, *, by_name: bool) -> Format | None:
    """Return the database format of a file by its content, or by its name; None if there is none."""
    fitting = (each for each in FORMATS if each.sniff(head, path) >= Match.LIKELY or (by_name and each.fits(path)))
    return next(fitting, None)


def is_book(path: Path, formats: Sequence[BookFormat] = BOOK_FORMATS) -> bool:
    """Return whether a file is a book, or at least has the name of one and is not a database."""
    try:
        format_of_book(path, formats)
    except FormatError:
        named = names_a_book(path, formats)
        return named and path.is_file() and _database_format(head_of(path), path, by_name=False) is None
    return True


def names_a_book(path: Path, formats: Sequence[BookFormat] = BOOK_FORMATS) -> bool:
    """Return whether a path has the suffix of a book."""
    return suffixed(path, formats) is not None


def format_of_target(path: Path, formats: Sequence[BookFormat] = BOOK_FORMATS) -> BookFormat:
    """Return the format for the suffix of a new book."""
    best = suffixed(path, formats)
    if best is None:
        raise no_suffix(path, formats, "book format")
    return best


def named_format(format: str | BookFormat, formats: Sequence[BookFormat] = BOOK_FORMATS) -> BookFormat:
    """Return the format of this name."""
    return named(format, formats, "book format")
