"""Fuzzes FEN and moves as text.

An input is text: the first line a FEN, every further line a move. Only ``TabiyaError`` may escape; what parses must
format, and what was formatted must parse to the same again.
"""

from __future__ import annotations

import sys

import atheris

from tabiya.chess import Position
from tabiya.errors import TabiyaError


def check_position(position: Position) -> None:
    """The position survives its own FEN, and answers every question."""
    assert Position.from_fen(position.fen(), chess960=position.chess960) == position
    moves = position.legal_moves()
    assert position.is_checkmate() == (not moves and position.is_check())
    assert position.is_stalemate() == (not moves and not position.is_check())


def check_move(position: Position, text: str) -> Position:
    """The position after the move, or the same one if the text is no move in it."""
    try:
        move = position.parse_san(text)
    except TabiyaError:
        return position
    assert move.is_null or (position.is_legal(move) and move in position.legal_moves())
    assert position.parse_san(position.san(move)) == move
    assert position.parse_uci(position.uci(move)) == move
    return position.play(move)


def fuzz(data: bytes) -> None:
    """One input, read once by the rules of standard chess and once by those of Chess960."""
    fen, *moves = data.decode("utf-8", "surrogateescape").split("\n")
    for chess960 in (False, True):
        try:
            position = Position.from_fen(fen, chess960=chess960)
        except TabiyaError:
            continue
        check_position(position)
        for text in moves:
            position = check_move(position, text)
            check_position(position)


def main() -> None:
    """Hand over to libFuzzer, with its options from the command line."""
    atheris.Setup(sys.argv, fuzz)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
