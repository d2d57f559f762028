"""Annotations: texts, NAGs and everything else that hangs on a move. A module per family of kinds."""

from __future__ import annotations

from tabiya.game.annotations.annotation import (
    NAGS,
    SYMBOLS,
    TEXT_AFTER,
    TEXT_BEFORE,
    UNREADABLE,
    Annotation,
    Reason,
    Side,
)
from tabiya.game.annotations.nags import GLYPHS, NagList, decode_nags, encode_nags, format_nag
from tabiya.game.annotations.text import decode_text, encode_text

__all__ = [
    "GLYPHS",
    "NAGS",
    "SYMBOLS",
    "TEXT_AFTER",
    "TEXT_BEFORE",
    "UNREADABLE",
    "Annotation",
    "NagList",
    "Reason",
    "Side",
    "decode_nags",
    "decode_text",
    "encode_nags",
    "encode_text",
    "format_nag",
]
