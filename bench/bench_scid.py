"""Scid: bases of both kinds read and written with one thread, beside Scid 5 importing and exporting the same games."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

from bench_pgn import corpus, scratch
from measure import Figure, rate_of, wall_rate
from peers import scid_exports, scid_imports

import tabiya

KINDS = {".si4": "SCID4", ".si5": "SCID5"}


@cache
def base(suffix: str) -> Path:
    """The corpus as a base."""
    path = scratch() / f"corpus{suffix}"
    tabiya.convert(corpus(), path, overwrite=True)
    return path


@cache
def exports_of_scid() -> float:
    """How many games Scid exports in a second; once, because it takes half a minute."""
    return wall_rate(lambda: scid_exports(base(".si4"), "SCID4", scratch() / "peer.pgn"), runs=1)


def positions() -> int:
    with tabiya.open(base(".si4")) as database:
        return sum(len(batch.record_batch["moves"].flatten()) + len(batch) for batch in database.batches())


def headers() -> int:
    with tabiya.open(base(".si4")) as database:
        return sum(len(batch) for batch in database.headers())


def converted(source: Path, target: Path) -> int:
    return tabiya.convert(source, target, overwrite=True).written


def read() -> Figure:
    theirs = exports_of_scid()
    with tabiya.open(base(".si4")) as database:
        per_game = positions() / len(database)
    return Figure(
        "si4 -> batches", "positions", rate_of(positions), "Scid 5, exporting PGN", theirs * per_game, "20 M/s"
    )


def read_headers() -> Figure:
    theirs = exports_of_scid()
    return Figure("headers of si4", "games", rate_of(headers), "Scid 5, exporting PGN", theirs, "1 M/s")


def export() -> Figure:
    theirs = exports_of_scid()
    ours = rate_of(lambda: converted(base(".si4"), scratch() / "ours.pgn"))
    return Figure("si4 -> PGN", "games", ours, "Scid 5", theirs, "100 k games/s")


def write(suffix: str) -> Figure:
    theirs = wall_rate(lambda: scid_imports(corpus(), scratch() / f"peer{suffix}", KINDS[suffix]), runs=1)
    ours = rate_of(lambda: converted(corpus(), scratch() / f"ours{suffix}"))
    return Figure(f"PGN -> {suffix[1:]}", "games", ours, "Scid 5", theirs, "60 k games/s")


BENCHMARKS: dict[str, Callable[[], Figure]] = {
    "scid-read": read,
    "scid-headers": read_headers,
    "scid-export": export,
    "scid-si4": partial(write, ".si4"),
    "scid-si5": partial(write, ".si5"),
}
