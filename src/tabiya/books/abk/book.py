"""Reading Arena books: the tree is walked once, and its positions are then found by their keys."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from tabiya.books.abk import ABK
from tabiya.books.abk.records import FIRST_RECORD, RECORD, RECORD_BYTES, Header, new_header
from tabiya.books.abk.tree_kernel import walk_tree
from tabiya.books.book import Book
from tabiya.books.entry import Entry
from tabiya.books.walk import walk_book
from tabiya.books.writer import lost
from tabiya.chess import Color, Move
from tabiya.formats.losses import LossReport

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from tabiya.books.book_format import BookFormat, Statistics
    from tabiya.chess import Position

FAULTS: Final = {
    1: ("link", "points outside the book"),
    2: ("cycle", "points to a move that another one points to already"),
    3: ("illegal", "the move is not legal in its line"),
    4: ("depth", "the line is longer than 1024 half-moves"),
}
"""By code of the kernel."""
DELETED_MOVE: Final = 5
"""Another code of the kernel, which is not a fault."""

_FULL_WEIGHT: Final = 10_000
_MOST_FAULTS: Final = 10_000


class AbkTree(NamedTuple):
    """The moves of a book in depth-first order."""

    keys: NDArray[np.uint64]
    """Key of the position before each move."""
    records: NDArray[Any]
    places: NDArray[np.int32]
    """The number of each record in the file."""
    parents: NDArray[np.int32]
    """The index of the previous move in these columns, -1 for first moves."""
    moves: NDArray[np.uint16]
    """As tokens of a tape."""
    faults: list[tuple[int, int, int]]
    """(code, record, record that points to it); at most a few thousand."""
    fault_counts: list[int]
    """Number of faults by code."""


def read_tree(data: bytes) -> AbkTree:
    """Walk the tree of a book; damaged parts are left out and listed in ``faults``."""
    size = max(0, len(data) // RECORD_BYTES - FIRST_RECORD)
    keys, moves = np.empty(size, np.uint64), np.empty(size, np.uint16)
    places, parents = np.empty(size, np.int32), np.empty(size, np.int32)
    faults = np.empty(3 * _MOST_FAULTS, np.int32)
    counts = np.zeros(DELETED_MOVE + 1, np.int64)
    count = walk_tree(data, keys, places, parents, moves, faults, counts)
    records = np.frombuffer(data, RECORD, len(data) // RECORD_BYTES)[places[:count]]
    listed = [tuple(fault) for fault in faults.reshape(-1, 3)[: min(int(counts.sum()), _MOST_FAULTS)].tolist()]
    return AbkTree(keys[:count], records, places[:count], parents[:count], moves[:count], listed, counts.tolist())


class AbkBook(Book):
    """An Arena book. It is read into memory, 50 bytes per move.

    A position reached by several lines has the moves of all of them: games add up, and the highest priority counts.
    Moves marked as deleted are left out. Books in which no game was won or lost have no results, only numbers of games;
    books in which no move has games have neither.

    The weight of a move is its share of 10,000 by the importances in the header: by priority, by games, by score, each
    proportionally; if all importances are 0, by priority alone. A move with priority 0 is never played.
    """

    def __init__(self, path: Path, format: BookFormat = ABK) -> None:
        super().__init__(path, format)
        data = path.read_bytes()
        self._header = Header.decode(data, path)
        self._data = data

    @property
    def header(self) -> Header:
        """The header of the book."""
        return self._header

    @cached_property
    def tree(self) -> AbkTree:
        """The moves in depth-first order."""
        return read_tree(self._data)

    @cached_property
    def _order(self) -> tuple[NDArray[np.uint64], NDArray[np.intp]]:
        order = np.argsort(self.tree.keys, kind="stable")
        return self.tree.keys[order], order

    @cached_property
    def _has_results(self) -> bool:
        return bool(self.tree.records["won"].any() or self.tree.records["lost"].any())

    @cached_property
    def _has_games(self) -> bool:
        return bool(self.tree.records["games"].any())

    @property
    def counted(self) -> Statistics:
        """Games are counted per move of a line, if at all."""
        return "moves" if self._has_games else "none"

    def _probe(self, position: Position) -> list[Entry]:
        keys, order = self._order
        key = np.uint64(position.key)
        begin, end = np.searchsorted(keys, key, "left"), np.searchsorted(keys, key, "right")
        if begin == end:
            return []
        found: dict[Move, list[int]] = {}
        for index in order[begin:end].tolist():
            move, record = Move(int(self.tree.moves[index])), self.tree.records[index]
            if not position.is_legal(move):  # another position with the same key
                continue
            sums = found.setdefault(move, [0, 0, 0, 0])
            sums[0] = max(sums[0], int(record["priority"]))
            for place, name in enumerate(("games", "won", "lost"), start=1):
                sums[place] += int(record[name])
        return self._entries(found, white=position.turn is Color.WHITE)

    def _entries(self, found: dict[Move, list[int]], *, white: bool) -> list[Entry]:
        entries = []
        for move, (priority, games, white_won, black_won) in found.items():
            entry = Entry(move=move, weight=0, games=games if self._has_games else None, priority=priority)
            if self._has_results:
                wins, losses = (white_won, black_won) if white else (black_won, white_won)
                entry = replace(entry, wins=wins, draws=max(0, games - wins - losses), losses=losses)
            entries.append(entry)
        shares = self._shares(entries)
        return [
            replace(entry, weight=max(1, round(_FULL_WEIGHT * share)) if entry.priority else 0)
            for entry, share in zip(entries, shares, strict=True)
        ]

    def _shares(self, entries: list[Entry]) -> list[float]:
        """Return the probability of each move, by the importances of the header."""
        header = self._header
        by_priority = [float(entry.priority or 0) for entry in entries]
        parts: list[tuple[int, list[float]]] = [
            (header.priority_importance, by_priority),
            (header.games_importance, [float(entry.games or 0) for entry in entries]),
            (header.score_importance, [entry.score or 0.0 for entry in entries]),
        ]
        parts = [(importance, values) for importance, values in parts if importance and any(values)]
        parts = parts or [(1, by_priority)]
        total_importance = sum(importance for importance, _ in parts)
        return [
            sum(importance / total_importance * values[index] / (sum(values) or 1.0) for importance, values in parts)
            for index in range(len(entries))
        ]

    def unreadable(self) -> LossReport:
        """Return records that cannot be followed, and those marked as deleted, which are not copied."""
        losses = [
            lost(what, f"records that could not be followed: {text}", count)
            for code, (what, text) in FAULTS.items()
            if (count := self.tree.fault_counts[code])
        ]
        if deleted := self.tree.fault_counts[DELETED_MOVE]:
            losses.append(lost("deleted", "moves marked as deleted, with the moves after them", deleted))
        return LossReport.of(losses)

    def besides(self) -> LossReport:
        """Return texts and settings of the header, and bits of unknown meaning."""
        usual = new_header(self._header.depth, self._header.moves, self._header.min_games)
        losses = []
        if replace(self._header, magic=usual.magic) != usual:
            losses.append(lost("header", "headers with texts about the book and Arena settings"))
        if unknown_flags := int(np.count_nonzero(self.tree.records["flags"])):
            losses.append(lost("flags", "moves with bits of unknown meaning", unknown_flags))
        return LossReport.of(losses)

    def _count(self) -> int:
        keys, _ = self._order
        return int(np.count_nonzero(keys[1:] != keys[:-1])) + bool(len(keys))

    def _positions(self) -> Iterator[Position]:
        return (position for position, _ in walk_book(self))
