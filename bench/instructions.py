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
from tabiya.game.annotations import Evaluation
from tabiya.game.replay import failures
from tabiya.positions.game_facts import main_lines_of
from tabiya.positions.index.building import IndexBuilder
from tabiya.positions.rows import Mode, RowSource
from tabiya.search import ExactPosition, Material
from tabiya.search.conditions import Condition
from tabiya.search.parts import PositionQuery, part_of_batch
from tabiya.search.scan import Scanner
from tabiya.search.sql import FUNCTIONS
from tabiya.tables.ply_columns import PLY_COLUMNS, Plies

SAMPLES = Path(os.environ.get("TABIYA_SAMPLES") or Path(__file__).parents[2] / "shared" / "samples")
GAMES = 400
ALLOWED = 1.03
RARE_POSITION = "4k3/8/8/8/8/8/8/4K3 w - - 0 1"
ENDING = "KQ?R+P+KQ?R+P+"


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
def many_annotated() -> GameBatch:
    """Enough of them for work that takes a few instructions per move."""
    return GameBatch.concat([annotated()] * 50)


@cache
def commented() -> GameBatch:
    """Real games with the commands and texts that are common in comments, and a NAG, after every move."""
    games = list(plain()[: GAMES // 4])
    for game in games:
        for ply, node in enumerate(game.walk()):
            node.nags = [1 + ply % 6]
            node.clock = 5400 - 7 * ply
            node.time_spent = 3 + ply % 50
            node.eval = Evaluation.parse(f"0.{ply % 100:02}/20")
            node.arrows = ["Ge2e4"]
            node.squares = ["Re4", "Gd5"]
            node.text = f"A typical idea of move {ply}."
    return GameBatch.from_games(games)


def batch_of(name: str) -> GameBatch:
    return {"plain": plain, "annotated": annotated, "commented": commented}[name]()


@cache
def file_of(name: str, suffix: str) -> Path:
    """The games in a file of this format."""
    path = Path(tempfile.mkdtemp(prefix="tabiya-bench-")) / f"games{suffix}"
    with tabiya.create(path) as writer:
        writer.write(batch_of(name))
    return path


def read(name: str, suffix: str) -> Callable[[], object]:
    path = file_of(name, suffix)

    def work() -> None:
        with tabiya.open(path) as games:
            for _ in games.batches():
                pass

    return work


def read_2cbh(name: str) -> Callable[[], object]:
    """The games in a database that the writer of the tests makes."""
    from bench_2cbh import made_of  # noqa: PLC0415 - it needs the tests

    path = made_of(file_of(name, ".cbh"), Path(tempfile.mkdtemp(prefix="tabiya-bench-")) / "games")

    def work() -> None:
        with tabiya.open(path) as games:
            for _ in games.batches():
                pass

    return work


def write(name: str, suffix: str) -> Callable[[], object]:
    batch = batch_of(name)
    path = Path(tempfile.mkdtemp(prefix="tabiya-bench-")) / f"games{suffix}"

    def work() -> None:
        with tabiya.create(path, overwrite=True) as writer:
            writer.write(batch)

    return work


def jose_decode(name: str) -> Callable[[], object]:
    encoded = encode_games(batch_of(name))
    texts = [encoded[index] for index in range(len(encoded))]
    codes, comments = [text.codes for text in texts], [text.comments for text in texts]
    return lambda: decode_games(codes, comments, [text.start for text in texts])


def book_build(suffix: str) -> Callable[[], object]:
    source = file_of("plain", ".pgn")
    return lambda: tabiya.build_book(source, source.with_suffix(suffix), overwrite=True)


def scan(condition: Condition, *, variations: bool = False) -> Callable[[], object]:
    scanner = Scanner(condition, variations=variations, everything=True)
    batch = (many_annotated() if variations else plain()).record_batch
    return lambda: scanner.scan(batch)


def find_lines() -> Callable[[], object]:
    position = tabiya.Position.from_fen(RARE_POSITION)
    part, question = part_of_batch(plain()), PositionQuery(position, [position.key])
    return lambda: part.find(question)


def sql(name: str, *arguments: object) -> Callable[[], object]:
    moves = plain().record_batch["moves"]
    columns = [moves, *(pa.array([value] * len(moves)) for value in arguments)]
    return lambda: FUNCTIONS[name].answer(columns)


def position_rows(mode: Mode) -> Callable[[], object]:
    return lambda: [len(rows) for rows in RowSource(mode, 255).batches([plain()], 1)]


def index_build(name: str) -> Callable[[], object]:
    batch, folder = batch_of(name), Path(tempfile.mkdtemp(prefix="tabiya-bench-"))

    def work() -> None:
        with IndexBuilder(variations=True) as builder:
            builder.add(batch)
            builder.finish(folder / "positions", folder / "fences", folder / "variations")

    return work


def sort_games() -> Callable[[], object]:
    source = file_of("plain", ".pgn")
    return lambda: tabiya.sort(source, source.with_name("sorted.pgn"), by="white,date", overwrite=True)


PATHS: dict[str, Callable[[], Callable[[], object]]] = {
    "pgn-read": lambda: read("plain", ".pgn"),
    "pgn-annotated-read": lambda: read("annotated", ".pgn"),
    "pgn-write": lambda: write("plain", ".pgn"),
    "pgn-annotated-write": lambda: write("annotated", ".pgn"),
    "pgn-commented-read": lambda: read("commented", ".pgn"),
    "pgn-commented-write": lambda: write("commented", ".pgn"),
    "jose-decode": lambda: jose_decode("plain"),
    "jose-annotated-decode": lambda: jose_decode("annotated"),
    "jose-encode": lambda: lambda: encode_games(plain()),
    "jose-annotated-encode": lambda: lambda: encode_games(annotated()),
    "jose-commented-decode": lambda: jose_decode("commented"),
    "jose-commented-encode": lambda: lambda: encode_games(commented()),
    "scid-read": lambda: read("plain", ".si5"),
    "scid-annotated-read": lambda: read("annotated", ".si5"),
    "scid-write": lambda: write("plain", ".si5"),
    "scid-annotated-write": lambda: write("annotated", ".si5"),
    "scid-commented-read": lambda: read("commented", ".si5"),
    "scid-commented-write": lambda: write("commented", ".si5"),
    "cbh-read": lambda: read("plain", ".cbh"),
    "cbh-annotated-read": lambda: read("annotated", ".cbh"),
    "cbh-write": lambda: write("plain", ".cbh"),
    "cbh-annotated-write": lambda: write("annotated", ".cbh"),
    "cbv-write": lambda: write("plain", ".cbv"),
    "2cbh-read": lambda: read_2cbh("plain"),
    "2cbh-annotated-read": lambda: read_2cbh("annotated"),
    "bcgn-read": lambda: read("plain", ".bcgn"),
    "bcgn-annotated-read": lambda: read("annotated", ".bcgn"),
    "bcgn-write": lambda: write("plain", ".bcgn"),
    "bcgn-annotated-write": lambda: write("annotated", ".bcgn"),
    "book-build": lambda: book_build(".bin"),
    "book-build-ctg": lambda: book_build(".ctg"),
    "replay": lambda: lambda: failures(plain()),
    "replay-annotated": lambda: lambda: failures(many_annotated()),
    "main-lines": lambda: lambda: main_lines_of(many_annotated()),
    "scan-position": lambda: scan(ExactPosition(RARE_POSITION)),
    "scan-material": lambda: scan(Material(ENDING)),
    "scan-variations": lambda: scan(Material(ENDING), variations=True),
    "find-lines": find_lines,
    "line-rows": lambda: lambda: part_of_batch(plain()).rows(40),
    "sql-keys": lambda: sql("line_keys"),
    "sql-lines": lambda: sql("main_line"),
    "sql-fens": lambda: sql("fen_at", -1),
    "sql-material": lambda: sql("first_material_ply", "KRPKRP"),
    "plies": lambda: lambda: Plies(plain(), PLY_COLUMNS),
    "plies-annotated": lambda: lambda: Plies(annotated(), PLY_COLUMNS, padded=True),
    "index-build": lambda: index_build("plain"),
    "index-annotated-build": lambda: index_build("annotated"),
    "rows-by-key": lambda: position_rows(Mode.KEY),
    "rows-by-line": lambda: position_rows(Mode.LINE),
    "rows-by-frame": lambda: position_rows(Mode.FRAME),
    "twins-near": lambda: lambda: tabiya.find_duplicates(file_of("plain", ".pgn"), match="near"),
    "library-write": lambda: write("plain", ".tabiya"),
    "sort": sort_games,
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
        dumps = [Path(folder, f"out.{number}").read_text("utf-8") for number in range(2, 2 * len(names) + 1, 2)]
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
