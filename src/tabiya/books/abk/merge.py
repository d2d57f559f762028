"""Merges Arena books line by line; a single one is copied in the order of a new book."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from tabiya.books.abk.book import AbkBook
from tabiya.books.abk.records import MOST_COUNT, RECORD, TOO_MANY
from tabiya.books.abk.tree_writing import plies_of, write_tree
from tabiya.books.report import Written
from tabiya.books.writer import lost
from tabiya.errors import LossError, UsageError
from tabiya.formats.losses import LossReport

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from tabiya.books.book import Book

_COUNTS = ("games", "won", "lost")


def merge_abk(books: Sequence[Book], target: Path, *, overwrite: bool = False, strict: bool = False) -> Written:
    """Write a book with the lines of all books: games add up, and the highest priority of a move counts.

    Comment, author and importances are those of the first book.

    Raises:
        LossError: The games of a move do not fit, and ``strict`` is set; the target is unchanged.
    """
    sources = []
    for book in books:
        if not isinstance(book, AbkBook):
            raise UsageError("is not an Arena book", path=book.path)
        sources.append(book)
    parents, records, losses = sources[0].tree.parents, sources[0].tree.records, LossReport()
    if len(sources) > 1:
        parents, records, cut = _merged(sources)
        losses = LossReport.of([lost(*TOO_MANY, cut)] if cut else [])
    if strict and losses:
        raise LossError(f"nothing was written, because this would be lost: {losses.summary()}", path=target)
    depth = int(plies_of(parents).max()) + 1 if len(parents) else 0
    header = replace(sources[0].header, depth=depth, moves=len(parents))
    write_tree(target, header, parents, records, overwrite=overwrite)
    with AbkBook(target, sources[0].format) as made:
        return Written(len(made), len(parents), losses)


def _merged(books: Sequence[AbkBook]) -> tuple[NDArray[np.int32], NDArray[Any], int]:
    """Return the moves of all trees, each line once, and how many of them have more games than fit."""
    places: dict[tuple[int, int], int] = {}
    parents: list[int] = []
    rows: list[dict[str, int]] = []
    for book in books:
        tree = book.tree
        new_places: list[int] = []
        for parent, move, record in zip(tree.parents.tolist(), tree.moves.tolist(), tree.records, strict=True):
            above = new_places[parent] if parent >= 0 else -1
            row = {name: int(record[name]) for name in RECORD.names or ()}
            place = places.setdefault((above, move), len(rows))
            new_places.append(place)
            if place == len(rows):
                parents.append(above)
                rows.append(row)
                continue
            known = rows[place]
            known["priority"] = max(known["priority"], row["priority"])
            known.update({name: known[name] + row[name] for name in _COUNTS})
    cut = 0
    for row in rows:
        cut += any(row[name] > MOST_COUNT for name in _COUNTS)
        row.update({name: min(row[name], MOST_COUNT) for name in _COUNTS})
    return np.array(parents, np.int32), np.array([tuple(row.values()) for row in rows], RECORD), cut
