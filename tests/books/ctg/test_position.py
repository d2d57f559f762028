"""Positions: normalised, packed, hashed, and back; moves as bytes."""

from __future__ import annotations

import chess
import chess.polyglot
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tabiya.books.ctg.position import PROBLEMS, hash_of, position_of, signature_of, views_of
from tabiya.books.ctg.record import move_in_frame
from tabiya.books.ctg.signature_kernel import decode_move, encode_move, frame_mask, load_signature, problem_of
from tabiya.chess import Move, PieceType, Position
from tabiya.errors import CorruptError, UnsupportedError
from tests.books.ctg import oracle
from tests.books.ctg.corpus import VECTORS, as_position, boards


@pytest.mark.parametrize(("fen", "pseudo", "signature", "value"), VECTORS)
def test_vectors(fen: str, pseudo: bool, signature: str, value: int | None) -> None:
    packed = signature_of(Position.from_fen(fen), pseudo=pseudo)
    assert packed.hex() == signature
    assert value is None or hash_of(packed) == value
    assert problem_of(packed) == 0
    assert signature_of(position_of(packed), pseudo=pseudo) == packed


@given(boards)
def test_signature_is_that_of_the_oracle(board: chess.Board) -> None:
    position = as_position(board)
    for pseudo in (False, True):
        packed = signature_of(position, pseudo=pseudo)
        assert packed == oracle.pack(board, pseudo=pseudo)
        assert hash_of(packed) == oracle.hash_of(packed)


@given(boards)
def test_position_comes_back_in_its_frame(board: chess.Board) -> None:
    packed = signature_of(as_position(board))
    back = position_of(packed)
    place = oracle.normalised(board)
    assert back.fen().split()[0] == place.board_fen()
    assert back.turn_code == 0
    assert (back.legal_ep_square is not None) == place.has_legal_en_passant()
    assert back.fen().split()[2] == place.castling_xfen()
    assert signature_of(back) == packed


@given(boards)
def test_all_four_views_are_one_position(board: chess.Board) -> None:
    packed = signature_of(as_position(board))
    assert signature_of(as_position(board.mirror())) == packed
    if not board.clean_castling_rights():
        mirrored = board.transform(chess.flip_horizontal)
        assert signature_of(as_position(mirrored)) == packed
        assert signature_of(as_position(mirrored.mirror())) == packed


@given(boards)
def test_views_are_those_of_python_chess(board: chess.Board) -> None:
    expected = [board, board.mirror()]
    if not board.clean_castling_rights():
        expected += [each.transform(chess.flip_horizontal) for each in expected]
    assert [view.key for view in views_of(as_position(board))] == [
        chess.polyglot.zobrist_hash(each) for each in expected
    ]


def number_of_piece(place: chess.Board, square: int) -> int:
    """How many of White's pieces of this type stand before this one in the order of the book."""
    order = [chess.square(file, rank) for file in range(8) for rank in range(8)]
    piece = place.piece_at(square)
    return [each for each in order if place.piece_at(each) == piece].index(square)


@given(boards)
def test_every_legal_move_has_a_code_or_is_one_of_a_fourth_piece(board: chess.Board) -> None:
    position = as_position(board)
    packed, mask, place = signature_of(position), frame_mask(position), oracle.normalised(board)
    assert move_in_frame(0, mask) == 0
    codes: dict[int, int] = {}
    for move in position.legal_moves():
        framed = move_in_frame(move, mask)
        assert move_in_frame(framed, mask) == move
        code = encode_move(packed, framed)
        source = framed & 63
        if place.piece_type_at(source) != chess.PAWN and number_of_piece(place, source) > 2:
            assert code == -1
            continue
        if place.piece_type_at(source) == chess.PAWN and number_of_piece(place, source) > 7:
            assert code == -1
            continue
        assert 0 <= code <= 255
        queened = framed & 0xFFF | 4 << 12 if move.promotion else framed
        assert decode_move(packed, code) == queened
        assert codes.setdefault(code, queened) == queened


def test_both_codes_of_a_step_of_four_are_read_and_the_first_is_written() -> None:
    position = Position.from_fen("7k/8/8/8/8/8/8/B5K1 w - -")
    packed = signature_of(position)
    move = Move.of(0, 36)
    assert encode_move(packed, move) == 0x6A
    assert decode_move(packed, 0x6A) == move
    assert decode_move(packed, 0xA7) == Move.of(0, 36)


