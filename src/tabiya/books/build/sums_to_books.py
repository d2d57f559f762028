"""Writes sums as books: one function per format."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from tabiya.books.abk import ABK
from tabiya.books.abk.book import AbkBook
from tabiya.books.abk.records import RECORD as ABK_RECORD
from tabiya.books.abk.records import USUAL_PRIORITY, new_header
from tabiya.books.abk.tree_writing import plies_of, write_tree
from tabiya.books.abk.writer import PROMOTIONS
from tabiya.books.build.position_sums import NUMBERS
from tabiya.books.ctg.columns import STATISTICS, PositionColumns
from tabiya.books.polyglot.records import RECORD as POLYGLOT_RECORD
from tabiya.books.polyglot.writer import fit_weights, sort_records, write_records
from tabiya.books.report import Written

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from tabiya.books.build.options import BuildOptions, Weights
    from tabiya.books.build.position_sums import PositionSums
    from tabiya.books.build.tapes import Tapes

_CASTLING: Final = 0x8000
_SORTING_SHARE: Final = 8
"""The memory for sorting the records of a book is this fraction of the total."""


class Played(NamedTuple):
    """The games that a book is built from."""

    sums: PositionSums
    tapes: Tapes
    records: int
    """Number of games."""


# Polyglot.


def write_polyglot(path: Path, played: Played, options: BuildOptions, /, *, overwrite: bool, strict: bool) -> Written:  # noqa: ARG001 - nothing is lost
    """Write a Polyglot book; moves that never scored get weight 0, "never play", where PolyGlot leaves them out."""
    positions = 0

    def blocks() -> Iterator[NDArray[Any]]:
        nonlocal positions
        for block in played.sums.moves_by_key(options.min_games):
            records = _polyglot_records(block, options.weights)
            positions += len(np.unique(records["key"]))
            yield records

    moves = write_records(path, blocks(), overwrite=overwrite)
    return Written(positions, moves)


def _polyglot_records(block: dict[str, NDArray[Any]], weights: Weights) -> NDArray[Any]:
    if weights == "points":
        weight = 2 * block["wins"].astype(np.int64) + block["draws"]
    else:
        weight = block["games"].astype(np.int64) if weights == "games" else np.ones(len(block["key"]), np.int64)
    records = np.zeros(len(weight), POLYGLOT_RECORD)
    move = block["move"] & 0x7FFF
    records["key"] = block["key"]
    records["move"] = move >> 6 & 63 | (move & 63) << 6 | move & 0x7000
    records["weight"] = fit_weights(block["key"], weight)
    return sort_records(records)


# Arena.


def write_abk(path: Path, played: Played, options: BuildOptions, /, *, overwrite: bool, strict: bool) -> Written:  # noqa: ARG001 - nothing is lost
    """Write an Arena book: all moves have the usual priority; games and results determine the rest."""
    sums = played.sums.moves_by_line(options.min_games)
    parents = _parents(sums["key"], sums["following"])
    move = sums["move"] & 0x7FFF
    source, target = move & 63, move >> 6 & 63
    castled = source & 56 | np.where(target > source, 6, 2)
    white = sums["ply"] % 2 == 0
    promotion = np.array(PROMOTIONS, np.int8)[move >> 12]
    records = np.zeros(len(move), ABK_RECORD)
    records["source"] = source
    records["target"] = np.where(sums["move"] & _CASTLING != 0, castled, target)
    records["promotion"] = np.where(white, -promotion, promotion)
    records["priority"] = USUAL_PRIORITY
    records["games"] = sums["games"]
    records["won"] = np.where(white, sums["wins"], sums["losses"])
    records["lost"] = np.where(white, sums["losses"], sums["wins"])
    depth = int(plies_of(parents).max()) + 1 if len(parents) else 0
    write_tree(path, new_header(depth, len(move), options.min_games), parents, records, overwrite=overwrite)
    with AbkBook(path, ABK) as made:  # which knows where lines meet
        return Written(len(made), len(move))


def _parents(keys: NDArray[np.uint64], following: NDArray[np.uint64]) -> NDArray[np.int32]:
    """Return the index of the move that leads to each key; -1 for the start, whose key is 0.

    A line with enough games has only moves with enough games, so every parent exists.
    """
    order = np.argsort(following)
    places = np.searchsorted(following, keys, sorter=order)
    parents: NDArray[np.int32] = np.where(keys == 0, -1, order[places]).astype(np.int32)
    return parents


# CTG.


def write_ctg(path: Path, played: Played, options: BuildOptions, /, *, overwrite: bool, strict: bool) -> Written:
    """Write the positions, replayed from the games, each in the game where it first occurs."""
    from tabiya.books.ctg.bulk_writing import write_book  # noqa: PLC0415 - only if needed

    count = moves = 0

    def columns() -> Iterator[PositionColumns]:
        nonlocal count, moves
        for positions, linked in played.sums.positions(options.min_games, played.records):
            block = _ctg_columns(positions, linked, played.tapes)
            count += len(block)
            moves += len(block.moves)
            yield block

    losses = write_book(
        path, columns(), overwrite=overwrite, strict=strict, memory=played.sums.memory // _SORTING_SHARE
    )
    return Written(count, moves, losses)


def _ctg_columns(positions: NDArray[Any], moves: NDArray[Any], tapes: Tapes) -> PositionColumns:
    statistics = np.full((len(positions), len(STATISTICS)), -1, np.int64)
    for column, name in enumerate(STATISTICS):
        if name in NUMBERS:
            statistics[:, column] = positions[name]
    ends = np.searchsorted(moves["place"], positions["place"], side="right")
    return PositionColumns(
        tapes.signatures(positions["place"]),
        statistics,
        np.zeros((len(positions), 3), np.uint8),
        np.concatenate((np.zeros(1, np.int64), ends)),
        moves["move"].astype(np.uint16),
        np.zeros(len(moves), np.uint8),
    )
