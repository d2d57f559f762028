"""Lists of whole columns, against lists of Python; also of columns that are a part of longer ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from tabiya.game.lists import filtered, joined, members, owners, spliced, with_field

Lists = list[list[int]]
TYPE = pa.list_(pa.field("item", pa.int16(), nullable=False))
some_lists = st.lists(st.lists(st.integers(-99, 99), max_size=4), max_size=6)


def column(lists: Lists, around: Lists) -> pa.ListArray:
    """These lists in the middle of others."""
    return pa.array([*around, *lists, *around], TYPE).slice(len(around), len(lists))


@given(some_lists, some_lists)
def test_members_and_their_owners(lists: Lists, around: Lists) -> None:
    values, offsets = members(column(lists, around))
    assert values.to_pylist() == [number for each in lists for number in each]
    assert np.diff(offsets).tolist() == [len(each) for each in lists]
    assert offsets[0] == 0
    assert owners(offsets).tolist() == [row for row, each in enumerate(lists) for _ in each]


@given(some_lists, some_lists)
def test_filtered(lists: Lists, around: Lists) -> None:
    kept = np.array([number > 0 for each in lists for number in each], np.bool_)
    found = filtered(column(lists, around), kept)
    assert found.to_pylist() == [[number for number in each if number > 0] for each in lists]
    assert found.type == TYPE


@given(some_lists, some_lists, st.data())
def test_joined(lists: Lists, around: Lists, data: st.DataObject) -> None:
    rows = data.draw(st.lists(st.integers(0, len(lists) - 1), max_size=8)) if lists else []
    more = list(range(len(rows)))
    found = joined(column(lists, around), pa.array(more, pa.int64()), np.array(rows, np.int64))
    expected = [[*each, *(m for m, r in zip(more, rows, strict=True) if r == row)] for row, each in enumerate(lists)]
    assert found.to_pylist() == expected
    assert found.type == TYPE


@given(some_lists, some_lists, st.data())
def test_spliced(lists: Lists, around: Lists, data: st.DataObject) -> None:
    places = st.integers(0, max(len(lists) - 1, 0))
    others = data.draw(st.dictionaries(places, st.lists(st.integers(100, 199), max_size=3))) if lists else {}
    found = spliced(column(lists, around), list(others), list(others.values()))
    assert found.to_pylist() == [others.get(row, each) for row, each in enumerate(lists)]
    assert found.type == TYPE


@given(some_lists, some_lists)
def test_with_field(lists: Lists, around: Lists) -> None:
    def structs(lists: Lists) -> list[list[dict[str, Any]]]:
        return [[{"a": number, "b": str(number)} for number in each] for each in lists]

    kind = pa.list_(pa.struct([pa.field("a", pa.int16(), nullable=False), pa.field("b", pa.string())]))
    whole = pa.array(structs([*around, *lists, *around]), kind)
    other = pa.array([number + 1 for each in lists for number in each], pa.int16())
    found = with_field(whole.slice(len(around), len(lists)), "a", other)
    assert found.to_pylist() == [[{**each, "a": each["a"] + 1} for each in row] for row in structs(lists)]
    assert found.type == kind
