"""Fuzzes CTG books: whatever the bytes of pages and directory, positions are looked up, read, checked and written.

An input is a byte n, n bytes of the bitmap, a byte m, 4 m bytes of slots, and data pages. Nothing may escape; every
record whose position is sound must come back byte for byte but for moves that cannot be played, and be found again.
The doors of the kernels are used directly: opening files costs more than all of this.
"""

from __future__ import annotations

import sys
from typing import Final

import atheris
import numpy as np

from tabiya.books.ctg.check_kernel import check_page
from tabiya.books.ctg.columns import RAW_CODE, PositionColumns, empty_columns
from tabiya.books.ctg.losses import KINDS
from tabiya.books.ctg.record import PositionRecord
from tabiya.books.ctg.records_kernel import measure_pages, read_pages, write_records
from tabiya.books.ctg.signature_kernel import problem_of
from tabiya.books.ctg.sorting import Records
from tabiya.books.ctg.store_kernel import Pages, index_pages
from tabiya.books.ctg.tree_kernel import find_leaves, merge_sorted
from tabiya.chess import Position

HEAD: Final = bytes(4096)
POSITIONS: Final = (Position(), Position().play("e4"), Position.from_fen("8/P6k/8/8/8/8/7p/K7 w - - 0 1"))


def columns_of(ctg: bytes, pages: int) -> PositionColumns:
    columns = empty_columns(*measure_pages(ctg, 0, pages))
    read_pages(ctg, 0, pages, *columns.values())
    return PositionColumns(**columns)


def records_of(columns: PositionColumns) -> tuple[Records, int]:
    """Encoded records, and how many positions and moves got lost on the way."""
    rows = len(columns)
    out = np.empty(rows * 65 + 2 * len(columns.moves), np.uint8)
    sizes, keys, lost = np.empty(rows, np.uint16), np.empty(rows, np.uint32), np.zeros((len(KINDS), 3), np.int64)
    arrays = (columns.signatures, columns.statistics, columns.marks, columns.move_ends, columns.moves)
    count, size = write_records(*arrays, columns.move_nags, out, sizes, keys, lost)
    return Records(out[:size], sizes[:count], keys[:count]), int(lost[:, 0].sum())


def check_reading(pages: Pages, columns: PositionColumns) -> None:
    """Probes answer, and every record says the same one by one as in bulk."""
    for position in POSITIONS:
        for token, _, _ in pages.probe(position) or []:
            assert position.is_legal(token)
        pages.record(position)
    for row, signature in enumerate(columns.signatures):
        found = pages.find(signature.tobytes()[: signature[0] & 31])
        assert found is not None, "a record is not found by the index"
        first, last = columns.move_ends[row : row + 2]
        if found.startswith(signature.tobytes()[: signature[0] & 31]) and len(found) == row_size(columns, row):
            record = PositionRecord.decode(found)
            assert record.encode() == found
            assert len(record.moves) == last - first


def row_size(columns: PositionColumns, row: int) -> int:
    return int((columns.signatures[row, 0] & 31) + 2 * (columns.move_ends[row + 1] - columns.move_ends[row]) + 34)


def check_writing(columns: PositionColumns, original: int) -> None:
    records, lost = records_of(columns)
    if not lost:
        assert records.data.size == original, "a record changed its size"
    merged = Records(np.empty_like(records.data), np.empty_like(records.sizes), np.empty_like(records.keys))
    order = np.argsort(records.keys, kind="stable")
    count, size, _, _ = merge_sorted(records.data, records.ends, records.keys, order, False, *merged)
    sound = Records(merged.data[:size], merged.sizes[:count], merged.keys[:count])
    leaves = find_leaves(sound.keys, sound.ends, 0, 0, 1, 20, np.empty(0, np.int64), np.empty(0, np.int64))
    nodes, stops = np.empty(leaves, np.int64), np.empty(leaves, np.int64)
    assert find_leaves(sound.keys, sound.ends, 0, 0, 1, 20, nodes, stops) == leaves
    assert stops[-1] == count


def fuzz(data: bytes) -> None:
    if len(data) < 2:
        return
    bitmap, rest = data[1 : 1 + data[0]], data[1 + data[0] :]
    slots = rest[1 : 1 + 4 * rest[0]] if rest else b""
    ctg = HEAD + rest[1 + 4 * rest[0] :] if rest else HEAD
    by_directory = Pages(ctg, bitmap, slots[: len(slots) // 4 * 4], None)
    for position in POSITIONS:
        by_directory.probe(position)
    count = by_directory.page_count
    columns = columns_of(ctg, count)
    index = np.empty(len(columns), np.uint64)
    assert index_pages(ctg, 0, count, index) == len(columns)
    index.sort()
    pages = Pages(ctg, b"", None, index)
    check_reading(pages, columns)
    for number in range(count):
        check_page(by_directory, number, True)
        check_page(pages, number, False)
    for row in columns.signatures:
        problem_of(row.tobytes()[: row[0] & 31])
    check_writing(columns, sum(row_size(columns, row) for row in range(len(columns))))
    assert ((columns.moves < RAW_CODE) | (columns.moves <= RAW_CODE | 0xFF)).all()


def main() -> None:
    """Hand over to libFuzzer, with its options from the command line."""
    atheris.Setup(sys.argv, fuzz)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
