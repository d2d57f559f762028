"""Rows by ranges of keys: everything comes back, in order, whatever the memory; and the memory is kept."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from itertools import chain
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabiya.errors import TabiyaError
from tabiya.files.parallel import ordered_map
from tabiya.positions.row_spool import RowSpool, key_parts
from tabiya.positions.row_spool_kernel import gather, scatter

ROW = np.dtype([("key", np.uint64), ("number", np.uint64)])
WIDE = np.dtype([("key", np.uint64), ("a", np.uint64), ("b", np.uint64)])


def rows_of(keys: Any, row: np.dtype[Any] = ROW) -> Any:
    rows = np.zeros(len(keys), row)
    rows["key"] = keys
    rows[row.names[1]] = np.arange(len(keys))  # type: ignore[index]
    return rows


def ranges_of(*spools: RowSpool, threads: int = 1) -> Iterator[Any]:
    return chain.from_iterable(part.ranges() for part in key_parts(*spools, threads=threads))


def random_keys(seed: int, count: int, bits: int) -> list[int]:
    """Some keys come again and again."""
    rng = Random(seed)
    often = [rng.randrange(1 << bits) for _ in range(3)]
    return [rng.choice(often) if rng.random() < 0.4 else rng.randrange(1 << bits) for _ in range(count)]


@settings(max_examples=40)
@given(
    seed=st.integers(0, 10**6),
    count=st.integers(0, 3000),
    cut=st.integers(1, 900),
    memory=st.sampled_from([1 << 12, 1 << 15, 1 << 20, 1 << 26]),
    bits=st.sampled_from([1, 9, 40, 64]),
    threads=st.sampled_from([1, 3]),
)
def test_ranges_give_all_rows_in_order(seed: int, count: int, cut: int, memory: int, bits: int, threads: int) -> None:
    """Whether rows are added, or threads make runs of them."""
    rows = rows_of(random_keys(seed, count, bits))
    spool = RowSpool(ROW, memory=memory, bits=bits)
    if threads == 1:
        for start in range(0, count, cut):
            spool.add(rows[start : start + cut])
    else:
        words = rows.view(np.uint64).reshape(-1, 2)
        size = min(cut, spool.run_rows)
        for run in ordered_map(spool.run_of, [words[start : start + size] for start in range(0, count, size)], threads):
            spool.append(run)
    found, last = [], -1
    for (pieces,) in ranges_of(spool, threads=threads):
        part = np.concatenate(list(pieces))
        assert len(part)
        assert int(part["key"].min()) > last, "no key is in two ranges, and ranges ascend"
        last = int(part["key"].max())
        found.append(part[np.argsort(part["key"], kind="stable")])
    spool.close()
    expected = rows[np.argsort(rows["key"], kind="stable")]
    assert np.array_equal(np.concatenate((np.empty(0, ROW), *found)), expected)


def test_spools_are_cut_at_the_same_keys() -> None:
    one, two = (RowSpool(row, memory=memory) for row, memory in ((ROW, 1 << 12), (WIDE, 1 << 13)))
    keys = random_keys(1, 2000, 64)
    one.add(rows_of(keys))
    two.add(rows_of(keys[::3], WIDE))
    ranges = 0
    seen: set[int] = set()
    for few, many in ((set(a["key"].tolist()), set(b["key"].tolist())) for b, a in map(whole, ranges_of(one, two))):
        assert few <= many
        assert not seen & many
        seen |= many
        ranges += 1
    one.close()
    two.close()
    assert seen == set(keys)
    assert ranges > 10


@pytest.mark.parametrize("threads", [1, 2, 3, 64])
def test_many_threads_do_not_make_parts_too_small_for_their_buckets(threads: int) -> None:
    keys = np.random.default_rng(5).integers(0, 1 << 64, 1 << 17, np.uint64)
    spool = RowSpool(ROW, memory=1 << 16)
    spool.add(rows_of(keys))
    parts = key_parts(spool, threads=spool.readers(threads))
    assert all(part.load() is not None for part in parts)
    assert sum(part.rows for part in parts) == len(keys)
    assert spool.readers(threads) == min(threads, 2), "runs are many, and short"
    spool.close()


def test_many_threads_read_long_runs() -> None:
    spool = RowSpool(ROW, memory=1 << 24)
    spool.add(rows_of(random_keys(7, 50_000, 64)))
    assert len(key_parts(spool, threads=spool.readers(8))) >= spool.readers(8) == 8
    spool.close()


def test_rows_that_are_gone_are_missed() -> None:
    """What happens to be in memory must not pass for rows."""
    spool = RowSpool(ROW, memory=1 << 12)
    spool.add(rows_of(random_keys(6, 3000, 64)))
    first, *_, last = key_parts(spool)
    last.release()
    with pytest.raises(TabiyaError, match="lost"):
        first.load()
    spool.close()


def test_what_fits_comes_in_one_range() -> None:
    spool = RowSpool(ROW, memory=1 << 26)
    spool.add(rows_of(random_keys(3, 2000, 64)))
    assert [sum(map(len, pieces)) for (pieces,) in ranges_of(spool)] == [2000]
    spool.close()


def whole(pieces: Any) -> list[Any]:
    return [np.concatenate((np.empty(0, row), *part)) for row, part in zip((ROW, WIDE), pieces, strict=True)]


@pytest.mark.parametrize("often", [False, True])
def test_memory_is_kept(often: bool) -> None:
    """Also if half of the rows have one key: its bucket alone is larger than the memory."""
    memory, block = 4 << 20, 1 << 14
    rng = np.random.default_rng(5)
    spool = RowSpool(ROW, memory=memory)
    total = 0
    tracemalloc.start()
    try:
        for _ in range(64):
            keys = rng.integers(0, 1 << 63, block, np.uint64)
            if often:
                keys[::2] = 12345
            spool.add(rows_of(keys))
        for (pieces,) in ranges_of(spool):
            total += sum(len(piece) for piece in pieces)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
        spool.close()
    assert total == 64 * block
    assert peak < 1.5 * memory < total * ROW.itemsize / 2


def test_a_door_that_checks() -> None:
    rows, ends = np.zeros((3, 2), np.uint64), np.zeros(5, np.int32)
    for out, shift in ((np.zeros((2, 2), np.uint64), 0), (np.zeros((3, 1), np.uint64), 0), (rows.copy(), 64)):
        with pytest.raises(ValueError, match="fit"):
            scatter(rows, shift, out, ends)
    with pytest.raises(ValueError, match="fit"):
        scatter(rows, 0, rows.copy(), ends[:1])
    out = np.zeros((3, 2), np.uint64)
    scatter(np.array([[9, 1], [2, 2], [1, 3]], np.uint64), 0, out, ends)
    assert out.tolist() == [[1, 3], [2, 2], [9, 1]]
    assert ends.tolist() == [0, 0, 1, 2, 3], "what lies beyond the last bucket goes there"


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=8))
def test_gathered_stretches(stretches: list[tuple[int, int]]) -> None:
    words = np.arange(18, dtype=np.uint64).reshape(9, 2)
    begins, ends = (np.array([pick(pair) for pair in stretches], np.int64) for pick in (min, max))
    expected = [row for begin, end in zip(begins, ends, strict=True) for row in words[begin:end].tolist()]
    out = np.empty((len(expected), 2), np.uint64)
    gather(words, begins, ends, out)
    assert out.tolist() == expected


@pytest.mark.parametrize(
    ("begin", "end", "room", "match"), [(0, 10, 10, "among"), (-1, 2, 3, "among"), (3, 2, 0, "among"), (0, 2, 3, "fit")]
)
def test_stretches_that_are_not_there(begin: int, end: int, room: int, match: str) -> None:
    words = np.zeros((9, 2), np.uint64)
    with pytest.raises(ValueError, match=match):
        gather(words, np.array([begin]), np.array([end]), np.empty((room, 2), np.uint64))
    with pytest.raises(ValueError, match="fit"):
        gather(words, np.array([0]), np.array([1]), np.empty((1, 3), np.uint64))
