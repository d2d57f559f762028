"""Adding up made-up rows, against a slow count; and in the memory it is given."""

from __future__ import annotations

import tracemalloc
from collections import defaultdict
from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabiya.books.build.position_sums import NUMBERS, PositionSums
from tabiya.books.build.position_sums_kernel import add_up, fill_slots
from tabiya.books.build.tapes import Tapes
from tabiya.positions.rows import NO_MOVE, Mode

MEMORIES = [1 << 12, 1 << 14, 1 << 26]


def what(move: int, outcome: int, game: int, ply: int) -> int:
    return move << 48 | outcome << 40 | game << 8 | ply


def random_rows(seed: int, count: int) -> list[tuple[int, int, int, int]]:
    """Rows of positions that lead to each other: key, what, following, ratings. Few have many games."""
    rng = Random(seed)
    keys = [rng.randrange(1 << 64) for _ in range(max(1, count // 3))]
    rows = []
    for number in range(count):
        key = keys[min(int(rng.expovariate(0.2)), len(keys) - 1)] if rng.random() < 0.5 else rng.choice(keys)
        move = rng.choice([5, 77, 0x7001, NO_MOVE])
        following = 0 if move == NO_MOVE else keys[(key ^ move) % len(keys)]
        outcome = rng.randrange(4) | rng.choice([0, 0, 0, 4])
        rows.append((key, what(move, outcome, number // 9, number % 9), following, rng.randrange(1 << 32)))
    return rows


def slow_sums(rows: list[tuple[int, int, int, int]]) -> dict[tuple[int, int], dict[str, int]]:
    sums: dict[tuple[int, int], dict[str, int]] = defaultdict(lambda: dict.fromkeys(NUMBERS, 0) | {"place": 1 << 60})
    for key, word, following, ratings in rows:
        entry = sums[key, word >> 48]
        entry["following"] = following
        entry["place"] = min(entry["place"], word & 0xFF_FFFF_FFFF)
        outcome = word >> 40 & 255
        if outcome < 4:
            counted = (1, outcome == 1, outcome == 2, outcome == 3)
            rating, opponent = ratings >> 16, ratings & 65535
            for name, number in zip(NUMBERS, (*counted, rating, rating > 0, opponent, opponent > 0), strict=True):
                entry[name] += number
    return sums


def taken(mode: Mode, rows: list[tuple[int, int, int, int]], memory: int, threads: int) -> PositionSums:
    adding = PositionSums(mode, memory, threads)
    width = mode.row.itemsize // 8
    block = np.array([row[:width] for row in rows], np.uint64).reshape(-1, width)
    adding.take(block[start : start + 50].reshape(-1).view(mode.row) for start in range(0, len(block), 50))
    return adding


CASES = {
    "seed": st.integers(0, 10**6),
    "count": st.integers(0, 600),
    "memory": st.sampled_from(MEMORIES),
    "min_games": st.integers(1, 4),
    "threads": st.sampled_from([1, 2]),
}


@settings(max_examples=25)
@given(**CASES)
def test_moves_by_key(seed: int, count: int, memory: int, min_games: int, threads: int) -> None:
    rows = random_rows(seed, count)
    with taken(Mode.KEY, rows, memory, threads) as adding:
        blocks = list(adding.moves_by_key(min_games))
    found = [row for block in blocks for row in zip(*(column.tolist() for column in block.values()), strict=True)]
    names = ("games", "wins", "draws")
    expected = {
        (*place, *(entry[name] for name in names))
        for place, entry in slow_sums(rows).items()
        if entry["games"] >= min_games
    }
    assert found == sorted(expected)
    keys = [key for block in blocks for key in set(block["key"].tolist())]
    assert len(keys) == len(set(keys)), "all moves of a key are in one block"


@settings(max_examples=25)
@given(**CASES)
def test_moves_by_line(seed: int, count: int, memory: int, min_games: int, threads: int) -> None:
    rows = random_rows(seed, count)
    with taken(Mode.LINE, rows, memory, threads) as adding:
        sums = adding.moves_by_line(min_games)
    found = list(zip(*(sums[name].tolist() for name in ("key", "move", "following", "games", "losses")), strict=True))
    expected = {
        (*place, entry["following"], entry["games"], entry["losses"]): (entry["place"] & 255, -entry["games"], *place)
        for place, entry in slow_sums(rows).items()
        if entry["games"] >= min_games
    }
    assert found == sorted(expected, key=expected.__getitem__)


@settings(max_examples=40)
@given(**CASES)
def test_positions(seed: int, count: int, memory: int, min_games: int, threads: int) -> None:
    rows = random_rows(seed, count)
    with taken(Mode.FRAME, rows, memory, threads) as adding:
        blocks = list(adding.positions(min_games, count // 9 + 1))
    by_key: dict[int, dict[int, dict[str, int]]] = defaultdict(dict)
    for (key, move), entry in slow_sums(rows).items():
        by_key[key][move] = entry
    totals = {
        key: {name: sum(entry[name] for entry in moves.values()) for name in NUMBERS}
        | {"place": min(entry["place"] for entry in moves.values())}
        for key, moves in by_key.items()
    }
    kept = {key: numbers for key, numbers in totals.items() if numbers["games"] >= min_games}
    positions = [dict(zip(part.dtype.names or (), row, strict=True)) for part, _ in blocks for row in part.tolist()]
    assert positions == sorted(kept.values(), key=lambda numbers: numbers["place"])
    moves = [row for _, part in blocks for row in part[["place", "games", "move"]].tolist()]
    assert moves == sorted(
        (
            (kept[key]["place"], entry["games"], move)
            for key in kept
            for move, entry in by_key[key].items()
            if move != NO_MOVE and entry["following"] in kept
        ),
        key=lambda row: (row[0], -row[1], row[2]),
    )


@pytest.mark.parametrize("mode", list(Mode))
def test_memory_is_kept(mode: Mode) -> None:
    """Many more rows than fit; a tenth of them are of one position, as all games begin with one."""
    memory, blocks, block = 8 << 20, 64, 1 << 14
    rng = np.random.default_rng(3)

    def rows() -> Iterator[Any]:
        for number in range(blocks):
            part = np.zeros(block, mode.row)
            part["key"] = rng.integers(0, 1 << 64, block, np.uint64)
            part["key"][::10] = 1
            part["what"] = np.arange(number * block, (number + 1) * block)
            if mode is not Mode.KEY:
                part["following"] = np.roll(part["key"], 1)
            yield part

    found = 0
    tracemalloc.start()
    try:
        with PositionSums(mode, memory, 2) as adding:
            adding.take(rows())
            if mode is Mode.KEY:
                found = sum(len(sums["key"]) for sums in adding.moves_by_key(1))
            elif mode is Mode.LINE:
                found = len(adding.moves_by_line(2)["key"])
            else:
                found = sum(len(positions) for positions, _ in adding.positions(1, blocks * block >> 8))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert found == (1 if mode is Mode.LINE else 1 + blocks * (block - -(-block // 10)))
    assert peak < 2 * memory
    assert blocks * block * mode.row.itemsize >= 2 * memory


def test_tables_that_do_not_fit() -> None:
    rows, sums, slots = np.zeros((3, 2), np.uint64), np.zeros((4, 12), np.uint64), np.zeros(8, np.int32)
    door: Any = add_up
    for wrong in (
        (rows[:, :1].copy(), 0, sums, 0, slots),
        (rows, 4, sums, 0, slots),
        (rows, 0, sums[:, :11].copy(), 0, slots),
        (rows, 0, sums, 5, slots),
        (rows, 0, sums, 0, slots[:7].copy()),
        (rows, 0, sums, 0, slots[:4].copy()),
    ):
        with pytest.raises(ValueError):  # noqa: PT011 - a mistake of the caller
            door(*wrong, 1)
    with pytest.raises(ValueError, match="two slots"):
        fill_slots(sums, 0, slots[:4].copy(), 1)
    assert add_up(rows, 0, sums[:0].copy(), 0, slots, 1) == (0, 0)
    assert add_up(rows, 0, sums, 0, slots, 1) == (3, 1)


def test_a_book_of_many_set_ups_reads_each_once() -> None:
    """Windows, and start positions in between; the texts are of different lengths."""
    import pyarrow as pa

    tapes = Tapes(3)
    starts = ["8/8/8/8/8/8/8/K1k5 w - - 0 1", None, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1 w Qkq - 0 1", None]
    for _ in range(3):
        tapes.add(np.zeros((4, 3), np.uint16), pa.array(starts, pa.string()))
    places = np.array([0, 1 << 8, 2 << 8, 6 << 8, 7 << 8, 8 << 8], np.uint64)
    found = [row.tobytes() for row in tapes.signatures(places)]
    tapes.close()
    assert found[0] == found[5]
    assert found[1] == found[4]
    assert found[2] == found[3]
    assert len(set(found)) == 3
