"""Words of PGN as tables for the reader's kernel: results, variants, signs, piece letters."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from tabiya.chess.piece_letters import PIECE_LETTERS
from tabiya.errors import UsageError
from tabiya.game.annotations.vocabulary import spelling_table
from tabiya.game.tag_values import LENIENT_RESULTS, RESULTS, VARIANTS

_NO_MOVE: Final = 10
_EXACT: Final = 128
"""Marks the spelling of a result that its column reproduces."""

SIGNS: Final[dict[str, int]] = {
    "=": 10,
    "∞": 13,
    "~": 13,
    "+=": 14,
    "+/=": 14,
    "⩲": 14,
    "=+": 15,
    "=/+": 15,
    "⩱": 15,
    "+/-": 16,
    "±": 16,
    "-/+": 17,
    "∓": 17,
    "+-": 18,
    "+−": 18,
    "+--": 18,
    "-+": 19,
    "−+": 19,
    "--+": 19,
    "□": 7,
    "⨀": 22,
    "⟳": 32,
    "↑": 36,
    "→": 40,
    "=∞": 44,
    "⇆": 132,
    "⊕": 138,
    "∆": 140,
    "Δ": 140,
    "∇": 141,
    "⌓": 142,
    "≤": 143,
    "RR": 145,
    "N": 146,
    "D": 220,
    # Words that add nothing to the move.
    "+": 0,
    "++": 0,
    "#": 0,
    "ep": 0,
    "ch": 0,
    "mate": 0,
}
"""Signs that are separate or follow a move, and their NAGs. (The kernel itself reads ``!`` and ``?``.)"""

LANGUAGES: Final[dict[str, tuple[str, ...]]] = {**PIECE_LETTERS, "en": ()}
"""Languages of piece letters; English ones need no table. Figurines are read in any language."""

_LETTER_BYTES: Final = 4
_MOST_LANGUAGES: Final = 2
_COMMON_FIRST: Final = ("de", "fr", "es", "nl", "it", "ru", "pl", "pt")
_ENGLISH: Final = "KQRBNP"


@cache
def result_table() -> bytes:
    """Return the spellings of results."""
    exact = {text: result | _EXACT for result, text in RESULTS.items()}
    return spelling_table({**{text: int(result) for text, result in LENIENT_RESULTS.items()}, **exact})


@cache
def variant_table() -> bytes:
    """Return the spellings of variants."""
    return spelling_table({text: int(variant) for text, variant in VARIANTS.items()})


@cache
def sign_table() -> bytes:
    """Return signs and their NAGs."""
    return spelling_table(SIGNS)


def language_hint(code: int, word: str) -> str:
    """Return the end of a sentence about a word that is not a move: the languages in which it is one, if any."""
    if code != _NO_MOVE:
        return ""
    known = dict.fromkeys((*_COMMON_FIRST, *LANGUAGES))
    found = [each for each in known if _is_move(word, LANGUAGES[each])]
    choice = " or ".join(f"language={each!r}" for each in found[:_MOST_LANGUAGES])
    return f" (piece letters of another language? try {choice})" if found else ""


def _is_move(word: str, letters: tuple[str, ...]) -> bool:
    piece = next((letter for letter in letters if word.startswith(letter) and letter not in _ENGLISH), None)
    return piece is not None and re.match("[a-h]?[1-8]?x?[a-h][1-8]", word[len(piece) :]) is not None


def piece_letters(language: str) -> bytes:
    """Return the piece letters of a language, four bytes each; empty for English."""
    if language not in LANGUAGES:
        raise UsageError(f"no piece letters are known for the language {language!r}; known: {', '.join(LANGUAGES)}")
    return b"".join(letter.encode().ljust(_LETTER_BYTES, b"\0") for letter in LANGUAGES[language])
