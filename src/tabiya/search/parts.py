"""Records together with their facts and main lines: a segment of a library, or a batch of any other database.

All queries on positions use such parts, so that a library and a stream of batches return the same results.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabiya.errors import CorruptError
from tabiya.game.record import Variant
from tabiya.game.where import mask_of
from tabiya.positions.game_facts import FACTS, Flag, MainLines, facts_of, main_lines_of
from tabiya.positions.name_table import NameTable
from tabiya.positions.searchable import IndexRows
from tabiya.search.lines_kernel import beginnings, find_lines, rows_of_lines
from tabiya.search.position_keys import chess960_keys_of, keys_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from tabiya.chess import Color, Position
    from tabiya.game import GameBatch
    from tabiya.game.where import Where
    from tabiya.positions.searchable import Segment

_LEAVE_OUT, _USUAL, _CHESS960, _EITHER, _ONLY_CHESS960 = range(5)
"""How the kernel handles a record; see ``find_lines``."""
_NOTHING: Final = np.empty(0, np.uint8)
_NO_ROWS: Final = IndexRows(np.empty(0, np.int32), np.empty(0, np.int16), np.empty(0, np.int16))


@dataclass(frozen=True, slots=True)
class PositionQuery:
    """A position to find."""

    position: Position
    keys: Sequence[int]
    """The keys of the position."""
    any_rights: bool = False
    chess960: bool = False
    """Games of Chess960 count, too."""
    chess960_keys: Sequence[int] | None = None
    """The keys that these have in an index; None if they must be played."""
    plies: bool = True
    """Whether plies are needed; if not, ``find`` may leave them 0."""
    color: Color | None = None
    """The side whose opponents and performance are wanted; the side to move by default."""

    @property
    def side(self) -> Color:
        """The side whose opponents and performance are wanted."""
        return self.position.turn if self.color is None else self.color


def query_of(
    position: Position,
    *,
    any_rights: bool = False,
    chess960: bool = False,
    plies: bool = True,
    color: Color | None = None,
) -> PositionQuery:
    """Return the query for a position; one with castling rights of Chess960 includes its games."""
    chess960 = chess960 or position.chess960
    keys = keys_of(position, any_rights=any_rights)
    others = chess960_keys_of(position, any_rights=any_rights) if chess960 else None
    return PositionQuery(position, keys, any_rights, chess960, others, plies, color)


@dataclass(slots=True)
class Part:
    """Some records of a database."""

    facts: NDArray[Any]
    own_lines: MainLines | None
    """The moves of its main lines; None to use those of the segment."""
    names: NameTable
    first: int = 0
    """Number of records of the database before it, if its records are consecutive."""
    numbers: NDArray[np.int32] | NDArray[np.int64] | None = None
    """Number of records before each of them, if they are not."""
    allowed: NDArray[np.uint8] = field(default_factory=_NOTHING.copy)
    """Which of them may count; empty for all."""
    segment: Segment | None = None
    """The segment, if there is an index."""

    @property
    def lines(self) -> MainLines:
        """The moves of its main lines. Those of a segment are read on use: its index rarely needs them."""
        if self.own_lines is None and self.segment is not None:
            self.own_lines = self.segment.lines
        return cast("MainLines", self.own_lines)

    def number(self, row: int) -> int:
        """Return the number of a record in the database, from 1."""
        return 1 + (self.first + row if self.numbers is None else int(self.numbers[row]))

    def find(self, query: PositionQuery) -> tuple[IndexRows, int]:
        """Return the games that reach a position, and what to subtract from their numbers to get rows of this part."""
        segment = self.segment
        if segment is None or not segment.has_positions:
            return self._scan(query, self._modes(_EITHER, _CHESS960) if query.chess960 else self._modes(_USUAL)), 0
        keys = list(query.keys)
        known = segment.has_chess960 and query.chess960_keys is not None
        if query.chess960 and known:
            keys += query.chess960_keys or ()
        plies = query.plies or query.chess960 or len(keys) > 1  # the last two compare them
        found = [segment.find(key, plies=plies) for key in keys]
        rows, base = _earliest([each for each in found if len(each.games)]), self.first
        if self.numbers is not None:
            places = np.searchsorted(self.numbers, rows.games)
            if len(places) and not np.array_equal(self.numbers[np.minimum(places, len(self.facts) - 1)], rows.games):
                raise CorruptError("the position index of the library names records that do not exist")
            rows, base = rows._replace(games=places.astype(np.int32)), 0
        if query.chess960 and not known:
            chess960 = self._scan(query, self._modes(_ONLY_CHESS960, _CHESS960))
            if len(chess960.games):
                rows = _earliest([rows._replace(games=rows.games - np.int32(base)), chess960])
                base = 0
        return rows, base

    def rows(self, plies: int) -> tuple[NDArray[np.int64], IndexRows]:
        """Return the positions of all games up to a ply, sorted by key and game, each once per game."""
        size = len(self.lines.moves) + len(self.facts)
        keys = np.empty(size, np.int64)
        rows = IndexRows(np.empty(size, np.int32), np.empty(size, np.int16), np.empty(size, np.int16))
        count = rows_of_lines(*self._buffers(), self._modes(_USUAL), plies, keys, *rows)
        order = np.lexsort((rows.plies[:count], rows.games[:count], keys[:count]))
        keys, rows = keys[order], _chosen(rows, order)
        first = np.ones(count, np.bool_)
        first[1:] = (keys[1:] != keys[:-1]) | (rows.games[1:] != rows.games[:-1])
        return keys[first], _chosen(rows, first)

    def games(self) -> NDArray[np.int64]:
        """Return the rows of the games of standard chess that may count."""
        return np.flatnonzero(self._modes(_USUAL))

    def taken(self, rows: NDArray[np.int64]) -> Part:
        """Return some of the records as a separate part."""
        begins, ends = self.lines.ends[rows], self.lines.ends[rows + 1]
        lengths = ends - begins
        own = np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths)))
        places = np.repeat(begins - own[:-1], lengths) + np.arange(own[-1])
        lines = MainLines(self.lines.moves[places], own, self.lines.starts.take(pa.array(rows)))
        numbers = self.first + rows if self.numbers is None else self.numbers[rows]
        return Part(self.facts[rows], lines, self.names, numbers=numbers)

    def beginnings(self, records: NDArray[np.int64], plies: NDArray[np.int16]) -> NDArray[np.uint64]:
        """Return a number for the first moves of each of these games."""
        lengths = self.lines.ends[records + 1] - self.lines.ends[records]
        if ((plies < 0) | (plies > lengths)).any():
            raise CorruptError("the position index of the library counts moves that its games do not have")
        hashes = np.empty(len(records), np.uint64)
        beginnings(self.lines.moves, self.lines.ends, records, plies, hashes)
        return hashes

    def _scan(self, query: PositionQuery, modes: NDArray[np.uint8]) -> IndexRows:
        if not modes.any():
            return _NO_ROWS
        size = len(modes)
        found = IndexRows(np.empty(size, np.int32), np.empty(size, np.int16), np.empty(size, np.int16))
        position = query.position
        count = find_lines(
            *self._buffers(),
            modes.astype(np.uint8),
            position.fen().encode(),
            position.chess960,
            query.any_rights,
            np.array(query.keys, np.uint64),
            *found,
        )
        return _chosen(found, slice(count))

    def _modes(self, usual: int, chess960: int = _LEAVE_OUT) -> NDArray[np.uint8]:
        """Return how the kernel handles each record that may count, by its variant."""
        flags = self.facts["flags"]
        games = (flags & Flag.GAME != 0) & (flags & Flag.DELETED == 0)
        if len(self.allowed):
            games &= self.allowed != 0
        standard = self.facts["variant"] == Variant.STANDARD
        modes: NDArray[np.uint8] = np.where(standard, np.uint8(usual), np.uint8(chess960)) * games
        return modes

    def _buffers(self) -> tuple[NDArray[np.uint16], NDArray[np.int64], NDArray[np.int32], NDArray[np.uint8]]:
        """Return the main lines in the form that kernels take."""
        starts = self.lines.starts
        if isinstance(starts, pa.ChunkedArray):
            starts = starts.combine_chunks()
        starts = pc.fill_null(starts, "").cast(pa.string())
        _, ends, texts = starts.buffers()
        offsets = np.zeros(1, np.int32)
        if len(starts):
            offsets = np.frombuffer(ends, np.int32)[starts.offset : starts.offset + len(starts) + 1]
        return self.lines.moves, self.lines.ends, offsets, np.frombuffer(texts, np.uint8) if texts else _NOTHING


def _earliest(found: Sequence[IndexRows]) -> IndexRows:
    """Return the games of several lists in order, each once, with the first place where it reached the position."""
    if len(found) < 2:
        return found[0] if found else _NO_ROWS
    rows = IndexRows(
        np.concatenate([each.games for each in found]),
        np.concatenate([each.plies for each in found]),
        np.concatenate([each.moves for each in found]),
    )
    rows = _chosen(rows, np.lexsort((rows.plies, rows.games)))
    return _chosen(rows, np.concatenate(([True], rows.games[1:] != rows.games[:-1])))


def _chosen(rows: IndexRows, which: Any) -> IndexRows:
    return IndexRows(rows.games[which], rows.plies[which], rows.moves[which])


def part_of_batch(batch: GameBatch, header_filters: Sequence[Where] = ()) -> Part:
    """Return a batch as a part, with its own numbers for names."""
    records, lines, names = batch.record_batch, main_lines_of(batch), NameTable()
    allowed = _NOTHING
    for where in header_filters:
        mask = mask_of(records, where).astype(np.uint8)
        allowed = allowed & mask if len(allowed) else mask
    numbers = records["number"].to_numpy().astype(np.int64) - 1
    return Part(facts_of(batch, names, lines), lines, names, numbers=numbers, allowed=allowed)


def part_of_segment(segment: Segment, names: NameTable, mask: NDArray[np.bool_] | None = None) -> Part:
    """Return a segment of a library as a part; ``mask`` marks the records of the library that may count."""
    facts, numbers, hidden = segment.facts, segment.numbers, segment.hidden
    if facts.dtype != FACTS:
        raise CorruptError("the library holds facts of another kind")
    allowed = _NOTHING if hidden is None else np.logical_not(hidden).view(np.uint8)
    if mask is not None:
        own = mask[segment.first : segment.first + len(facts)] if numbers is None else mask[numbers]
        allowed = own.astype(np.uint8) & allowed if len(allowed) else own.astype(np.uint8)
    return Part(facts, None, names, segment.first, numbers, allowed, segment)


def joined(parts: Sequence[Part], names: NameTable) -> Part:
    """Return several parts, whose names have the same numbers, as one."""
    numbers = [each.first + np.arange(len(each.facts)) if each.numbers is None else each.numbers for each in parts]
    moves = [each.lines.moves[each.lines.ends[0] : each.lines.ends[-1]] for each in parts]
    lengths = [np.diff(each.lines.ends) for each in parts]
    starts = pa.chunked_array([each.lines.starts for each in parts], pa.string()).combine_chunks()
    ends = np.concatenate([np.zeros(1, np.int64), *lengths]).cumsum()
    lines = MainLines(np.concatenate([np.empty(0, np.uint16), *moves]), ends, starts)
    facts = np.concatenate([np.empty(0, FACTS), *(each.facts for each in parts)])
    return Part(facts, lines, names, numbers=np.concatenate([np.empty(0, np.int64), *numbers]))
