from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabiya.chess import Color, Move, PieceType, Square
from tabiya.chess.basics import all_moves
from tabiya.errors import FormatError

squares = st.sampled_from(list(Square))
promotions = st.sampled_from([None, PieceType.KNIGHT, PieceType.BISHOP, PieceType.ROOK, PieceType.QUEEN])
moves = st.integers(0, (5 << 12) - 1).map(Move)


def test_squares_are_numbered_from_a1_along_the_ranks() -> None:
    assert [Square.A1, Square.B1, Square.H1, Square.A2, Square.E4, Square.H8] == [0, 1, 7, 8, 28, 63]
    assert (Square.E4.file, Square.E4.rank, Square.E4.text) == (4, 3, "e4")


def test_every_square_is_read_back_from_its_text() -> None:
    assert [Square.parse(square.text) for square in Square] == list(Square)
    assert [square.name.lower() for square in Square] == [square.text for square in Square]


@pytest.mark.parametrize("text", ["", "e", "e9", "e0", "i1", "E4", "e4 ", "e44", "4e", "é4", "e４", "e\0"])
def test_what_is_no_square_is_refused(text: str) -> None:
    with pytest.raises(FormatError, match="is not a square"):
        Square.parse(text)


@given(st.text(max_size=20))  # errors shorten long texts
def test_any_text_is_a_square_or_a_format_error(text: str) -> None:
    try:
        assert Square.parse(text).text == text
    except FormatError as error:
        assert repr(text) in str(error)


def test_colours_and_pieces_have_the_numbers_of_the_kernels() -> None:
    assert (Color.WHITE, Color.BLACK) == (0, 1)
    assert [kind.name for kind in sorted(PieceType)] == ["PAWN", "KNIGHT", "BISHOP", "ROOK", "QUEEN", "KING"]
    assert min(PieceType) == 1


@given(squares, squares, promotions)
def test_a_move_gives_back_what_it_was_made_of(source: Square, target: Square, promotion: PieceType | None) -> None:
    move = Move.of(source, target, promotion)
    assert (move.from_square, move.to_square, move.promotion) == (source, target, promotion)
    assert isinstance(move.from_square, Square)
    assert move.is_null == (move == 0)


@given(moves)
def test_a_move_is_its_token(move: Move) -> None:
    assert move == int(move)
    assert hash(move) == hash(int(move))
    assert Move.of(move.from_square, move.to_square, move.promotion) == move
    assert {move: "found"}[Move(int(move))] == "found"


@given(moves)
def test_moves_survive_pickling_and_copying(move: Move) -> None:
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(move, protocol))
        assert (type(again), again) == (Move, move)
    assert copy.copy(move) == move
    assert type(copy.deepcopy([move])[0]) is Move


def test_moves_as_text() -> None:
    assert str(Move.of(Square.E2, Square.E4)) == "e2e4"
    assert [str(Move.of(Square.A7, Square.B8, kind)) for kind in (2, 3, 4, 5)] == ["a7b8n", "a7b8b", "a7b8r", "a7b8q"]
    assert str(Move.NULL) == "0000"
    assert repr(Move.of(Square.E2, Square.E4)) == "<Move e2e4>"
    assert f"{Move.of(Square.E2, Square.E4)}" == "e2e4"


def test_the_bits_of_the_tape() -> None:
    assert Move.of(Square.E2, Square.E4) == 12 | 28 << 6
    assert Move.of(Square.A7, Square.A8, PieceType.QUEEN) == 48 | 56 << 6 | 4 << 12
    assert Move.NULL == 0
    assert Move.NULL.is_null


@pytest.mark.parametrize("token", [-1, 5 << 12, 0x8000, 0x8001, 0xFFFF, 2**40, -(2**70)])
def test_what_is_no_token_of_a_move_is_refused(token: int) -> None:
    with pytest.raises(FormatError, match="is not the number of a move"):
        Move(token)


@pytest.mark.parametrize("where", [(-1, 0), (0, -1), (64, 0), (0, 64), (2**40, 0)])
def test_squares_outside_the_board_are_refused(where: tuple[int, int]) -> None:
    with pytest.raises(FormatError, match="0 to 63"):
        Move.of(*where)


@pytest.mark.parametrize("promotion", [PieceType.PAWN, PieceType.KING, 0, 7, -1])
def test_pawns_turn_into_pieces_only(promotion: int) -> None:
    with pytest.raises(FormatError, match="a pawn promotes to"):
        Move.of(Square.A7, Square.A8, promotion)


def test_moves_cannot_be_changed() -> None:
    move = Move.of(Square.E2, Square.E4)
    with pytest.raises(AttributeError):
        move.promotion = PieceType.QUEEN  # type: ignore[misc]
    with pytest.raises(AttributeError):
        move.note = "!"  # type: ignore[attr-defined]


def test_all_moves_stand_at_their_tokens() -> None:
    assert all(move == token for token, move in enumerate(all_moves()))
    assert len(all_moves()) == 5 << 12
    assert all_moves() is all_moves()
