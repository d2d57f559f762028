"""Polyglot books, ``.bin``: sorted records of 16 bytes; positions are stored as keys only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabiya.books.book_format import BookFormat, BookKeeps
from tabiya.formats.format import Lazy, Match

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["POLYGLOT"]

_RECORD_BYTES = 16
_KEY_BYTES = 8


def _sniff(head: bytes, path: Path) -> Match:
    """There is no magic number: ascending keys with possible moves over many records rarely occur by chance."""
    keys = [head[begin : begin + _KEY_BYTES] for begin in range(0, len(head) - _RECORD_BYTES + 1, _RECORD_BYTES)]
    if len(set(keys)) < 2 or keys != sorted(keys) or _rules_out(head):
        return Match.NO
    return Match.LIKELY if path.suffix.lower() in POLYGLOT.suffixes and len(keys) > 2 else Match.MAYBE


def _rules_out(head: bytes) -> bool:
    from tabiya.books.polyglot.records import looks_like_records  # noqa: PLC0415 - needs the rules of chess

    return not looks_like_records(head)


POLYGLOT = BookFormat(
    name="polyglot",
    title="Polyglot",
    suffixes=(".bin",),
    keeps=BookKeeps(places="keys", weights="all", learning=True),
    sniff=_sniff,
    rules_out=_rules_out,
    open=Lazy("tabiya.books.polyglot.book:PolyglotBook"),
    create=Lazy("tabiya.books.polyglot.writer:PolyglotWriter"),
    check=Lazy("tabiya.books.polyglot.check:check_polyglot"),
    repair=Lazy("tabiya.books.polyglot.check:repair_polyglot"),
    merge=Lazy("tabiya.books.polyglot.merge:merge_polyglot"),
    compare_keys=Lazy("tabiya.books.polyglot.difference:compare_keys"),
    edit=Lazy("tabiya.books.polyglot.edit:PolyglotEditor"),
    build=Lazy("tabiya.books.build.sums_to_books:write_polyglot"),
)
