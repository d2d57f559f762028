"""The kernel behind duplicates: beginnings against a naive search, and buffers that do not fit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabiya.maintenance.duplicates_kernel import choose_kept, fill_table, find_prefixes, hash_lines, mix

Line = tuple[int, ...]
lines_of_moves = st.lists(st.lists(st.integers(1, 3), max_size=6).map(tuple), min_size=1, max_size=20)


def columns(lines: list[Line]) -> tuple[np.ndarray, np.ndarray]:
    ends = np.cumsum([0, *map(len, lines)], dtype=np.int64)
    return np.array([move for line in lines for move in line], np.uint16), ends


def keys_of(lines: list[Line], salts: np.ndarray) -> np.ndarray:
    moves, ends = columns(lines)
    hashes = np.empty(len(lines), np.uint64)
    hash_lines(moves, ends, np.full(len(lines), 99, np.uint64), hashes)
    mix(hashes, salts, hashes)
    return hashes


@given(lines_of_moves, st.integers(0, 4), st.data())
def test_beginnings(lines: list[Line], least: int, data: st.DataObject) -> None:
    salts = np.array(data.draw(st.lists(st.integers(0, 1), min_size=len(lines), max_size=len(lines))), np.uint64)
    keys = np.unique(keys_of(lines, salts))
    meaning = {key: (line, salt) for key, line, salt in zip(keys_of(lines, salts).tolist(), lines, salts, strict=True)}
    slots, marks = np.empty(64, np.int32), np.empty(128, np.uint8)
    fill_table(keys, slots, marks)
    moves, ends = columns(lines)
    expected = np.array(data.draw(st.lists(st.booleans(), min_size=len(lines), max_size=len(lines))), np.uint8)
    out, found = np.empty(6, np.int32), np.empty(6, np.int32)  # so that it takes several calls
    pairs, place = [], 0
    while place < len(lines):
        seeds = np.full(len(lines), 99, np.uint64)
        count, place = find_prefixes(moves, ends, seeds, salts, expected, least, keys, slots, marks, out, found, place)
        pairs += [(line, meaning[int(keys[key])]) for line, key in zip(out[:count], found[:count], strict=True)]
    known = set(meaning.values())
    assert pairs == [
        (place, (line[:length], salts[place]))
        for place, line in enumerate(lines)
        if expected[place]
        for length in range(max(1, least), len(line))
        if (line[:length], salts[place]) in known
    ]


def numbers(*values: int, kind: Any = np.int64) -> np.ndarray:
    return np.array(values, kind)


@pytest.mark.parametrize(("ends", "seeds"), [((0, 3), 1), ((1, 0), 1), ((0,), 1), ((-1, 1), 1), ((0, 1), 2)], ids=str)
def test_lines_that_do_not_fit(ends: tuple[int, ...], seeds: int) -> None:
    with pytest.raises(ValueError, match=r"ends|fit"):
        hash_lines(
            numbers(1, 2, kind=np.uint16), numbers(*ends), np.zeros(seeds, np.uint64), np.zeros(seeds, np.uint64)
        )


@pytest.mark.parametrize(("slots", "marks"), [(2, 8), (6, 8), (8, 6), (8, 0)])
def test_tables_of_a_wrong_size(slots: int, marks: int) -> None:
    with pytest.raises(ValueError, match="wrong size"):
        fill_table(np.arange(2, dtype=np.uint64), np.empty(slots, np.int32), np.empty(marks, np.uint8))


@pytest.mark.parametrize(
    "slots", [numbers(5, -1, kind=np.int32), numbers(0, 0, kind=np.int32), numbers(0, -1, -1, kind=np.int32)]
)
def test_tables_that_nobody_made(slots: np.ndarray) -> None:
    one, marks = np.zeros(1, np.uint64), np.full(8, 0xFF, np.uint8)
    room = np.empty(4, np.int32)
    with pytest.raises(ValueError, match="table"):
        find_prefixes(
            numbers(1, kind=np.uint16),
            numbers(0, 1),
            one,
            one,
            np.ones(1, np.uint8),
            0,
            one,
            slots,
            marks,
            room,
            room,
            0,
        )


GROUP: dict[str, Any] = {
    "order": numbers(0, 1),
    "ends": numbers(0, 2),
    "runs": numbers(0, 0, kind=np.int32),
    "white": numbers(0, 0, kind=np.int32),
    "black": numbers(0, -1, kind=np.int32),
    "given": np.zeros((1, 4), np.uint64),
    "first_days": numbers(0, 0, kind=np.int32),
    "last_days": numbers(0, 0, kind=np.int32),
    "slack": 1,
    "hosts": numbers(-1, -1, kind=np.int32),
    "ids": numbers(-1, -1, kind=np.int32),
    "moments": numbers(-1, -1),
    "winners": numbers(0, 0, kind=np.uint8),
    "links": np.empty(0, np.uint64),
}


@pytest.mark.parametrize(
    "wrong",
    [
        {"order": numbers(0, 2)},
        {"order": numbers(-1, 0)},
        {"ends": numbers(0, 3)},
        {"ends": numbers(0, 2, 1, 2)},
        {"ends": numbers(1, 2)},
        {"runs": numbers(0, kind=np.int32)},
        {"white": numbers(0, 1, kind=np.int32)},
        {"given": np.zeros((1, 3), np.uint64)},
        {"ids": numbers(0, kind=np.int32)},
        {"winners": numbers(0, kind=np.uint8)},
    ],
    ids=str,
)
def test_groups_that_do_not_fit(wrong: dict[str, Any]) -> None:
    kept = np.full(2, -1, np.int64)
    choose_kept(**GROUP, kept=kept)
    assert kept.tolist() == [-1, -1]  # one has no name
    with pytest.raises(ValueError, match=r"fit|descend|no such|another"):
        choose_kept(**GROUP | wrong, kept=kept)
