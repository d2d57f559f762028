"""CTG books: probes, a full scan, writing.

The peer is python-chess, which has no reader for them, on the same author's book in Polyglot's format: that has
far less to say about a move. Without the samples the small book of the tests is used for both figures.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from statistics import median

import chess
import chess.polyglot
from measure import ROOT, SAMPLES, Figure, rate_of

from tabiya.books.ctg import CTG
from tabiya.books.ctg.book import CtgBook
from tabiya.books.ctg.bulk_writing import write_book
from tabiya.books.ctg.columns import PositionColumns

PEER = f"python-chess {chess.__version__}, Polyglot"
PROBES = 3000


@cache
def book() -> CtgBook:
    sample = SAMPLES / "ctg" / "perfect2021" / "Perfect2021.ctg"
    return CtgBook(sample if sample.exists() else ROOT / "tests" / "data" / "ctg" / "small.ctg", CTG)


@cache
def polyglot() -> Path | None:
    path = SAMPLES / "ctg" / "perfect2021-abk-bin-bkt" / "Perfect2021.bin"
    return path if path.exists() else None


def median_rate(ask: Callable[[int], object], count: int) -> float:
    """One over the median time of a call."""
    times = []
    for number in range(count):
        begin = time.perf_counter()
        ask(number)
        times.append(time.perf_counter() - begin)
    return 1 / median(times)


def peer_probes() -> float:
    path = polyglot()
    if path is None:
        return 1.0
    with chess.polyglot.open_reader(path) as reader:
        keys = [entry.key for entry in reader]
        Random(1).shuffle(keys)
        board = chess.Board()
        # Books hold keys, not boards: the time to hash a board is added once for each.
        return median_rate(
            lambda number: (chess.polyglot.zobrist_hash(board), list(reader.find_all(keys[number]))), len(keys[:PROBES])
        )


def probing() -> Figure:
    positions = list(book().positions())
    Random(1).shuffle(positions)
    rate = median_rate(lambda number: book().probe(positions[number]), len(positions[:PROBES]))
    what = f"CTG probe, median of {len(positions[:PROBES]):,} random positions"
    return Figure(what, "probes", rate, PEER, peer_probes(), "20 k/s (50 µs)")


def scan() -> int:
    return sum(len(columns) for columns in book().columns())


def peer_scan() -> int:
    path = polyglot()
    if path is None:
        return 1
    with chess.polyglot.open_reader(path) as reader:
        return sum(1 for _ in reader)


def scanning() -> Figure:
    what = f"CTG full scan into columns ({len(book()):,} positions)"
    return Figure(what, "positions", rate_of(scan), PEER, rate_of(peer_scan), "1 M/s")


@cache
def all_columns() -> list[PositionColumns]:
    return list(book().columns())


def writing() -> Figure:
    with tempfile.TemporaryDirectory(prefix="tabiya-bench-") as folder:
        path = Path(folder) / "book.ctg"

        def work() -> int:
            write_book(path, all_columns(), overwrite=True)
            return len(book())

        return Figure("CTG writing from columns", "positions", rate_of(work), PEER + " scan", rate_of(peer_scan))


BENCHMARKS = {"ctg-probe": probing, "ctg-scan": scanning, "ctg-write": writing}
