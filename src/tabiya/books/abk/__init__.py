"""Arena books, ``.abk``: a tree of moves from the start position."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabiya.books.book_format import BookFormat, BookKeeps
from tabiya.formats.format import Lazy, Match

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["ABK"]

_MAGICS = (b"\x03ABK", b"\x03AB2")


def _sniff(head: bytes, path: Path) -> Match:  # noqa: ARG001 - the content is enough
    return Match.CERTAIN if head.startswith(_MAGICS) else Match.NO


ABK = BookFormat(
    name="abk",
    title="Arena",
    suffixes=(".abk",),
    keeps=BookKeeps(places="lines", weights="steps", statistics="moves"),
    sniff=_sniff,
    open=Lazy("tabiya.books.abk.book:AbkBook"),
    create=Lazy("tabiya.books.abk.writer:AbkWriter"),
    check=Lazy("tabiya.books.abk.check:check_abk"),
    repair=Lazy("tabiya.books.abk.check:repair_abk"),
    merge=Lazy("tabiya.books.abk.merge:merge_abk"),
    edit=Lazy("tabiya.books.abk.edit:AbkEditor"),
    build=Lazy("tabiya.books.build.sums_to_books:write_abk"),
)
