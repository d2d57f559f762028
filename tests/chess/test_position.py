"""The Python face of a position: a value that never changes."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabiya.chess import Color, Move, Position, Square
from tabiya.errors import FormatError, TabiyaError

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


@st.composite
def played_positions(draw: st.DrawFn) -> Position:
    """A position some moves after a start position of standard chess or Chess960."""
    position = draw(st.one_of(st.just(Position()), st.integers(0, 959).map(Position.chess960_start)))
    for choice in draw(st.lists(st.integers(0, 255), max_size=40)):
        moves = position.legal_moves()
        if not moves:
            break
        position = position.play(Move.NULL if choice == 255 else moves[choice % len(moves)])
    return position


def test_the_start_position() -> None:
    position = Position()
    assert position.fen() == START
    assert position == Position.from_fen(START)
    assert position.turn is Color.WHITE
    assert (position.halfmove_clock, position.fullmove_number) == (0, 1)
    assert (position.ep_square, position.legal_ep_square) == (None, None)
    assert not position.chess960
    assert not position.is_check()
    assert position.problems() == []
    assert len(position.legal_moves()) == 20
    assert all(type(move) is Move for move in position.legal_moves())


def test_a_game_played_through() -> None:
    position = Position()
    for number, text in enumerate(["e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7#"]):
        assert position.turn == number % 2
        assert position.fullmove_number == number // 2 + 1
        position = position.play(text)
    assert position.is_checkmate()
    assert position.legal_moves() == []
    assert position.fen() == "r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4"


def test_playing_leaves_the_position_as_it_was() -> None:
    position = Position()
    after = position.play("e4")
    assert position.fen() == START
    assert position == Position()
    assert after != position
    assert type(after) is Position


def test_moves_may_be_given_in_several_ways() -> None:
    move = Move.of(Square.E2, Square.E4)
    assert Position().play(move) == Position().play(int(move)) == Position().play("e4") == Position().play("e2e4")


def test_a_null_move_is_played_though_it_is_not_legal() -> None:
    assert not Position().is_legal(Move.NULL)
    assert Move.NULL not in Position().legal_moves()
    after = Position().play("e4").play(Move.NULL)
    assert after.fen() == "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 1 2"
    assert after == Position().play("e4").play("--")


@pytest.mark.parametrize("move", [Move.of(Square.E2, Square.E5), "e5", "Nf6", 1, 2**20, -5])
def test_illegal_moves_are_refused(move: Move | int | str) -> None:
    with pytest.raises(FormatError):
        Position().play(move)


def test_pieces_on_squares() -> None:
    assert [Position().piece_at(square) for square in (Square.E1, Square.D8, Square.E4, 8)] == ["K", "q", None, "P"]
    with pytest.raises(ValueError, match="64"):
        Position().piece_at(64)


def test_the_board_as_text() -> None:
    assert str(Position().play("e4")) == (
        "r n b q k b n r\n"
        "p p p p p p p p\n"
        ". . . . . . . .\n"
        ". . . . . . . .\n"
        ". . . . P . . .\n"
        ". . . . . . . .\n"
        "P P P P . P P P\n"
        "R N B Q K B N R"
    )
    assert repr(Position()) == f"<Position {START}>"


# --- a value ---------------------------------------------------------------------------------------------------------


@settings(max_examples=200)
@given(played_positions())
def test_positions_survive_fen_pickling_and_copying(position: Position) -> None:
    copies = [
        Position.from_fen(position.fen(), chess960=position.chess960),
        *(pickle.loads(pickle.dumps(position, protocol)) for protocol in range(pickle.HIGHEST_PROTOCOL + 1)),
        copy.copy(position),
        copy.deepcopy(position),
    ]
    for again in copies:
        assert again == position
        assert hash(again) == hash(position)
        assert (again.fen(), again.key, again.chess960) == (position.fen(), position.key, position.chess960)
        assert again.legal_moves() == position.legal_moves()


@pytest.mark.parametrize(
    "fen",
    [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQk - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e3 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 1 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 2",
        "rnbqkbnr/pppppppp/8/8/8/P7/1PPPPPPP/RNBQKBNR w KQkq - 0 1",
    ],
)
def test_positions_differ_in_anything_a_fen_says(fen: str) -> None:
    assert Position.from_fen(fen) != Position()


def test_positions_differ_in_the_rook_that_may_castle() -> None:
    board = "4k3/8/8/8/8/8/8/RR2K3 w"
    inner, outer = Position.from_fen(f"{board} B"), Position.from_fen(f"{board} A", chess960=True)
    assert inner.chess960
    assert inner != outer
    assert inner.key == outer.key  # as in Polyglot, which knows only the side


def test_lost_rights_leave_no_trace() -> None:
    played = Position.from_fen("4k2r/8/8/8/8/8/8/4K3 b k - 0 1").play("Ke7").play("Kd1").play("Ke8").play("Ke1")
    assert played == Position.from_fen("4k2r/8/8/8/8/8/8/4K3 b - - 4 3")


def test_equality_with_other_things() -> None:
    assert Position() != START
    assert Position() != 0
    assert Position() is not None
    assert Position() in {Position(): 1}
    assert Position() in [Position()]


def test_positions_cannot_be_changed() -> None:
    position = Position()
    for name in ("key", "turn", "halfmove_clock", "chess960", "note"):
        with pytest.raises(AttributeError):
            setattr(position, name, 1)


def test_a_position_is_made_from_a_fen() -> None:
    fen = "4k3/8/8/8/8/8/8/4K2R w K - 3 40"
    assert Position(fen) == Position.from_fen(fen)
    assert Position(fen).fen() == fen
    assert Position(START) == Position()
    assert Position(START, chess960=True) == Position(chess960=True) == Position.chess960_start(518)


@pytest.mark.parametrize("wrong", ["nonsense", "", b"8/8", 5, Position()])
def test_nothing_else_passes_for_the_start_position(wrong: Any) -> None:
    with pytest.raises(TabiyaError):
        Position(wrong)


def test_a_failed_reading_raises_the_common_error() -> None:
    with pytest.raises(TabiyaError):
        Position.from_fen("nonsense")


# --- soundness -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fen", "problems"),
    [
        (START, []),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", []),
        ("4k3/8/8/8/8/8/8/3QKQQQ b - - 0 1", []),
        ("QQQQkQQQ/8/8/8/8/8/8/QQ2K3 b - - 0 1", []),  # nine queens: all pawns promoted
        ("QQQQkQQQ/8/8/8/8/8/P7/QQ2K3 b - - 0 1", ["White has too many pieces"]),
        ("4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1", ["Black has too many pieces"]),
        ("4k3/8/8/8/8/8/8/4K2r b - - 0 1", ["the side that is not to move is in check"]),
        ("8/8/8/8/8/8/8/Kk6 w - - 0 1", ["the side that is not to move is in check"]),
        ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", ["no pawn has just jumped over the en passant square"]),
        (
            "4k2R/PPPPPPPP/P7/8/8/8/8/4K3 w - d3 0 1",
            [
                "the side that is not to move is in check",
                "White has too many pieces",
                "no pawn has just jumped over the en passant square",
            ],
        ),
    ],
)
def test_problems_of_a_position(fen: str, problems: list[str]) -> None:
    assert Position.from_fen(fen).problems() == problems


@settings(max_examples=100)
@given(played_positions())
def test_a_played_position_is_sound(position: Position) -> None:
    assert set(position.problems()) <= {"the side that is not to move is in check"}  # after a null move in check
    moves = position.legal_moves()
    assert position.is_checkmate() == (position.is_check() and not moves)
    assert position.is_stalemate() == (not position.is_check() and not moves)
    assert len(set(moves)) == len(moves)


def test_a_table_without_an_item_for_every_token_is_refused() -> None:
    """Items are taken without looking at the length again."""
    position = Position()
    whole: Any = tuple(range(5 << 12))  # promotions go up to 4
    assert position.legal_from(whole) == [int(move) for move in position.legal_moves()]
    for table in ((), whole[:-1]):
        with pytest.raises(ValueError, match="an item for every token"):
            position.legal_from(table)
