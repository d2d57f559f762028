"""From sums to books: one function per format."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tabiya.books.abk import ABK
from tabiya.books.abk.book import AbkBook
from tabiya.books.abk.layout import plies_of, write_tree
from tabiya.books.abk.records import RECORD as ABK_RECORD
from tabiya.books.abk.records import USUAL_PRIORITY
from tabiya.books.abk.writer import PROMOTIONS, new_header
from tabiya.books.build.adding import as_numpy
from tabiya.books.build.rows_kernel import pack_places
from tabiya.books.ctg.columns import STATISTICS, PositionColumns
from tabiya.books.polyglot.writer import RECORD as POLYGLOT_RECORD
from tabiya.books.polyglot.writer import fit_weights, sort_records, write_records
from tabiya.books.report import Written

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import pyarrow as pa
    from numpy.typing import NDArray

    from tabiya.books.build.adding import Adding
    from tabiya.books.build.options import BuildOptions, Weights

__all__ = ["write_abk", "write_ctg", "write_polyglot"]

_CASTLING: Final = 0x8000
_SIGNATURE_ROOM: Final = 32


# Polyglot.


def write_polyglot(path: Path, adding: Adding, options: BuildOptions, *, overwrite: bool) -> Written:
    """Moves that never scored get the weight 0, which means "never play": PolyGlot itself leaves them out."""
    positions = 0

    def blocks() -> Iterator[NDArray[Any]]:
        nonlocal positions
        for block in _whole_keys(adding.moves_by_key(options.min_games)):
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


def _whole_keys(batches: Iterable[pa.RecordBatch]) -> Iterator[dict[str, NDArray[Any]]]:
    """The same rows, cut so that all rows of a key are together."""
    waiting: dict[str, NDArray[Any]] = {}
    for batch in batches:
        rows = as_numpy(batch)
        if waiting:
            rows = {name: np.concatenate((waiting[name], column)) for name, column in rows.items()}
        cut = int(np.searchsorted(rows["key"], rows["key"][-1])) if len(rows["key"]) else 0
        if cut:
            yield {name: column[:cut] for name, column in rows.items()}
        waiting = {name: column[cut:] for name, column in rows.items()}
    if waiting:
        yield waiting


# Arena.


def write_abk(path: Path, adding: Adding, options: BuildOptions, *, overwrite: bool) -> Written:
    """All moves get the usual priority: how often they were played and with what result tells the rest."""
    sums = as_numpy(adding.moves_by_line(options.min_games))
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
    """The index of the move that leads to each key; -1 for the start, whose key is 0.

    A line with enough games has only moves with enough games, so no parent is missing.
    """
    order = np.argsort(following)
    places = np.minimum(np.searchsorted(following[order], keys), max(0, len(keys) - 1))
    parents: NDArray[np.int32] = np.where(keys == 0, -1, order[places]).astype(np.int32)
    return parents


# CTG.


def write_ctg(
    path: Path,
    adding: Adding,
    options: BuildOptions,
    *,
    overwrite: bool,
    strict: bool,
    spool: Path,
    starts: dict[int, str],
) -> Written:
    """Positions are played again from the moves in ``spool``, each in the game where it came first."""
    from tabiya.books.ctg.write import write_book  # noqa: PLC0415 - only when it is asked for

    size = 2 * options.max_ply
    games = spool.stat().st_size // size
    shape = (games, options.max_ply)
    tapes = np.memmap(spool, np.uint16, "r", shape=shape) if games else np.zeros(shape, np.uint16)
    positions = moves = 0

    def columns() -> Iterator[PositionColumns]:
        nonlocal positions, moves
        for batch in adding.positions(options.min_games):
            block = _ctg_columns(batch, tapes, starts)
            positions += len(block)
            moves += len(block.moves)
            yield block

    losses = write_book(path, columns(), overwrite=overwrite, strict=strict)
    return Written(positions, moves, losses)


def _ctg_columns(batch: pa.RecordBatch, tapes: NDArray[np.uint16], starts: dict[int, str]) -> PositionColumns:
    sums = as_numpy(batch)
    count = len(batch)
    statistics = np.full((count, len(STATISTICS)), -1, np.int64)
    for place, name in enumerate(STATISTICS):
        if name in sums:
            statistics[:, place] = np.nan_to_num(sums[name])
    lists = batch["moves"]
    lengths = np.nan_to_num(lists.value_lengths().to_numpy(zero_copy_only=False)).astype(np.int64)
    moves = lists.flatten().to_numpy(zero_copy_only=False).astype(np.uint16, copy=False)
    return PositionColumns(
        _signatures(sums["place"], tapes, starts),
        statistics,
        np.zeros((count, 3), np.uint8),
        np.concatenate(([0], np.cumsum(lengths))),
        moves,
        np.zeros(len(moves), np.uint8),
    )


def _signatures(places: NDArray[np.int64], tapes: NDArray[np.uint16], starts: dict[int, str]) -> NDArray[np.uint8]:
    found = np.zeros((len(places), _SIGNATURE_ROOM), np.uint8)
    pack_places(tapes, b"", places, found)
    if starts:
        games = places >> 8
        for game in np.unique(games[np.isin(games, list(starts))]).tolist():
            rows = np.flatnonzero(games == game)
            part = np.zeros((len(rows), _SIGNATURE_ROOM), np.uint8)
            pack_places(tapes, starts[game].encode(), places[rows], part)
            found[rows] = part
    return found
