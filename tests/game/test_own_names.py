"""Dictionaries without values that no record uses, and without any value twice."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tabiya
from tabiya.game.own_names import joined, with_own_names

LEFT_OUT = "Anderssen"
"""A player of some games of the example, but not of those that are chosen."""

names = st.lists(st.one_of(st.none(), st.sampled_from("abcd")), min_size=1, max_size=6)


@st.composite
def columns(draw: st.DrawFn) -> pa.RecordBatch:
    """A part of a column whose dictionary may have nulls, names twice, and names that nothing refers to."""
    dictionary = draw(names)
    places = st.one_of(st.none(), st.integers(0, len(dictionary) - 1))
    width = draw(st.sampled_from([pa.int8(), pa.int32()]))
    indices = pa.array(draw(st.lists(places, max_size=8)), width)
    column = pa.DictionaryArray.from_arrays(indices, pa.array(dictionary, pa.string()))
    records = pa.record_batch({"name": column, "number": pa.array(range(len(column)), pa.int64())})
    return records.slice(draw(st.integers(0, 3)))


@given(columns())
def test_values_stay_and_each_is_in_the_dictionary_once(records: pa.RecordBatch) -> None:
    found = with_own_names(records)
    assert found.schema == records.schema
    assert found.to_pylist() == records.to_pylist()
    used = dict.fromkeys(name for name in records["name"].to_pylist() if name is not None)
    assert found["name"].dictionary.to_pylist() == [*used]
    found.validate(full=True)


@given(st.lists(columns(), min_size=1, max_size=3).filter(lambda parts: len({part.schema for part in parts}) == 1))
def test_several_batches_become_one(parts: list[pa.RecordBatch]) -> None:
    found = list(joined(parts))
    rows = [row for part in parts for row in part.to_pylist()]
    assert len(found) == bool(rows)
    assert [row for part in found for row in part.to_pylist()] == rows


@pytest.mark.parametrize("write", ["parquet", "tabiya", "table"])
def test_names_of_games_that_were_left_out_are_in_no_file(tmp_path: Path, write: str) -> None:
    with tabiya.open("examples/classics.pgn") as games:
        assert any(LEFT_OUT in str(game.tags) for game in games)
        chosen = games.filter(player="Morphy")
        if write == "table":
            tabiya.write_table(chosen, tmp_path / "x.parquet", ["white", "black"])
        else:
            tabiya.convert(chosen, tmp_path / f"x.{write}")
    stored = set()
    for path in tmp_path.rglob("*.parquet"):
        if not path.name.startswith("positions"):
            found = pq.read_table(path, read_dictionary=["white", "black"])
            for name in {"white", "black"}.intersection(found.schema.names):
                stored |= {value for part in found[name].chunks for value in part.dictionary.to_pylist()}
    assert any("Morphy" in name for name in stored)
    assert not any(LEFT_OUT in name for name in stored)
