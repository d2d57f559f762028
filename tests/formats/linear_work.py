"""Work on texts that repeat one thing many times, run under valgrind by ``test_linear_work.py``.

``os.times`` marks where a piece of work begins and ends: callgrind writes what it has counted whenever that is called.
Counting starts after the imports, which take longer than all the work under valgrind.
"""

from __future__ import annotations

import gc
import io
import os
import subprocess
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

import tabiya
from tabiya.errors import TabiyaError
from tabiya.formats.jose.batch_to_rows import rows_of_batch
from tabiya.formats.jose.codec import decode_games
from tabiya.formats.scid.batch_encoding import encode_batch
from tabiya.formats.scid.database import decode_blobs
from tabiya.formats.scid.index_file import SI4
from tabiya.game import GameBatch
from tabiya.game.annotations.comments import parse_comment
from tabiya.search.keyword_conditions import MEANINGS
from tabiya.search.query_parser import query_of

if TYPE_CHECKING:
    from collections.abc import Iterator

COMMENTS = (
    *("[%eval ", "[%csl ", "[%tabiya ", "[%csl Ga1,", '[%quote "a" ', "[%post ", "[%pre:GER ", "[%clk 0:", "[%foo:a "),
    *("[%foo]", '[%weblink "', "[%tc 1m+", "[%", "[", "]", "(", ")", '"', "\\", "{", "a  ", "\\u007D", "é", "\n\n"),
)
CLOSED = (
    *("[%eval 1] ", "[%csl Ga1]", "[%post a]", "[%pre x]", "[%game x]", "[%late x]", '[%error illegal "x"]'),
    *("[%raw AA==]", "[%medal tactics]", "[%draw full,e4,red]", '[%quote a="1"]', "[%tc 1m]"),
    *("[%emt 0:07|a]", "[%eval 1][%raw AA==]", "[%crit x]"),
)
"""Comments that are cheap to read, and those that make an annotation of each repetition, at a much higher cost."""
MOVETEXT = (
    *("{", "}", "{a}", "{a} ", "(", ")", "()", "(d4 ", "(d4) ", "( {a} ", "$1 ", "!", "1.", "1", ". ", ";a\n", "%a\n"),
    *("[", "[A ", '[A "', '[A "x"]', '"', "<", "* ", "-- ", "-- (-- ", "Nf3 ", "Nf3", "\n", "\ufeff", "\\", "/", "x"),
)
TAGS = ('[A "x"]\n', '[White "x"]\n', '[A "\\"', "[A ", '[EventDate "2000.01.01"]\n', '[CbhX "x"]\n', '[FEN "x"]\n')
QUERIES = ("(", ")", "1", '"', "[", "1. ", "K", "-", "R+", "/", "a1 ")
TIMES = (300, 600, 1200)
FEWER = 20


def texts(times: int) -> dict[str, str]:
    """A game in PGN for each repetition, by what it repeats."""
    made = {f"comment {unit!r}": f"1. e4 {{{unit * times}}} e5 *" for unit in COMMENTS}
    made |= {f"comment {unit!r}": f"1. e4 {{{unit * (times // FEWER)}}} e5 *" for unit in CLOSED}
    made |= {f"movetext {unit!r}": f"1. e4 {unit * times} *" for unit in MOVETEXT}
    made |= {f"tags {unit!r}": f"{unit * times}\n\n1. e4 *" for unit in TAGS}
    return {name: f'[Event "a"]\n{"" if name.startswith("tags") else chr(10)}{text}\n\n' for name, text in made.items()}


def epd_lines(times: int) -> bytes:
    """A line of EPD for each repetition."""
    units = ("a;", "c0 a;", '"', '"a" ', "\\", ";", "pv ", "e4 ", "-", "0 ", "id x;", "ce 1;", "ce x;", "acd 1;")
    return "".join(
        f"4k3/8/8/8/8/8/8/4K3 w - - {prefix}{unit * times}\n" for prefix in ("", "pv ") for unit in units
    ).encode()


def read(data: bytes, format: str) -> GameBatch:
    with tabiya.open(io.BytesIO(data), format=format) as database:
        return GameBatch.concat(database.batches())


def write(batch: GameBatch, format: str) -> bytes:
    stream = io.BytesIO()
    with tabiya.create(stream, format=format) as writer:
        writer.write(batch)
    return stream.getvalue()


def work(chosen: str, times: int) -> Iterator[str]:
    """Read and write these texts in every way, and yield the name of each before it; ``chosen``: one of them only."""
    games = {name: text for name, text in texts(times).items() if not chosen or name == chosen}
    pgn = "".join(games.values()).encode()
    yield "pgn-read"
    batch = read(pgn, "pgn")
    yield "pgn-write"
    write(batch, "pgn")
    yield "scid-write"
    scid, _ = encode_batch(batch, SI4)
    yield "scid-read"
    decode_blobs(np.frombuffer(scid.data, np.uint8), scid.ends[:-1], np.diff(scid.ends))
    yield "jose-write"
    rows, _ = rows_of_batch(batch)
    yield "jose-read"
    decode_games([row.codes for row in rows], [row.comments for row in rows], [None] * len(rows))
    yield "bcgn-write"
    bcgn = write(batch, "bcgn")
    yield "bcgn-read"
    read(bcgn, "bcgn")
    yield "epd-read"
    read(epd_lines(times), "epd")
    yield "classes"
    for name, text in games.items():
        if name.startswith("comment"):
            parse_comment(text.partition("{")[2].rpartition("}")[0])
    yield "queries"
    ask(times)
    yield "end"


def ask(times: int) -> None:
    for word in MEANINGS:
        for unit in QUERIES:
            with suppress(TabiyaError):
                query_of({word: unit * times})


def start_counting() -> None:
    """Let callgrind count from here on. Valgrind answers only while this process runs, so it must not sleep."""
    with subprocess.Popen(["vgdb", f"--pid={os.getpid()}", "instrumentation", "on"], stdout=subprocess.DEVNULL) as vgdb:
        while vgdb.poll() is None:
            pass


def main() -> None:
    """Do everything for each number of repetitions, with a call of ``os.times`` before each piece of work."""
    chosen = sys.argv[1] if len(sys.argv) > 1 else ""
    pa.set_cpu_count(1)
    gc.disable()
    list(work(chosen, 2 * FEWER))  # what is made once
    start_counting()
    for times in TIMES:
        for _ in work(chosen, times):
            os.times()


if __name__ == "__main__":
    main()
