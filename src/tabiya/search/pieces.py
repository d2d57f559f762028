"""Pieces, colours, squares and numbers in the notation of queries."""

from __future__ import annotations

import re
from typing import Final

from tabiya.chess.basics import Color, Square
from tabiya.errors import UsageError

LETTERS: Final = ".PNBRQK..pnbrqk."
"""Pieces by their codes, in the letters of FEN."""
EMPTY: Final = 1
"""The set of pieces that contains the empty square."""
ALL_SQUARES: Final = (1 << 64) - 1
_WHITE_PIECES: Final = 0x7E
_WILD: Final = {"A": _WHITE_PIECES, "a": _WHITE_PIECES << 8, "?": _WHITE_PIECES | _WHITE_PIECES << 8, "_": EMPTY}
"""Letters for several pieces: any white one, any black one, any at all; and for an empty square."""
_FILE: Final = 0x0101010101010101


COLOR_NAMES: Final = {
    **dict.fromkeys(("white", "w", "player"), Color.WHITE),
    **dict.fromkeys(("black", "b", "opponent"), Color.BLACK),
}
"""Colours by name. From the side of a player, the player has White and the opponent Black."""


def color_of(color: Color | int | str) -> Color:
    """Return a colour, given itself or by name."""
    if isinstance(color, str) and color.lower() in COLOR_NAMES:
        return COLOR_NAMES[color.lower()]
    if isinstance(color, int) and color in (Color.WHITE, Color.BLACK):
        return Color(color)
    raise UsageError(f"{color!r} is not a colour: white or black")


def piece_set_of(letters: str) -> int:
    """Return the set of pieces that letters of FEN name; ``A``, ``a``, ``?`` and ``_`` as in a pattern."""
    pieces = 0
    for letter in letters:
        if letter in _WILD:
            pieces |= _WILD[letter]
        elif letter.upper() in "PNBRQK":
            pieces |= 1 << LETTERS.index(letter)
        else:
            raise UsageError(f"{letter!r} is not a piece: give KQRBNP for White and kqrbnp for Black")
    return pieces


def any_color(letters: str) -> int:
    """Return the set of pieces of both colours that letters of either case name."""
    if wrong := [letter for letter in letters if letter.upper() not in "PNBRQK"]:
        raise UsageError(f"{wrong[0]!r} is not a piece: give K, Q, R, B, N or P")
    return piece_set_of(letters.upper() + letters.lower())


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
