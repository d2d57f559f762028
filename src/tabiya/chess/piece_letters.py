"""The letters of pieces in the notation of languages."""

from __future__ import annotations

from typing import Final

PIECE_LETTERS: Final[dict[str, tuple[str, ...]]] = {
    "en": ("K", "Q", "R", "B", "N", "P"),
    "cs": ("K", "D", "V", "S", "J", "P"),
    "da": ("K", "D", "T", "L", "S", "B"),
    "de": ("K", "D", "T", "L", "S", "B"),
    "es": ("R", "D", "T", "A", "C", "P"),
    "fi": ("K", "D", "T", "L", "R", "S"),
    "fr": ("R", "D", "T", "F", "C", "P"),
    "hu": ("K", "V", "B", "F", "H", "G"),
    "it": ("R", "D", "T", "A", "C", "P"),
    "nl": ("K", "D", "T", "L", "P", "O"),
    "no": ("K", "D", "T", "L", "S", "B"),
    "pl": ("K", "H", "W", "G", "S", "P"),
    "pt": ("R", "D", "T", "B", "C", "P"),
    "ro": ("R", "D", "T", "N", "C", "P"),
    "ru": ("Кр", "Ф", "Л", "С", "К", "П"),
    "sv": ("K", "D", "T", "L", "S", "B"),
}
"""The letters of king, queen, rook, bishop, knight and pawn, by language."""
