"""Arena books, ``.abk``: a tree of moves from the start position."""

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
    from tabiya.formats.losses import LossReport

__all__ = ["ABK"]

_MAGICS = (b"\x03ABK", b"\x03AB2")


def _sniff(head: bytes, path: Path) -> Match:  # noqa: ARG001 - the content is enough
    return Match.CERTAIN if head.startswith(_MAGICS) else Match.NO


def _open(path: Path, /) -> Book:
    from tabiya.books.abk.book import AbkBook  # noqa: PLC0415 - needs numpy

    return AbkBook(path, ABK)


def _create(
    path: Path,
    /,
    *,
    overwrite: bool = False,
    strict: bool = False,
    max_ply: int = 100,
    max_moves: int = 500_000,
) -> BookWriter:
    from tabiya.books.abk.writer import AbkWriter  # noqa: PLC0415 - needs numpy

    return AbkWriter(path, ABK, overwrite=overwrite, strict=strict, max_ply=max_ply, max_moves=max_moves)


def _check(path: Path, /) -> Iterator[BookProblem]:
    from tabiya.books.abk.check import check_abk  # noqa: PLC0415 - needs numpy

    return check_abk(path)


def _merge(books: Sequence[Book], target: Path, /, *, overwrite: bool = False, strict: bool = False) -> Written:
    from tabiya.books.abk.merge import merge_abk  # noqa: PLC0415 - needs numpy

    return merge_abk(books, target, overwrite=overwrite, strict=strict)


def _repair(path: Path, target: Path, /, *, overwrite: bool = False) -> LossReport:
    from tabiya.books.abk.check import repair_abk  # noqa: PLC0415 - needs numpy

    return repair_abk(path, target, overwrite=overwrite)


def _edit(path: Path, /, *, target: Path | None = None, overwrite: bool = False) -> BookEditor:
    from tabiya.books.abk.edit import AbkEditor  # noqa: PLC0415 - needs numpy

    return AbkEditor(path, ABK, target=target, overwrite=overwrite)


ABK = BookFormat(
    name="abk",
    title="Arena",
    suffixes=(".abk",),
    keeps=BookKeeps(places="lines", weights="steps", statistics="moves"),
    sniff=_sniff,
    open=_open,
    create=_create,
    check=_check,
    repair=_repair,
    merge=_merge,
    edit=_edit,
)
