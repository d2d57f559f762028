"""The rules of chess: positions, moves and their notation. Knows no files and no tags."""

from __future__ import annotations

from tabiya.chess.basics import Color, Move, PieceType, Square
from tabiya.chess.chess960 import back_rank, back_rank_number
from tabiya.chess.position import Position

__all__ = ["Color", "Move", "PieceType", "Position", "Square", "back_rank", "back_rank_number"]
