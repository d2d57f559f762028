"""Fuzzes the bodies of ChessBase databases: whatever the bytes, a record comes out, and what was read is written again.

The first two bytes of an input say how much of the rest is moves, and what code page the texts have; what follows the
moves are annotations. Both are also read from each other's file, as a damaged header would have it.
"""

from __future__ import annotations

import sys
from typing import Final

import atheris
import numpy as np
import pyarrow as pa

from tabiya.formats.cbh.bodies import Bodies, read_bodies, write_bodies
from tabiya.game import GameBatch
from tabiya.game.annotations import TextEncoding
from tabiya.game.replay import failures
from tabiya.game.schema import RECORD_SCHEMA

FRONT: Final = bytes(26)
PLACE: Final = np.array([len(FRONT)], np.int64)
NOWHERE: Final = np.zeros(1, np.int64)
ONE: Final = np.ones(1, np.uint8)
PAGES: Final = [TextEncoding(page) for page in ("utf-8", "cp1252", "cp1251", "cp1250")]
CONTENT: Final = ("kind", "variant", "start", "moves", "annotations")
NO_MOVES: Final = 6


def empty_header() -> dict[str, pa.Array]:
    """The columns that do not come from bodies."""
    columns = {"number": pa.array([1], pa.int64()), "deleted": pa.array([False], pa.bool_())}
    for field in RECORD_SCHEMA:
        if field.name not in (*CONTENT, *columns, "extras", "problems"):
            columns[field.name] = pa.array([None if field.nullable else []], field.type)
    return columns


HEADER: Final = empty_header()


def batch_of(bodies: Bodies) -> GameBatch:
    columns = [HEADER[name] if name in HEADER else getattr(bodies, name) for name in RECORD_SCHEMA.names]
    return GameBatch(pa.record_batch(columns, RECORD_SCHEMA))


def fuzz(data: bytes) -> None:
    if len(data) < 3:
        return
    encoding = PAGES[data[0] & 3]
    size = 4 + (data[0] >> 2) + data[1]
    moves, annotations = FRONT + data[2 : 2 + size], FRONT + data[2 + size :]
    bodies = read_bodies(moves, annotations, PLACE, PLACE, ONE, encoding=encoding)
    read_bodies(annotations, moves, PLACE, PLACE, ONE, encoding=encoding)
    batch = batch_of(bodies)
    batch.record_batch.validate(full=True)
    assert failures(batch)[0] == -1, "cannot be replayed"
    written = write_bodies(batch, encoding=encoding)
    failure = written.statistics["failure"][0]
    if failure == NO_MOVES:
        return
    assert failure == 0, "cannot be written"
    again = read_bodies(
        FRONT + written.moves.tobytes(),
        FRONT + written.annotations.tobytes(),
        PLACE,
        PLACE if len(written.annotations) else NOWHERE,
        ONE,
        encoding=encoding,
    )
    for name in CONTENT:
        assert getattr(again, name)[0] == getattr(bodies, name)[0], f"{name} reads back otherwise"


def main() -> None:
    """Hand over to libFuzzer, with its options from the command line."""
    atheris.Setup(sys.argv, fuzz)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
