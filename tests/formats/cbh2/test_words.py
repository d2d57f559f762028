"""The words of moves and pieces: every published word of ChessBase, and the structure of the table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tabiya.formats.cbh2 import words
from tabiya.formats.cbh2.words import BLACK, MoveWord

VECTORS: dict[str, Any] = json.loads((Path(__file__).parents[2] / "data/2cbh/vectors.json").read_text("utf-8"))
MOVES = list(words.move_words())
PIECES = list(words.piece_words())
LETTERS = ".PNBRQK"
PIECE_LETTERS = ".PNBRQK..pnbrqk"


def name(square: int) -> str:
    return "abcdefgh"[square % 8] + str(square // 8 + 1)


def spelled(word: MoveWord) -> str:
    """A word as the vectors spell it: ``wP d2d4``, ``bP f2f1=B``, ``bP e4xf3 e.p.``."""
    color = "b" if word.piece & BLACK else "w"
    capture = "x" if word.en_passant else ""
    text = f"{color}{LETTERS[word.piece & 7]} {name(word.source)}{capture}{name(word.target)}"
    return text + (f"={LETTERS[word.promoted]}" if word.promoted else "") + (" e.p." if word.en_passant else "")


@pytest.mark.parametrize("vector", [v for v in VECTORS["words"] if "mv" in v], ids=lambda vector: vector["word"])
def test_published_words(vector: dict[str, str]) -> None:
    number = int(vector["word"], 16)
    if number < words.FIRST_CASTLING:
        assert spelled(MOVES[number - words.FIRST_MOVE]) == vector["mv"].split(" (")[0]
        return
    castling = "O-O" if vector["mv"].endswith(" O-O") else "O-O-O"
    if number < words.FIRST_CASTLING_960:
        place = number - words.FIRST_CASTLING
    else:
        start, place = divmod(number - words.FIRST_CASTLING_960, 4)
        assert f"#{start} " in vector["mv"]
    assert castling == ("O-O-O", "O-O")[place & 1]
    assert vector["mv"].split()[-2] == "wb"[place >> 1]


@pytest.mark.parametrize("vector", [v for v in VECTORS["words"] if "piece" in v], ids=lambda vector: vector["word"])
def test_published_pieces(vector: dict[str, str]) -> None:
    code, square = PIECES[int(vector["word"], 16) - words.FIRST_PIECE]
    assert f"{PIECE_LETTERS[code]} {name(square)}" == vector["piece"]


def test_every_block_begins_where_it_is_published() -> None:
    begins: dict[int, int] = {}
    for number, word in enumerate(MOVES, words.FIRST_MOVE):
        begins.setdefault(word.piece, number)
    kinds = (words.KING, words.QUEEN, words.KNIGHT, words.BISHOP, words.ROOK)
    assert [begins[kind] for kind in kinds] == [0x0001, 0x09D9, 0x2BF9, 0x33D9, 0x40F9]
    assert [begins[kind | BLACK] for kind in kinds] == [0x55F9, 0x5FD1, 0x81F1, 0x89D1, 0x96F1]
    assert (begins[words.PAWN], begins[words.PAWN | BLACK]) == (0xABF1, 0xAE8D)
    assert words.FIRST_MOVE + len(MOVES) == words.FIRST_CASTLING
    assert words.FIRST_CASTLING_960 + 4 * 960 == words.FIRST_PIECE
    assert words.FIRST_PIECE + len(PIECES) - 1 == words.LAST_PIECE


def test_no_two_words_mean_the_same() -> None:
    assert len(set(MOVES)) == len(MOVES)
    assert len(set(PIECES)) == len(PIECES)
