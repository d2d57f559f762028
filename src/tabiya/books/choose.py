"""Which format a book has: by its content first, then by its name."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tabiya.books.formats import BOOK_FORMATS
from tabiya.errors import FormatError, UsageError
from tabiya.formats.format import HEAD_BYTES, Match
from tabiya.formats.guard import errors_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from os import PathLike

    from tabiya.books.book import Book
    from tabiya.books.format import BookFormat
    from tabiya.books.report import BookProblem
    from tabiya.books.writer import BookWriter
    from tabiya.formats.losses import LossReport

__all__ = [
    "check_book",
    "create_book",
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
    place = Path(path)
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
    place = Path(path)
    chosen = format_of_target(place, formats) if format is None else named_format(format, formats)
    with errors_of(place):
        return chosen.create(place, overwrite=overwrite, strict=strict)


def check_book(path: str | PathLike[str], *, formats: Sequence[BookFormat] = BOOK_FORMATS) -> Iterator[BookProblem]:
    """Everything that is wrong with a book; nothing if it is sound.

    Raises:
        TabiyaError: the file is missing, of no known format, or so damaged that it cannot even be looked at.
    """
    place = Path(path)
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
    source, place = Path(path), Path(target)
    format = format_of_book(source, formats)
    if not format.fits(place):
        raise UsageError(
            f"a book of the format {format.name} is repaired into a file that ends with {format.suffixes[0]}",
            path=place,
        )
    with errors_of(place):
        if place.exists() and place.samefile(source):
            raise UsageError("is being read, so it cannot be the target", path=place)
    with errors_of(source):
        return format.repair(source, place, overwrite=overwrite)


def format_of_book(path: Path, formats: Sequence[BookFormat] = BOOK_FORMATS) -> BookFormat:
    """The format whose content fits best; a suffix decides where the content is not even likely."""
    with errors_of(path):
        if path.is_dir():
            raise FormatError("is a folder, not a book", path=path)
        with path.open("rb") as file:
            head = file.read(HEAD_BYTES)

    def fit(format: BookFormat) -> tuple[int, bool, int]:
        match = format.sniff(head, path)
        return match if match >= Match.LIKELY else 0, format.fits(path), match

    best = max(formats, key=fit, default=None)
    if best is None or not any(fit(best)):
        raise FormatError(f"is not a kind of book that tabiya knows; known: {_known(formats)}", path=path)
    return best


def is_book(path: Path, formats: Sequence[BookFormat] = BOOK_FORMATS) -> bool:
    """Whether a file is a book, as far as content and name tell."""
    try:
        format_of_book(path, formats)
    except FormatError:
        return False
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
