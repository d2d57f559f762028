"""Columns as differences: there and back, as pyarrow reads them, and with any damage."""

from __future__ import annotations

import io
from itertools import pairwise

import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tabiya.positions.index.delta_kernel import encode_pages, find_key, read_column, read_rows
from tabiya.positions.index.layout import POSITIONS, VARIATIONS, Table
from tabiya.positions.index.parquet_frame import MAGIC, Group, footer, group_entry, page_head

KEY = st.one_of(
    st.integers(-(1 << 63), (1 << 63) - 1), st.integers(-3, 3), st.sampled_from([-(1 << 63), (1 << 63) - 1])
)
GAME = st.one_of(st.integers(0, 5), st.integers(0, (1 << 31) - 1))
ROW = st.tuples(KEY, GAME, st.one_of(st.integers(0, 90), st.integers(0, 32767)), st.integers(-1, 32766))
ROWS = st.lists(ROW, min_size=1, max_size=300)

Values = list[tuple[int, int, int, int]]


def words_of(rows: Values) -> NDArray[np.uint64]:
    return np.array(
        [
            ((key + (1 << 64)) % (1 << 64) ^ 1 << 63, game << 32 | ply << 16 | move & 0xFFFF)
            for key, game, ply, move in sorted(rows)
        ],
        np.uint64,
    )


def page_of(words: NDArray[np.uint64], column: int) -> bytes:
    (page,) = pages_of(words, len(words), [column])
    return page


