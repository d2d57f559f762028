"""Positions and moves as python-chess sees them, and the same from the other sides of the board."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import chess

from tabiya.search.conditions import Turned

if TYPE_CHECKING:
    from tabiya.game import Game, Node


@dataclass(frozen=True)
class Played:
    """A move: letters of pieces as in FEN, squares by name."""

    piece: str
    source: str
    target: str
    captured: str
    promotion: str
    castling: str
    check: bool
    mate: bool
    recapture: bool


@dataclass(frozen=True)
class Seen:
    """A position and the move that is played there."""

    pieces: dict[str, str]
    """By square."""
    white: bool
    rights: frozenset[str]
    ep: str
    check: bool
    mate: bool
    stalemate: bool
    ply: int
    result: str
    move: Played | None


def seen_in(game: Game, line: list[Node] | None = None) -> list[Seen]:
    """Every position of a line, of the main line unless told."""
    board = chess.Board(game.start or chess.STARTING_FEN)
    nodes = list(game.mainline()) if line is None else line
    found = []
    for ply, node in enumerate([*nodes, None]):
        move = None if node is None else chess.Move.from_uci(node.uci)
        found.append(seen_at(board, move, ply, game.tags.get("Result") or "*"))
        if move is not None:
            board.push(move)
    return found


def seen_at(board: chess.Board, move: chess.Move | None, ply: int, result: str) -> Seen:
    """A position, and the move that is played there."""
    ep = next((chess.square_name(m.to_square) for m in board.legal_moves if board.is_en_passant(m)), "")
    return Seen(
        pieces={chess.square_name(square): piece.symbol() for square, piece in board.piece_map().items()},
        white=board.turn,
        rights=frozenset(board.castling_xfen().replace("-", "")),
        ep=ep,
        check=board.is_check(),
        mate=board.is_checkmate(),
        stalemate=board.is_stalemate(),
        ply=ply,
        result=result,
        move=None if move is None else _played(board, move),
    )


def _played(board: chess.Board, move: chess.Move) -> Played:
    captured = "p" if board.is_en_passant(move) else str(board.piece_at(move.to_square) or "")
    if captured == "p" and not board.turn:
        captured = "P"
    after = board.copy()
    after.push(move)
    castling = "O-O" if board.is_kingside_castling(move) else "O-O-O" if board.is_queenside_castling(move) else ""
    return Played(
        piece=str(board.piece_at(move.from_square)),
        source=chess.square_name(move.from_square),
        target=chess.square_name(move.to_square),
        captured=captured,
        promotion=chess.piece_symbol(move.promotion).upper() if move.promotion else "",
        castling=castling,
        check=after.is_check(),
        mate=after.is_checkmate(),
        recapture=any(reply.to_square == move.to_square for reply in after.legal_moves),
    )


# --- other sides of the board ---


def turned(seen: Seen, condition: Turned) -> Seen:
    if condition.files:
        seen = _mirrored(seen)
    return _exchanged(seen) if condition.colors else seen


def _mirrored(seen: Seen) -> Seen:
    def square(name: str) -> str:
        return f"{chr(ord('a') + ord('h') - ord(name[0]))}{name[1]}" if name else ""

    sides = {"": "", "O-O": "O-O-O", "O-O-O": "O-O"}
    move = seen.move and replace(
        seen.move,
        source=square(seen.move.source),
        target=square(seen.move.target),
        castling=sides[seen.move.castling],
    )
    pieces = {square(name): piece for name, piece in seen.pieces.items()}
    return replace(seen, pieces=pieces, ep=square(seen.ep), move=move, rights=seen.rights and frozenset("never"))


def _exchanged(seen: Seen) -> Seen:
    def square(name: str) -> str:
        return f"{name[0]}{9 - int(name[1])}" if name else ""

    move = seen.move and replace(
        seen.move,
        piece=seen.move.piece.swapcase(),
        captured=seen.move.captured.swapcase(),
        source=square(seen.move.source),
        target=square(seen.move.target),
    )
    return replace(
        seen,
        pieces={square(name): piece.swapcase() for name, piece in seen.pieces.items()},
        white=not seen.white,
        rights=frozenset(right.swapcase() for right in seen.rights) if "n" not in seen.rights else seen.rights,
        ep=square(seen.ep),
        move=move,
        result={"1-0": "0-1", "0-1": "1-0"}.get(seen.result, seen.result),
    )
