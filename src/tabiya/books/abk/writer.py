"""Writing Arena books: positions are expanded into the tree of lines that reach them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from tabiya.books.abk import ABK
from tabiya.books.abk.records import MOST_COUNT, MOST_PRIORITY, RECORD, TOO_MANY, Header, new_header
from tabiya.books.abk.tree_writing import plies_of, write_tree
from tabiya.books.entry import Entry
from tabiya.books.walk import START
from tabiya.books.writer import BookWriter
from tabiya.chess import Color
from tabiya.files.transaction import refuse_existing

if TYPE_CHECKING:
    from pathlib import Path

    from tabiya.books.book_format import BookFormat
    from tabiya.chess import Move, Position

PROMOTIONS: Final = (0, 2, 3, 1, 4)
"""Maps the promotion of a token (none, knight, bishop, rook, queen) to that of a record."""


def squares_of(move: Move | int, *, castling: bool) -> tuple[int, int]:
    """Return source and target as in Arena: castling is the king's two steps."""
    source, target = move & 63, move >> 6 & 63
    return source, source & 56 | (6 if target > source else 2) if castling else target


def record_of(position: Position, entry: Entry, priority: int) -> tuple[int, ...]:
    """Return the fields of a record except its links."""
    white = position.turn is Color.WHITE
    codes = position.codes()
    aim = codes[entry.move >> 6 & 63]
    castling = aim != 0 and aim >> 3 == position.turn_code  # a legal move captures no other own piece
    source, target = squares_of(entry.move, castling=castling)
    promotion = PROMOTIONS[entry.move >> 12]
    won, lost = (entry.wins, entry.losses) if white else (entry.losses, entry.wins)
    counts = (min(number or 0, MOST_COUNT) for number in (entry.games, won, lost))
    return source, target, -promotion if white else promotion, priority, *counts, 0, -1, -1


def priorities_of(entries: tuple[Entry, ...]) -> list[int]:
    """Return the stored priorities; without any, weights in nine steps: the largest weight has priority 9."""
    largest = max((entry.weight for entry in entries), default=0) or 1
    return [
        entry.priority
        if entry.priority is not None
        else max(1, round(MOST_PRIORITY * entry.weight / largest))
        if entry.weight > 0
        else 0
        for entry in entries
    ]


class AbkWriter(BookWriter):
    """Collects positions, and expands them at the end, from the start position.

    Every line that reaches a position gets its moves. If that would exceed ``max_moves`` moves, only the shortest line
    to a position gets them, and other lines end there: programs that follow transpositions, like Arena, find the same
    moves. A line also ends after ``max_ply`` half-moves, and before a repeated position.
    """

    def __init__(
        self,
        path: Path,
        format: BookFormat = ABK,
        *,
        overwrite: bool = False,
        strict: bool = False,
        max_ply: int = 100,
        max_moves: int = 500_000,
    ) -> None:
        super().__init__(path, format, overwrite=overwrite, strict=strict)
        refuse_existing(path, overwrite=overwrite)
        self._max_ply = max_ply
        self._max_moves = max_moves
        self._book: dict[int, tuple[Entry, ...]] = {}
        self._parents: list[int] = []
        self._rows: list[tuple[int, ...]] = []
        self.header: Header | None = None
        """The header of another book to take over; depth and number of moves are recomputed."""

    def _add(self, position: Position, entries: tuple[Entry, ...]) -> None:
        self._book[position.key] = entries

    def lead(self, position: Position, move: Move) -> None:
        """Add a move that is never played, so that a line continues after it."""
        self._book[position.key] = (*self._book.get(position.key, ()), Entry(move=move, weight=0, priority=0))

    def _write(self) -> None:
        reached = self._unfold_all() if self._fits() else self._unfold_once()
        self._count_undecided(reached)
        if missed := len(self._book.keys() - reached):
            self._lose("positions", "positions that no line from the start position reaches", missed)
        self.positions, self.moves = len(reached), len(self._rows)
        self._refuse_losses()
        parents = np.array(self._parents, np.int32)
        depth = int(plies_of(parents).max()) + 1 if len(parents) else 0
        header = replace(self.header or new_header(0, 0), depth=depth, moves=len(parents))
        write_tree(self._path, header, parents, np.array(self._rows, RECORD), overwrite=self._overwrite)

    def _count_undecided(self, reached: set[int]) -> None:
        """Count games without a result, which Arena takes for draws unless no game has a result."""
        entries = [entry for key in reached for entry in self._book[key]]
        if any(entry.wins or entry.losses for entry in entries):
            undecided = sum(
                (entry.games or 0) > (entry.wins or 0) + (entry.draws or 0) + (entry.losses or 0) for entry in entries
            )
            if undecided:
                self._lose("undecided", "moves with games without a result, which Arena counts as draws", undecided)

    def _fits(self) -> bool:
        """Return whether the tree of all lines is small enough: counts lines without following each of them."""
        level: dict[int, tuple[Position, int]] = {START.key: (START, 1)}
        total = 0
        for _ in range(self._max_ply):
            known = [(place, lines, self._book[key]) for key, (place, lines) in level.items() if key in self._book]
            total += sum(lines * len(entries) for _, lines, entries in known)
            if total > self._max_moves:
                return False
            level = {}
            for place, lines, entries in known:
                for entry in entries:
                    after = place.play(entry.move)
                    level[after.key] = (after, level.get(after.key, (after, 0))[1] + lines)
        return True

    def _unfold_all(self) -> set[int]:
        """Add all lines to the tree and return the keys of the positions that they reach."""
        line: list[int] = []
        reached = set()
        todo: list[tuple[Position, int, int]] = [(START, -1, 0)]
        while todo:
            position, parent, ply = todo.pop()
            del line[ply:]
            if ply < self._max_ply and position.key in self._book and position.key not in line:
                line.append(position.key)
                reached.add(position.key)
                todo += [(after, place, ply + 1) for after, place in reversed(self._put(position, parent))]
        return reached

    def _unfold_once(self) -> set[int]:
        """Add the shortest line to every position and return the keys of the positions reached."""
        reached = set()
        level = [(START, -1)]
        for _ in range(self._max_ply):
            following = []
            for position, parent in level:
                if position.key in reached:
                    self._lose("transpositions", "lines that end where another line continues")
                elif position.key in self._book:
                    reached.add(position.key)
                    following += self._put(position, parent)
            level = following
        return reached

    def _put(self, position: Position, parent: int) -> list[tuple[Position, int]]:
        """Add the moves of a position to the tree; return the positions after them, with their places in it."""
        entries = self._book[position.key]
        first = len(self._rows)
        for entry, priority in zip(entries, priorities_of(entries), strict=True):
            if any((number or 0) > MOST_COUNT for number in (entry.games, entry.wins, entry.losses)):
                self._lose(*TOO_MANY)
            self._parents.append(parent)
            self._rows.append(record_of(position, entry, priority))
        return [(position.play(entry.move), first + number) for number, entry in enumerate(entries)]
