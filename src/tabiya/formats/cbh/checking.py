"""Consistency checks of a base: files, offsets, trees, counts, checksums, flags. Nothing is repaired here.

The reader is lenient, so a base may be readable and still have faults that ChessBase cannot handle.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tabiya.chessbase.game_flags import KNOWN_FLAGS, Flag
from tabiya.chessbase.record_marks import is_text
from tabiya.formats.cbh.bodies.blobs import PROLOG, annotation_sizes, move_sizes, read_prolog
from tabiya.formats.cbh.bodies.columns import write_bodies
from tabiya.formats.cbh.entities.entity_file import DELETED, EntityFile
from tabiya.formats.cbh.entities.search_trees import NO_NODE, sort_key
from tabiya.formats.cbh.files import cbj
from tabiya.formats.cbh.files.cbh import GAME
from tabiya.formats.cbh.files.cbj import RECORD as CBJ
from tabiya.formats.cbh.reading.header_window import Window, offset_field
from tabiya.formats.cbh.writing.entity_ids import TABLES
from tabiya.formats.operations.conversion import GameProblem
from tabiya.formats.operations.verification import Verification
from tabiya.formats.progress import watched_batches
from tabiya.game.record import Problem, RecordKind

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tabiya.formats.cbh.database import CbhDatabase
    from tabiya.formats.progress import Watcher
    from tabiya.game import GameBatch

BAD_HEADER: Final = 170
BAD_PLACE: Final = 171
OVERLAP: Final = 172
BAD_TREE: Final = 173
BAD_COUNT: Final = 174
BAD_CHECKSUM: Final = 175
BAD_FLAGS: Final = 176
ORPHAN: Final = 177
TWO_PLACES: Final = 178

_SIZES: Final = {".cbg": move_sizes, ".cba": annotation_sizes}
_SMALLEST: Final = {".cbg": 4, ".cba": 14}
_MOST_MOVES: Final = 255
_LATER_FLAGS: Final = Flag.KIND_26
"""ChessBase does not always set this one."""


def check_base(base: CbhDatabase, *, threads: int = 1, progress: Watcher = None) -> Iterator[GameProblem]:
    """Yield all problems of a base, including its games and texts; linear in its size."""
    yield from (GameProblem(None, each) for each in _containers(base))
    yield from _places(base)
    yield from _extended(base)
    yield from (GameProblem(None, each) for each in _entities(base))
    yield from Verification(base, threads=threads, progress=progress)
    for batch in watched_batches(base, threads, None):
        yield from _contents(base, batch)


def _containers(base: CbhDatabase) -> Iterator[Problem]:
    for suffix in (".cbg", ".cba"):
        data = base.base_files.data(suffix)
        prolog = read_prolog(data)
        if prolog is None:
            continue  # already reported by the reader
        if prolog.file_size < len(data):
            yield Problem(BAD_HEADER, 2, f"{suffix} has {len(data)} bytes but its header states {prolog.file_size}")
        if prolog.prolog_size == PROLOG.size:
            whole = PROLOG.read(data)
            if whole["file_size_64"] != whole["file_size"]:
                yield Problem(BAD_HEADER, 10, f"{suffix} states two different sizes")


def _places(base: CbhDatabase) -> Iterator[GameProblem]:
    window = Window(base.source, 0, len(base))
    for suffix, sizes_of in _SIZES.items():
        data = base.base_files.data(suffix)
        if not len(data):
            continue
        offsets = window.offsets(suffix)
        used = np.ones(len(offsets), np.bool_) if suffix == ".cbg" else offsets > 0
        sizes = sizes_of(data, offsets)
        begin = int.from_bytes(data[:2], "big")
        for row in np.flatnonzero(used & ((sizes < _SMALLEST[suffix]) | (offsets < begin))).tolist():
            yield GameProblem(row + 1, Problem(BAD_PLACE, int(offsets[row]), suffix))
        yield from _overlaps(suffix, offsets, sizes, used)
        yield from _two_places(base, offset_field(suffix), offsets, used)


def _overlaps(
    suffix: str, offsets: NDArray[np.int64], sizes: NDArray[np.int64], used: NDArray[np.bool_]
) -> Iterator[GameProblem]:
    rows = np.flatnonzero(used & (sizes > 0))
    rows = rows[np.argsort(offsets[rows], kind="stable")]
    ends = offsets[rows] + sizes[rows]
    farthest = np.maximum.accumulate(ends) if len(rows) else ends
    reaching = np.maximum.accumulate(np.where(ends == farthest, np.arange(len(rows)), 0))  # the record with that end
    for place in np.flatnonzero(offsets[rows[1:]] < farthest[:-1]).tolist():
        row = int(rows[place + 1])
        text = f"{suffix}, with game {int(rows[reaching[place]]) + 1}"
        yield GameProblem(row + 1, Problem(OVERLAP, int(offsets[row]), text))


def _two_places(
    base: CbhDatabase, name: str, offsets: NDArray[np.int64], used: NDArray[np.bool_]
) -> Iterator[GameProblem]:
    """The 64-bit offsets in .cbj equal those of .cbh; some files have none at all."""
    layout, records = cbj.records_of(base.base_files.data(".cbj"))
    if name not in layout:
        return
    stored = layout.column(records, name)[: len(offsets)].astype(np.uint64)
    if not stored.any():
        return
    for row in np.flatnonzero(used[: len(stored)] & (stored != offsets[: len(stored)].astype(np.uint64))).tolist():
        yield GameProblem(row + 1, Problem(TWO_PLACES, None, f".cbh {offsets[row]}, .cbj {stored[row]}"))


def _extended(base: CbhDatabase) -> Iterator[GameProblem]:
    layout, records = cbj.records_of(base.base_files.data(".cbj"))
    if layout.size < CBJ["cbg_offset"].offset or not len(records):
        return
    matrix = np.ascontiguousarray(records).view(np.uint8).reshape(len(records), layout.size)
    padded = np.zeros((len(records), CBJ.size), np.uint8)
    padded[:, : min(layout.size, CBJ.size)] = matrix[:, : CBJ.size]
    whole = padded.reshape(-1).view(CBJ.dtype)
    wrong = CBJ.column(whole, "checksum") != cbj.checksums(whole)
    yield from (GameProblem(row + 1, Problem(BAD_CHECKSUM, None, ".cbj")) for row in np.flatnonzero(wrong).tolist())


# Entities.


def _entities(base: CbhDatabase) -> Iterator[Problem]:
    window = Window(base.source, 0, len(base))
    for suffix, file in base.entity_files.items():
        if not len(file):
            continue
        yield from (Problem(BAD_TREE, None, f"{suffix}: {words}") for words in _tree(file))
        yield from _counts(file, suffix, window)


def _tree(file: EntityFile[Any]) -> Iterator[str]:
    """Walk the tree as far as possible; every record is visited at most once."""
    left, right, balance = (file.table[name].tolist() for name in ("left", "right", "balance"))
    met, complaints = _walk(int(file.header["root"]), left, right, balance)
    yield from complaints
    live = np.flatnonzero(~file.deleted)
    missing = sorted(set(live.tolist()) - set(met))
    if missing:
        yield f"{len(missing)} {file.kind.plural} cannot be found through it; the first is {missing[0]}"
    keys = sort_key(file.kind.suffix, file.table)
    order = [keys[number].tobytes() for number in met]
    wrong = sum(a > b for a, b in pairwise(order))
    if wrong:
        yield f"{wrong} {file.kind.plural} are not in order"
    counted = int(file.header["live"])
    if counted != len(live):
        yield f"the header counts {counted} {file.kind.plural}, there are {len(live)}"
    yield from _chain(file)


def _walk(root: int, left: list[int], right: list[int], balance: list[int]) -> tuple[list[int], list[str]]:
    """Return the records in the order of the tree, and its errors; without recursion."""
    met: list[int] = []
    heights: dict[int, int] = {NO_NODE: 0}
    seen: set[int] = set()
    complaints: list[str] = []
    unbalanced = 0
    waiting: list[tuple[int, int]] = [(root, 0)]
    while waiting:
        number, state = waiting.pop()
        if state == 0:
            if number == NO_NODE:
                continue
            if not 0 <= number < len(left) or number in seen or left[number] == DELETED:
                complaints.append(f"a link leads to {number}, which is not a valid target")
                heights.setdefault(number, 0)
                continue
            seen.add(number)
            waiting += [(number, 2), (right[number], 0), (number, 1), (left[number], 0)]
        elif state == 1:
            met.append(number)
        else:
            a, b = heights.get(left[number], 0), heights.get(right[number], 0)
            heights[number] = 1 + max(a, b)
            unbalanced += balance[number] != b - a or abs(b - a) > 1
    if unbalanced:
        complaints.append(f"{unbalanced} nodes are unbalanced, or have a wrong balance")
    return met, complaints


def _chain(file: EntityFile[Any]) -> Iterator[str]:
    """Yield the deleted records, which are linked."""
    right = file.table["right"].tolist()
    number = int(file.header["first_deleted"])
    seen: set[int] = set()
    while 0 <= number < len(right) and number not in seen and file.deleted[number]:
        seen.add(number)
        number = right[number]
    if number != NO_NODE or len(seen) != int(file.deleted.sum()):
        yield "the chain of deleted records is broken"


def _counts(file: EntityFile[Any], suffix: str, window: Window) -> Iterator[Problem]:
    count = np.zeros(len(file), np.int64)
    first = np.zeros(len(file), np.int64)
    for reference in (name for name, table in TABLES.items() if table == suffix):
        ids = window.ids(reference)
        rows = np.flatnonzero((ids >= 0) & (ids < len(file)))
        count += np.bincount(ids[rows], minlength=len(file))
        earliest = np.zeros(len(file), np.int64)
        earliest[ids[rows][::-1]] = rows[::-1] + 1  # backwards, so that the first one remains
        first = np.where((first == 0) | ((earliest > 0) & (earliest < first)), earliest, first)
    live = ~file.deleted
    stored, stored_first = file.table["games"], file.table["first_game"]
    for number in np.flatnonzero(live & (count > 0) & ((stored != count) | (stored_first != first))).tolist():
        words = (
            f"{stored[number]} from game {stored_first[number]} on, there are {count[number]} from {first[number]} on"
        )
        yield Problem(BAD_COUNT, None, f"{suffix}, {file.kind.noun} {number}: {words}")
    for number in np.flatnonzero(live & (count == 0)).tolist():
        yield Problem(ORPHAN, None, f"{suffix}, {file.kind.noun} {number}")


# Headers against bodies.


def _contents(base: CbhDatabase, batch: GameBatch) -> Iterator[GameProblem]:
    records = batch.record_batch
    numbers = records["number"].to_numpy()
    statistics = write_bodies(batch, first_number=int(numbers[0]), encoding=base.text_encoding).statistics
    games = base.source.games[numbers - 1]
    decoded = (records["kind"].to_numpy() == RecordKind.GAME) & (statistics["failure"] == 0)
    decoded &= ~is_text(GAME.column(games, "marks"))
    known = np.uint32(KNOWN_FLAGS & ~_LATER_FLAGS)
    stored, found = GAME.column(games, "flags") & known, statistics["flags"] & known
    plies = statistics["plies"].astype(np.int64) + statistics["black_starts"]
    moves = np.minimum(_MOST_MOVES, (plies + 1) // 2)
    counted = GAME.column(games, "moves")
    for row in np.flatnonzero(decoded & ((stored != found) | (counted != moves))).tolist():
        words = []
        if stored[row] != found[row]:
            words.append(_flag_words(int(stored[row]), int(found[row])))
        if counted[row] != moves[row]:
            words.append(f"{counted[row]} moves instead of {moves[row]}")
        yield GameProblem(int(numbers[row]), Problem(BAD_FLAGS, None, "; ".join(words)))


def _flag_words(stored: int, found: int) -> str:
    changes = [("", stored & ~found), ("no ", found & ~stored)]
    names = [
        f"{sign}{str(flag.name).lower().replace('_', ' ')}" for sign, bits in changes for flag in Flag if bits & flag
    ]
    return "it claims " + ", ".join(names)
