"""Fuzzes the bodies of ChessBase databases: whatever the bytes, a record comes out, and what was read is written again.

The first two bytes of an input say how much of the rest is moves, and what code page the texts have; what follows the
moves are annotations. Both are also read from each other's file, as a damaged header would have it. Kernels meet
without Arrow between them; one input in 128 also goes the way of the library.
"""

from __future__ import annotations

import sys
from typing import Any, Final

import atheris
import direct
import numpy as np
import pyarrow as pa

from tabiya.chessbase.body_columns import Bodies
from tabiya.chessbase.code_page import code_page
from tabiya.formats.cbh.bodies.columns import (
    STATISTICS,
    _checked_by_kernel,
    _flags,
    _spelled,
    read_bodies,
    write_bodies,
)
from tabiya.formats.cbh.bodies.read_kernel import read_blobs
from tabiya.formats.cbh.bodies.write_kernel import write_blobs
from tabiya.game import GameBatch
from tabiya.game.annotations import UTF8, TextEncoding, decode_payload
from tabiya.game.replay import failures
from tabiya.game.schema import RECORD_SCHEMA
from tabiya.game.tape_kernel import replay

FRONT: Final = bytes(26)
PLACE: Final = np.array([len(FRONT)], np.int64)
NOWHERE: Final = np.zeros(1, np.int64)
ONE: Final = np.ones(1, np.uint8)
NUMBER: Final = np.ones(1, np.int64)
NO_KEYS: Final = np.empty(0, np.uint64)
Tables = tuple[Any, Any, bool]
PAGES: Final = [TextEncoding(page) for page in ("utf-8", "cp1252", "cp1251", "cp1250")]
TABLES: Final[list[Tables]] = [(*code_page(page), page.page == "utf-8") for page in PAGES]
CONTENT: Final = ("kind", "variant", "start", "moves", "annotations")
COLUMNS: Final = ("kind", "variant", "has_start", "start", "start_ends", "moves", "move_ends", *direct.ANNOTATIONS)
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


def check_library(moves: bytes, annotations: bytes, encoding: TextEncoding) -> None:
    """A record comes back from the bytes that it is written as."""
    bodies = read_bodies(moves, annotations, PLACE, PLACE, ONE, encoding=encoding)
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


def read(moves: bytes, annotations: bytes, tables: Tables) -> direct.Columns:
    builder = direct.builder()
    move_piece, annotation_piece = (direct.piece_behind(len(FRONT), data) for data in (moves, annotations))
    read_blobs(builder, moves, annotations, move_piece, annotation_piece, ONE, *tables, 1)
    return direct.finished(builder)


def originals(columns: direct.Columns) -> tuple[bytes, memoryview, bytes]:
    """The same as in ``bodies``: which annotations have ``raw`` bytes, 2 if these mean something else."""
    given, kinds = bytearray(columns["annotation_has_raw"]), memoryview(columns["annotation_kind"]).cast("H")
    data, data_ends = columns["annotation_data"], columns["annotation_data_ends"]
    raw, ends = columns["annotation_raw"], columns["annotation_raw_ends"]
    data_places, places = memoryview(data_ends).cast("i"), memoryview(ends).cast("i")
    for place, kind in enumerate(kinds):
        if given[place] and kind not in _checked_by_kernel():
            found = decode_payload(kind, raw[places[place] : places[place + 1]], UTF8)
            if found.data != data[data_places[place] : data_places[place + 1]]:
                given[place] = 2
    return bytes(given), places, raw


def can_be_replayed(columns: direct.Columns) -> bool:
    failed = np.full(1, -1, np.int32)
    start, start_ends = columns["start"], columns["start_ends"]
    replay(
        np.frombuffer(columns["moves"], np.uint16),
        np.frombuffer(columns["move_ends"], np.int32),
        np.frombuffer(start, np.uint8),
        np.frombuffer(start_ends, np.int32),
        np.frombuffer(columns["variant"], np.uint8),
        failed,
        NO_KEYS,
        checked=True,
    )
    return bool(failed[0] == -1)


def check_kernels(columns: direct.Columns, tables: Tables) -> None:
    """The same between kernels only."""
    assert can_be_replayed(columns), "cannot be replayed"
    statistics = np.zeros(1, STATISTICS)
    ends = [np.zeros(2, np.int64) for _ in range(2)]
    fixed = (*tables, _spelled(), _flags(), statistics.view(np.uint8), *ends)
    moves, annotations, _ = write_blobs(
        direct.view_of(columns), direct.builder(), *originals(columns), NUMBER, 1, *fixed
    )
    failure = statistics["failure"][0]
    if failure == NO_MOVES:
        return
    assert failure == 0, "cannot be written"
    stored = bytes(annotations)
    again = read(FRONT + bytes(moves), FRONT + stored if stored else b"", tables)
    for name in COLUMNS:
        assert again[name] == columns[name], f"{name} reads back otherwise"


def fuzz(data: bytes) -> None:
    if len(data) < 3:
        return
    page = data[0] & 3
    size = 4 + (data[0] >> 2) + data[1]
    moves, annotations = FRONT + data[2 : 2 + size], FRONT + data[2 + size :]
    check_kernels(read(moves, annotations, TABLES[page]), TABLES[page])
    read(annotations, moves, TABLES[page])
    if direct.thoroughly(data):
        check_library(moves, annotations, PAGES[page])


def main() -> None:
    """Hand over to libFuzzer, with its options from the command line."""
    atheris.Setup(sys.argv, fuzz)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
