"""Which format a book has: by its content first, then by its name."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tabiya.books.known_formats import BOOK_FORMATS
from tabiya.errors import FormatError, UnsupportedError, UsageError
from tabiya.formats import FORMATS
from tabiya.formats.file_errors import errors_of
from tabiya.formats.format import HEAD_BYTES, Match
from tabiya.formats.url import local_path

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from os import PathLike

    from tabiya.books.book import Book
    from tabiya.books.book_format import BookFormat
    from tabiya.books.editor import BookEditor
    from tabiya.books.report import BookProblem
    from tabiya.books.writer import BookWriter
    from tabiya.formats.format import Format
    from tabiya.formats.losses import LossReport

__all__ = [
    "check_book",
    "create_book",
    "edit_book",
    "format_of_book",
    "format_of_target",
    "is_book",
    "named_format",
    "open_book",
    "repair_book",
]


def open_book(
    path: str | PathLike[str], *, format: str | BookFormat | None = None, formats: Sequence[BookFormat] = BOOK_FORMATS
) -> Book:
    """Open an opening book of any known format for reading.

    Args:
        path: the book; of several files any of them.
        format: a format or its name, instead of finding out.
        formats: the formats to choose from.

    Raises:
        TabiyaError: the file is missing or unreadable.
        FormatError: no format knows such a file.
        CorruptError: the book is damaged beyond use.
    """
    place = local_path(path)
    chosen = format_of_book(place, formats) if format is None else named_format(format, formats)
    with errors_of(place):
        return chosen.open(place)


def create_book(
    path: str | PathLike[str],
    *,
    format: str | BookFormat | None = None,
    formats: Sequence[BookFormat] = BOOK_FORMATS,
    overwrite: bool = False,
    strict: bool = False,
) -> BookWriter:
    """Create a book to add positions to; its format follows from the suffix, or is named.

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
        target: where the changed book goes; the book itself is replaced if not given.
        format: a format or its name, instead of finding out.
        formats: the formats to choose from.
        overwrite: replace a target that exists.

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
    """Everything that is wrong with a book; nothing if it is sound.

    Raises:
        TabiyaError: the file is missing, of no known format, or so damaged that it cannot even be looked at.
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
    """Write a sound book of the same format with all that can be saved of a damaged one; what cannot is reported."""
    source, place = local_path(path), local_path(target)
    format = format_of_book(source, formats)
    _refuse_other_suffix(format, place, "repaired")
    with errors_of(place):
        if place.exists() and place.samefile(source):
            raise UsageError("is being read, so it cannot be the target", path=place)
    with errors_of(source):
        return format.repair(source, place, overwrite=overwrite)


def _refuse_other_suffix(format: BookFormat, target: Path, done: str) -> None:
    if not format.fits(target):
        raise UsageError(f"a {format.name} book is {done} into a file that ends with {format.suffixes[0]}", path=target)


def format_of_book(path: Path, formats: Sequence[BookFormat] = BOOK_FORMATS) -> BookFormat:
    """The format whose content fits best; a suffix decides where the content is not even likely."""
    with errors_of(path):
        if path.is_dir():
            raise FormatError("is a folder, not a book", path=path)
        head = _head(path)

    def fit(format: BookFormat) -> tuple[int, bool, int]:
        match = format.sniff(head, path)
        return match if match >= Match.LIKELY else 0, format.fits(path), match

    best = max(formats, key=fit, default=None)
    content, *_ = fit(best) if best is not None else (0,)
    if not content and (database := _database_format(head, path, by_name=best is None or not best.fits(path))):
        raise FormatError(
            f"is a database ({database.name}), not an opening book: use tabiya list and tabiya show, or tabiya.open in "
            "Python; tabiya book build makes a book of its games",
            path=path,
        )
    if best is not None and not content and best.rules_out is not None and best.rules_out(head):
        raise FormatError(f"has the name of a {best.title} book, but holds something else", path=path)
    if best is None or not any(fit(best)):
        raise FormatError(f"is not a kind of book that tabiya knows; known: {_known(formats)}", path=path)
    return best


def _head(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(HEAD_BYTES)


def _database_format(head: bytes, path: Path, *, by_name: bool) -> Format | None:
    """The format of a database that a file has by its content, or by its name; None if it is none."""
    fitting = [
        known
        for known in FORMATS
        if known.sniff(head, path) >= Match.LIKELY or (by_name and known.suffix_of(path) is not None)
    ]
    return fitting[0] if fitting else None


def is_book(path: Path, formats: Sequence[BookFormat] = BOOK_FORMATS) -> bool:
    """Whether a file is a book, or at least has the name of one and is no database."""
    try:
        format_of_book(path, formats)
    except FormatError:
        named = any(format.fits(path) for format in formats)
        return named and path.is_file() and _database_format(_head(path), path, by_name=False) is None
    return True


def format_of_target(path: Path, formats: Sequence[BookFormat] = BOOK_FORMATS) -> BookFormat:
    """The format that the suffix of a new book says."""
    for format in formats:
        if format.fits(path):
            return format
    raise FormatError(f"no book format that tabiya knows has such a suffix; known: {_known(formats)}", path=path)


def named_format(format: str | BookFormat, formats: Sequence[BookFormat] = BOOK_FORMATS) -> BookFormat:
    """The format of this name."""
    if not isinstance(format, str):
        return format
    for known in formats:
        if known.name == format.lower():
            return known
    raise UsageError(f"no book format is called {format!r}; known: {_known(formats)}")


def _known(formats: Sequence[BookFormat]) -> str:
    return ", ".join(str(format) for format in formats) or "none"
