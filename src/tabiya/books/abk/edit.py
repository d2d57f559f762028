"""Changes single moves of an Arena book: records change in place, new ones are appended."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from tabiya.books.abk import ABK
from tabiya.books.abk.book import AbkBook
from tabiya.books.abk.records import (
    DATA_OFFSET,
    DELETED,
    FIRST_RECORD,
    HEADER,
    MOST_COUNT,
    MOST_PRIORITY,
    RECORD,
    RECORD_BYTES,
    USUAL_PRIORITY,
)
from tabiya.books.abk.writer import record_of
from tabiya.books.editor import BookEditor
from tabiya.books.entry import Entry
from tabiya.books.walk import START
from tabiya.chess import Color
from tabiya.errors import CorruptError, UsageError
from tabiya.files.transaction import AtomicFile

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    from tabiya.books.abk.book import AbkTree
    from tabiya.books.editor import Changed
    from tabiya.chess import Move, Position


class AbkEditor(BookEditor):
    """Changes records in place. A removed move is marked as deleted, as in Arena.

    A position reached by several lines has its moves in each of them: priorities change, and moves are added and
    removed, in all of these lines. Games and results belong to one line; they cannot be set for a move in several
    lines.
    """

    limits: ClassVar[Mapping[str, int]] = {
        "priority": MOST_PRIORITY,
        **dict.fromkeys(("games", "wins", "losses"), MOST_COUNT),
    }
    chief = "priority"

    def __init__(self, path: Path, *, target: Path | None = None, overwrite: bool = False) -> None:
        super().__init__(path, ABK, target=target, overwrite=overwrite)

    def _write(self, changes: list[Changed]) -> None:
        with AbkBook(self._path, self._format) as book:
            data = self._path.read_bytes()
            if len(data) < DATA_OFFSET or len(data) % RECORD_BYTES:
                raise CorruptError("does not consist of whole records; repair it first", path=self._path)
            self._slots: NDArray[Any] = np.frombuffer(data, RECORD).copy()
            self._played, self._leading = _slots_of(book.tree)
        for changed in changes:
            for move, values in changed.moves.items():
                self._change(changed.position, move, values)
        head = HEADER.read(data)
        moves = head["moves"] + len(self._slots) - len(data) // RECORD_BYTES
        target = AtomicFile(self._target, overwrite=self._overwrite)
        try:
            target.stream.write(HEADER.encode({**head, "moves": min(moves, MOST_COUNT)}))
            target.stream.write(data[HEADER.size : DATA_OFFSET])
            target.stream.write(self._slots[FIRST_RECORD:].tobytes())
            target.commit()
        finally:
            target.discard()

    def _change(self, position: Position, move: Move, values: dict[str, Any] | None) -> None:
        slots = self._played.get((position.key, move), [])
        if values is None:
            if not slots:
                raise self._missing(position, move)
            self._slots["flags"][slots] |= DELETED
            self.removed += 1
            return
        sides = ("won", "lost") if position.turn is Color.WHITE else ("lost", "won")
        names = dict(zip(("wins", "losses"), sides, strict=True))
        if len(slots) > 1 and values.keys() - {"priority"}:
            raise UsageError(
                f"{len(slots)} lines lead to {position.fen()}: each has its own count of games with "
                f"{position.san(move)}, so none can be set for the position",
                path=self._path,
            )
        self.changed += bool(slots)
        self.added += not slots
        slots = slots or self._add(position, move)
        for name, value in values.items():
            self._slots[names.get(name, name)][slots] = value
        changed = self._slots[slots]
        if (changed["won"].astype(np.int64) + changed["lost"] > changed["games"]).any():
            raise UsageError(f"{position.san(move)} would have more results than games", path=self._path)

    def _add(self, position: Position, move: Move) -> list[int]:
        """Create slots for a move, one per line that leads to its position, linked after the existing moves."""
        record = record_of(position, Entry(move=move, weight=0), USUAL_PRIORITY)
        slots = self._played[position.key, move] = []
        for before in self._leading.get(position.key, ()):
            slot = len(self._slots)
            first = FIRST_RECORD if before < 0 else int(self._slots["reply"][before])
            self._slots = np.append(self._slots, np.array([record], RECORD))
            if first < 0:
                self._slots["reply"][before] = slot
            elif first < slot:  # else it is the very first move of the book
                self._slots["next"][self._last(first)] = slot
            slots.append(slot)
        if not slots:
            raise UsageError(
                f"no line of the book leads to {position.fen()}, so no moves can be added to it", path=self._path
            )
        self._leading.setdefault(position.play(move).key, []).extend(slots)
        return slots

    def _last(self, slot: int) -> int:
        """Return the last of the alternatives that begin with this slot."""
        for _ in range(len(self._slots)):
            following = int(self._slots["next"][slot])
            if following < 0:
                return slot
            if not FIRST_RECORD <= following < len(self._slots):
                break
            slot = following
        raise CorruptError("has links that point nowhere; repair it first", path=self._path, offset=slot * RECORD_BYTES)


def _slots_of(tree: AbkTree) -> tuple[dict[tuple[int, int], list[int]], dict[int, list[int]]]:
    """Return the slots of all moves by position, and of the moves that lead to a position; -1 is the start."""
    played: dict[tuple[int, int], list[int]] = {}
    leading: dict[int, list[int]] = {START.key: [-1]}
    line: list[tuple[int, Position]] = [(-1, START)]  # the tree is in depth-first order
    for index, (slot, parent, move) in enumerate(
        zip(tree.places.tolist(), tree.parents.tolist(), tree.moves.tolist(), strict=True)
    ):
        while line[-1][0] != parent:
            line.pop()
        position = line[-1][1]
        after = position.play(move)
        played.setdefault((position.key, move), []).append(slot)
        leading.setdefault(after.key, []).append(slot)
        line.append((index, after))
    return played, leading
