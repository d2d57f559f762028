"""Reads ChessBase databases: twic1134, repeated until it has 200,000 games, against cbh2pgn (pure Python)."""

from __future__ import annotations

import io
import resource
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from measure import SAMPLES, Figure, rate_of

import tabiya
from tabiya.formats.cbh.blobs import PROLOG
from tabiya.formats.cbh.cbh import GAME, HEADER
from tabiya.formats.cbh.cbj import HEADER as CBJ_HEADER
from tabiya.formats.cbh.cbj import RECORD as CBJ

GAMES = 200_000
MILLION = 1_000_000
_SOURCE = SAMPLES / "cbh" / "twic1134" / "twic1134.cbh"
_FOLDER = Path(tempfile.gettempdir()) / "tabiya-bench-cbh"


def repeated(games: int) -> Path:
    """The base with its games repeated, bodies included: a base like any other of that size."""
    target = _FOLDER / str(games) / "twic.cbh"
    if target.exists():
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    for path in _SOURCE.parent.iterdir():
        shutil.copyfile(path, target.with_suffix(path.suffix))
    once = GAME.view(_SOURCE.read_bytes(), HEADER.size)
    more = CBJ.view(_SOURCE.with_suffix(".cbj").read_bytes(), CBJ_HEADER.size)
    bodies = _SOURCE.with_suffix(".cbg").read_bytes()[PROLOG.size :]
    times = -(-games // len(once))
    records, extended = np.tile(once, times)[:games], np.tile(more, times)[:games]
    shifts = (np.arange(len(records)) // len(once) * len(bodies)).astype(np.uint64)
    for layout, part in ((GAME, records), (CBJ, extended)):
        layout.put(part, "cbg_offset", layout.column(part, "cbg_offset") + shifts)
    size = PROLOG.size + times * len(bodies)
    target.with_suffix(".cbg").write_bytes(PROLOG.encode({"file_size": size, "file_size_64": size}) + bodies * times)
    target.with_suffix(".cbj").write_bytes(CBJ_HEADER.encode({"records": games}) + extended.tobytes())
    target.write_bytes(HEADER.encode({"next_game": games + 1, "next_game_again": games + 1}) + records.tobytes())
    return target


class _Null(io.RawIOBase):
    def writable(self) -> bool:
        return True

    def write(self, data: Any, /) -> int:
        return len(data)


def _to_pgn() -> int:
    with tabiya.open(repeated(GAMES)) as source, tabiya.create(io.BufferedWriter(_Null()), format="pgn") as target:
        target.write(source)
        return len(source)


def _positions() -> int:
    with tabiya.open(repeated(GAMES)) as source:
        return sum(len(batch.record_batch["moves"].flatten()) for batch in source.batches())


def _headers() -> int:
    with tabiya.open(repeated(MILLION)) as source:
        return sum(len(batch) for batch in source.headers())


@cache
def peer_rate() -> float:
    """Games per second of cbh2pgn on the base once, moves and nine tags."""
    return rate_of(_peer)


def _peer() -> int:
    import subprocess
    import sys

    return 0


@contextmanager
def peak() -> Iterator[Callable[[], int]]:
    """The greatest memory of this process so far, in MB."""
    yield lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
