"""The ways of writing PGN comments: everything, or what other programs read, in the spelling of one of them."""

from __future__ import annotations

from enum import Enum

__all__ = ["Dialect", "Profile"]


class Profile(Enum):
    """How much is written."""

    LOSSLESS = "lossless"
    PLAIN = "plain"


class Dialect(Enum):
    """Whose spelling is written in the plain profile. All of them are read, always."""

    LICHESS = "lichess"
    CHESSBASE = "chessbase"
    SCID = "scid"
