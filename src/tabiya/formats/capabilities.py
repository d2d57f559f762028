"""What a format can store, as one small value: the conversion matrix and the loss report are made from it.

This module stays free of pyarrow, so that the list of formats costs nothing at start-up.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Literal, TypeAlias

__all__ = ["Keeps", "Names", "Numbers", "SymbolRoom"]

Names: TypeAlias = frozenset[str] | Literal["all"]
"""A set of names, or all there are."""

Numbers: TypeAlias = frozenset[int] | Literal["all"]
"""A set of numbers, or all there are."""


class SymbolRoom(IntEnum):
    """How much room a format has for NAGs."""

    NONE = 0
    SLOTS = 1
    """One of each of ChessBase's three classes per move: annotation kind 0x03, but not kind 256."""
    ALL = 2
    """Any list, in its order, with repeats."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Keeps:
    """What survives in a format. Whatever is not claimed here counts as lost.

    Losing a part never loses its neighbours, with four exceptions: a record of a kind, variant or start position that
    the format cannot express is left out as a whole, and what hangs on a variation goes with the variation.
    """

    variations: bool = False
    null_moves: bool = False
    """Without them a line ends before its first null move."""
    setups: bool = False
    """Start positions other than the usual one."""
    chess960: bool = False
    symbols: SymbolRoom = SymbolRoom.NONE
    text_after: bool = False
    text_before: bool = False
    languages: bool = False
    """The language of a text. Without it the text stays and becomes one for all languages."""
    sides: bool = False
    """Where an annotation stands: *before* its move (texts have a kind of their own for that) and *late*."""
    annotations: Numbers = frozenset()
    """Kinds of annotation other than texts (0x02, 0x82) and NAGs (0x03, 256)."""
    original_bytes: bool = False
    """The ``raw`` bytes of annotations whose stored form differs from the canonical one."""
    tags: Names = frozenset()
    """PGN names, those of the typed columns (White, Date, WhiteElo ...) included.

    With a finite set an odd spelling of a typed value (``2023.1.5``, Elo ``-``) has no place.
    """
    results: Numbers = frozenset()
    """Values of ``tabiya.game.Result``; other results become unknown."""
    deleted: bool = False
    guiding_texts: bool = False
    opaque: bool = False
    extras: Names = frozenset()
    """Beginnings of the keys in ``extras`` that the format can store, as ``cbh.``: each format marks its own so.

    ``*.`` stands for those of all other formats that tabiya knows.
    """

    @classmethod
    def everything(cls) -> Keeps:
        """Return the description of a format that loses nothing at all."""
        return cls(
            variations=True,
            null_moves=True,
            setups=True,
            chess960=True,
            symbols=SymbolRoom.ALL,
            text_after=True,
            text_before=True,
            languages=True,
            sides=True,
            annotations="all",
            original_bytes=True,
            tags="all",
            results="all",
            deleted=True,
            guiding_texts=True,
            opaque=True,
            extras="all",
        )
