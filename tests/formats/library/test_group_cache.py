from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tabiya
from tabiya.formats import record_file
from tabiya.formats.library.group_cache import _AHEAD, GroupCache
from tabiya.formats.record_file import RecordFile

if TYPE_CHECKING:
    from pathlib import Path

    from tabiya.game import GameBatch

ROW = pa.record_batch({"x": pa.array([0], pa.int64())}).get_total_buffer_size()


@given(st.lists(st.integers(0, 9), max_size=60), st.integers(1, 5))
def test_the_latest_are_kept(asked: list[int], room: int) -> None:
    """Told the slow way: a list of what was asked, the latest last."""
    read = []

    def one(group: int, _: int | None) -> pa.RecordBatch:
        read.append(group)
        return pa.record_batch({"x": pa.array([group], pa.int64())})

    kept = GroupCache(one, room * ROW)
    expected: list[int] = []
    missing = []
    for group in asked:
        assert kept.first(group, 1)["x"].to_pylist() == [group]
        if group in expected:
            expected.remove(group)
        else:
            missing.append(group)
        expected = [*expected, group][-room:]
    assert read == missing


def test_one_is_kept_however_large_it_is() -> None:
    read = []

    def large(group: int, _: int | None) -> pa.RecordBatch:
        read.append(group)
        return pa.record_batch({"x": np.zeros(100)})

    kept = GroupCache(large, 10)
    for group in (1, 1, 2, 2, 1):
        kept.first(group, 100)
    assert read == [1, 2, 1]


def test_a_group_is_read_as_far_as_necessary_and_then_as_a_whole() -> None:
    read = []

    def rows(group: int, most: int | None) -> pa.RecordBatch:
        read.append((group, most))
        return pa.record_batch({"x": np.arange(1000 if most is None else most)})

    kept = GroupCache(rows, 1 << 20)
    assert len(kept.first(7, 100)) == 100 + _AHEAD
    assert len(kept.first(7, 100 + _AHEAD)) == 100 + _AHEAD
    assert read == [(7, 100 + _AHEAD)]
    assert [len(kept.first(7, count)) for count in (101 + _AHEAD, 1000, 1)] == [1000, 1000, 1000]
    assert read[1:] == [(7, None)]


def test_the_size_of_a_part_is_replaced_by_that_of_the_group() -> None:
    read = []

    def rows(group: int, most: int | None) -> pa.RecordBatch:
        read.append(group)
        return pa.record_batch({"x": np.zeros(1000 if most is None else most)})

    kept = GroupCache(rows, 2 * 8 * 1000)
    for group, count in ((1, 1), (1, 1000), (2, 1), (2, 1000)):
        kept.first(group, count)
    kept.first(1, 1000)
    assert read == [1, 1, 2, 2], "both whole groups fit"


def test_part_of_a_group_equals_the_whole(tmp_path: Path) -> None:
    (tmp_path / "games.pgn").write_text(
        "".join(f'[White "W{n % 7}"]\n[Round "{n}"]\n\n1. e4 {{text {n}}} (1. d4 d5) *\n\n' for n in range(1, 701))
    )
    tabiya.convert(tmp_path / "games.pgn", tmp_path / "games.tabiya")
    read = []
    batch = RecordFile.batch

    def seen(file: RecordFile, group: int, most: int | None = None) -> GameBatch:
        read.append(most)
        return batch(file, group, most)

    for place in (0, 1, 255, 256, 300, 698, 699):
        with pytest.MonkeyPatch.context() as patch, tabiya.open(tmp_path / "games.tabiya") as database:
            patch.setattr(RecordFile, "batch", seen)
            part = database.read(place, place + 1)
            assert read.pop() == place + 1 + _AHEAD
            whole = database.read(0, 700)
            assert place >= 700 - _AHEAD or read.pop() is None
        assert part[0].to_pgn() == whole[place].to_pgn()
        assert part[0].number == place + 1
        assert part.record_batch.to_pylist() == whole.record_batch.slice(place, 1).to_pylist()


def test_bulk_work_reads_every_group_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A group may be longer than the stretches that are read together."""
    (tmp_path / "games.pgn").write_text("".join(f'[Round "{n}"]\n\n1. e4 *\n\n' for n in range(1, 1001)))
    tabiya.convert(tmp_path / "games.pgn", tmp_path / "games.tabiya")
    monkeypatch.setattr(record_file, "GROUP_RECORDS", 300)
    decoded = []
    batch = RecordFile.batch

    def counted(file: RecordFile, group: int, most: int | None = None) -> GameBatch:
        decoded.append(group)
        return batch(file, group, most)

    monkeypatch.setattr(RecordFile, "batch", counted)
    with tabiya.open(tmp_path / "games.tabiya") as database:
        assert [len(each) for each in database.batches()] == [300, 300, 300, 100]
    assert decoded == [0]


def test_lists_do_not_drive_games_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neighbours of a game are at hand although the rows of a list were read from all over the library meanwhile."""
    monkeypatch.setattr(record_file, "GROUP_RECORDS", 10)
    (tmp_path / "games.pgn").write_text("".join(f'[Round "{n}"]\n\n1. e4 *\n\n' for n in range(1, 101)))
    tabiya.convert(tmp_path / "games.pgn", tmp_path / "games.tabiya")
    decoded = []
    batch = RecordFile.batch

    def counted(file: RecordFile, group: int, most: int | None = None) -> GameBatch:
        decoded.append(group)
        return batch(file, group, most)

    monkeypatch.setattr(RecordFile, "batch", counted)
    with tabiya.open(tmp_path / "games.tabiya") as database:
        for place in range(45, 55):
            assert database[place].tags["Round"] == str(place + 1)
            database.take_headers(np.arange(0, 100, 10))
        assert database[45].tags["Round"] == "46"
    assert decoded == [4, 5]
