"""Pieces, colours, squares and numbers in the notation of queries."""

from __future__ import annotations

import re
from typing import Final

from tabiya.chess.basics import Color, Square
from tabiya.errors import UsageError

LETTERS: Final = ".PNBRQK..pnbrqk."
"""Pieces by their codes, in the letters of FEN."""
NOBODY: Final = 1
"""The set of pieces that contains the empty square."""
ALL_SQUARES: Final = (1 << 64) - 1
_WHITE_MEN: Final = 0x7E
_WILD: Final = {"A": _WHITE_MEN, "a": _WHITE_MEN << 8, "?": _WHITE_MEN | _WHITE_MEN << 8, "_": NOBODY}
"""Letters for several pieces: any white one, any black one, any at all; and for an empty square."""
_FILE: Final = 0x0101010101010101


def color_of(color: Color | int | str) -> Color:
    """Return a colour, given itself or by name."""
    names = {"white": Color.WHITE, "w": Color.WHITE, "black": Color.BLACK, "b": Color.BLACK}
    if isinstance(color, str) and color.lower() in names:
        return names[color.lower()]
    if isinstance(color, int) and color in (Color.WHITE, Color.BLACK):
        return Color(color)
    raise UsageError(f"{color!r} is not a colour: white or black")


def men_of_letters(letters: str) -> int:
    """Return the set of pieces that letters of FEN name; ``A``, ``a``, ``?`` and ``_`` as in a pattern."""
    men = 0
    for letter in letters:
        if letter in _WILD:
            men |= _WILD[letter]
        elif letter.upper() in "PNBRQK":
            men |= 1 << LETTERS.index(letter)
        else:
            raise UsageError(f"{letter!r} is not a piece: give KQRBNP for White and kqrbnp for Black")
    return men


def any_color(letters: str) -> int:
    """Return the set of pieces of both colours that letters of either case name."""
    if wrong := [letter for letter in letters if letter.upper() not in "PNBRQK"]:
        raise UsageError(f"{wrong[0]!r} is not a piece: give K, Q, R, B, N or P")
    return men_of_letters(letters.upper() + letters.lower())


def files_mask(files: str) -> int:
    """Return the squares of some files, ``abh`` or ``a-c``; of all files if the text is empty."""
    if not files:
        return ALL_SQUARES
    if not re.fullmatch("[a-h]+|[a-h]-[a-h]", files):
        raise UsageError(f"{files!r} are not files: give letters from a to h, as abh or a-c")
    if "-" in files:
        first, last = sorted((files[0], files[2]))
        files = "".join(letter for letter in "abcdefgh" if first <= letter <= last)
    return sum(_FILE << ord(letter) - ord("a") for letter in set(files))


def squares_of(text: str) -> int:
    """Return squares by name, ``e4 d5``, as a set; a file (``e``) or rank (``7``) is all of its squares."""
    squares = 0
    for name in re.split(r"[\s,]+", text.strip()):
        if re.fullmatch("[a-h]", name):
            squares |= files_mask(name)
        elif re.fullmatch("[1-8]", name):
            squares |= 0xFF << 8 * (int(name) - 1)
        elif re.fullmatch("[a-h][1-8]", name):
            squares |= 1 << Square.parse(name)
        else:
            raise UsageError(f"{name!r} is not a square, a file or a rank")
    return squares
