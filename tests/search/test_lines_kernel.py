"""Playing main lines: hostile tokens and starts against a slow loop, and buffers that do not fit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabiya import Position
from tabiya.errors import TabiyaError
from tabiya.positions.game_facts import FACTS, Flag, MainLines
from tabiya.positions.name_table import NameTable
from tabiya.search.lines_kernel import beginnings, find_lines, rows_of_lines
from tabiya.search.parts import Part, PositionQuery
from tabiya.search.position_keys import keys_of

STARTS = [
    None,
    "",
    "8/2k5/8/8/3p4/8/2P1K3/8 w - - 0 1",
    "nonsense",
    "bnrkqrnb/pppppppp/8/8/8/8/PPPPPPPP/BNRKQRNB w KQkq -",
]
TOKENS = st.one_of(
    st.sampled_from([0, 0x8000, 0x8001, 0xFFFF, 0x7FFF]),
    st.integers(0, 0xFFFF),
    st.sampled_from([Position().parse_san(san) for san in ("e4", "d4", "Nf3", "a3")]).map(int),
    st.sampled_from([Position().play("e4").parse_san(san) for san in ("e5", "d5", "Nf6")]).map(int),
)
LINES = st.lists(st.tuples(st.sampled_from(STARTS), st.lists(TOKENS, max_size=8)), max_size=6)


def part_of(lines: list[tuple[str | None, list[int]]]) -> Part:
    """A part of games that have these starts and moves."""
    facts = np.zeros(len(lines), FACTS)
    facts["flags"] = Flag.GAME
    moves = np.array([move for _, line in lines for move in line], np.uint16)
    ends = np.cumsum([0, *(len(line) for _, line in lines)]).astype(np.int64)
    return Part(facts, MainLines(moves, ends, pa.array([start for start, _ in lines], pa.string())), NameTable())


def positions_of(start: str | None, line: list[int]) -> list[tuple[Position, int]]:
    """The positions of a game, each with the move that follows; -1 at the end."""
    try:
        position = Position.from_fen(start) if start else Position()
    except TabiyaError:
        return []
    if position.chess960 and any(each is not None for each in position.castling()):
        return []
    found = []
    for move in line:
        if move and (move >= 0x8000 or not position.is_legal(move)):
            break
        found.append((position, move))
        position = position.play(move)
    return [*found, (position, -1)]


@given(LINES, st.sampled_from(["", "e4", "e4 e5", "e4 --", "Nf3", "d4"]))
def test_the_same_games_as_in_a_slow_loop(lines: list[tuple[str | None, list[int]]], wanted: str) -> None:
    position = Position()
    for san in wanted.split():
        position = position.play(san)
    expected = []
    for row, (start, line) in enumerate(lines):
        for ply, (each, move) in enumerate(positions_of(start, line)):
            if each.key == position.key:
                expected.append((row, ply, move))
                break
    rows, base = part_of(lines).find(PositionQuery(position, keys_of(position)))
    assert base == 0
    assert list(zip(rows.games.tolist(), rows.plies.tolist(), rows.moves.tolist(), strict=True)) == expected


@given(LINES, st.integers(0, 9))
def test_all_positions_once(lines: list[tuple[str | None, list[int]]], plies: int) -> None:
    expected: dict[tuple[int, int], tuple[int, int]] = {}
    for row, (start, line) in enumerate(lines):
        for ply, (position, move) in enumerate(positions_of(start, line)[: plies + 1]):
            expected.setdefault((position.key - (position.key >> 63 << 64), row), (ply, move))
    keys, rows = part_of(lines).rows(plies)
    found = zip(keys.tolist(), rows.games.tolist(), rows.plies.tolist(), rows.moves.tolist(), strict=True)
    assert [((key, game), (ply, move)) for key, game, ply, move in found] == sorted(expected.items())


def good() -> tuple[Any, Any, Any, Any, Any]:
    return (
        np.zeros(3, np.uint16),
        np.array([0, 3]),
        np.zeros(2, np.int32),
        np.zeros(0, np.uint8),
        np.ones(1, np.uint8),
    )


def room() -> tuple[Any, Any, Any]:
    return np.zeros(4, np.int32), np.zeros(4, np.int16), np.zeros(4, np.int16)


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (1, np.array([0])),
        (1, np.array([0, 4])),
        (1, np.array([-1, 3])),
        (1, np.array([2, 1])),
        (2, np.array([0, 5], np.int32)),
        (2, np.array([-1, 0], np.int32)),
        (4, np.ones(2, np.uint8)),
    ],
)
def test_buffers_that_do_not_fit(place: int, value: Any) -> None:
    buffers = [value if index == place else buffer for index, buffer in enumerate(good())]
    question = (Position().fen().encode(), False, False, np.array([Position().key], np.uint64))
    with pytest.raises(ValueError, match=r"lines|records"):
        find_lines(*[*buffers, *question, *room()])
    with pytest.raises(ValueError, match=r"lines|records"):
        rows_of_lines(*[*buffers, 5, np.zeros(4, np.int64), *room()])


def test_too_little_room_and_other_nonsense() -> None:
    fen, keys = Position().fen().encode(), np.array([Position().key], np.uint64)
    nothing = np.zeros(0, np.int32), np.zeros(0, np.int16), np.zeros(0, np.int16)
    assert find_lines(*good(), fen, False, False, keys, *room()) == 1
    with pytest.raises(ValueError, match="room"):
        find_lines(*good(), fen, False, False, keys, *nothing)
    with pytest.raises(ValueError, match="too many keys"):
        find_lines(*good(), fen, False, False, np.zeros(300, np.uint64), *room())
    with pytest.raises(ValueError, match="not a position"):
        find_lines(*good(), b"x", False, False, keys, *room())
    with pytest.raises(ValueError, match="room"):
        rows_of_lines(*good(), 5, np.zeros(3, np.int64), *room())
    with pytest.raises(ValueError, match="half-moves"):
        rows_of_lines(*good(), 40_000, np.zeros(4, np.int64), *room())


@pytest.mark.parametrize(("record", "plies"), [(1, 0), (-1, 0), (0, 4), (0, -1)])
def test_beginnings_of_games_that_are_not_there(record: int, plies: int) -> None:
    moves, ends, *_ = good()
    with pytest.raises(ValueError, match="game"):
        beginnings(moves, ends, np.array([record]), np.array([plies], np.int16), np.zeros(1, np.uint64))


def test_keys_of_a_position() -> None:
    assert keys_of(Position()) == [Position().key]
    many = keys_of(Position(), any_rights=True)
    assert len(many) == len({*many}) == 16
    assert many[0] == Position().key
    legal = Position().play("e4").play("a6").play("e5").play("d5")
    assert keys_of(legal) == [legal.key]
