"""What is kept of every game while a database is read: some eighty bytes, and its moves in a temporary file."""

from __future__ import annotations

import secrets
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import pyarrow.compute as pc

from tabiya.files.scratch import ScratchFile
from tabiya.formats.progress import watched_batches
from tabiya.game import GameBatch
from tabiya.game.record import RecordKind
from tabiya.maintenance.duplicates_kernel import hash_lines
from tabiya.maintenance.game_identity import links_of, moments_of
from tabiya.positions.game_facts import NO_RESULT, main_lines_of
from tabiya.positions.name_table import NO_NAME, NameTable

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa
    from numpy.typing import NDArray

    from tabiya.formats import Database
    from tabiya.formats.progress import Watcher
    from tabiya.positions.game_facts import MainLines

ROW: Final = np.dtype(
    [
        ("number", np.int64),  # number of the record
        ("line", np.uint64),  # a hash of the start position and the main line
        ("seed", np.uint64),  # a hash of the start position alone
        ("plies", np.int32),
        ("white", np.int32),  # names are numbers of a table, -1 if missing
        ("black", np.int32),
        ("event", np.int32),
        ("site", np.int32),
        ("round", np.int32),
        ("date", np.uint32),  # yyyymmdd, 0 for unknown parts
        ("notes", np.int32),  # annotations, and moves in variations
        ("ratings", np.uint8),  # how many of the two are known
        ("result", np.uint8),
        ("host", np.int32),  # host of the URL of the game, and its id there; see game_identity.py
        ("link", np.int32),
        ("moment", np.int64),  # UTC start time
    ]
)
_NAMES: Final = ("white", "black", "event", "site", "round")
_UNKNOWN: Final = "?"
_DATE: Final = (("year", 10_000), ("month", 100), ("day", 1))
_LINES_AT_ONCE: Final = 1 << 16
_MOVE_BYTES: Final = 2


class Lines(NamedTuple):
    """Main lines of some consecutive games."""

    first: int
    """Number of rows before them."""
    moves: NDArray[np.uint16]
    ends: NDArray[np.int64]


class GameRows:
    """The games of a database in rows of ROW; texts, records that could not be decoded and deleted ones are omitted.

    Their moves are in a temporary file, if they were requested.
    """

    def __init__(self, *, with_moves: bool) -> None:
        self.names = NameTable()
        self._links = NameTable()
        self.records = 0
        """Number of records read, of any kind."""
        self._pieces: list[NDArray[Any]] = []
        self._moves = ScratchFile() if with_moves else None
        self._seed = secrets.randbits(64)

    def add(self, batch: GameBatch) -> None:
        """Add the games of a batch."""
        self.records += len(batch)
        records = batch.record_batch
        games = pc.and_(pc.equal(records["kind"], int(RecordKind.GAME)), pc.invert(records["deleted"]))
        if games.true_count != len(batch):
            batch = GameBatch(records.filter(games))
        lines = main_lines_of(batch)
        self._pieces.append(self._rows(batch.record_batch, lines))
        if self._moves is not None:
            self._moves.append(lines.moves)

    def rows(self) -> NDArray[Any]:
        """Return all rows; called once, when everything has been added."""
        rows = np.empty(sum(map(len, self._pieces)), ROW)
        end = len(rows)
        while self._pieces:  # from the last one, so that no row is in memory twice for long
            piece = self._pieces.pop()
            rows[end - len(piece) : end] = piece
            end -= len(piece)
        return rows

    def lines(self, plies: NDArray[np.int32]) -> Iterator[Lines]:
        """Yield the main lines of all rows in pieces; ``plies`` are their lengths."""
        assert self._moves is not None
        begin = 0
        for first in range(0, len(plies), _LINES_AT_ONCE):
            ends = np.concatenate(([0], np.cumsum(plies[first : first + _LINES_AT_ONCE], dtype=np.int64)))
            yield Lines(first, self._moves.read(begin, int(ends[-1]), np.uint16), ends)
            begin += _MOVE_BYTES * int(ends[-1])

    def close(self) -> None:
        """Free the temporary file."""
        if self._moves is not None:
            self._moves.close()

    def _rows(self, records: pa.RecordBatch, lines: MainLines) -> NDArray[Any]:
        rows = np.zeros(len(records), ROW)
        rows["number"] = records["number"].to_numpy()
        rows["plies"] = np.diff(lines.ends)
        rows["seed"] = self._seeds(records)
        hashes = np.empty(len(rows), np.uint64)
        hash_lines(lines.moves, lines.ends, np.ascontiguousarray(rows["seed"]), hashes)
        rows["line"] = hashes
        for name in _NAMES:
            numbers = self.names.ids_of(records[name])
            rows[name] = np.where(numbers == self.names.id_of(_UNKNOWN), NO_NAME, numbers)
        for column, factor in _DATE:
            rows["date"] += _numbers(records[column], 0).astype(np.uint32) * np.uint32(factor)
        rows["notes"] = np.diff(records["annotations"].offsets.to_numpy())
        rows["notes"] += np.diff(records["moves"].offsets.to_numpy()) - rows["plies"]
        for column in ("white_elo", "black_elo"):
            rows["ratings"] += pc.is_valid(records[column]).to_numpy(zero_copy_only=False)
        rows["result"] = _numbers(records["result"], NO_RESULT)
        rows["host"], rows["link"] = links_of(records, self._links)
        rows["moment"] = moments_of(records)
        return rows

    def _seeds(self, records: pa.RecordBatch) -> NDArray[np.uint64]:
        """Return hashes of the start positions; the counters of a FEN are ignored."""
        seeds = np.full(len(records), self._seed, np.uint64)
        starts = records["start"]
        if starts.null_count < len(starts):
            variants = records["variant"].to_numpy()
            for row in np.flatnonzero(starts.is_valid()).tolist():
                text = f"{variants[row]} {' '.join(starts[row].as_py().split()[:4])}"
                digest = blake2b(text.encode(), digest_size=8, key=self._seed.to_bytes(8, "little")).digest()
                seeds[row] = int.from_bytes(digest, "little")
        return seeds


def _numbers(column: pa.Array, missing: int) -> NDArray[Any]:
    filled: NDArray[Any] = pc.fill_null(column, missing).to_numpy(zero_copy_only=False)
    return filled


def read_rows(database: Database, *, with_moves: bool, threads: int, progress: Watcher) -> GameRows:
    """Read a database once."""
    games = GameRows(with_moves=with_moves)
    try:
        for batch in watched_batches(database, threads, progress):
            games.add(batch)
    except BaseException:
        games.close()
        raise
    return games
