"""2CBH databases: twic1134 as the writer of the tests makes it, repeated, against the same games in a classic base."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
from bench_cbh import headers, positions, repeated, scratch
from measure import SAMPLES, Figure, rate_of

import tabiya
from tabiya.formats.cbh2.container import HEADER as CONTAINER
from tabiya.formats.cbh2.headers import GAME, HEADER

sys.path.insert(0, str(Path(__file__).parent.parent))
from tests.formats.cbh2.writing import write_2cbh

GAMES = 100_000
MILLION = 1_000_000
_SOURCE = SAMPLES / "cbh" / "twic1134"


def made_of(source: Path, target: Path, games: int | None = None) -> Path:
    """A 2CBH of the games of a database, or of the first of them."""
    with tabiya.open(source) as database:
        return write_2cbh(list(database[:games]), target).path


@cache
def once() -> Path:
    return made_of(_SOURCE, scratch() / "once")


@cache
def many(games: int) -> Path:
    """The games again and again, each with a record and bodies of its own."""
    source, target = once(), scratch() / f"{games}.2cbh"
    records = GAME.view(source.read_bytes(), HEADER.size)
    times = -(-games // len(records))
    copies = np.arange(games) // len(records)
    repeated_records = np.tile(records, times)[:games]
    for suffix in (".2cbg", ".2cba"):
        bodies = source.with_suffix(suffix).read_bytes()[CONTAINER.size :]
        name = f"{suffix[2:]}_offset"
        offsets = GAME.column(repeated_records, name) + copies * len(bodies)
        GAME.put(repeated_records, name, offsets)
        head = CONTAINER.encode({"file_size": CONTAINER.size + times * len(bodies), "version": 5})
        target.with_suffix(suffix).write_bytes(head + times * bodies)
    target.with_suffix(".2lid").write_bytes(source.with_suffix(".2lid").read_bytes())
    target.write_bytes(HEADER.encode({"next_game": games + 1}) + repeated_records.tobytes())
    return target


def reading() -> Figure:
    path, classic = many(GAMES), repeated(GAMES)
    ours, peer = rate_of(lambda: positions(path)), rate_of(lambda: positions(classic))
    return Figure("2CBH -> batches", "positions", ours, "CBH -> batches", peer, "25 M/s")


def header_scan() -> Figure:
    path = many(MILLION)
    rate = rate_of(lambda: headers(path))
    return Figure("headers of a million records, 2CBH", "records", rate, "goal", 2.0 * MILLION, "0.5 s")


BENCHMARKS: dict[str, Callable[[], Figure]] = {"2cbh-read": reading, "2cbh-headers": header_scan}
