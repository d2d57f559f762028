"""PGN: reading and rewriting a real corpus, plain and annotated.

Peers in the same run: the Rust binding of pgn-reader, pgn-extract, python-chess.
"""

from __future__ import annotations

import io
import re
import resource
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random

import chess
import chess.pgn
import zstandard
from measure import CONVERSION, RUNS, SAMPLES, Figure, memory_figure, peak_of, rate_of, wall_rate

import tabiya

CORPUS = "pgn/twic-186k-games.pgn.zst"
PYTHON_CHESS_BYTES = 1_000_000
ANNOTATED_BYTES = 60_000_000
MEGABYTE = 1e6


@cache
def scratch() -> Path:
    """A directory that lives as long as this run."""
    made = tempfile.TemporaryDirectory(prefix="tabiya-bench-")
    _KEPT.append(made)
    return Path(made.name)


_KEPT: list[tempfile.TemporaryDirectory[str]] = []


@cache
def corpus() -> Path:
    """The benchmark corpus, unpacked; without the samples the bundled example, repeated."""
    path = scratch() / "corpus.pgn"
    packed = SAMPLES / CORPUS
    with path.open("wb") as target:
        if packed.exists():
            with packed.open("rb") as source:
                zstandard.ZstdDecompressor().copy_stream(source, target)
        else:
            example = (Path(__file__).parent.parent / "examples" / "classics.pgn").read_bytes()
            target.write((example + b"\n") * (50_000_000 // len(example)))
    return path


@cache
def annotated() -> Path:
    """The first games of the corpus with evaluations and clocks on every move; texts, NAGs and variations on many."""
    choose = Random(1)
    path = scratch() / "annotated.pgn"
    # A move with its number, if it has one; tags and results stay as they are.
    move = re.compile(r"(?<=\s)((?:\d+\.\s*)?)([a-hKQRBNO][\w+#=-]{1,6})(?=\s)")

    def decorate(found: re.Match[str]) -> str:
        clock = f"[%clk {choose.randrange(2)}:{choose.randrange(60):02}:{choose.randrange(60):02}]"
        comment = f" {{ [%eval {choose.uniform(-3, 3):.2f}] {clock} }}"
        if choose.random() < 0.1:
            comment = f" ${choose.randrange(1, 7)}{comment} {{ A typical idea in this kind of position. }}"
        if choose.random() < 0.05:
            comment += f" ({found[1]}{found[2]} {{ the same move again }})"
        return found[1] + found[2] + comment

    text = corpus().read_text("latin-1")[: ANNOTATED_BYTES // 5]
    text = text[: text.rindex("\n[Event ")]
    parts = re.split(r"(?m)^(?=\[)|(?<=\])\n\n", text)
    path.write_text(
        "".join(part if part.startswith("[") else f"\n\n{move.sub(decorate, part)}" for part in parts if part.strip()),
        "latin-1",
    )
    return path


def ours_read(path: Path, threads: int = 1) -> int:
    with tabiya.open(path) as database:
        for _ in database.batches(threads=threads):
            pass
    return path.stat().st_size


def ours_write(path: Path, threads: int = 1) -> int:
    tabiya.convert(path, scratch() / "ours.pgn", overwrite=True, threads=threads)
    return path.stat().st_size


def rust_read(path: Path) -> int:
    """The Rust binding parses single games, so the file must be split for it first."""
    import rust_pgn_reader_python_binding as rust  # noqa: PLC0415 - a peer that may be missing

    games = re.split(r"\n\n(?=\[Event )", path.read_text("latin-1"))
    rust.parse_games_from_strings(games, num_threads=1)
    return path.stat().st_size


def python_chess_read(path: Path) -> int:
    head = path.read_bytes()[:PYTHON_CHESS_BYTES].decode("latin-1")
    text = head[: head.rindex("\n[Event ")]
    stream = io.StringIO(text)
    while chess.pgn.read_game(stream) is not None:
        pass
    return len(text)


def child_rate(command: list[str], size: int) -> float:
    """Bytes per second of CPU time of another program; the best of five runs."""
    best = 0.0
    for _ in range(RUNS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        best = max(best, size / (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime))
    return best


def against(what: str, path: Path, ours: Callable[[Path], int], peer: str, peer_rate: float, goal: str) -> Figure:
    return Figure(what, "B", rate_of(lambda: ours(path)), peer, peer_rate, goal)


def pgn_extract() -> str | None:
    """Where pgn-extract is; Debian installs it among the games, which are not on every path."""
    return shutil.which("pgn-extract") or shutil.which("pgn-extract", path="/usr/games")


def read_against_rust() -> Figure:
    path = corpus()
    try:
        rate = rate_of(lambda: rust_read(path))
    except ImportError:
        rate = float("nan")
    return against("PGN -> batches", path, ours_read, "rust-pgn-reader binding, with splitting", rate, "3 x")


def read_against_pgn_extract() -> Figure:
    path = corpus()
    program = pgn_extract()
    rate = child_rate([program, "-r", str(path)], path.stat().st_size) if program else float("nan")
    return against("PGN -> batches", path, ours_read, "pgn-extract -r", rate, "10 x")


def read_against_python_chess() -> Figure:
    path = corpus()
    rate = rate_of(lambda: python_chess_read(path))
    return against("PGN -> batches", path, ours_read, f"python-chess {chess.__version__}", rate, "250 x")


def write_against_pgn_extract() -> Figure:
    path = corpus()
    program = pgn_extract()
    output = str(scratch() / "theirs.pgn")
    rate = child_rate([program, "-o", output, str(path)], path.stat().st_size) if program else float("nan")
    return against("PGN -> PGN", path, ours_write, "pgn-extract", rate, "6 x")


def read_annotated() -> Figure:
    path = annotated()
    rate = rate_of(lambda: python_chess_read(path))
    return against("annotated PGN -> batches", path, ours_read, f"python-chess {chess.__version__}", rate, "150 MB/s")


def write_annotated() -> Figure:
    path = annotated()
    program = pgn_extract()
    output = str(scratch() / "theirs.pgn")
    rate = child_rate([program, "-o", output, str(path)], path.stat().st_size) if program else float("nan")
    return against("annotated PGN -> PGN", path, ours_write, "pgn-extract", rate, "")


def two_threads() -> Figure:
    path = corpus()
    one = wall_rate(lambda: ours_read(path, 1))
    two = wall_rate(lambda: ours_read(path, 2))
    return Figure("PGN -> batches, two threads (wall time)", "B", two, "one thread", one, "1.7 x")


def two_threads_write() -> Figure:
    path = corpus()
    one = wall_rate(lambda: ours_write(path, 1))
    two = wall_rate(lambda: ours_write(path, 2))
    return Figure("PGN -> PGN, two threads (wall time)", "B", two, "one thread", one, "1.7 x")


def memory() -> Figure:
    """Peak memory of a conversion of 1 GB."""
    big = scratch() / "big.pgn"
    text = corpus().read_bytes()
    with big.open("wb") as target:
        for _ in range(max(1, 1_000_000_000 // len(text))):
            target.write(text)
    del text
    peak = peak_of(CONVERSION, big, scratch() / "big-out.pgn")
    big.unlink()
    (scratch() / "big-out.pgn").unlink()
    return memory_figure("1 GB PGN -> PGN, two threads", peak, 600.0)


BENCHMARKS: dict[str, Callable[[], Figure]] = {
    "read-rust": read_against_rust,
    "read-pgn-extract": read_against_pgn_extract,
    "read-python-chess": read_against_python_chess,
    "write-pgn-extract": write_against_pgn_extract,
    "read-annotated": read_annotated,
    "write-annotated": write_annotated,
    "two-threads": two_threads,
    "two-threads-write": two_threads_write,
    "memory": memory,
}
