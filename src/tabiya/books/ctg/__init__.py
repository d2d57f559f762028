"""ChessBase's opening books: ``.ctg`` with ``.ctb`` and ``.cto``.

Importing this package is cheap; readers and writers are imported when they are used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabiya.books.book_format import BookFormat, BookKeeps
from tabiya.formats.format import Match

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from tabiya.books.book import Book
    from tabiya.books.editor import BookEditor
    from tabiya.books.report import BookProblem, Written
    from tabiya.books.writer import BookWriter
    from tabiya.chess import Position
    from tabiya.formats.losses import LossReport

__all__ = ["CTG"]

_KEEPS = BookKeeps(
    places="positions",
    weights="games",
    statistics="positions",
    ratings=True,
    symbols=True,
    recommendations=True,
    comments=True,
)


def _identity(position: Position) -> bytes:
    """Return the signature, which is the same for a position and its mirror images."""
    from tabiya.books.ctg.signature_kernel import pack_position  # noqa: PLC0415 - not before it is needed

    return pack_position(position, False)


def _sniff(head: bytes, path: Path) -> Match:
    from tabiya.books.ctg.files import looks_like_directory, looks_like_pages  # noqa: PLC0415 - not before it is needed

    if looks_like_pages(head):
        return Match.CERTAIN
    return Match.CERTAIN if looks_like_directory(head) and CTG.fits(path) else Match.NO


def _open(path: Path, /) -> Book:
    from tabiya.books.ctg.book import CtgBook  # noqa: PLC0415 - needs numpy

    return CtgBook(path, CTG)


def _create(path: Path, /, *, overwrite: bool = False, strict: bool = False) -> BookWriter:
    from tabiya.books.ctg.writer import CtgWriter  # noqa: PLC0415 - needs numpy

    return CtgWriter(path, CTG, overwrite=overwrite, strict=strict)


def _check(path: Path, /) -> Iterator[BookProblem]:
    from tabiya.books.ctg.check import check_book  # noqa: PLC0415 - needs numpy

    return check_book(path)


def _repair(path: Path, target: Path, /, *, overwrite: bool = False) -> LossReport:
    from tabiya.books.ctg.repair import repair_book  # noqa: PLC0415 - needs numpy

    return repair_book(path, target, overwrite=overwrite)


def _merge(books: Sequence[Book], target: Path, /, *, overwrite: bool = False, strict: bool = False) -> Written:
    from tabiya.books.ctg.merge import merge_ctg  # noqa: PLC0415 - when it is used

    return merge_ctg(books, target, overwrite=overwrite, strict=strict)


def _edit(path: Path, /, *, target: Path | None = None, overwrite: bool = False) -> BookEditor:
    from tabiya.books.ctg.edit import CtgEditor  # noqa: PLC0415 - needs numpy

    return CtgEditor(path, CTG, target=target, overwrite=overwrite)


CTG = BookFormat(
    name="ctg",
    title="ChessBase CTG",
    suffixes=(".ctg", ".ctb", ".cto"),
    keeps=_KEEPS,
    sniff=_sniff,
    open=_open,
    create=_create,
    check=_check,
    repair=_repair,
    merge=_merge,
    identity=_identity,
    edit=_edit,
)
