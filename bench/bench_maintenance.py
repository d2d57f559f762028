"""Keeping collections in order: duplicates and openings, on 2.3 million games (see ``corpus.py``).

Peers in the same run: pgn-extract's duplicates on the shared corpus, Scid's twin checker on the large one.
"""

from __future__ import annotations

import re
import shutil
import tempfile
import time
from pathlib import Path

import corpus
from bench_pgn import child_rate, pgn_extract
from bench_pgn import corpus as shared_corpus
from cache import cache_folder
from measure import Figure, memory_figure, peak_of, rate_of
from peers import run_scid, scid_base

import tabiya

SCID_TWINS = """
set base [sc_base open SCID5 {{{base}}}]
set begin [clock microseconds]
set found [sc_base duplicates $base -players 0 -event 0 -site 0 -round 0 -year 1 -month 1 -moves 1 -delete shorter]
puts "$found [expr {{[clock microseconds] - $begin}}]"
sc_base close $base
"""
NEAR = "import sys, tabiya; tabiya.find_duplicates(sys.argv[1], match='near', threads=2)"


def pgn() -> Path:
    return corpus.made(".pgn")


def same_moves() -> Figure:
    """By CPU time, reading included on both sides."""
    path, program = shared_corpus(), pgn_extract()
    games = tabiya.find_duplicates(path, match="moves").games
    theirs = child_rate([program, "-D", "-s", "-o", "/dev/null", str(path)], games) if program else float("nan")
    ours = rate_of(lambda: tabiya.find_duplicates(path, match="moves").games)
    return Figure("games with the same moves, from PGN", "games", ours, "pgn-extract -D", theirs, "5 x")


def near_twins() -> Figure:
    """By the clock: from PGN here, from a base that it has imported before there, of which a copy is marked."""
    begin = time.perf_counter()
    games = tabiya.find_duplicates(pgn(), match="near", threads=2).games
    ours = games / (time.perf_counter() - begin)
    base = scid_base(pgn())
    with tempfile.TemporaryDirectory(dir=cache_folder()) as folder:
        for file in base.parent.glob(f"{base.name}.s?5"):
            shutil.copy(file, folder)
        said = re.search(r"\d+ (\d+)\s*$", run_scid(SCID_TWINS.format(base=Path(folder) / base.name)))
    theirs = games / (int(said[1]) / 1e6) if said else float("nan")
    what = "near twins from PGN, two threads (wall time)"
    return Figure(what, "games", ours, "Scid's twin checker, on its own base", theirs, "2.3 M in a minute")


def memory() -> Figure:
    return memory_figure("near twins of 2.3 M games", peak_of(NEAR, pgn()), 1000.0)


def openings() -> Figure:
    path = shared_corpus()
    ours = rate_of(lambda: tabiya.classify(path, facts=["eco"]).changes.records)
    reading = rate_of(lambda: sum(len(batch) for batch in tabiya.open(path).batches()))
    return Figure("codes of openings from PGN", "games", ours, "reading alone", reading)


BENCHMARKS = {
    "dedupe-moves": same_moves,
    "dedupe-near": near_twins,
    "dedupe-memory": memory,
    "classify": openings,
}
