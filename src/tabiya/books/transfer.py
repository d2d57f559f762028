"""General conversion: books to books, books to databases (a tree of lines), games to books."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from tabiya.books.book_as_game import book_lines
from tabiya.books.build import BuildReport, build_book
from tabiya.books.convert import BookConversion, convert_book, damage_of, refuse_same_file
from tabiya.books.open_and_create import BOOK_FORMATS, is_book, open_book
from tabiya.books.walk import START
from tabiya.errors import LossError, UsageError
from tabiya.formats import FORMATS, create
from tabiya.formats import open as open_database
from tabiya.formats.url import local_path, url_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from os import PathLike

    from tabiya.books.book import PositionLike
    from tabiya.formats import Format
    from tabiya.game.where import Where


def transfer_book(
    source: str | PathLike[str],
    target: str | PathLike[str],
    *,
    format: str | None = None,
    formats: Sequence[Format] = FORMATS,
    start: PositionLike = START,
    any_move: bool = False,
    where: Where | None = None,
    source_options: Mapping[str, Any] | None = None,
    threads: int = 1,
    overwrite: bool = False,
    strict: bool = False,
) -> BookConversion | BuildReport:
    """Convert a book into another format, into a database, or games into a book.

    A target with the suffix of a database gets one game: the lines of the book, with statistics as comments. A source
    that is not a book is opened as a database, and its games become a book with the default ``BuildOptions``.

    Args:
        source: a book or a database.
        target: a book or a database.
        format: the name of the target's format; by default it follows from the suffix.
        formats: the formats of databases to choose from.
        start: the first position of the lines.
        any_move: follow any legal move into positions of the book, as ``walk_book`` does.
        where: which games of a database to take; all of them if None.
        source_options: options for reading a database.
        threads: number of threads that play games.
        overwrite: replace an existing target.
        strict: raise ``LossError`` if anything would be lost, and leave the target unchanged.
    """
    path = local_path(target)
    with ExitStack() as stack:
        if url_of(source) is not None or not is_book(local_path(source)):
            database = stack.enter_context(open_database(source, formats=formats, **(source_options or {})))
            return build_book(
                database, path, format=format, where=where, threads=threads, overwrite=overwrite, strict=strict
            )
        if where is not None or source_options:
            raise UsageError("conditions and reading options apply to games, and this is a book", path=source)
        to_book = (
            format in {known.name for known in BOOK_FORMATS} if format else any(f.fits(path) for f in BOOK_FORMATS)
        )
        if to_book or not (format or any(known.suffix_of(path) for known in formats)):
            return convert_book(
                source, path, format=format, starts=[start], any_move=any_move, overwrite=overwrite, strict=strict
            )
        book = stack.enter_context(open_book(source))
        refuse_same_file(book, path)
        damage = damage_of([book], path, strict=strict)
        writer = stack.enter_context(create(path, format=format, formats=formats, overwrite=overwrite, strict=strict))
        lines = book_lines(book, start=start, any_move=any_move)
        losses = lines.losses + book.besides()
        if strict and losses:
            raise LossError(f"nothing was written, because this would be lost: {losses.summary()}", path=path)
        writer.write(lines.game)
        return BookConversion(
            source_format=book.format.name,
            target_format=writer.format.name,
            positions=lines.positions,
            moves=lines.moves,
            losses=damage + losses + writer.losses,
        )
