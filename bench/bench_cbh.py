"""ChessBase databases: twic1134, repeated to 200,000 games, against cbh2pgn (pure Python, moves and nine tags).

The repeated base is one like any other: each game has its own record and its own body.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
from bench_pgn import corpus
from cbh2pgn.database import CBHDatabase
from measure import CONVERSION, SAMPLES, Figure, memory_figure, peak_of, rate_of, wall_rate

import tabiya
from tabiya.formats.cbh.archive.packing import pack
from tabiya.formats.cbh.bodies.blobs import PROLOG
from tabiya.formats.cbh.compaction import copy_base
from tabiya.formats.cbh.files.cbh import GAME, HEADER
from tabiya.formats.cbh.files.cbj import HEADER as CBJ_HEADER
from tabiya.formats.cbh.files.cbj import RECORD as CBJ

GAMES = 200_000
MILLION = 1_000_000
_SOURCE = SAMPLES / "cbh" / "twic1134" / "twic1134.cbh"


@cache
def scratch() -> Path:
    """A directory that lives as long as this run."""
    made = tempfile.TemporaryDirectory(prefix="tabiya-bench-")
    _KEPT.append(made)
    return Path(made.name)


_KEPT: list[tempfile.TemporaryDirectory[str]] = []


@cache
def repeated(games: int) -> Path:
    target = scratch() / f"{games}" / "twic.cbh"
    target.parent.mkdir()
    for path in _SOURCE.parent.iterdir():
        shutil.copyfile(path, target.with_suffix(path.suffix))
    once = GAME.view(_SOURCE.read_bytes(), HEADER.size)
    more = CBJ.view(_SOURCE.with_suffix(".cbj").read_bytes(), CBJ_HEADER.size)
    bodies = _SOURCE.with_suffix(".cbg").read_bytes()[PROLOG.size :]
    times = -(-games // len(once))
    records, extended = np.tile(once, times)[:games], np.tile(more, times)[:games]
    shifts = (np.arange(games) // len(once) * len(bodies)).astype(np.uint64)
    for layout, part in ((GAME, records), (CBJ, extended)):
        layout.put(part, "cbg_offset", layout.column(part, "cbg_offset") + shifts)
    size = PROLOG.size + times * len(bodies)
    target.with_suffix(".cbg").write_bytes(PROLOG.encode({"file_size": size, "file_size_64": size}) + bodies * times)
    target.with_suffix(".cbj").write_bytes(CBJ_HEADER.encode({"records": games}) + extended.tobytes())
    target.write_bytes(HEADER.encode({"next_game": games + 1, "next_game_again": games + 1}) + records.tobytes())
    return target


def to_pgn(path: Path, threads: int = 1) -> int:
    target = scratch() / "out.pgn"
    with tabiya.open(path) as source, tabiya.create(target, overwrite=True) as writer:
        writer.write(source, threads=threads)
        return len(source)


def positions(path: Path, threads: int = 1) -> int:
    with tabiya.open(path) as source:
        return sum(len(batch.record_batch["moves"].flatten()) for batch in source.batches(threads=threads))


def headers(path: Path) -> int:
    with tabiya.open(path) as source:
        return sum(len(batch) for batch in source.headers())


def peer_to_pgn() -> int:
    games = 0
    with (scratch() / "peer.pgn").open("w", encoding="utf-8") as target:
        for game in CBHDatabase(_SOURCE):
            target.write(f"{game.to_pgn()}\n")
            games += 1
    return games


@cache
def peer_rate() -> float:
    return rate_of(peer_to_pgn)


def conversion() -> Figure:
    path = repeated(GAMES)
    return Figure(
        "CBH -> PGN, 200,000 games",
        "games",
        rate_of(lambda: to_pgn(path)),
        "cbh2pgn",
        peer_rate(),
        "25 x, 80 k games/s",
    )


def reading() -> Figure:
    """Positions of batches; cbh2pgn has nothing to compare with but its games, which take it all its time to decode."""
    path = repeated(GAMES)
    once = positions(_SOURCE)
    games = to_pgn(_SOURCE)
    return Figure(
        "CBH -> batches", "positions", rate_of(lambda: positions(path)), "cbh2pgn", peer_rate() * once / games, "20 M/s"
    )


def header_scan() -> Figure:
    path = repeated(MILLION)
    return Figure("headers of a million records", "records", rate_of(lambda: headers(path)), "goal", MILLION, "1 s")


def two_threads() -> Figure:
    path = repeated(GAMES)
    one = wall_rate(lambda: to_pgn(path, 1))
    two = wall_rate(lambda: to_pgn(path, 2))
    return Figure("CBH -> PGN, two threads (wall time)", "games", two, "one thread", one, "1.7 x")


def memory() -> Figure:
    peak = peak_of(CONVERSION, repeated(MILLION), scratch() / "out.pgn")
    return memory_figure("a million games CBH -> PGN, two threads", peak, 600.0)


def write_corpus(games: int | None = None) -> int:
    """PGN to a new base; all games or the first so many."""
    with tabiya.open(corpus()) as source, tabiya.create(scratch() / "corpus.cbh", overwrite=True) as target:
        for batch in source.batches():
            left = len(batch) if games is None else min(len(batch), games - target.written)
            target.write(batch[:left])
            if left < len(batch):
                break
        return target.written


def writing() -> Figure:
    rate = rate_of(write_corpus)
    return Figure("PGN -> CBH, 186,387 games, one thread", "games", rate, "goal", 60_000.0, "60 k games/s")


def linearity() -> Figure:
    """Games per second for all games of the corpus, against those of the first 50,000."""
    whole, part = rate_of(write_corpus), rate_of(lambda: write_corpus(50_000))
    return Figure("PGN -> CBH, 186,387 games", "games", whole, "the first 50,000", part, "1 x")


def writing_memory() -> Figure:
    peak = peak_of(CONVERSION, corpus(), scratch() / "memory.cbh")
    return memory_figure("PGN -> CBH, 186,387 games, two threads", peak, 1000.0)


def read_all(path: Path) -> int:
    with tabiya.open(path) as base:
        return sum(len(batch) for batch in base.batches())


def copying() -> Figure:
    """``tabiya copy``: all files byte by byte, through the journal."""
    path = repeated(GAMES)

    def copy() -> int:
        copy_base(path, scratch() / "copy.cbh", overwrite=True)
        return GAMES

    reading_rate = rate_of(lambda: read_all(path))
    return Figure("copy of a base, 200,000 games", "games", rate_of(copy), "reading alone", reading_rate, "0.5 x")


def rewriting() -> Figure:
    """``tabiya convert`` between two bases: every game is read, checked and written anew."""
    path = repeated(GAMES)

    def rewrite() -> int:
        return tabiya.convert(path, scratch() / "rewritten.cbh", overwrite=True).written

    reading_rate = rate_of(lambda: read_all(path))
    return Figure("CBH -> CBH, 200,000 games written anew", "games", rate_of(rewrite), "reading alone", reading_rate)


def packing() -> Figure:
    """``tabiya pack``, in megabytes of the base."""
    path = repeated(20_000)
    size = sum(each.stat().st_size for each in path.parent.iterdir())

    def pack_base() -> int:
        pack(path, scratch() / "packed.cbv", overwrite=True)
        return size

    return Figure("base -> CBV", "B", rate_of(pack_base), "goal", 40e6, "40 MB/s")


BENCHMARKS: dict[str, Callable[[], Figure]] = {
    "cbh-convert": conversion,
    "cbh-read": reading,
    "cbh-pack": packing,
    "cbh-headers": header_scan,
    "cbh-two-threads": two_threads,
    "cbh-memory": memory,
    "cbh-write": writing,
    "cbh-write-linear": linearity,
    "cbh-write-memory": writing_memory,
    "cbh-copy": copying,
    "cbh-rewrite": rewriting,
}
