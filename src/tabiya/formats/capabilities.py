"""What a format can store, as one small value; the conversion matrix and the loss report are derived from it.

This module does not import pyarrow, so that listing the formats costs nothing at start-up.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Literal, TypeAlias

Names: TypeAlias = frozenset[str] | Literal["all"]
"""A set of names, or all names."""

Numbers: TypeAlias = frozenset[int] | Literal["all"]
"""A set of numbers, or all numbers."""


class SymbolSupport(IntEnum):
    """How many NAGs a format can store."""

    NONE = 0
    SLOTS = 1
    """One NAG of each of ChessBase's three classes per move: annotation kind 0x03, but not kind 256."""
    ALL = 2
    """Any list of NAGs, in order, with repeats."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Keeps:
    """What a format preserves. Everything not listed here counts as lost.

    Losing one part never loses others, with four exceptions: a record whose kind, variant or start position the format
    cannot express is omitted as a whole, and the annotations of a variation are lost with the variation.
    """

    variations: bool = False
    null_moves: bool = False
    """Without them a line ends before its first null move."""
    setups: bool = False
    """Start positions other than the standard one."""
    chess960: bool = False
    symbols: SymbolSupport = SymbolSupport.NONE
    text_after: bool = False
    text_before: bool = False
    languages: bool = False
    """The language of a text. Without it the text is kept, but applies to all languages."""
    sides: bool = False
    """The position of an annotation: *before* its move (texts have a kind of their own for that) and *late*."""
    annotations: Numbers = frozenset()
    """Kinds of annotation other than texts (0x02, 0x82) and NAGs (0x03, 256)."""
    original_bytes: bool = False
    """The ``raw`` bytes of annotations whose stored form differs from the canonical one."""
    tags: Names = frozenset()
    """PGN names, including those of the typed columns (White, Date, WhiteElo ...).

    With a finite set, an unusual spelling of a typed value (``2023.1.5``, Elo ``-``) cannot be stored.
    """
    results: Numbers = frozenset()
    """Values of ``tabiya.game.Result``; other results become unknown."""
    deleted: bool = False
    guiding_texts: bool = False
    opaque: bool = False
    extras: Names = frozenset()
    """Prefixes of the keys in ``extras`` that the format can store, such as ``cbh.``; each format has its own prefix.

    ``*.`` stands for the prefixes of all other known formats.
    """

    @classmethod
    def everything(cls) -> Keeps:
        """Return the description of a format that loses nothing."""
        return cls(
            variations=True,
            null_moves=True,
            setups=True,
            chess960=True,
            symbols=SymbolSupport.ALL,
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
