"""Instructions per pass of the paths that must not get slower, counted by valgrind: the same on a busy machine.

    python bench/instructions.py                       all paths
    python bench/instructions.py pgn-read cbh-write    some of them
    python bench/instructions.py --save before.json    keep the counts …
    python bench/instructions.py --against before.json … and compare with them later

Only counts of the same interpreter and the same samples can be compared. ``os.times`` marks the passes: callgrind
writes what it has counted whenever that function is called.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pyarrow as pa

import tabiya
from tabiya.formats.jose.codec import decode_games, encode_games
from tabiya.game import GameBatch

SAMPLES = Path(os.environ.get("TABIYA_SAMPLES") or Path(__file__).parents[2] / "shared" / "samples")
GAMES = 400
ALLOWED = 1.03


@cache
def plain() -> GameBatch:
    """Real games without annotations."""
    with tabiya.open(SAMPLES / "cbh" / "twic1134" / "twic1134.cbh") as games:
        return next(iter(games.batches()))[:GAMES]


@cache
def annotated() -> GameBatch:
    """Real games with variations, texts, symbols, arrows and medals."""
    with tabiya.open(SAMPLES / "cbh" / "libcbh" / "WithVariations" / "WithVariations.cbh") as games:
        return GameBatch.concat(list(games.batches()))


@cache
def file_of(name: str, suffix: str) -> Path:
    """The games in a file of this format."""
    path = Path(tempfile.mkdtemp(prefix="tabiya-bench-")) / f"games{suffix}"
    with tabiya.create(path) as writer:
        writer.write({"plain": plain, "annotated": annotated}[name]())
    return path


def read(name: str, suffix: str) -> Callable[[], object]:
    path = file_of(name, suffix)

    def work() -> None:
        with tabiya.open(path) as games:
            for _ in games.batches():
                pass

    return work


def write(name: str, suffix: str) -> Callable[[], object]:
    batch = {"plain": plain, "annotated": annotated}[name]()
    path = Path(tempfile.mkdtemp(prefix="tabiya-bench-")) / f"games{suffix}"

    def work() -> None:
        with tabiya.create(path, overwrite=True) as writer:
            writer.write(batch)

    return work


def jose_decode() -> Callable[[], object]:
    encoded = encode_games(plain())
    codes = [encoded[index].codes for index in range(len(encoded))]
    return lambda: decode_games(codes, [None] * len(codes), [None] * len(codes))


def book_build() -> Callable[[], object]:
    source = file_of("plain", ".pgn")
    return lambda: tabiya.build_book(source, source.with_suffix(".bin"), overwrite=True)


PATHS: dict[str, Callable[[], Callable[[], object]]] = {
    "pgn-read": lambda: read("plain", ".pgn"),
    "pgn-annotated-read": lambda: read("annotated", ".pgn"),
    "pgn-write": lambda: write("plain", ".pgn"),
    "pgn-annotated-write": lambda: write("annotated", ".pgn"),
    "jose-decode": jose_decode,
    "jose-encode": lambda: lambda: encode_games(plain()),
    "cbh-read": lambda: read("plain", ".cbh"),
    "cbh-annotated-read": lambda: read("annotated", ".cbh"),
    "cbh-write": lambda: write("plain", ".cbh"),
    "cbh-annotated-write": lambda: write("annotated", ".cbh"),
    "bcgn-read": lambda: read("plain", ".bcgn"),
    "bcgn-write": lambda: write("plain", ".bcgn"),
    "book-build": book_build,
}


def run_passes(names: list[str]) -> None:
    """Do the work under valgrind: two passes of each path, of which the second counts."""
    pa.set_cpu_count(1)
    pa.set_io_thread_count(1)
    for name in names:
        work = PATHS[name]()
        work()
        os.times()
        work()
        os.times()


def count(names: list[str]) -> dict[str, int]:
    """Instructions of one pass of each path."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["valgrind", "--tool=callgrind", "--dump-before=os_times", f"--callgrind-out-file={folder}/out"]
        environment = {**os.environ, "PYTHONHASHSEED": "0", "PYTHONMALLOC": "pymalloc"}
        done = subprocess.run(
            [*command, sys.executable, __file__, "--passes", *names], env=environment, capture_output=True, text=True
        )
        if done.returncode:
            sys.exit(done.stderr[-2000:])
        dumps = [Path(folder, f"out.{number}").read_text() for number in range(2, 2 * len(names) + 1, 2)]
        totals = [re.findall(r"^(?:summary|totals): (\d+)", dump, re.MULTILINE)[-1] for dump in dumps]
    return dict(zip(names, map(int, totals), strict=True))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*")
    parser.add_argument("--save", type=Path, metavar="FILE")
    parser.add_argument("--against", type=Path, metavar="FILE")
    parser.add_argument("--passes", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    names = arguments.paths or list(PATHS)
    if unknown := set(names) - set(PATHS):
        parser.error(f"unknown: {', '.join(sorted(unknown))}; the paths are {', '.join(PATHS)}")
    if arguments.passes:
        run_passes(names)
        return
    counts = count(names)
    before = json.loads(arguments.against.read_text()) if arguments.against else {}
    for name, instructions in counts.items():
        ratio = instructions / before[name] if name in before else None
        verdict = "" if ratio is None else f"{ratio:8.3f} x" + ("  slower" if ratio > ALLOWED else "")
        print(f"{name:22}{instructions:>16,}{verdict}")
    if arguments.save:
        arguments.save.write_text(json.dumps(counts))


if __name__ == "__main__":
    main()
