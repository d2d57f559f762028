"""Fuzzes position files: whatever the bytes of a page, it is found to be damaged, or gives values that are in range.

An input is the number of a column, the number of rows less one, and the content of a page. What is decoded must be the
same once it was encoded and decoded again. Some inputs are also taken for the tape of a game, which has rows up to
where it makes sense, each different position once.
"""

from __future__ import annotations

import sys
from typing import Final

import atheris
import direct
import numpy as np
import pyarrow as pa

from tabiya.game import Game, GameBatch
from tabiya.game.view import view_of
from tabiya.positions.index.delta_kernel import find_key, read_column, read_rows
from tabiya.positions.index.emit_kernel import emit
from tabiya.positions.index.frame_kernel import encode_groups
from tabiya.positions.index.writing import sorted_ranges

HEAD: Final = 2
COLUMNS: Final = 5
SIZES: Final = (8, 4, 2, 2, 4)
CODEC: Final = pa.Codec("lz4_raw")
ZERO: Final = np.uint64(1 << 63)
"""The key 0 as rows have it."""
RECORDS: Final = GameBatch.from_games([Game()]).record_batch


def check_page(page: bytes, column: int, count: int) -> None:
    rows = np.zeros((count, 2), np.uint64)
    sound = read_rows(page, column, rows)
    if column == 0:
        begin, end = find_key(page, count, 0)
        assert -1 <= begin <= end <= count
        if sound:
            assert begin == np.count_nonzero(rows[:, 0] < ZERO)
            assert end == np.count_nonzero(rows[:, 0] <= ZERO)
    else:
        values = np.empty(count * SIZES[column], np.uint8)
        assert read_column(page, count, column, 0, count, values) == sound
        if count > 1:
            read_column(page, count, column, count // 2, count, values[: (count - count // 2) * SIZES[column]])
    if sound:
        room, sizes = np.empty((count // 128 + 1) * 1060 + 256, np.uint8), np.zeros((1, 3), np.int64)
        for packed in (False, True):
            again = np.zeros_like(rows)
            end = encode_groups(rows, count, np.array([column], np.int32), np.array([packed], np.uint8), room, sizes)
            head, _, plain = sizes[0].tolist()
            content = room[head:end].tobytes()
            assert read_rows(CODEC.decompress(content, plain, asbytes=True) if packed else content, column, again)
            assert np.array_equal(rows, again)


def check_tape(tape: bytes) -> None:
    tokens = np.frombuffer(tape[: len(tape) // 2 * 2], np.uint16)
    place = RECORDS.schema.get_field_index("moves")
    field = RECORDS.schema.field(place)
    batch = GameBatch(RECORDS.set_column(place, field, pa.array([tokens], field.type)))
    rows, variations = np.empty((len(tokens) + 1, 2), np.uint64), np.empty((len(tokens), 2), np.uint64)
    counts = emit(view_of(batch), 0, rows, variations, np.zeros(8, np.int64))
    for words, count in zip((rows, variations), counts, strict=True):
        emitted = words[:count]
        assert np.array_equal(sorted_ranges(emitted)[:, 0], np.unique(emitted[:, 0]))


def fuzz(data: bytes) -> None:
    if len(data) < HEAD:
        return
    check_page(data[HEAD:], data[0] % COLUMNS, data[1] + 1)
    if direct.thoroughly(data):
        check_tape(data[HEAD:])


def main() -> None:
    """Hand over to libFuzzer, with its options from the command line."""
    atheris.Setup(sys.argv, fuzz)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
