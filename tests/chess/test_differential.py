"""Everything that python-chess also knows, compared with it on more than 20,000 positions.

TABIYA_TEST_SCALE multiplies the number of positions and moves the seeds, for a longer hunt. Deliberate differences:

* We read more kinds of notation: ``Pe4``, ``e8(Q)``, ``exd6ep``, ``O-O`` with small letters or without hyphens, several
  check marks. The texts compared here are those of python-chess's grammar.
* Castling may be named by its two squares with the king's letter (``Ke1g1``), and in Chess960 by the king's target
  (``b1g1``); python-chess knows neither.
* We never take a king, and use an en passant square only if a pawn can have jumped over it; the corpus has neither.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from random import Random

import chess
import chess.polyglot
import pytest

from tabiya.chess import Move, Position
from tabiya.errors import FormatError
from tests.chess import corpus

SCALE = int(os.environ.get("TABIYA_TEST_SCALE", "1"))

SET_UPS: dict[corpus.Maker, tuple[int, set[str]]] = {
    corpus.crowd: (2800, {"check", "mate", "promotion"}),
    corpus.queens: (700, {"check", "mate", "both"}),
    corpus.promotions: (1500, {"promotion", "check"}),
    corpus.en_passant: (3000, {"ep", "pinned ep", "check"}),
    corpus.castling: (2000, {"castling", "check"}),
    corpus.castling_chess960: (3000, {"castling", "check", "inner rook"}),
    corpus.double_check: (2000, {"double check", "mate"}),
}
"""How many positions from set-ups of each kind, and what must be among them."""
PLAYED = 2600
"""How many positions from games, of standard chess and of Chess960 each."""

TWO_SQUARES = re.compile(r"K?[a-h][1-8][-x]?[a-h][1-8][+#]?")


def text_of(board: chess.Board, move: chess.Move) -> str:
    """The move as tabiya writes a token: castling is king takes rook."""
    return board.uci(move, chess960=True)


def compare_state(position: Position, board: chess.Board) -> None:
    assert position.fen() == board.fen(en_passant="fen")
    assert position.legal_ep_square == (board.ep_square if board.has_legal_en_passant() else None), board.fen()
    assert position.key == chess.polyglot.zobrist_hash(board), board.fen()
    assert position.is_check() == board.is_check(), board.fen()
    assert position.is_checkmate() == board.is_checkmate(), board.fen()
    assert position.is_stalemate() == board.is_stalemate(), board.fen()
    assert str(position) == str(board)
    again = Position.from_fen(position.fen(), chess960=position.chess960)
    assert again == position, board.fen()
    assert again.key == position.key, board.fen()


def compare_moves(position: Position, board: chess.Board) -> dict[str, str]:
    """Compares the legal moves, their SAN and UCI both ways; returns SAN by text of the move."""
    theirs = {text_of(board, move): (board.san(move), board.uci(move)) for move in board.legal_moves}
    moves = {str(move): move for move in position.legal_moves()}
    assert {text: (position.san(move), position.uci(move)) for text, move in moves.items()} == theirs, board.fen()
    for text, (san, uci) in theirs.items():
        assert position.parse_san(san) == position.parse_uci(uci) == moves[text], board.fen()
    return {text: san for text, (san, _) in theirs.items()}


def near_misses(rng: Random, sans: dict[str, str]) -> list[str]:
    """SAN with a mistake in it (or with more than needed) as people and programs make them."""
    text, san = rng.choice(list(sans.items()))
    bare = san.rstrip("+#")
    piece = bare[0] if bare[0] in "NBRQK" else ""
    target, promotion = text[2:4], bare[-2:] if "=" in bare else ""
    other = rng.choice(list(sans))[2:4]
    file, rank = rng.choice("abcdefgh"), rng.choice("12345678")
    return [
        piece + target + promotion,  # no disambiguation
        piece + text[0] + target + promotion,
        piece + text[1] + target + promotion,
        piece + text[:2] + target + promotion,
        piece + text[:2] + rng.choice("-x") + target + promotion,
        text[:2] + target + promotion,
        piece + file + target + promotion,
        piece + rank + target + promotion,
        piece + file + rank + target + promotion,
        rng.choice("NBRQK") + target,
        piece + target + rng.choice(["=Q", "=N", "q", "=K", ""]),
        piece + other,
        file + "x" + other,
        piece + "x" + target + rng.choice(["+", "#", ""]),
        rng.choice(["O-O", "O-O-O", "0-0", "0-0-0+"]),
        rng.choice(["", *"NBRQK"]) + rng.choice(["", file]) + rng.choice(["", rank]) + rng.choice(["", "x"]) + other,
    ]


def reading(board: chess.Board, text: str) -> str:
    try:
        return text_of(board, board.parse_san(text))
    except chess.AmbiguousMoveError:
        return "ambiguous"
    except (chess.IllegalMoveError, chess.InvalidMoveError):
        return "refused"


def our_reading(position: Position, text: str) -> str:
    try:
        return str(position.parse_san(text))
    except FormatError as error:
        return "ambiguous" if "is ambiguous" in str(error) else "refused"


def compare_reading(position: Position, board: chess.Board, text: str) -> str:
    theirs, ours = reading(board, text), our_reading(position, text)
    if theirs == "refused" and len(ours) < 6 and TWO_SQUARES.fullmatch(text):
        assert position.san(position.parse_san(text)).startswith("O-O"), (text, board.fen())
    else:
        assert ours == theirs, (text, board.fen())
    return "accepted" if len(ours) < 6 else ours


def features(position: Position, board: chess.Board, sans: dict[str, str]) -> set[str]:
    """What makes a position worth comparing."""
    seen = {
        "ep": board.has_legal_en_passant(),
        "pinned ep": board.has_pseudo_legal_en_passant() and not board.has_legal_en_passant(),
        "castling": any(san.startswith("O") for san in sans.values()),
        "promotion": any("=" in san for san in sans.values()),
        "both": any(re.match(r"[NBRQ][a-h][1-8]x?[a-h][1-8]", san) for san in sans.values()),
        "check": position.is_check(),
        "double check": len(board.checkers()) > 1,
        "mate": any(san.endswith("#") for san in sans.values()) or position.is_checkmate(),
        "inner rook": any(letter not in "KQkq-" for letter in position.fen().split()[2]),
        "null": bool(board.move_stack) and not board.peek(),
    }
    return {name for name, there in seen.items() if there}


def compare(position: Position, board: chess.Board, rng: Random, seen: Counter[str]) -> None:
    compare_state(position, board)
    sans = compare_moves(position, board)
    if sans:
        seen.update(compare_reading(position, board, text) for text in rng.sample(near_misses(rng, sans), 4))
    seen.update(features(position, board, sans))
    seen["positions"] += 1


def play(position: Position, board: chess.Board, move: chess.Move) -> Position:
    return position.play(Move.NULL) if not move else position.play(position.parse_uci(text_of(board, move)))


@pytest.mark.parametrize("chess960", [False, True], ids=["standard", "chess960"])
def test_along_random_games(chess960: bool) -> None:
    rng = Random(f"games {chess960} {SCALE}")
    seen: Counter[str] = Counter()
    while seen["positions"] < PLAYED * SCALE:
        position: Position | None = None
        for board, move in corpus.played_boards(rng, chess960=chess960):
            position = position or Position.from_fen(board.fen(), chess960=chess960)
            compare(position, board, rng, seen)
            if move is not None:
                position = play(position, board, move)
    assert {"ep", "castling", "promotion", "check", "null", "accepted", "refused", "ambiguous"} <= set(seen), seen


@pytest.mark.parametrize("maker", SET_UPS, ids=lambda maker: maker.__name__)
def test_around_set_ups(maker: corpus.Maker) -> None:
    count, expected = SET_UPS[maker]
    rng = Random(f"{maker.__name__} {SCALE}")
    seen: Counter[str] = Counter()
    while seen["positions"] < count * SCALE:
        board = corpus.set_up(maker, rng)
        position = Position.from_fen(board.fen(en_passant="fen", shredder=True), chess960=board.chess960)
        compare(position, board, rng, seen)
        for _ in range(2):
            moves = list(board.legal_moves)
            if moves:
                move = rng.choice(moves)
                position = play(position, board, move)
                board.push(move)
                compare(position, board, rng, seen)
    missing = {name for name in expected | {"accepted", "refused"} if seen[name] < 20}
    assert missing == set(), seen


def test_there_are_enough_positions() -> None:
    assert 2 * PLAYED + sum(count for count, _ in SET_UPS.values()) > 20_000
