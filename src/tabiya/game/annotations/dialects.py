"""Styles of PGN comments: complete, or in the spelling of another program."""

from __future__ import annotations

from enum import Enum


class Profile(Enum):
    """Which annotations are written."""

    LOSSLESS = "lossless"
    PLAIN = "plain"


class Dialect(Enum):
    """The spelling of the plain profile. All spellings are always read."""

    LICHESS = "lichess"
    CHESSBASE = "chessbase"
    SCID = "scid"
