"""Groups of rows as they stand in a file: as pyarrow reads them, with heads and checksums as Parquet has them."""

from __future__ import annotations

import io
import zlib
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabiya.positions.index.frame_kernel import encode_groups, fill, page_head
from tabiya.positions.index.layout import POSITIONS, VARIATIONS, Table
from tabiya.positions.index.parquet_frame import MAGIC, Groups, footer
from tests.positions.index.pages import GAME, KEY, ROWS, Values, page_of, pages_of, words_of

if TYPE_CHECKING:
    from numpy.typing import NDArray


@given(ROWS, st.integers(1, 300))
def test_pages_of_groups_are_those_of_each(rows: Values, group: int) -> None:
    words = words_of(rows)
    codec = pa.Codec("lz4_raw")
    expected = [
        page_of(words[begin : begin + group], column) for begin in range(0, len(words), group) for column in (3, 0)
    ]
    pages = pages_of(words, group, {3: True, 0: False})
    assert [page.content for page in pages[1::2]] == expected[1::2]
    assert [codec.decompress(page.content, page.plain, asbytes=True) for page in pages[::2]] == expected[::2]
    for place, page in enumerate(pages):
        count = min(group, len(words) - place // 2 * group)
        assert page.head == page_head(count, page.plain, len(page.content), zlib.crc32(page.content))


def test_heads_are_those_that_parquet_defines() -> None:
    # Field 1 of kind i32 is 0, a data page; 2 and 3 are sizes, 4 the checksum, 5 the struct with the rows, DELTA (5)
    # and twice RLE (3). Numbers are zigzag: 300 is 600 = 0xD8 0x04, -1 is 1.
    sizes = bytes.fromhex("1500 15d804 1502")
    rows = bytes.fromhex("150a 150a 1506 1506 00 00")
    assert page_head(5, 300, 1) == sizes + b"\x2c" + rows
    assert page_head(5, 300, 1, 0xFFFFFFFF) == sizes + bytes.fromhex("1501 1c") + rows


def parquet_of(words: NDArray[np.uint64], table: Table, group: int) -> bytes:
    """A file of groups of so many rows."""
    pages = pages_of(words, group, {column.number: column.compressed for column in table.columns})
    sizes = np.array([(len(page.head), len(page.content), page.plain) for page in pages])
    parts = [words[begin : begin + group, 0] for begin in range(0, len(words), group)]
    keys = np.array([[int(part[place]) - (1 << 63) for place in (0, -1)] for part in parts])
    groups = Groups(np.array([*map(len, parts)]), keys, sizes.reshape(len(parts), len(table.columns), 3))
    body = b"".join(page.head + page.content for page in pages)
    return MAGIC + body + footer(table, groups, {"a": "b"})


@given(ROWS, st.integers(1, 300))
def test_pyarrow_reads_what_was_encoded(rows: Values, group: int) -> None:
    content = io.BytesIO(parquet_of(words_of(rows), POSITIONS, group))
    found = pq.read_table(content, page_checksum_verification=True)
    assert list(zip(*found.to_pydict().values(), strict=True)) == sorted(rows)
    assert [str(kind) for kind in found.schema.types] == ["int64", "int32", "int16", "int16"]
    keys = sorted(key for key, *_ in rows)
    entries = [pq.read_metadata(content).row_group(number) for number in range(-(-len(rows) // group))]
    assert [entry.num_rows for entry in entries] == [len(keys[at : at + group]) for at in range(0, len(keys), group)]
    arguments = [entry.column(0).statistics for entry in entries]
    assert [(each.min, each.max) for each in arguments] == [
        (keys[at], keys[at : at + group][-1]) for at in range(0, len(keys), group)
    ]
    for entry in entries:
        plain = [entry.column(number).total_uncompressed_size for number in range(4)]
        assert entry.total_byte_size == sum(plain)


@given(st.lists(st.tuples(KEY, GAME, GAME), min_size=1, max_size=300))
def test_pyarrow_reads_numbers_of_moves(rows: list[tuple[int, int, int]]) -> None:
    words = words_of([(key, game, number >> 16, number & 0xFFFF) for key, game, number in sorted(rows)])
    found = pq.read_table(io.BytesIO(parquet_of(words, VARIATIONS, 300)), page_checksum_verification=True)
    assert sorted(zip(*found.to_pydict().values(), strict=True)) == sorted(rows)


def test_the_door_refuses_buffers_that_do_not_fit() -> None:
    words = words_of([(1, 1, 1, 1)] * 200)
    room, sizes = np.empty(5000, np.uint8), np.zeros((1, 3), np.int64)
    key, plain = np.zeros(1, np.int32), np.zeros(1, np.uint8)
    with pytest.raises(ValueError, match="too little room"):
        encode_groups(words, 200, key, plain, room[:1000], sizes)
    for place in (sizes[:0], np.zeros((2, 3), np.int64), np.zeros((1, 2), np.int64)):
        with pytest.raises(ValueError, match="sizes of every page"):
            encode_groups(words, 200, key, plain, room, place)
    for group, columns, packed in ((0, key, plain), (200, key[:0], plain[:0]), (200, key, plain[:0])):
        with pytest.raises(ValueError, match="no rows"):
            encode_groups(words, group, columns, packed, room, sizes)
    for rows, column in ((words[:0], 0), (words, 5), (words, -1), (np.zeros((3, 3), np.uint64), 0)):
        with pytest.raises(ValueError, match="no rows"):
            encode_groups(rows, 200, np.array([column], np.int32), plain, room, sizes)


def filled(template: list[bytes], is_word: list[bool], numbers: list[list[int]]) -> bytes:
    ends = np.cumsum([len(part) for part in template], dtype=np.int32)
    rows = np.array(numbers, np.int64).reshape(len(numbers), len(is_word))
    out = np.empty(len(rows) * (int(ends[-1]) + 10 * len(is_word)), np.uint8)
    size = fill(np.frombuffer(b"".join(template), np.uint8), ends, np.array(is_word, np.uint8), rows, out)
    return out[:size].tobytes()


def test_numbers_fill_the_gaps_of_a_template() -> None:
    # -1 is zigzag 1, 64 is 128 = 0x80 0x01.
    assert filled([b"a", b"", b"c"], [False, True], [[-1, 258], [64, -1]]) == (
        b"a\x01\x02\x01\0\0\0\0\0\0c" + b"a\x80\x01" + b"\xff" * 8 + b"c"
    )
    least = -(1 << 63)
    assert filled([b"", b"z"], [False], [[least]]) == b"\xff" * 9 + b"\x01z"
    assert filled([b"a", b""], [False], []) == b""
    assert filled([b"", b""], [False], [[1], [2]]) == b"\x02\x04"
    assert filled([b""], [], [[], []]) == b""


def test_templates_that_do_not_fit() -> None:
    constants, room = np.zeros(3, np.uint8), np.empty(40, np.uint8)
    word, numbers = np.zeros(1, np.uint8), np.zeros((1, 1), np.int64)
    for ends, some, match in (
        ([1], numbers, "does not fit"),
        ([1, 2], numbers, "does not fit"),
        ([1, 3], np.zeros((1, 2), np.int64), "does not fit"),
        ([4, 3], numbers, "are not consecutive"),
        ([-1, 3], numbers, "are not consecutive"),
        ([1, 3], np.zeros((4, 1), np.int64), "too little room"),
    ):
        with pytest.raises(ValueError, match=match):
            fill(constants, np.array(ends, np.int32), word, some, room)
