"""The move index and its relatives: vectors of the reference program, and a slow second opinion on random positions."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path

import chess
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tabiya.chess import Move, Position, Square
from tabiya.errors import CorruptError, FormatError, UnsupportedError, UsageError
from tabiya.formats.bcgn.move_index import (
    LEVELS,
    decode_moves,
    encode_moves,
    index_size,
    index_to_move,
    index_width,
    move_to_index,
    pack_position,
    unpack_position,
)
from tests.formats.bcgn import oracle

START = "ffff00000000ffff2d844ad200000000111111113e955be3"
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
LINE = "e4 e5 Nf3 Nc6 Bb5 Nf6 O-O Nxe4 Re1 Nd6 Nxe5 Be7 Bf1 Nxe5 Rxe5 O-O"
QUEENS = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1"


def walk(seed: int, fen: str = chess.STARTING_FEN, plies: int = 120) -> tuple[chess.Board, list[chess.Move]]:
    """A random game."""
    choose = random.Random(seed)
    board = chess.Board(fen)
    while not board.is_game_over(claim_draw=False) and len(board.move_stack) < plies:
        board.push(choose.choice(list(board.legal_moves)))
    return chess.Board(fen), list(board.move_stack)


def queen_heavy(seed: int) -> chess.Board:
    """A random position with three to nine queens of the side to move."""
    choose = random.Random(seed)
    while True:
        board = _queen_heavy(choose)
        if not board.was_into_check():
            return board


def _queen_heavy(choose: random.Random) -> chess.Board:
    squares = choose.sample(chess.SQUARES, 24)
    board = chess.Board(None)
    board.turn = choose.random() < 0.5
    board.set_piece_at(squares.pop(), chess.Piece(chess.KING, chess.WHITE))
    board.set_piece_at(squares.pop(), chess.Piece(chess.KING, chess.BLACK))
    for _ in range(choose.randrange(3, 10)):
        board.set_piece_at(squares.pop(), chess.Piece(chess.QUEEN, board.turn))
    for _ in range(choose.randrange(8)):
        kind = choose.choice([chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN])
        board.set_piece_at(squares.pop(), chess.Piece(kind, choose.random() < 0.5))
    return board


def check(board: chess.Board) -> int:
    """Every legal move has an index of its own and the codes that the oracle gives it; the number of moves."""
    position = Position.from_fen(board.fen(en_passant="fen"))
    ours = {position.uci(move): move for move in position.legal_moves()}
    assert sorted(ours) == sorted(move.uci() for move in board.legal_moves)
    indexes = set()
    for theirs in board.legal_moves:
        move = ours[theirs.uci()]
        index = move_to_index(position, move)
        indexes.add(index)
        assert index == oracle.move_index(board, theirs)
        assert index < index_size(position)
        assert index_to_move(position, index) == move
        for level in LEVELS:
            data = encode_moves(position, [move], level)
            assert data == oracle.movetext(board.copy(), [theirs], level), (board.fen(), theirs, level)
            assert decode_moves(position, data, 1, level) == [move]
    assert len(indexes) == len(ours)
    for index in set(range(index_size(position) + 3)) - indexes:
        with pytest.raises(FormatError, match="no legal move"):
            index_to_move(position, index)
    same = unpack_position(pack_position(position))
    assert same.fen().split()[:4] == position.fen(en_passant="legal").split()[:4]
    assert pack_position(same) == pack_position(position)
    return len(ours)


def test_vectors(samples: Callable[[str], Path]) -> None:
    """Every legal move of 18 positions, as the reference program writes it."""
    count = 0
    for case in json.loads(samples("bcgn/move_vectors.json").read_text("utf-8")):
        position = Position.from_fen(case["fen"])
        assert pack_position(position).hex() == case["packed_pos"]
        assert (index_width(position) == 2) == case["long"]
        for uci, plain, index, bits in case["moves"]:
            target = position.piece_at(Square.parse(uci[2:4]))
            if target is not None and target in "kK":
                continue  # in two positions the side that is not to move is in check, and its king is taken
            move = position.parse_uci(uci)
            count += 1
            assert encode_moves(position, [move], 0).hex() == plain
            assert encode_moves(position, [move], 1).hex() == index
            data = encode_moves(position, [move], 2)
            assert "".join(f"{byte:08b}" for byte in data) == bits.ljust(8 * len(data), "0")
            assert len(data) == (len(bits) + 7) // 8
            for level, code in enumerate((bytes.fromhex(plain), bytes.fromhex(index), data)):
                assert decode_moves(position, code, 1, level) == [move]
    assert count > 600


def test_a_line_at_every_level() -> None:
    """The published example of level 1, and 1.e4 at level 2."""
    position = Position()
    moves = []
    for san in LINE.split():
        moves.append(position.parse_san(san))
        position = position.play(moves[-1])
    assert encode_moves(Position(), moves).hex(" ") == "43 43 73 6b 8c 72 00 72 9a 70 6c 80 7b 61 98 00"
    assert encode_moves(Position(), moves[:1], 2).hex() == "c8"
    assert encode_moves(Position(), moves[:1], 0).hex() == "0c70"
    for level in LEVELS:
        assert decode_moves(Position(), encode_moves(Position(), moves, level), len(moves), level) == moves


@settings(max_examples=20)
@given(st.integers(0, 1 << 32))
def test_random_games(seed: int) -> None:
    board, moves = walk(seed)
    position = Position()
    tokens = []
    for move in moves:
        tokens.append(position.parse_uci(move.uci()))
        position = position.play(tokens[-1])
    for level in LEVELS:
        data = encode_moves(Position(), tokens, level)
        assert data == oracle.movetext(chess.Board(), moves, level)
        assert decode_moves(Position(), data, len(tokens), level) == tokens
    for ply, move in enumerate(moves):
        if ply % 40 == seed % 40:
            check(board)
        board.push(move)


@settings(max_examples=50)
@given(st.integers(0, 1 << 32))
def test_many_queens(seed: int) -> None:
    board = queen_heavy(seed)
    check(board)
    assert index_width(Position.from_fen(board.fen())) == 2


@pytest.mark.parametrize(
    "fen",
    [
        KIWIPETE,
        QUEENS,
        "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1",  # en passant would open the rank
        "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
        "4k3/8/8/1PpP4/8/8/8/R3K2R w KQ c6 0 1",  # two pawns may capture
        "r3k2r/8/8/8/8/8/8/R3K2R b q - 0 1",
    ],
)
def test_positions_of_all_kinds(fen: str) -> None:
    assert check(chess.Board(fen)) > 0


def test_a_long_line_is_encoded_in_pieces() -> None:
    knights = [Move.of(Square.G1, Square.F3), Move.of(Square.G8, Square.F6)]
    back = [Move.of(Square.F3, Square.G1), Move.of(Square.F6, Square.G8)]
    line = (knights + back) * 3000
    for level in LEVELS:
        assert decode_moves(Position(), encode_moves(Position(), line, level), len(line), level) == line


class TestRefusals:
    def test_illegal_and_null_moves(self) -> None:
        with pytest.raises(FormatError, match="e2e5 is not a legal move"):
            move_to_index(Position(), Move.of(Square.E2, Square.E5))
        with pytest.raises(FormatError, match="0000 is not a legal move"):
            move_to_index(Position(), Move.NULL)
        for level in (1, 2):
            with pytest.raises(FormatError, match="move 0 of the line"):
                encode_moves(Position(), [Move.NULL], level)
        assert encode_moves(Position(), [Move.NULL], 0) == b"\0\0"
        assert decode_moves(Position(), b"\0\0", 1, 0) == [Move.NULL]

    @pytest.mark.parametrize("wrong", [0x5000, 0x8000, -0x8000, 0x10000, -0x10000, 1 << 32, -(1 << 32), 10**30])
    def test_numbers_of_no_move(self, wrong: int) -> None:
        """No bits beyond those of a move are overlooked, least of all beside a promotion, which has the highest."""
        position = Position.from_fen("8/P6k/8/8/8/8/8/K7 w - - 0 1")
        for move in [*position.legal_moves(), Move.NULL]:
            with pytest.raises(FormatError, match="is not the number of a move"):
                move_to_index(position, move + wrong)
            for level in LEVELS:
                with pytest.raises(FormatError, match="is not the number of a move"):
                    encode_moves(position, [move + wrong], level)

    def test_an_index_that_does_not_fit(self) -> None:
        position = Position.from_fen("k7/8/8/8/1Q5Q/RRRRRRRR/RRRRRRR1/7K w - - 0 1")
        last = position.parse_uci("h4h8")
        assert index_width(position) == 1
        with pytest.raises(UnsupportedError, match="needs a second byte"):
            move_to_index(position, last)
        with pytest.raises(UnsupportedError, match="needs a second byte"):
            encode_moves(position, [last])
        assert decode_moves(position, encode_moves(position, [last], 2), 1, 2) == [last]

    def test_chess960(self) -> None:
        for use in (lambda it: index_size(it), lambda it: index_to_move(it, 0), lambda it: encode_moves(it, [])):
            with pytest.raises(UnsupportedError, match="Chess960"):
                use(Position.chess960_start(0))

    def test_levels(self) -> None:
        with pytest.raises(UsageError, match="the compression level"):
            encode_moves(Position(), [], 3)

    def test_movetexts_that_are_none(self) -> None:
        with pytest.raises(CorruptError, match="the bytes end here"):
            decode_moves(Position(), b"\x43", 2)
        with pytest.raises(CorruptError, match="move 1 of the line cannot be read: no legal move"):
            decode_moves(Position(), b"\x43\xff", 2)
        with pytest.raises(CorruptError, match="no legal move"):
            decode_moves(Position(), bytes.fromhex("4c70"), 1, 0)  # a promotion from e2 to e4

    def test_indices_out_of_range(self) -> None:
        for index in (-1, 256, 70000, 10**30):
            with pytest.raises(FormatError, match="no legal move has the index"):
                index_to_move(Position(), index)


class TestPackedPosition:
    @pytest.mark.parametrize(
        ("fen", "packed"),
        [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", START),
            (
                "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
                "ffff00001000efff2d844ad200000000111111113e955fe3",
            ),
            ("r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1", "9100000000000091a6ed7b00" + "00" * 12),
            ("8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1", "0000009900000010ab010700" + "00" * 12),
        ],
    )
    def test_vectors(self, fen: str, packed: str) -> None:
        assert pack_position(Position.from_fen(fen)).hex() == packed
        assert pack_position(unpack_position(bytes.fromhex(packed))).hex() == packed

    def test_what_cannot_be_packed(self) -> None:
        crowd = Position.from_fen("k7/8/8/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/K7 w - - 0 1")
        with pytest.raises(UnsupportedError, match="more than 32 pieces"):
            pack_position(crowd)
        with pytest.raises(UnsupportedError, match="castles from an unusual square"):
            pack_position(Position.chess960_start(0))

    @pytest.mark.parametrize(
        ("packed", "why"),
        [
            ("", "24 bytes"),
            ("00" * 24, "exactly one king"),
            ("ff" * 8 + "22" * 16, "more than 32 pieces"),
            ("0000000000000003" + "a0" + "00" * 15, "first or last rank"),
            ("0000000000000003" + "aa" + "00" * 15, "exactly one king"),
            ("0000000000000106" + "bd0a" + "00" * 14, "a mark"),
            ("8000000000000001" + "cb" + "00" * 15, "a mark"),
        ],
    )
    def test_what_is_none(self, packed: str, why: str) -> None:
        with pytest.raises(CorruptError, match=why):
            unpack_position(bytes.fromhex(packed))

    @given(st.binary(min_size=24, max_size=24))
    @example(bytes.fromhex(START))
    def test_any_bytes(self, packed: bytes) -> None:
        """What is taken for a position is one: its packed form is stable."""
        try:
            position = unpack_position(packed)
        except CorruptError:
            return
        assert unpack_position(pack_position(position)) == position


@given(st.binary(max_size=60), st.integers(0, 70), st.sampled_from(LEVELS))
def test_any_movetext(data: bytes, plies: int, level: int) -> None:
    """Whatever the bytes, they are moves or an error; what is read is written again the same, but for its padding."""
    try:
        moves = decode_moves(Position(), data, plies, level)
    except CorruptError:
        return
    again = encode_moves(Position(), moves, level)
    assert data[: max(0, len(again) - 1)] == again[:-1]
    assert decode_moves(Position(), again, plies, level) == moves
