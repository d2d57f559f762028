"""Random positions for comparing with python-chess: played, and set up so that the rare rules matter. All are seeded.

Every set-up is one that both libraries take for the same position: two kings, no pawn on an outer rank, the side that
has just moved not in check, rights and en passant square as the pieces allow. Otherwise they may be absurd.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

import chess

Maker = Callable[[Random], chess.Board]

_BACK_RANKS = chess.BB_RANK_1 | chess.BB_RANK_8


def played_boards(rng: Random, *, chess960: bool, plies: int = 160) -> Iterator[tuple[chess.Board, chess.Move | None]]:
    """The boards of one random game, each with the move that comes next; the same board object all along."""
    board = chess.Board.from_chess960_pos(rng.randrange(960)) if chess960 else chess.Board()
    for _ in range(plies):
        moves = list(board.legal_moves)
        if not moves:
            break
        # Now and then the turn passes; and moves that decide something are chosen more often than chance would.
        weights = [8 if move.promotion or board.is_capture(move) or board.is_castling(move) else 3 for move in moves]
        move = rng.choices(moves, weights)[0]
        if rng.random() < 0.01 and not board.is_check():
            move = chess.Move.null()
        yield board, move
        board.push(move)
    yield board, None


def set_up(maker: Maker, rng: Random) -> chess.Board:
    """A board of a maker that both libraries take for the same position."""
    while True:
        board = maker(rng)
        if not board.was_into_check():
            return board


def _scatter(board: chess.Board, rng: Random, symbols: str, allowed: int = chess.BB_ALL) -> None:
    """Puts pieces on free squares, as long as there are any."""
    for symbol in symbols:
        free = allowed & ~board.occupied & (~_BACK_RANKS if symbol in "Pp" else chess.BB_ALL)
        if free:
            board.set_piece_at(rng.choice(list(chess.SquareSet(free))), chess.Piece.from_symbol(symbol))


def _empty(rng: Random, *, chess960: bool = False) -> chess.Board:
    board = chess.Board(None, chess960=chess960)
    board.turn = rng.random() < 0.5
    board.halfmove_clock = rng.randrange(150)
    board.fullmove_number = rng.randrange(1, 300)
    return board


def crowd(rng: Random) -> chess.Board:
    """Anything anywhere."""
    board = _empty(rng)
    _scatter(board, rng, "Kk" + "".join(rng.choices("PNBRQpnbrq", k=rng.randrange(1, 30))))
    return board


def queens(rng: Random) -> chess.Board:
    """Many queens (or another piece), so that moves must be told apart by file, rank, or both."""
    board = _empty(rng)
    kind = rng.choice("QQQRBN")
    kind = kind if board.turn else kind.lower()
    _scatter(board, rng, "Kk" + kind * rng.choice([3, 5, 8, 13, 30, 60]) + rng.choice("PpNn") * rng.randrange(4))
    return board


def promotions(rng: Random) -> chess.Board:
    """Pawns about to turn into pieces, with something to take beside them."""
    board = _empty(rng)
    own, rank, last = ("P", chess.BB_RANK_7, chess.BB_RANK_8) if board.turn else ("p", chess.BB_RANK_2, chess.BB_RANK_1)
    enemies = "nbrq" if board.turn else "NBRQ"
    _scatter(board, rng, "Kk")
    _scatter(board, rng, own * rng.randrange(1, 7), rank)
    _scatter(board, rng, "".join(rng.choices(enemies, k=rng.randrange(6))), last)
    _scatter(board, rng, "".join(rng.choices("PNBRQpnbrq", k=rng.randrange(6))))
    return board


def en_passant(rng: Random) -> chess.Board:
    """A pawn has just made a double step beside one or two others, often with king and slider on a line with them."""
    board = _empty(rng)
    file = rng.randrange(8)
    pushed = chess.square(file, 4 if board.turn else 3)
    board.ep_square = chess.square(file, 5 if board.turn else 2)
    origin = chess.square(file, 6 if board.turn else 1)
    board.set_piece_at(pushed, chess.Piece(chess.PAWN, not board.turn))
    beside = [square for square in (pushed - 1, pushed + 1) if chess.square_distance(square, pushed) == 1]
    for square in rng.sample(beside, rng.randint(1, len(beside))):
        board.set_piece_at(square, chess.Piece(chess.PAWN, board.turn))
    kept_free = chess.BB_SQUARES[board.ep_square] | chess.BB_SQUARES[origin]
    diagonals = chess.BB_DIAG_ATTACKS[pushed][0] | chess.BB_DIAG_ATTACKS[beside[0]][0]
    near = rng.choice([diagonals, chess.BB_RANKS[chess.square_rank(pushed)], chess.BB_ALL]) & ~kept_free
    king, slider_kinds = ("K", "rbq") if board.turn else ("k", "RBQ")
    _scatter(board, rng, king, near)
    _scatter(board, rng, king.swapcase(), ~kept_free)
    _scatter(board, rng, "".join(rng.choices(slider_kinds, k=rng.randint(1, 3))), near)
    _scatter(board, rng, "".join(rng.choices("PNBRQpnbrq", k=rng.randrange(5))), ~kept_free)
    return board


def castling(rng: Random) -> chess.Board:
    """King and rooks at home, with a few pieces in the way or aiming at the king's path."""
    return _castling(rng, chess960=False)


def castling_chess960(rng: Random) -> chess.Board:
    """The same with king and rooks anywhere on the back rank, and perhaps other rooks outside of them."""
    return _castling(rng, chess960=True)


def _castling(rng: Random, *, chess960: bool) -> chess.Board:
    board = _empty(rng, chess960=chess960)
    for color, home in ((chess.WHITE, 0), (chess.BLACK, 7)):
        king = rng.randrange(1, 7) if chess960 else 4
        board.set_piece_at(chess.square(king, home), chess.Piece(chess.KING, color))
        rooks = (rng.randrange(king), rng.randrange(king + 1, 8)) if chess960 else (0, 7)
        for rook in rooks:
            if rng.random() < 0.8:
                board.set_piece_at(chess.square(rook, home), chess.Piece(chess.ROOK, color))
                if rng.random() < 0.9:
                    board.castling_rights |= chess.BB_SQUARES[chess.square(rook, home)]
    outer = "rR" if chess960 else ""
    _scatter(board, rng, "".join(rng.choices("nbrq" + "NBRQ" + outer, k=rng.randrange(7))))
    _scatter(board, rng, "".join(rng.choices("Pp", k=rng.randrange(10))))
    return board


def double_check(rng: Random) -> chess.Board:
    """The side to move stands in check from two pieces at least."""
    while True:
        board = _empty(rng)
        enemies, own = ("nbrqp", "NBRQP") if board.turn else ("NBRQP", "nbrqp")
        _scatter(board, rng, "Kk" + "".join(rng.choices(enemies, k=rng.randrange(3, 9))))
        _scatter(board, rng, "".join(rng.choices(own, k=rng.randrange(6))))
        if len(board.checkers()) >= 2:
            return board
