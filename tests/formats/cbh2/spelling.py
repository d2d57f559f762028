"""Streams of words from moves and pieces in letters, by the table of words, which has tests of its own."""

from __future__ import annotations

from typing import Final

from tabiya.formats.cbh2 import words
from tests.formats.cbh2.by_hand import words as packed

LETTERS: Final = ".PNBRQK"
BOTH: Final = ".PNBRQK..pnbrqk"
_MARKERS: Final = {
    "--": words.NULL_MOVE,
    "start": words.START,
    "moves": words.MOVES,
    "later": words.LATER,
    "end": words.END,
}


def name(square: int) -> str:
    """The name of a square."""
    return "abcdefgh"[square % 8] + str(square // 8 + 1)


def _spelled(word: words.MoveWord) -> str:
    capture = "ep" if word.en_passant else f"x{LETTERS[word.captured]}" if word.captured else ""
    promotion = f"={LETTERS[word.promoted]}" if word.promoted else ""
    return f"{BOTH[word.piece]}{name(word.source)}{name(word.target)}{capture}{promotion}"


_MOVES: Final = {_spelled(word): number for number, word in enumerate(words.move_words(), words.FIRST_MOVE)}
_PIECES: Final = {
    f"{BOTH[code]}{name(square)}": number
    for number, (code, square) in enumerate(words.piece_words(), words.FIRST_PIECE)
}
_CASTLING: Final = {text: words.FIRST_CASTLING + place for place, text in enumerate(["O-O-O", "O-O", "o-o-o", "o-o"])}


def spell(text: str) -> bytes:
    """A stream: moves such as ``Pe2e4 ne4d5xQ pf2f1=B Pe5d6ep O-O o-o-o``, pieces such as ``Ka1``, markers, numbers."""
    known = _MOVES | _PIECES | _CASTLING | _MARKERS
    return packed(*(known[word] if word in known else int(word, 0) for word in text.split()))
