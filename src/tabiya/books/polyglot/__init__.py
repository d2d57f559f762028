"""Polyglot books, ``.bin``: sorted records of 16 bytes; positions are known by their keys only."""

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

__all__ = ["POLYGLOT"]

_RECORD_BYTES = 16
_KEY_BYTES = 8


def _sniff(head: bytes, path: Path) -> Match:
    """There is no magic number: keys that rise over many records with moves hardly come about by chance."""
    keys = [head[begin : begin + _KEY_BYTES] for begin in range(0, len(head) - _RECORD_BYTES + 1, _RECORD_BYTES)]
    if len(set(keys)) < 2 or keys != sorted(keys) or _rules_out(head):
        return Match.NO
    return Match.LIKELY if path.suffix.lower() in POLYGLOT.suffixes and len(keys) > 2 else Match.MAYBE


def _rules_out(head: bytes) -> bool:
    from tabiya.books.polyglot.records import looks_like_records  # noqa: PLC0415 - needs the rules of chess

    return not looks_like_records(head)


def _open(path: Path, /) -> Book:
    from tabiya.books.polyglot.book import PolyglotBook  # noqa: PLC0415 - when needed

    return PolyglotBook(path, POLYGLOT)


def _create(path: Path, /, *, overwrite: bool = False, strict: bool = False) -> BookWriter:
    from tabiya.books.polyglot.writer import PolyglotWriter  # noqa: PLC0415 - needs numpy

    return PolyglotWriter(path, POLYGLOT, overwrite=overwrite, strict=strict)


def _check(path: Path, /) -> Iterator[BookProblem]:
    from tabiya.books.polyglot.check import check_polyglot  # noqa: PLC0415 - needs numpy

    return check_polyglot(path)


def _merge(
    books: Sequence[Book],
    target: Path,
    /,
    *,
    overwrite: bool = False,
    strict: bool = False,  # noqa: ARG001 - no loss
) -> Written:
    from tabiya.books.polyglot.merge import merge_polyglot  # noqa: PLC0415 - needs numpy

    return merge_polyglot(books, target, overwrite=overwrite)


def _repair(path: Path, target: Path, /, *, overwrite: bool = False) -> LossReport:
    from tabiya.books.polyglot.check import repair_polyglot  # noqa: PLC0415 - needs numpy

    return repair_polyglot(path, target, overwrite=overwrite)


def _edit(path: Path, /, *, target: Path | None = None, overwrite: bool = False) -> BookEditor:
    from tabiya.books.polyglot.edit import PolyglotEditor  # noqa: PLC0415 - needs numpy

    return PolyglotEditor(path, POLYGLOT, target=target, overwrite=overwrite)


POLYGLOT = BookFormat(
    name="polyglot",
    title="Polyglot",
    suffixes=(".bin",),
    keeps=BookKeeps(places="keys", weights="all", learning=True),
    sniff=_sniff,
    rules_out=_rules_out,
    open=_open,
    create=_create,
    check=_check,
    repair=_repair,
    merge=_merge,
    edit=_edit,
)
