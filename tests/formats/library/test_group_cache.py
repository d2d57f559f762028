from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

import tabiya
from tabiya.formats import record_file
from tabiya.formats.library.group_cache import GroupCache
from tabiya.formats.record_file import RecordFile

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from tabiya.game import GameBatch

ROW = pa.record_batch({"x": pa.array([0], pa.int64())}).get_total_buffer_size()


@given(st.lists(st.integers(0, 9), max_size=60), st.integers(1, 5))
def test_the_latest_are_kept(asked: list[int], room: int) -> None:
    """Told the slow way: a list of what was asked, the latest last."""
    read = []

    def one(group: int) -> pa.RecordBatch:
        read.append(group)
        return pa.record_batch({"x": pa.array([group], pa.int64())})

    kept = GroupCache(one, room * ROW)
    expected: list[int] = []
    missing = []
    for group in asked:
        assert kept[group]["x"].to_pylist() == [group]
        if group in expected:
            expected.remove(group)
        else:
            missing.append(group)
        expected = [*expected, group][-room:]
    assert read == missing


def test_one_is_kept_however_large_it_is() -> None:
    read = []

    def large(group: int) -> pa.RecordBatch:
        read.append(group)
        return pa.record_batch({"x": np.zeros(100)})

    kept = GroupCache(large, 10)
    for group in (1, 1, 2, 2, 1):
        kept[group]
    assert read == [1, 2, 1]


def test_lists_do_not_drive_games_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neighbours of a game are at hand although the rows of a list were read from all over the library meanwhile."""
    monkeypatch.setattr(record_file, "GROUP_RECORDS", 10)
    (tmp_path / "games.pgn").write_text("".join(f'[Round "{n}"]\n\n1. e4 *\n\n' for n in range(1, 101)))
    tabiya.convert(tmp_path / "games.pgn", tmp_path / "games.tabiya")
    decoded = []
    batch = RecordFile.batch

    def counted(file: RecordFile, group: int) -> GameBatch:
        decoded.append(group)
        return batch(file, group)

    monkeypatch.setattr(RecordFile, "batch", counted)
    with tabiya.open(tmp_path / "games.tabiya") as database:
        for place in range(45, 55):
            assert database[place].tags["Round"] == str(place + 1)
            database.take_headers(np.arange(0, 100, 10))
        assert database[45].tags["Round"] == "46"
    assert decoded == [4, 5]
