"""jose: its binary game text, its database and its archives."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tabiya.formats.jose.codec import GameText, decode_game_text, encode_game_text

__all__ = ["GameText", "decode_game_text", "encode_game_text"]

if not TYPE_CHECKING:  # the codec costs pyarrow

    def __getattr__(name: str) -> object:
        if name not in ("GameText", "decode_game_text", "encode_game_text"):
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        globals()[name] = value = getattr(import_module(f"{__name__}.codec"), name)
        return value
