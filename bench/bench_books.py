"""Opening books: probing Polyglot, and building books from games. The peer is python-chess, in the same run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from random import Random

import chess
import chess.pgn
import chess.polyglot
from bench_pgn import corpus, scratch
from measure import SAMPLES, Figure, memory_figure, peak_of, rate_of, wall_rate

import tabiya
from tabiya.books import BuildOptions, build_book

PEER = f"python-chess {chess.__version__}"
PROBES = 3000
PEER_GAMES = 60
MAX_PLY = 40


def polyglot_book() -> Path:
    """A real book; without the samples one built from the corpus."""
    sample = SAMPLES / "ctg" / "gm2001-bin" / "gm2001.bin"
    if sample.exists():
        return sample
    path = scratch() / "probed.bin"
    if not path.exists():
        with tabiya.open(corpus()) as games:
            build_book(games, path)
    return path


def probe_polyglot() -> Figure:
    path = polyglot_book()
    with tabiya.open_book(path) as book, chess.polyglot.open_reader(path) as reader:
        positions = list(islice(book.positions(), 4 * PROBES))
        positions = Random(1).sample(positions, min(PROBES, len(positions)))
        boards = [chess.Board(position.fen()) for position in positions]

        def ours() -> int:
            for position in positions:
                book.probe(position)
            return len(positions)

        def peers() -> int:
            for board in boards:
                list(reader.find_all(board))
            return len(boards)

        return Figure("Polyglot probe from Python", "probes", rate_of(ours), PEER, rate_of(peers), "1 x")


def built(suffix: str) -> Callable[[], int]:
    """Builds a book from the whole corpus with two threads; how many positions were played."""

    def work() -> int:
        with tabiya.open(corpus()) as games:
            options = BuildOptions(max_ply=MAX_PLY)
            return build_book(games, scratch() / f"book{suffix}", options=options, threads=2, overwrite=True).rows

    return work


def peer_build() -> int:
    """Counts moves by key, as simple as it gets; nothing is written."""
    counts: Counter[tuple[int, str]] = Counter()
    with corpus().open(encoding="latin-1") as stream:
        for _ in range(PEER_GAMES):
            game = chess.pgn.read_game(stream)
            if game is None:
                break
            board = game.board()
            for move in islice(game.mainline_moves(), MAX_PLY):
                counts[chess.polyglot.zobrist_hash(board), move.uci()] += 1
                board.push(move)
    return sum(counts.values())


def build_figure(suffix: str, title: str) -> Figure:
    what = f"{title} book from games to ply {MAX_PLY}, two threads (wall time)"
    return Figure(what, "positions", wall_rate(built(suffix)), PEER, rate_of(peer_build), "1.5 M/s")


def memory() -> Figure:
    """Peak memory while a CTG book is built, which is the hungriest of all."""
    script = (
        "import sys, tabiya\nfrom tabiya.books import build_book\n"
        "with tabiya.open(sys.argv[1]) as games:\n    build_book(games, sys.argv[2], threads=2, overwrite=True)"
    )
    return memory_figure("CTG book from games", peak_of(script, corpus(), scratch() / "memory.ctg"), 1000.0)


BENCHMARKS: dict[str, Callable[[], Figure]] = {
    "polyglot-probe": probe_polyglot,
    "build-polyglot": lambda: build_figure(".bin", "Polyglot"),
    "build-abk": lambda: build_figure(".abk", "Arena"),
    "build-ctg": lambda: build_figure(".ctg", "CTG"),
    "build-memory": memory,
}
