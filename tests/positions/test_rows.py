"""Rows of positions, against a slow replay of the same games; sorted by key as an index of positions wants them."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pytest

from tabiya.chess import Color, Position
from tabiya.game import Game, GameBatch
from tabiya.game.view import view_of
from tabiya.positions.row_spool import RowSpool, key_parts
from tabiya.positions.rows import Mode, RowSource
from tabiya.positions.rows_kernel import collect_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

_CASTLING = 0x8000
_WON, _LOST, _DRAWN = 1, 2, 3


def game_of(text: str, result: str) -> Game:
    return Game.from_pgn(f'[Result "{result}"]\n\n{text} {result}\n')


GAMES = [
    game_of("1. e4 (1. d4) e5 2. Nf3 Nc6 3. Bb5 a6", "1-0"),
    game_of("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3", "0-1"),  # the start position, and the one after it, occur twice
    game_of("1. Nf3 Nc6 2. e4 e5 3. Bb5 Nf6 4. O-O", "1/2-1/2"),
    game_of("1. e4 -- 2. d4", "*"),  # nothing counts behind a null move
]


def replayed(games: list[Game], max_ply: int) -> list[tuple[int, int, int, int, int]]:
    """Key, number of the game, ply, move and outcome for the side to move; a position once per game."""
    found = []
    for number, game in enumerate(games):
        position: Position = game.start_position
        seen: set[int] = set()
        for ply, node in enumerate(list(game.mainline())[:max_ply]):
            move = node.move
            assert move is not None
            if move.is_null:
                break
            castles = (position.piece_at(move.from_square) or "").upper() == "K" and ply == 6
            result = game.tags.get("Result")
            won = {"1-0": Color.WHITE, "0-1": Color.BLACK}.get(result or "")
            outcome = _DRAWN if result == "1/2-1/2" else 0 if won is None else _WON if won is position.turn else _LOST
            if position.key not in seen:
                found.append((position.key, number, ply, int(move) | (_CASTLING if castles else 0), outcome))
            seen.add(position.key)
            position = position.play(move)
    return found


def unpacked(rows: NDArray[Any]) -> list[tuple[int, int, int, int, int]]:
    return [
        (key, what >> 8 & 0xFFFFFFFF, what & 255, what >> 48, what >> 40 & 255)
        for key, what in zip(rows["key"].tolist(), rows["what"].tolist(), strict=True)
    ]


@pytest.mark.parametrize("max_ply", [1, 3, 255])
@pytest.mark.parametrize("threads", [1, 2])
def test_rows_are_those_of_a_replay(max_ply: int, threads: int) -> None:
    source = RowSource(Mode.KEY, max_ply)
    batches = [GameBatch.from_games(GAMES[:1]), GameBatch.from_games(GAMES[1:])]
    rows = np.concatenate(list(source.batches(batches, threads)))
    assert unpacked(rows) == replayed(GAMES, max_ply)
    assert (source.records, source.games, source.rows) == (len(GAMES), len(GAMES), len(rows))
    assert source.left_out == {"chess960": 0, "setups": 0, "starts": 0, "unplayable": 0}


@pytest.mark.parametrize("memory", [1 << 10, 1 << 24])
def test_sorted_rows_are_an_index(memory: int) -> None:
    """Ranges come by key, and the rows of a key by game: a stable sort of each range is all that an index needs."""
    games = GAMES * 20
    spool = RowSpool(Mode.KEY.row, memory=memory)
    for rows in RowSource(Mode.KEY, 255).batches([GameBatch.from_games(games)], 1):
        spool.add(rows)
    found = []
    for (pieces,) in chain.from_iterable(part.ranges() for part in key_parts(spool)):
        rows = np.concatenate(list(pieces))
        found += unpacked(rows[np.argsort(rows["key"], kind="stable")])
    spool.close()
    assert found == sorted(replayed(games, 255))


def test_games_that_have_no_rows_are_counted() -> None:
    setup = Game.from_pgn('[SetUp "1"]\n[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n\n1. e4 *\n')
    other = Game.from_pgn('[Variant "Chess960"]\n\n1. e4 *\n')
    for mode, left_out in ((Mode.KEY, {"chess960": 1}), (Mode.LINE, {"chess960": 1, "setups": 1})):
        source = RowSource(mode, 10)
        list(source.batches([GameBatch.from_games([setup, other])], 1))
        assert {what: count for what, count in source.left_out.items() if count} == left_out


def test_games_end_at_moves_that_cannot_be_played() -> None:
    """Only a damaged batch has such a move."""
    game = Game({"Result": "1-0"})
    game.root.add("e4").add("e5")
    batch = GameBatch.from_games([game])
    records = batch.record_batch
    moves = records["moves"].values.to_numpy().copy()
    moves[1] = 12 | 28 << 6
    column = pa.ListArray.from_arrays(records["moves"].offsets, pa.array(moves), type=records["moves"].type)
    broken = GameBatch(
        records.set_column(records.schema.get_field_index("moves"), records.schema.field("moves"), column)
    )
    counters = np.zeros(6, np.int64)
    rows = np.zeros((3, 2), np.uint64)
    count = collect_rows(view_of(broken), 0, 10, 0, rows, np.zeros((0, 0), np.uint16), counters)
    assert count == 1
    assert counters.tolist() == [0, 0, 0, 0, 0, 1]


def test_doors_refuse_buffers_that_do_not_fit() -> None:
    batch = view_of(GameBatch.from_games([Game()]))
    tapes, counters = np.zeros((0, 0), np.uint16), np.zeros(6, np.int64)
    for mode, max_ply, room in ((0, 0, 1), (0, 256, 1), (3, 9, 1), (-1, 9, 1), (0, 9, 0), (2, 9, 1)):
        with pytest.raises(ValueError):  # noqa: PT011 - a mistake of the caller
            collect_rows(batch, mode, max_ply, 0, np.zeros((room, mode + 2), np.uint64), tapes, counters)
    for words, first in ((3, 0), (2, -1), (2, 1 << 32)):
        with pytest.raises(ValueError):  # noqa: PT011 - a mistake of the caller
            collect_rows(batch, 0, 9, first, np.zeros((1, words), np.uint64), tapes, counters)