def test_castling_in_both_colours() -> None:
    for fen in ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq -", "r3k2r/8/8/8/8/8/8/R3K2R b KQkq -"):
        position = Position.from_fen(fen)
        mask = frame_mask(position)
        codes = {
            position.san(move): encode_move(signature_of(position), move_in_frame(move, mask))
            for move in position.legal_moves()
            if position.san(move).startswith("O")
        }
        assert codes == {"O-O": 0x6B, "O-O-O": 0xF6}


def test_null_move() -> None:
    packed = signature_of(Position())
    assert encode_move(packed, 0) == 0xAF
    assert decode_move(packed, 0xAF) == 0


def test_underpromotion_has_the_code_of_the_queen() -> None:
    position = Position.from_fen("7k/4P3/8/8/8/8/8/6K1 w - -")
    packed = signature_of(position)
    codes = {encode_move(packed, Move.of(52, 60, piece)) for piece in range(PieceType.KNIGHT, PieceType.KING)}
    assert len(codes) == 1
    assert decode_move(packed, codes.pop()) == Move.of(52, 60, PieceType.QUEEN)


@given(st.binary(max_size=31))
@example(b"")
@example(b"\x01")
@example(b"\x1f" + b"\xff" * 30)
def test_any_bytes_are_a_position_or_an_error(data: bytes) -> None:
    data = bytes([data[0] & 0xE0 | len(data)]) + data[1:] if data else data
    try:
        position = position_of(data)
    except CorruptError:
        return
    assert load_signature(Position(), data) == 0
    if problem_of(data) == 0:
        pseudo = bool(data[0] & 0x20) and position.legal_ep_square is None
        assert signature_of(position, pseudo=pseudo) == data
        assert oracle.pack(chess.Board(position.fen()), pseudo=pseudo) == data


@pytest.mark.parametrize(
    ("signature", "problem"),
    [
        ("04000000", "ends before"),
        ("0a000000000000000000", "one king"),
        ("0c8000000000000000008400", "pawn"),
    ],
)
def test_what_is_no_position(signature: str, problem: str) -> None:
    data = bytes.fromhex(signature)
    if problem == "pawn":
        data = oracle_bytes("7k/8/8/8/8/8/8/P5K1")
    with pytest.raises(CorruptError, match=problem):
        position_of(data)


def oracle_bytes(placement: str) -> bytes:
    board = chess.Board(None)
    board.set_board_fen(placement)
    return oracle.pack(board)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda data: bytes([data[0] | 0x80]) + data[1:], "not packed in the canonical form"),
        (lambda data: bytes([data[0] + 1]) + data[1:] + b"\0", "not packed in the canonical form"),
    ],
)
def test_what_is_packed_otherwise(change, problem: str) -> None:
    changed = change(signature_of(Position.from_fen("8/8/8/4k3/8/5K2/8/8 w - -")))
    assert problem in PROBLEMS[problem_of(changed)]


def test_what_should_have_been_mirrored() -> None:
    board = chess.Board("8/8/8/4k3/8/2K5/8/8 w - - 0 1")
    bits = "".join(
        oracle.BITS[piece.symbol().upper()][:-1] + "01"[not piece.color] if piece else "0"
        for file in range(8)
        for rank in range(8)
        for piece in [board.piece_at(chess.square(file, rank))]
    )
    bits += "0" * (8 - len(bits) % 8)
    data = int(bits, 2).to_bytes(len(bits) // 8)
    assert "mirror" in PROBLEMS[problem_of(bytes([len(data) + 1]) + data)]


def test_too_crowded() -> None:
    rows = ("qqqqqqqq/" * 4 + "QQQQQQQQ/" * 4)[:-1]
    fen = rows.replace("q", "k", 1)[::-1].replace("Q", "K", 1)[::-1] + " w - -"
    with pytest.raises(UnsupportedError):
        signature_of(Position.from_fen(fen))


def test_length_is_believed_only_if_true() -> None:
    with pytest.raises(CorruptError):
        hash_of(b"\x05\x00")
    with pytest.raises(ValueError, match="length"):
        load_signature(Position(), b"\x05\x00")