def pages_of(words: NDArray[np.uint64], group: int, columns: list[int]) -> list[bytes]:
    pages = -(-len(words) // group) * len(columns)
    out = np.full(9 * len(words) * len(columns) + 2048 * pages, 0xAA, np.uint8)
    ends = np.zeros(pages, np.int64)
    encode_pages(words, group, np.array(columns, np.int32), out, ends)
    return [out[begin:end].tobytes() for begin, end in pairwise([0, *ends.tolist()])]


@given(ROWS, st.integers(1, 300))
def test_pages_of_groups_are_those_of_each(rows: Values, group: int) -> None:
    words = words_of(rows)
    single = [
        page_of(words[begin : begin + group], column) for begin in range(0, len(words), group) for column in (3, 0)
    ]
    assert pages_of(words, group, [3, 0]) == single


def parquet_of(words: NDArray[np.uint64], table: Table) -> bytes:
    """A file of one group without compression."""
    plain = table._replace(columns=tuple(column._replace(compressed=False) for column in table.columns))
    pages = [page_of(words, column.number) for column in plain.columns]
    heads = [page_head(len(words), len(page), len(page)) for page in pages]
    sizes = tuple(map(len, pages))
    keys = [int(word) - (1 << 63) for word in words[:, 0]]
    group = Group(len(words), keys[0], keys[-1], len(MAGIC), tuple(map(len, heads)), sizes, sizes)
    body = b"".join(head + page for head, page in zip(heads, pages, strict=True))
    return MAGIC + body + footer(plain, len(words), [group_entry(plain, group)], {"a": "b"})


@given(ROWS)
def test_pyarrow_reads_what_was_encoded(rows: Values) -> None:
    words = words_of(rows)
    found = pq.read_table(io.BytesIO(parquet_of(words, POSITIONS)))
    assert list(zip(*found.to_pydict().values(), strict=True)) == sorted(rows)
    assert [str(kind) for kind in found.schema.types] == ["int64", "int32", "int16", "int16"]


@given(st.lists(st.tuples(KEY, GAME, GAME), min_size=1, max_size=300))
def test_pyarrow_reads_numbers_of_moves(rows: list[tuple[int, int, int]]) -> None:
    words = words_of([(key, game, number >> 16, number & 0xFFFF) for key, game, number in sorted(rows)])
    found = pq.read_table(io.BytesIO(parquet_of(words, VARIATIONS)))
    assert sorted(zip(*found.to_pydict().values(), strict=True)) == sorted(rows)


@given(ROWS, st.data())
def test_what_was_encoded_is_decoded(rows: Values, data: st.DataObject) -> None:
    words = words_of(rows)
    back = np.empty_like(words)
    for column in range(4):
        assert read_rows(page_of(words, column), column, back)
    assert np.array_equal(words, back)
    ordered = sorted(rows)
    begin = data.draw(st.integers(0, len(rows) - 1))
    end = data.draw(st.integers(begin + 1, len(rows)))
    for column, dtype in ((1, np.int32), (2, np.int16), (3, np.int16)):
        out = np.empty(end - begin, dtype)
        assert read_column(page_of(words, column), len(rows), column, begin, end, out.view(np.uint8))
        assert out.tolist() == [row[column] for row in ordered[begin:end]]
    key = data.draw(st.one_of(KEY, st.sampled_from([row[0] for row in rows])))
    keys = [row[0] for row in ordered]
    expected = sum(other < key for other in keys), sum(other <= key for other in keys)
    assert find_key(page_of(words, 0), len(rows), key) == expected


@given(ROWS, st.integers(0, 3), st.data())
def test_damage_is_noticed_or_gives_values_in_range(rows: Values, column: int, data: st.DataObject) -> None:
    words = words_of(rows)
    page = bytearray(page_of(words, column))
    for _ in range(data.draw(st.integers(1, 4))):
        page[data.draw(st.integers(0, len(page) - 1))] = data.draw(st.integers(0, 255))
    cut = bytes(page[: data.draw(st.integers(0, len(page)))])
    for damaged in (bytes(page), cut):
        back = np.zeros_like(words)
        if read_rows(damaged, column, back):
            assert column or (back[1:, 0] >= back[:-1, 0]).all()
            assert column != 1 or int((back[:, 1] >> np.uint64(32)).max()) < 1 << 31
        if column:
            out = np.full(len(rows) * 2, 7, np.int32)
            size = len(rows) * (4 if column == 1 else 2)
            read_column(damaged, len(rows), column, 0, len(rows), out.view(np.uint8)[:size])
            assert (out.view(np.uint8)[size:] == np.full(len(rows) * 2, 7, np.int32).view(np.uint8)[size:]).all()
        begin, end = find_key(damaged, len(rows), 0)
        assert -1 <= begin <= end <= len(rows)


@given(st.binary(max_size=60), st.integers(1, 200), st.integers(1, 4))
def test_rubbish_is_no_page(data: bytes, count: int, column: int) -> None:
    out = np.empty(count, np.int32)
    read_column(data, count, column, 0, count, out.view(np.uint8))
    find_key(data, count, 5)
    read_rows(data, column, np.zeros((count, 2), np.uint64))


def test_a_page_must_have_as_many_values_as_are_asked_for() -> None:
    words = words_of([(1, 1, 1, 1)] * 40)
    for count in (39, 41):
        assert find_key(page_of(words, 0), count, 1) == (-1, -1)
        assert not read_rows(page_of(words, 0), 0, np.zeros((count, 2), np.uint64))


def test_keys_that_fall_are_damage() -> None:
    words = words_of([(1, 1, 1, 1), (9, 1, 1, 1), (5, 1, 1, 1)])[[0, 2, 1]].copy()
    assert find_key(page_of(words, 0), 3, 10) == (-1, -1)
    assert not read_rows(page_of(words, 0), 0, np.zeros((3, 2), np.uint64))


def test_doors_refuse_buffers_that_do_not_fit() -> None:
    words = words_of([(1, 1, 1, 1)] * 200)
    page = page_of(words, 1)
    first, end = np.zeros(1, np.int32), np.zeros(1, np.int64)
    with pytest.raises(ValueError, match="too little room"):
        encode_pages(words, 200, first, np.empty(1000, np.uint8), end)
    with pytest.raises(ValueError, match="end of every page"):
        encode_pages(words, 199, first, np.empty(9000, np.uint8), end)
    for group, columns in ((0, first), (200, first[:0])):
        with pytest.raises(ValueError, match="no rows"):
            encode_pages(words, group, columns, np.empty(5000, np.uint8), end)
    for rows, column in ((words[:0], 0), (words, 5), (words, -1), (np.zeros((3, 3), np.uint64), 0)):
        with pytest.raises(ValueError, match="no rows"):
            encode_pages(rows, 200, np.array([column], np.int32), np.empty(5000, np.uint8), end)
        with pytest.raises(ValueError, match="no rows"):
            read_rows(page, column, rows.copy())
    room = np.empty(800, np.uint8)
    for column, begin, end in ((0, 0, 200), (5, 0, 200), (1, 5, 5), (1, -1, 3), (1, 0, 201)):
        with pytest.raises(ValueError, match="no such column"):
            read_column(page, 200, column, begin, end, room)
    with pytest.raises(ValueError, match="too little room"):
        read_column(page, 200, 1, 0, 200, room[:799])
