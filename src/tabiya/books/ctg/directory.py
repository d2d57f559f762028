"""Checks the directory of a book: the bitmap of split nodes, and the table of the leaves' pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from tabiya.books.ctg.files import BITMAP_HEAD, SLOTS_HEAD, encode_bitmap, encode_slots
from tabiya.books.ctg.tree import children_of, parents_of
from tabiya.books.report import BookProblem

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import numpy.typing as npt

    from tabiya.books.ctg.book import CtgBook

_EXAMPLES: Final = 3
_BYTES_PER_PAGE: Final = 64
_LEAST_LONGEST: Final = 1 << 18
"""Bounds for the bitmap: enough for the deepest trees that tabiya writes, far more than real books need."""


def directory_problems(book: CtgBook) -> Iterator[BookProblem]:
    """Yield problems of ``.ctb`` and ``.cto``; none if the book has no directory."""
    tables = book.directory
    if tables is None:
        return
    bitmap, slots, ctb, cto = tables
    if encode_bitmap(bytes(bitmap)) != ctb.read_bytes():
        yield BookProblem("bitmap", "the header does not match the bitmap, or the bitmap ends with zeros", ctb.name, 4)
    if encode_slots(bytes(slots), bytes(bitmap)) != cto.read_bytes():
        yield BookProblem("slots", "the header does not match the table after it", cto.name, 4)
    longest = max(_LEAST_LONGEST, _BYTES_PER_PAGE * book.page_count)
    if len(bitmap) > longest or len(slots) > 32 * longest:
        name = ctb.name if len(bitmap) > longest else cto.name
        yield BookProblem("directory", "the directory is far too large for the book; it was not checked", name)
        return
    splits = np.flatnonzero(np.unpackbits(np.frombuffer(bitmap, np.uint8), bitorder="little")).astype(np.int64)
    yield from _split_problems(splits, ctb)
    pages = np.frombuffer(slots[: len(slots) // 4 * 4], ">i4").astype(np.int64)
    yield from _slot_problems(splits, pages, book.page_count, cto)


def _split_problems(splits: npt.NDArray[np.int64], ctb: Path) -> Iterator[BookProblem]:
    orphans = splits[(splits > 0) & ~np.isin(parents_of(splits), splits)]
    if len(orphans):
        text = f"{len(orphans)} nodes are split although their parents are not{_list(orphans)}"
        yield BookProblem("bitmap", text, ctb.name, BITMAP_HEAD.size + int(orphans[0]) // 8)


def _slot_problems(
    splits: npt.NDArray[np.int64], pages: npt.NDArray[np.int64], page_count: int, cto: Path
) -> Iterator[BookProblem]:
    """Yield leaves without their own page, pages without a leaf, and other nodes with a page."""
    leaves = np.setdiff1d(np.concatenate([[0], children_of(splits)]), splits)
    held = leaves[leaves < len(pages)]

    def problem(text: str, nodes: npt.NDArray[np.int64]) -> BookProblem:
        return BookProblem("slots", f"{len(nodes)} {text}{_list(nodes)}", cto.name, SLOTS_HEAD.size + 4 * int(nodes[0]))

    unreachable = np.setdiff1d(np.flatnonzero(pages != -1), held)
    if len(unreachable):
        yield problem("nodes that are not leaves have a page", unreachable)
    outside = held[(pages[held] < -1) | (pages[held] >= page_count)]
    if len(outside):
        yield problem("leaves have a page that the book does not have", outside)
    held = held[(pages[held] >= 0) & (pages[held] < page_count)]
    used, first, counts = np.unique(pages[held], return_index=True, return_counts=True)
    if (counts > 1).any():
        yield problem("pages belong to several leaves, first to these", held[first[counts > 1]])
    unused = np.setdiff1d(np.arange(page_count), used)
    if len(unused):
        text = f"{len(unused)} pages belong to no leaf{_list(unused)}"
        yield BookProblem("slots", text, cto.name)


def _list(numbers: npt.NDArray[np.int64]) -> str:
    some = ", ".join(map(str, numbers[:_EXAMPLES].tolist()))
    return f" ({some}{' …' if len(numbers) > _EXAMPLES else ''})"
