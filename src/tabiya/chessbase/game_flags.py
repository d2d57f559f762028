"""Properties of a game in its header: which kinds of annotations it has, and more."""

from __future__ import annotations

from enum import IntFlag
from typing import Final


class Flag(IntFlag):
    """Properties of a game; those of annotations are set if and only if there is one of their kind."""

    SETUP = 1 << 0
    VARIATIONS = 1 << 1
    TEXT = 1 << 2
    SYMBOLS = 1 << 3
    SQUARES = 1 << 4
    ARROWS = 1 << 5
    TIME_SPENT = 1 << 7
    KIND_8 = 1 << 8
    TRAINING = 1 << 9
    SOUND = 1 << 16
    PICTURE = 1 << 17
    VIDEO = 1 << 18
    QUOTATION = 1 << 19
    PAWN_STRUCTURE = 1 << 20
    PIECE_PATH = 1 << 21
    WHITE_CLOCK = 1 << 22
    BLACK_CLOCK = 1 << 23
    CRITICAL = 1 << 24
    CORRESPONDENCE = 1 << 25
    KIND_26 = 1 << 26
    UNORTHODOX = 1 << 27
    WEB_LINK = 1 << 28


KNOWN_FLAGS: Final = sum(Flag)
"""Flags that follow from moves and annotations."""
