"""Writes books from any number of positions in any order."""

from __future__ import annotations

import struct
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from tabiya.books.ctg.columns import PositionColumns
from tabiya.books.ctg.files import PAGE_SIZE, BookFiles, Header, encode_bitmap, encode_slots, files_of_book
from tabiya.books.ctg.losses import crowded
from tabiya.books.ctg.position import hash_of, signature_of
from tabiya.books.ctg.sorting import RecordSorter
from tabiya.books.ctg.tree import Leaves, Tree, deepest_for
from tabiya.chess import Position
from tabiya.errors import LossError, UsageError
from tabiya.files.file_errors import errors_of
from tabiya.files.transaction import Transaction, refuse_existing
from tabiya.formats.losses import LossReport
from tabiya.formats.url import local_path

if TYPE_CHECKING:
    from collections.abc import Iterable
    from os import PathLike
    from typing import BinaryIO

    import pyarrow as pa

    from tabiya.books.ctg.sorting import Part, Records

_PAGE_BYTES: Final = PAGE_SIZE - 4
_LEAST_DEPTH: Final = 1
"""Older programs start searching below the root and find nothing in a book of one page: so there are always two."""


def write_book(
    path: str | PathLike[str],
    positions: Iterable[PositionColumns | pa.RecordBatch],
    *,
    overwrite: bool = False,
    strict: bool = False,
    games: int | None = None,
    memory: int | None = None,
) -> LossReport:
    """Write a CTG book (.ctg, .ctb, .cto) from positions in any order, in bounded memory.

    Record batches are read by ``PositionColumns.from_arrow``. Repeated positions, even in different batches, are
    merged: results and ratings are added up, moves and recommendations united. The bytes depend neither on the division
    into batches nor, if each position occurs once, on the order.

    Every position that a move leads to should be included as well, with the results of the games that reached it:
    programs look up the numbers of a move there.

    Args:
        path: the book; ``.ctg`` is the usual suffix.
        positions: the positions; see ``tabiya.books.ctg.columns``.
        overwrite: replace an existing book.
        strict: raise ``LossError`` instead of losing anything; the target is unchanged then.
        games: the number of games in the header; by default that of the start position.
        memory: maximum size of records in memory; further ones go to a temporary file beside the book.

    Returns:
        What could not be stored: moves without a code (fourth pieces), illegal moves, underpromotions beside the queen,
        numbers that are too large, positions that no signature can represent.
    """
    target = local_path(path)
    refuse_book(target, overwrite=overwrite)
    with errors_of(target), closing(RecordSorter(target.resolve().parent, memory=memory)) as sorter:
        for columns in positions:
            sorter.add(columns if isinstance(columns, PositionColumns) else PositionColumns.from_arrow(columns))
        return commit_book(sorter, target, overwrite=overwrite, strict=strict, games=games)


def refuse_book(path: Path, *, overwrite: bool, sources: Iterable[Path] = ()) -> None:
    """Raise ``UsageError`` if a file of a new book exists, or is one of the sources."""
    read = [source for source in sources if source.exists()]
    for place in BookFiles.named(path).all()[:3]:
        with errors_of(place):
            if place.exists() and any(place.samefile(source) for source in read):
                raise UsageError("is also the source; choose another name for the target", path=place)
            refuse_existing(place, overwrite=overwrite)


def commit_book(
    sorter: RecordSorter,
    path: Path,
    *,
    overwrite: bool = False,
    strict: bool = False,
    games: int | None = None,
    options: bytes | None = None,
    ini: bytes | None = None,
) -> LossReport:
    """Publish a book of sorted records.

    ``options`` are the bytes of unknown meaning in the header. ``ini`` is the content of that file; an existing one is
    replaced only with ``overwrite``.
    """
    names = BookFiles.named(path)
    paths = dict(zip((".ctg", ".ctb", ".cto", ".ini"), names.all(), strict=True))
    with Transaction(files_of_book(names.ctg), overwrite=overwrite, paths=paths) as book:
        layout = _Layout.of(sorter)
        layout.write_pages(sorter, book.open(".ctg"), games, options)
        losses = sorter.losses + layout.losses
        if strict and losses:
            raise LossError(f"nothing was written, because this would be lost: {losses.summary()}", path=path)
        book.open(".ctb").write(encode_bitmap(layout.tree.bitmap))
        book.open(".cto").write(encode_slots(layout.tree.slots, layout.tree.bitmap))
        if ini is not None and (overwrite or not paths[".ini"].exists()):
            book.open(".ini").write(ini)
        book.commit(check=lambda: refuse_book(path, overwrite=overwrite))
    return losses


class _Layout:
    """The assignment of records to pages."""

    def __init__(self, leaves: list[Leaves], deepest: int) -> None:
        self.leaves = leaves
        self.tree = Tree.of(np.concatenate([part.nodes for part in leaves]))
        self.losses = LossReport()
        self._deepest = deepest
        self._positions = 0
        self._games = 0

    @classmethod
    def of(cls, sorter: RecordSorter) -> _Layout:
        """Find the leaves of the tree for all records."""
        deepest = deepest_for(sorter.size)
        return cls([Leaves.of(part, forced=_LEAST_DEPTH, deepest=deepest) for part in sorter.parts()], deepest)

    def write_pages(self, sorter: RecordSorter, stream: BinaryIO, games: int | None, options: bytes | None) -> None:
        """Write the header page and all others, each at its offset."""
        done = 0
        for part, leaves in zip(sorter.parts(), self.leaves, strict=True):
            self._write_part(part, leaves, done, stream)
            done += len(leaves.nodes)
        header = Header(len(self.tree.pages), self._positions, self._games if games is None else games)
        if options is not None:
            header = Header(header.pages, header.positions, header.games, options)
        stream.seek(0)
        stream.write(header.encode())

    def _write_part(self, part: Part, leaves: Leaves, done: int, stream: BinaryIO) -> None:
        ends, data = part.records.ends, part.records.data
        self._games = max(self._games, _games_at_start(part.records))
        firsts = np.concatenate([np.zeros(1, np.int64), leaves.stops[:-1]])
        pages = self.tree.pages[done : done + len(leaves.nodes)]
        at = -1
        for leaf in np.argsort(pages).tolist():
            first, stop = int(firsts[leaf]), int(leaves.stops[leaf])
            if ends[stop] - ends[first] > _PAGE_BYTES:  # at the greatest depth only
                fitting = int(np.searchsorted(ends, ends[first] + _PAGE_BYTES, side="right")) - 1
                self.losses += LossReport.of([crowded(stop - fitting)])
                stop = fitting
            self._positions += stop - first
            body = data[ends[first] : ends[stop]].tobytes()
            place = PAGE_SIZE * (int(pages[leaf]) + 1)
            if place != at:  # seeking flushes the buffer, even to the current position
                stream.seek(place)
            stream.write(struct.pack(">HH", stop - first, 4 + len(body)) + body.ljust(_PAGE_BYTES, b"\0"))
            at = place + PAGE_SIZE


def _games_at_start(records: Records) -> int:
    """Return the games of the start position, if it is among these records."""
    start = signature_of(Position())
    key = int(f"{hash_of(start):032b}"[::-1], 2)
    ends = records.ends
    first, last = (int(np.searchsorted(records.keys, np.uint32(key), side=side)) for side in ("left", "right"))
    for place in range(first, last):
        record = records.data[ends[place] : ends[place + 1]].tobytes()
        if record.startswith(start):
            block = record[len(start)]
            return int.from_bytes(record[len(start) + block :][:3])
    return 0
