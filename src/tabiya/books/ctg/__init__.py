"""ChessBase's opening books: ``.ctg`` with ``.ctb`` and ``.cto``.

Importing this package is fast; readers and writers are imported on first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabiya.books.book_format import BookFormat, BookKeeps
from tabiya.formats.format import Lazy, Match

if TYPE_CHECKING:
    from pathlib import Path

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


def _sniff(head: bytes, path: Path) -> Match:
    from tabiya.books.ctg.files import looks_like_directory, looks_like_pages  # noqa: PLC0415 - only if needed

    if looks_like_pages(head):
        return Match.CERTAIN
    return Match.CERTAIN if looks_like_directory(head) and CTG.fits(path) else Match.NO


CTG = BookFormat(
    name="ctg",
    title="ChessBase CTG",
    suffixes=(".ctg", ".ctb", ".cto"),
    keeps=_KEEPS,
    sniff=_sniff,
    open=Lazy("tabiya.books.ctg.book:CtgBook"),
    create=Lazy("tabiya.books.ctg.writer:CtgWriter"),
    check=Lazy("tabiya.books.ctg.check:check_book"),
    repair=Lazy("tabiya.books.ctg.repair:repair_book"),
    merge=Lazy("tabiya.books.ctg.merge:merge_ctg"),
    identity=Lazy("tabiya.books.ctg.position:identity_of"),
    refuse=Lazy("tabiya.books.ctg.bulk_writing:refuse_book"),
    edit=Lazy("tabiya.books.ctg.edit:CtgEditor"),
    build=Lazy("tabiya.books.build.sums_to_books:write_ctg"),
)
