"""Adding up rows: sums over all games with a move in a position, in bounded memory.

Rows go to a spool, which returns them by ranges of their keys; the ranges are added up one by one in threads. The
result is the same for any memory and any number of threads. A CTG book takes three rounds, each with its own spool:
positions are added up, and those with too few games left out; moves are sorted by the position they lead to, and kept
if it was kept; both are joined by the place where the position first occurs.
"""

from __future__ import annotations

import secrets
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tabiya.books.build.position_sums_kernel import add_up, fill_slots
from tabiya.files.closing import Closing
from tabiya.files.parallel import ordered_map
from tabiya.positions.row_spool import RowSpool, key_parts
from tabiya.positions.rows import NO_MOVE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from tabiya.positions.row_spool import Pieces
    from tabiya.positions.rows import Mode

NUMBERS: Final = ("games", "wins", "losses", "draws", "rating_sum", "rated", "opponents_sum", "opponents_rated")
"""The sums over games, for the side to move."""
_SUM: Final = np.dtype([(name, np.uint64) for name in ("key", "move", "following", "place", *NUMBERS)])
"""The struct ``Sum`` of the kernel."""
_POSITION: Final = np.dtype(
    [("place", np.uint64), *((name, np.uint64 if name.endswith("sum") else np.uint32) for name in NUMBERS)]
)
_KEY: Final = np.dtype([("key", np.uint64)])
_LINK: Final = np.dtype([("following", np.uint64), ("place", np.uint64), ("games", np.uint32), ("move", np.uint32)])
_MOVE: Final = np.dtype([("place", np.uint64), ("games", np.uint32), ("move", np.uint32)])
_MERGED: Final = 1
"""Each bit halves the initial capacity for sums: rows of the same position and move are added up."""

Sums = dict[str, Any]
"""Columns by name."""


