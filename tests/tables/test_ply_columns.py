"""What tables say about plies, against python-chess: games, set-ups, Chess960, variations, tapes that make no sense."""

from __future__ import annotations

import struct
from typing import Any

import chess
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabiya.errors import CorruptError
from tabiya.game import Annotation, Game, GameBatch, RecordKind, Side
from tabiya.game.annotations import BlackClock, Evaluation, TimeSpent, WhiteClock
from tabiya.game.schema import RECORD_SCHEMA
from tabiya.tables.ply_columns import PLY_COLUMNS, Plies, by_position
from tests import strategies
from tests.search.test_sql import Line, key_of

PADDED = st.booleans()


def lines_of(batch: GameBatch) -> list[Line | None]:
    """The main lines of a batch as python-chess plays them; None for what has none."""
    rows = batch.record_batch.select(["kind", "start", "moves"]).to_pylist()
    return [Line(row["start"], row["moves"]) if row["kind"] == RecordKind.GAME else None for row in rows]


def ucis(line: Line, *, chess960: bool) -> list[str]:
    """The moves as engines write them, from two boards in a row."""
    found = []
    for board, after in zip(line.boards, line.boards[1:], strict=False):
        candidates = [move for move in [*board.legal_moves, chess.Move.null()] if pushed(board, move) == after]
        found.append({board.uci(move, chess960=chess960) for move in candidates})
    return [next(iter(each)) for each in found if len(each) == 1]


def pushed(board: chess.Board, move: chess.Move) -> chess.Board:
    board = board.copy(stack=False)
    board.push(move)
    return board


@given(st.lists(strategies.records(), max_size=4))
def test_moves_and_positions_are_those_of_python_chess(records: list[Game]) -> None:
    batch = GameBatch.from_games(records)
    plies = Plies(batch, PLY_COLUMNS)
    lines = lines_of(batch)
    assert plies.lists("san").to_pylist() == [line and line.sans for line in lines]
    assert plies.lists("fens").to_pylist() == [line and [fen_of(board) for board in line.boards] for line in lines]
    assert plies.lists("keys").to_pylist() == [line and [key_of(board) for board in line.boards] for line in lines]
    assert plies.counts().to_pylist() == [line and len(line.sans) for line in lines]
    variants = batch.record_batch["variant"].to_pylist()
    for line, found, variant in zip(lines, plies.lists("uci").to_pylist(), variants, strict=True):
        assert found == (line and ucis(line, chess960=bool(variant)))
    for name in PLY_COLUMNS:
        plies.lists(name).validate(full=True)


def fen_of(board: chess.Board) -> str:
    """As tabiya writes it: castling rights by letters of files only where they are needed."""
    return board.fen(en_passant="fen") if board.chess960 and needs_files(board) else board_fen(board)


def needs_files(board: chess.Board) -> bool:
    usual = chess.Board(board.fen(), chess960=False)
    return usual.clean_castling_rights() != board.clean_castling_rights()


def board_fen(board: chess.Board) -> str:
    plain = board.copy(stack=False)
    plain.chess960 = False
    return plain.fen(en_passant="fen")


@given(st.lists(strategies.records(), max_size=4))
def test_rows_of_positions_are_the_lists_with_a_place_more(records: list[Game]) -> None:
    batch = GameBatch.from_games(records)
    plain, padded = Plies(batch, PLY_COLUMNS), Plies(batch, PLY_COLUMNS, padded=True)
    owners, ply = by_position(padded.positions)
    assert padded.counts() == plain.counts()
    for name in PLY_COLUMNS:
        members = padded.members(name).to_pylist()
        rows: list[list[Any]] = [[] for _ in records]
        for owner, value in zip(owners.tolist(), members, strict=True):
            rows[owner].append(value)
        expected = [values or [] for values in plain.lists(name).to_pylist()]
        for own, values, known in zip(rows, expected, plain.counts().to_pylist(), strict=True):
            if known is None:
                assert own == []
            elif name in {"fens", "keys"}:
                assert own == values
            elif name in {"san", "uci", "tokens"}:
                assert own == [*values, None]
            else:
                assert own == [None, *(values or [None] * known)]
    assert [int(each) for each in ply] == [place for count in padded.positions for place in range(count)]


