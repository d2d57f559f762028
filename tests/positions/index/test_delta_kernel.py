"""Columns as differences: there and back, and with any damage; other programs read them in test_frame_kernel.py."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabiya.positions.index.delta_kernel import find_key, read_column, read_rows
from tests.positions.index.pages import KEY, ROWS, Values, page_of, words_of


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
    for rows, column in ((words[:0], 0), (words, 5), (words, -1), (np.zeros((3, 3), np.uint64), 0)):
        with pytest.raises(ValueError, match="no rows"):
            read_rows(page, column, rows.copy())
    room = np.empty(800, np.uint8)
    for column, begin, end in ((0, 0, 200), (5, 0, 200), (1, 5, 5), (1, -1, 3), (1, 0, 201)):
        with pytest.raises(ValueError, match="no such column"):
            read_column(page, 200, column, begin, end, room)
    with pytest.raises(ValueError, match="too little room"):
        read_column(page, 200, 1, 0, 200, room[:799])
