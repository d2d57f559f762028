"""Positions and small books for the tests of CTG."""

from __future__ import annotations

from random import Random

import chess
from hypothesis import strategies as st

from tabiya.books.ctg.position import signature_of
from tabiya.books.ctg.record import BookMove, PositionRecord, move_in_frame
from tabiya.books.ctg.signature_kernel import frame_mask
from tabiya.chess import Move, Position

VECTORS = [
    # FEN, whether a pinned en passant capture counts, signature, hash
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
        False,
        "56b60f7960f3a60f58b078e0c1e1a60f5960f3b60f7f",
        0xEB7ED3D7,
    ),
    (
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3",
        False,
        "56b60f7960f3a60f58b078e0c721a60f5960f3b60f7f",
        0x8C978593,
    ),
    (
        "rnbqkb1r/ppp1pppp/5n2/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6",
        False,
        "77b60f7960f3a60f58b1c8e019e1a613f5960eb60f703f",
        0x206CDC55,
    ),
    (
        "rnbqk2r/pppp1ppp/8/8/3Pp3/8/PPP2PPP/RNBQ1KNR b k d3",
        False,
        "75b60f7960f3a60f58b1c8e0183078583ced83dc32",
        0xAB4065B2,
    ),
    (
        "r4rk1/pp1bp1b1/1qn3pp/2p1Pp2/2PpNPn1/3P2P1/PP2Q1BP/RNB2RK1 w - f6",
        False,
        "36b60f79611f50de61b95224b3ac6e5e0a69bd6161c5",
        0x90A10002,
    ),
    (
        "rnbq1rk1/1p2ppbp/p2p1np1/8/3NP3/2N3P1/PPP2PBP/R1BQ1RK1 w - -",
        False,
        "16b61d760f3a69056224e8c63ad84fde0a63d6160e00",
        None,
    ),
    ("8/8/8/4k3/8/2K5/8/8 w - -", False, "0b00000008400100000000", 0xD9276BEF),
    ("8/8/8/K2pP2r/8/8/8/7k w - d6", False, "0c845c00000601c000004000", 0x21A4A594),
    ("8/8/8/K2pP2r/8/8/8/7k w - d6", True, "2c845c00000601c000004004", 0x83545AB2),
]


def played_board(seed: int, plies: int) -> chess.Board:
    """A position of a random game; moves of pawns come more often than they would, for en passant."""
    rng, board = Random(seed), chess.Board()
    for _ in range(plies):
        moves = list(board.legal_moves)
        if not moves:
            break
        steps = [move for move in moves if board.piece_type_at(move.from_square) == chess.PAWN]
        board.push(rng.choice(steps if steps and rng.random() < 0.5 else moves))
    return board


def crowded_board(seed: int, pieces: int) -> chess.Board:
    """Kings and up to so many other pieces of any kind anywhere, castling rights and en passant where they fit."""
    rng = Random(seed)
    board = chess.Board(None)
    squares = rng.sample(range(64), 64)
    if rng.random() < 0.5:
        squares = [square for square in squares if square not in (chess.E1, chess.E8, chess.A1, chess.H8)]
        board.set_piece_at(chess.E1, chess.Piece.from_symbol("K"))
        board.set_piece_at(chess.E8, chess.Piece.from_symbol("k"))
        board.set_piece_at(chess.A1, chess.Piece.from_symbol("R"))
        board.set_piece_at(chess.H8, chess.Piece.from_symbol("r"))
        board.castling_rights = rng.choice([0, chess.BB_A1, chess.BB_H8, chess.BB_A1 | chess.BB_H8])
    else:
        board.set_piece_at(squares.pop(), chess.Piece.from_symbol("K"))
        board.set_piece_at(squares.pop(), chess.Piece.from_symbol("k"))
    for square in squares[:pieces]:
        kinds = "NBRQnbrq" if chess.square_rank(square) in (0, 7) else "PPPNBRQpppnbrq"
        board.set_piece_at(square, chess.Piece.from_symbol(rng.choice(kinds)))
    board.turn = rng.random() < 0.5
    rank = 5 if board.turn else 2
    jumped = [
        square for square in chess.SQUARES if chess.square_rank(square) == rank and _can_have_jumped(board, square)
    ]
    if jumped and rng.random() < 0.8:
        board.ep_square = rng.choice(jumped)
    return board


def _can_have_jumped(board: chess.Board, square: int) -> bool:
    step = -8 if board.turn else 8
    pawn = chess.Piece(chess.PAWN, not board.turn)
    return board.piece_at(square + step) == pawn and not board.piece_at(square) and not board.piece_at(square - step)


def as_position(board: chess.Board) -> Position:
    return Position.from_fen(board.fen(en_passant="fen"))


boards = st.one_of(
    st.builds(played_board, st.integers(0, 10**9), st.integers(0, 120)),
    st.builds(crowded_board, st.integers(0, 10**9), st.integers(0, 30)),
)
"""Boards of python-chess, all of which fit a signature."""


def random_book(seed: int, games: int, plies: int) -> dict[bytes, PositionRecord]:
    """What random games make: a record per position by signature, children included, with made-up marks."""
    rng = Random(seed)
    found: dict[bytes, dict[str, int]] = {}
    moves: dict[bytes, dict[int, int]] = {}
    for _ in range(games):
        position, result, counted = Position(), rng.choice(["wins", "losses", "draws", None]), set()
        for ply in range(plies + 1):
            signature, mask = signature_of(position), frame_mask(position)
            numbers = found.setdefault(signature, _new_numbers(rng))
            if signature not in counted:
                counted.add(signature)
                _count(numbers, result if ply % 2 == 0 or result in (None, "draws") else _other(result), rng)
            legal = [move for move in position.legal_moves() if not move.promotion]
            if ply == plies or not legal:
                break
            move = rng.choice(legal[:6] if rng.random() < 0.7 else legal)
            moves.setdefault(signature, {}).setdefault(move_in_frame(move, mask), rng.choice([0, 0, 0, 1, 5, 0xE0]))
            position = position.play(move)
    return {
        signature: PositionRecord(
            signature=signature,
            moves=tuple(BookMove(*move) for move in moves.get(signature, {}).items()),
            **numbers,
        )
        for signature, numbers in found.items()
    }


def _new_numbers(rng: Random) -> dict[str, int]:
    names = ("games", "wins", "losses", "draws", "rated", "rating_sum", "opponents_rated", "opponents_sum")
    marks = {
        "recommendation": rng.choice([0, 0, 0x80, 0x40, 0x14]),
        "recommendation_2": rng.choice([0, 0, 7]),
        "nag": rng.choice([0, 0, 14, 15, 36]),
    }
    return dict.fromkeys(names, 0) | {"score": 0} | marks


def _count(numbers: dict[str, int], result: str | None, rng: Random) -> None:
    numbers["games"] += 1
    numbers["score"] += 10 if result == "wins" else 0 if result == "losses" else 5
    if result:
        numbers[result] += 1
    for count, total in (("rated", "rating_sum"), ("opponents_rated", "opponents_sum")):
        if rng.random() < 0.5:
            numbers[count] += 1
            numbers[total] += rng.randrange(1000, 2900)


def _other(result: str) -> str:
    return "losses" if result == "wins" else "wins"


def move_text(token: int) -> str:
    return str(Move(token))
