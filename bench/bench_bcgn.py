"""BCGN: converting a real corpus into it and reading it; and, run by itself, how much room it takes.

Beside the goals; levels 0 and 2 beside level 1. The sources of the reference program are not among the peers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pyarrow.parquet as pq
import zstandard
from bench_pgn import corpus, scratch
from measure import Figure, memory_figure, peak_of, rate_of

import tabiya

GOAL_GAMES = 120_000.0
GOAL_POSITIONS = 20e6
PACK_LEVEL = 3


@cache
def converted(level: int = 1, *, headerless: bool = False) -> Path:
    path = scratch() / f"corpus-{level}{'-headerless' if headerless else ''}.bcgn"
    tabiya.convert(corpus(), path, level=level, headerless=headerless, overwrite=True)
    return path


def read(path: Path) -> int:
    """The number of positions, which is that of moves."""
    with tabiya.open(path) as database:
        return sum(len(batch.record_batch["moves"].flatten()) for batch in database.batches())


def write(level: int) -> int:
    return tabiya.convert(corpus(), scratch() / "ours.bcgn", level=level, overwrite=True).written


def convert_pgn() -> Figure:
    rate = rate_of(lambda: write(1))
    return Figure("PGN -> BCGN level 1", "games", rate, "goal", GOAL_GAMES, "120 k games/s")


@cache
def read_rate(level: int) -> float:
    return rate_of(lambda: read(converted(level)))


def read_level_1() -> Figure:
    return Figure("BCGN level 1 -> batches", "positions", read_rate(1), "goal", GOAL_POSITIONS, "20 M positions/s")


def read_level_0() -> Figure:
    return Figure("BCGN level 0 -> batches", "positions", read_rate(0), "level 1", read_rate(1))


def read_level_2() -> Figure:
    return Figure("BCGN level 2 -> batches", "positions", read_rate(2), "level 1", read_rate(1))


def memory() -> Figure:
    """Peak memory of a conversion there and back."""
    script = (
        "import sys, tabiya; there, back = sys.argv[2:]; "
        "tabiya.convert(sys.argv[1], there, overwrite=True); tabiya.convert(there, back, overwrite=True)"
    )
    peak = peak_of(script, corpus(), scratch() / "memory.bcgn", scratch() / "memory.pgn")
    return memory_figure("PGN -> BCGN -> PGN", peak, 400.0)


BENCHMARKS: dict[str, Callable[[], Figure]] = {
    "bcgn-convert": convert_pgn,
    "bcgn-read": read_level_1,
    "bcgn-read-0": read_level_0,
    "bcgn-read-2": read_level_2,
    "bcgn-memory": memory,
}


# How much room games take.


def packed_size(path: Path) -> int:
    target = scratch() / "packed.zst"
    with path.open("rb") as source, target.open("wb") as sink:
        zstandard.ZstdCompressor(PACK_LEVEL).copy_stream(source, sink)
    return target.stat().st_size


def parquet_size() -> int:
    path = scratch() / "corpus.parquet"
    with tabiya.open(corpus()) as database:
        reader = database.to_arrow()
        with pq.ParquetWriter(path, reader.schema, compression="zstd") as writer:
            for batch in reader:
                writer.write_batch(batch)
    return path.stat().st_size


def size_rows() -> Iterator[str]:
    """Size, bytes per game and bits per move; those of moves alone where a format keeps them apart."""
    with tabiya.open(converted(0)) as database:
        games = len(database)
    sizes: dict[str, tuple[int, object]] = {"PGN": (corpus().stat().st_size, "")}
    sizes[f"PGN, zstd {PACK_LEVEL}"] = packed_size(corpus()), ""
    sizes["Parquet, zstd"] = parquet_size(), ""
    for headerless in (False, True):
        for level in range(3):
            path = converted(level, headerless=headerless)
            with tabiya.open(path) as database:
                details = database.details()
            name = f"BCGN level {level}{', headerless' if headerless else ''}"
            sizes[name] = path.stat().st_size, details["bits per move"]
            sizes[f"{name}, zstd {PACK_LEVEL}"] = packed_size(path), ""
    for name, (size, bits) in sizes.items():
        yield f"| {name} | {size / 1e6:.1f} MB | {size / games:.0f} | {bits} |"


def main() -> None:
    print("| | size | bytes per game | bits per move |\n|---|---:|---:|---:|")
    for row in size_rows():
        print(row)


if __name__ == "__main__":
    main()
