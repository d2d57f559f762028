"""Sorting rows: against Python's own sort, for keys of any kind."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabiya.positions.index.sort_kernel import drop_games, merge_rows, sort_ranges
from tabiya.positions.index.writing import sorted_ranges

WORDS = st.integers(0, (1 << 64) - 1)
KEYS = st.one_of(WORDS, st.integers(0, 3), st.sampled_from([0, 1 << 63, (1 << 64) - 1]))
ROWS = st.lists(st.tuples(KEYS, st.integers(0, 5), st.integers(0, (1 << 32) - 1)), max_size=120)


def once_per_game(rows: list[tuple[int, int]]) -> list[tuple[int, int]]:
    found: dict[tuple[int, int], tuple[int, int]] = {}
    for key, load in sorted(rows):
        found.setdefault((key, load >> 32), (key, load))
    return list(found.values())


def sorted_by_kernel(rows: list[tuple[int, int]]) -> list[tuple[int, int]]:
    words = np.array(rows, np.uint64).reshape(-1, 2)
    return [(key, load) for key, load in sorted_ranges(words).tolist()]


@given(ROWS)
def test_rows_come_in_the_order_of_keys_and_games(rows: list[tuple[int, int, int]]) -> None:
    packed = [(key, game << 32 | rest) for key, game, rest in rows]
    assert sorted_by_kernel(packed) == once_per_game(packed)


@given(ROWS, st.lists(st.integers(0, 120)), st.lists(KEYS))
def test_runs_are_sorted_range_by_range(rows: list[tuple[int, int, int]], ends: list[int], keys: list[int]) -> None:
    packed = [(key, game << 32 | rest) for key, game, rest in rows]
    edges = sorted(min(end, len(packed)) for end in ends)
    runs = [packed[begin:end] for begin, end in pairwise([0, *edges, len(packed)])]
    ranges = list(pairwise([0, *sorted(keys), 1 << 64]))
    cut = [[[row for row in run if low <= row[0] < high] for low, high in ranges] for run in runs]
    words = np.array([row for run in cut for part in run for row in part], np.uint64).reshape(-1, 2)
    lengths = np.array([[len(part) for part in run] for run in cut])
    places = np.zeros((len(runs), len(ranges) + 1), np.int64)
    places[:, 1:] = lengths.cumsum().reshape(lengths.shape)
    places[1:, 0] = places[:-1, -1]
    assert [tuple(row) for row in sorted_ranges(words, places).tolist()] == once_per_game(packed)


@pytest.mark.parametrize("shape", ["random", "few keys", "one key", "ascending", "descending", "two heaps"])
def test_many_rows_of_any_shape(shape: str) -> None:
    random = np.random.default_rng(1)
    count = 30_000
    keys = {
        "random": random.integers(0, 1 << 63, count),
        "few keys": random.integers(0, 7, count) << 40,
        "one key": np.full(count, 5),
        "ascending": np.arange(count),
        "descending": np.arange(count)[::-1],
        "two heaps": np.where(random.integers(0, 2, count), 1 << 62, random.integers(0, 900, count)),
    }[shape]
    rows = [(int(key), int(game) << 32 | 7) for key, game in zip(keys, random.integers(0, 500, count), strict=True)]
    assert sorted_by_kernel(rows) == once_per_game(rows)


@given(ROWS, ROWS)
def test_merging_is_sorting_what_is_sorted(one: list[tuple[int, int, int]], two: list[tuple[int, int, int]]) -> None:
    packed = [[(key, game << 32 | rest) for key, game, rest in rows] for rows in (one, two)]
    first, second = (np.array(once_per_game(rows), np.uint64).reshape(-1, 2) for rows in packed)
    out = np.empty((len(first) + len(second), 2), np.uint64)
    assert [(key, load) for key, load in out[: merge_rows(first, second, out)].tolist()] == once_per_game(
        packed[0] + packed[1]
    )


@given(ROWS, st.lists(st.booleans(), max_size=6))
def test_dropped_games_are_gone(rows: list[tuple[int, int, int]], dropped: list[bool]) -> None:
    words = np.array([(key, game << 32 | rest) for key, game, rest in rows], np.uint64).reshape(-1, 2)
    kept = [row for row in words.tolist() if not (row[1] >> 32 < len(dropped) and dropped[row[1] >> 32])]
    assert words[: drop_games(words, np.array(dropped, np.uint8))].tolist() == kept


def test_doors_refuse_buffers_that_do_not_fit() -> None:
    two, three = np.zeros((4, 2), np.uint64), np.zeros((4, 3), np.uint64)
    for words, out in ((two, two[:3]), (three, three), (two, three)):
        with pytest.raises(ValueError, match="do not fit"):
            sort_ranges(words, np.array([[0, 4]]), out)
        with pytest.raises(ValueError, match="do not fit"):
            merge_rows(words, words[:0], out)
        with pytest.raises(ValueError, match="do not fit"):
            merge_rows(words[:0], words, out)
    for places, match in (
        ([[0]], "do not fit"),
        ([[1, 4]], "begin where"),
        ([[-1, 4]], "begin where"),
        ([[0, 3, 2, 4]], "not consecutive"),
        ([[0, 2], [3, 4]], "begin where"),
        ([[0, 3]], "not all"),
        ([[0, 5]], "not all"),
        ([[0, -1]], "not consecutive"),
    ):
        with pytest.raises(ValueError, match=match):
            sort_ranges(two, np.array(places), two.copy())
    with pytest.raises(ValueError, match="not all"):
        sort_ranges(two, np.empty((0, 2), np.int64), two.copy())
    with pytest.raises(ValueError, match="two words"):
        drop_games(three, np.zeros(1, np.uint8))