class PositionSums(Closing):
    """Takes rows once, and returns sums. A context manager, which removes its temporary files.

    Args:
        mode: the kind of rows.
        memory: approximate memory in bytes; further data goes to temporary files.
        threads: number of threads that add up.
    """

    def __init__(self, mode: Mode, memory: int, threads: int) -> None:
        self.memory = memory
        self.rare = 0
        """Number of moves (by frame: positions) with too few games in the sums returned so far."""
        self._threads = threads
        self._seed = secrets.randbits(64)
        self._stack = ExitStack()
        self._rows = self._spool(mode.row, share=2)

    def _spool(self, row: np.dtype[Any], *, share: int, bits: int = 64) -> RowSpool:
        spool = RowSpool(row, memory=self.memory // share, bits=bits)
        self._stack.callback(spool.close)
        return spool

    def take(self, rows: Iterable[NDArray[Any]]) -> None:
        """Take all rows."""
        for block in rows:
            self._rows.add(block)

    def moves_by_key(self, min_games: int) -> Iterator[Sums]:
        """Yield moves with their numbers by key and move; all moves of a key in one block."""
        for sums in self._frequent(min_games):
            ordered = sums[np.lexsort((sums["move"], sums["key"]))]
            yield {name: ordered[name] for name in ("key", "move", "games", "wins", "draws")}

    def moves_by_line(self, min_games: int) -> Sums:
        """Return moves by ply, most frequent first. All of them are in memory at once."""
        kinds = {"key": np.uint64, "following": np.uint64, "move": np.uint16, "ply": np.uint8}
        kinds |= dict.fromkeys(("games", "wins", "losses"), np.uint32)
        columns: dict[str, list[NDArray[Any]]] = {name: [np.empty(0, kind)] for name, kind in kinds.items()}
        for sums in self._frequent(min_games):
            for name, kind in kinds.items():
                found = sums["place"] & 255 if name == "ply" else sums[name]
                columns[name].append(found.astype(kind))
        moves = {name: np.concatenate(columns.pop(name)) for name in kinds}
        order = np.lexsort((moves["move"], moves["key"], ~moves["games"], moves["ply"]))
        return {name: moves[name][order] for name in kinds}

    def positions(self, min_games: int, records: int) -> Iterator[tuple[NDArray[Any], NDArray[Any]]]:
        """Yield positions with their numbers and first places, and their moves (rows by frame).

        Moves are kept if they lead to a position that is kept. Positions are ordered by their places, which are unique;
        moves by their positions, then most frequent first. ``records`` is the number of played games.
        """
        bits = (records << 8).bit_length()
        positions = self._spool(_POSITION, share=8, bits=bits)
        moves = self._spool(_MOVE, share=8, bits=bits)
        links, kept = self._spool(_LINK, share=8), self._spool(_KEY, share=16)
        for found, linked, keys, rare in self._in_threads(partial(_positions, min_games, self._seed), self._rows):
            self.rare += rare
            positions.add(found)
            links.add(linked)
            kept.add(keys)
        self._rows.close()
        for alive in self._in_threads(_alive, links, kept):
            moves.add(alive)
        links.close()
        kept.close()
        yield from self._in_threads(_in_order, positions, moves)

    def _frequent(self, min_games: int) -> Iterator[NDArray[Any]]:
        """Yield the sums of moves with enough games, by ranges of keys."""
        for sums in self._in_threads(partial(_added_up, self._seed), self._rows):
            frequent = sums["games"] >= min_games
            self.rare += len(sums) - int(np.count_nonzero(frequent))
            yield sums[frequent]

    def _in_threads(self, function: Any, *spools: RowSpool) -> Iterator[Any]:
        ranges = (pieces for part in key_parts(*spools) for pieces in part.ranges())
        return ordered_map(lambda pieces: function(*pieces), ranges, self._threads)

    def close(self) -> None:
        """Remove the temporary files."""
        self._stack.close()


def _added_up(seed: int, rows: Pieces) -> NDArray[Any]:
    """Return the sums of all rows by key and move, unordered. Memory grows with the sums, not with the rows."""
    sums, slots = np.empty(0, _SUM), np.zeros(2, np.int32)
    count = 0
    for piece in rows:
        done = 0
        while True:
            done, count = add_up(_words(piece), done, _words(sums), count, slots, seed)
            if done == len(piece):
                break
            more = max(len(sums), 1 << (len(piece) - done >> _MERGED).bit_length())
            sums = np.concatenate((sums, np.empty(more, _SUM)))
            slots = np.zeros(1 << (2 * len(sums) - 1).bit_length(), np.int32)
            fill_slots(_words(sums), count, slots, seed)
    return sums[:count]


def _words(rows: NDArray[Any]) -> NDArray[np.uint64]:
    return rows.view(np.uint64).reshape(len(rows), rows.itemsize // 8)


def _positions(min_games: int, seed: int, rows: Pieces) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], int]:
    """Return positions with enough games, the moves played in them, their keys, and how many had too few."""
    sums = _added_up(seed, rows)
    order = np.argsort(sums["key"])
    firsts = _firsts(sums["key"][order])
    lengths = np.diff(firsts, append=len(order))
    # Most positions occur once: finding them before anything else is added up saves time.
    often = np.add.reduceat(sums["games"][order], firsts) >= min_games if len(order) else np.zeros(0, bool)
    order, lengths = order[np.repeat(often, lengths)], lengths[often]
    firsts = np.cumsum(lengths) - lengths
    sums = sums[order]
    positions, keys = np.empty(len(firsts), _POSITION), np.empty(len(firsts), _KEY)
    keys["key"] = sums["key"][firsts]
    if len(firsts):
        positions["place"] = np.minimum.reduceat(sums["place"], firsts)
        for name in NUMBERS:
            positions[name] = np.add.reduceat(sums[name], firsts)
    going_on = sums["move"] != NO_MOVE
    links = np.empty(np.count_nonzero(going_on), _LINK)
    for name in ("following", "games", "move"):
        links[name] = sums[name][going_on]
    links["place"] = np.repeat(positions["place"], lengths)[going_on]
    return positions, links, keys, len(often) - int(np.count_nonzero(often))


def _firsts(values: NDArray[Any]) -> NDArray[np.int64]:
    """Return the starts of runs of equal values."""
    return np.flatnonzero(np.concatenate((np.ones(min(1, len(values)), bool), values[1:] != values[:-1])))


def _alive(links: Pieces, kept: Pieces) -> NDArray[Any]:
    """Return the moves that lead to positions that were kept, by the place they come from."""
    found = np.concatenate((np.empty(0, _LINK), *links))
    keys = np.sort(np.concatenate((np.zeros(0, _KEY), *kept))["key"])
    if len(keys):
        found = found[keys[np.minimum(np.searchsorted(keys, found["following"]), len(keys) - 1)] == found["following"]]
    moves = np.empty(len(found) if len(keys) else 0, _MOVE)
    for name in _MOVE.names or ():
        moves[name] = found[name][: len(moves)]
    return moves


def _in_order(positions: Pieces, moves: Pieces) -> tuple[NDArray[Any], NDArray[Any]]:
    found = np.concatenate((np.empty(0, _POSITION), *positions))
    linked = np.concatenate((np.empty(0, _MOVE), *moves))
    return (
        found[np.argsort(found["place"])],
        linked[np.lexsort((linked["move"], ~linked["games"], linked["place"]))],
    )
