"""A corpus of 2.3 million games, made from a fixed seed: ``python bench/corpus.py [--games N] [pgn|parquet ...]``.

The games of the shared corpus, over and over, each time with other players, dates and ratings, and from a random ply on
with random legal moves: repeated games alone would make all their positions popular. Openings stay, so positions of the
opening are as popular as they are among real games. The same call makes the same games on every machine and with any
number of threads. Tags that are no columns stay with the game: titles and teams are those of other players.

The files stand in the folder that ``TABIYA_BENCH`` names (see ``cache.py``); ``TABIYA_BENCH_GAMES`` asks for fewer.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from bench_pgn import corpus as source_corpus
from cache import build_kernel, cache_folder

import tabiya
from tabiya.files.parallel import ordered_map
from tabiya.game import GameBatch
from tabiya.positions.game_facts import main_lines_of

GAMES = 2_300_000
SEED = 15
VERSION = 1
"""To be raised whenever other games come out, so that old files are not taken for new ones."""
BATCH = 4096
KEPT_PLIES = 12
"""At least so many moves of a game stay: as far as the popular positions of the benchmarks reach."""
FIRST_YEAR, YEARS = 1990, 36
PLAYER = {"white": "white_elo", "black": "black_elo"}


def wanted_games() -> int:
    return int(os.environ.get("TABIYA_BENCH_GAMES") or GAMES)


@cache
def source_games() -> pa.RecordBatch:
    """The games of the shared corpus that begin with the usual start position, as one batch."""
    with tabiya.open(source_corpus()) as database:
        whole = GameBatch.concat(database.batches(threads=2)).record_batch
    usual = pc.and_(whole["start"].is_null(), pc.equal(whole["kind"], 0))
    return whole.filter(usual)


def batch_of(first: int, seed: int) -> GameBatch:
    """The games from one number on, a batch full of them; they follow from the number and the seed."""
    source, count = source_games(), BATCH
    choose = np.random.default_rng([seed, first])
    records = source.take(pa.array(np.arange(first, first + count) % len(source)))
    columns = dict(zip(records.schema.names, records.columns, strict=True))
    for player, rating in PLAYER.items():
        others = pa.array(choose.integers(0, len(source), count))
        columns[player], columns[rating] = source[player].take(others), source[rating].take(others)
    dates = {"year": (FIRST_YEAR, YEARS), "month": (1, 12), "day": (1, 28)}
    for name, (least, values) in dates.items():
        columns[name] = pa.array(choose.integers(least, least + values, count), records.schema.field(name).type)
    columns["result"] = source["result"].take(pa.array(choose.integers(0, len(source), count)))
    columns["moves"] = continued(GameBatch(records), choose)
    columns["number"] = pa.array(np.arange(first + 1, first + count + 1))
    return GameBatch(pa.RecordBatch.from_arrays(list(columns.values()), schema=records.schema))


def continued(batch: GameBatch, choose: np.random.Generator) -> pa.ListArray:
    """The moves of games, going on at random from a random ply on."""
    from continue_kernel import continue_lines  # noqa: PLC0415 - compiled by ``build_kernel``

    lines = main_lines_of(batch)
    lengths = np.diff(lines.ends)
    kept = KEPT_PLIES + (choose.random(len(lengths)) * np.maximum(lengths - KEPT_PLIES, 0)).astype(np.int64)
    seeds = choose.integers(0, 1 << 63, len(lengths), np.uint64)
    moves, ends = np.empty(len(lines.moves), np.uint16), np.empty(len(lines.ends), np.int64)
    count = continue_lines(lines.moves, lines.ends, kept, seeds, moves, ends)
    kind = batch.record_batch.schema.field("moves").type
    return pa.ListArray.from_arrays(pa.array(ends, pa.int32()), pa.array(moves[:count]), type=kind)


def batches(games: int | None = None, *, seed: int = SEED, threads: int = 2) -> Iterator[GameBatch]:
    """The corpus, or its first games, in batches."""
    games = wanted_games() if games is None else games
    build_kernel("continue_kernel")
    source_games()

    def made(first: int) -> GameBatch:
        return batch_of(first, seed)[: games - first]

    return ordered_map(made, range(0, games, BATCH), threads)


def made(suffix: str, games: int | None = None, *, seed: int = SEED) -> Path:
    """A file of the corpus in the cache, of the format of a suffix, which is made if it is not there."""
    games = wanted_games() if games is None else games
    path = cache_folder() / f"corpus-{games}-{seed}-{VERSION}{suffix}"
    if not path.exists():
        with tabiya.create(path) as writer:
            for batch in batches(games, seed=seed):
                writer.write(batch)
    return path


def main() -> None:
    parser = argparse.ArgumentParser(description="Makes the corpus of the benchmarks, or says where it is.")
    parser.add_argument("formats", nargs="*", default=["parquet"], metavar="FORMAT", help="pgn, parquet, bcgn, …")
    parser.add_argument("--games", type=int, default=wanted_games(), help="how many games, from the first on")
    given = parser.parse_args()
    for name in given.formats:
        begin = time.perf_counter()
        path = made(f".{name}", given.games)
        print(f"{path}  {path.stat().st_size / 1e6:,.0f} MB  {time.perf_counter() - begin:.1f} s")


if __name__ == "__main__":
    main()