def test_values_stand_on_the_moves_of_their_side() -> None:
    game = Game.from_pgn(
        "1. e4 {[%clk 1:30:05.5] [%eval 0.17]} e5 {[%clk 0:59:59][%emt 0:01:02]} (1... c5 {[%clk 0:00:01]}) "
        "2. Nf3 {[%eval #-3]} *"
    )
    plies = Plies(GameBatch.from_games([game, Game()]), PLY_COLUMNS)
    assert plies.lists("clocks").to_pylist() == [[5405.5, 3599.0, None], None]
    assert plies.lists("times").to_pylist() == [[None, 62, None], None]
    assert plies.lists("evaluations").to_pylist() == [[0.17, None, None], None]
    assert plies.lists("mates").to_pylist() == [[None, None, -3], None]
    assert plies.lists("san").to_pylist() == [["e4", "e5", "Nf3"], []]


@given(st.lists(st.tuples(st.integers(-1, 2), st.sampled_from([7, 0x16, 0x17, 0x21, 2]), st.binary(max_size=8))))
def test_values_are_those_of_the_classes(notes: list[tuple[int, int, bytes]]) -> None:
    """The first of a kind on a move counts, and what is too short or too long for one says nothing."""
    game = Game.from_pgn("1. e4 e5 2. Nf3 *")
    nodes = [game.root, *game.mainline()]
    for move, kind, data in notes:
        nodes[move + 1].annotations.append(Annotation(kind, data, 0, None, Side.AFTER))
    plies = Plies(GameBatch.from_games([game]), PLY_COLUMNS)
    expected: dict[str, list[Any]] = {name: [None] * 3 for name in ("clocks", "times", "evaluations", "mates")}
    for move, kind, data in reversed(notes):
        if move < 0:
            continue
        if kind == (BlackClock if move == 1 else WhiteClock).kind and len(data) == 4:
            expected["clocks"][move] = struct.unpack(">I", data)[0] / 100
        elif kind == TimeSpent.kind and len(data) == 4:
            expected["times"][move] = TimeSpent(*data).total
        elif kind == Evaluation.kind and len(data) == 6:
            value, unit, _ = struct.unpack("<hhh", data)
            if unit in (0, 1):
                expected["mates" if unit else "evaluations"][move] = value if unit else value / 100
    for name, values in expected.items():
        assert plies.lists(name)[0].as_py() == (values if any(each is not None for each in values) else None)


TOKENS = st.one_of(st.sampled_from([0, 0x8000, 0x8001, 0x8002, 0xFFFF, 1804, 2356]), st.integers(0, 0xFFFF))


@given(st.lists(st.lists(TOKENS, max_size=12), min_size=1, max_size=4))
def test_tapes_without_sense_end_the_line(tapes: list[list[int]]) -> None:
    records = GameBatch.from_games([Game() for _ in tapes]).record_batch
    place = RECORD_SCHEMA.get_field_index("moves")
    moves = pa.array(tapes, RECORD_SCHEMA.field("moves").type)
    batch = GameBatch(records.set_column(place, RECORD_SCHEMA.field("moves"), moves))
    plies = Plies(batch, PLY_COLUMNS)
    lines = lines_of(batch)
    assert plies.lists("san").to_pylist() == [line and line.sans for line in lines]
    assert plies.lists("keys").to_pylist() == [line and [key_of(board) for board in line.boards] for line in lines]


def test_slices_of_batches_are_their_own() -> None:
    games = [Game.from_pgn(f"1. {move} *") for move in ("e4", "d4", "c4", "Nf3")]
    batch = GameBatch.from_games(games)
    assert Plies(batch.slice(1, 2), ["san"]).lists("san").to_pylist() == [["d4"], ["c4"]]
    assert Plies(batch.slice(4, 0), ["san"]).lists("san").to_pylist() == []


def test_a_start_position_that_cannot_be_has_no_plies() -> None:
    records = GameBatch.from_games([Game.from_pgn("1. e4 *"), Game.from_pgn("1. d4 *")]).record_batch
    starts = pa.array(["8/8/8/8/8/8/8/8 w - -", None], pa.string())
    place = RECORD_SCHEMA.get_field_index("start")
    batch = GameBatch(records.set_column(place, RECORD_SCHEMA.field("start"), starts))
    assert Plies(batch, ["san", "fens"]).lists("san").to_pylist() == [None, ["d4"]]
    assert Plies(batch, ["san"], padded=True).counts().to_pylist() == [None, 1]


def test_a_damaged_batch_is_refused() -> None:
    records = GameBatch.from_games([Game.from_pgn("1. e4 *")]).record_batch
    kinds = pa.array([1804, None], pa.uint16())
    moves = pa.ListArray.from_arrays(pa.array([0, 2], pa.int32()), kinds, type=RECORD_SCHEMA.field("moves").type)
    place = RECORD_SCHEMA.get_field_index("moves")
    with pytest.raises(CorruptError):
        Plies(GameBatch(records.set_column(place, RECORD_SCHEMA.field("moves"), moves)), ["san"])
