"""One annotation: anything that hangs on a move or on a whole record."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

__all__ = ["NAGS", "SYMBOLS", "TEXT_AFTER", "TEXT_BEFORE", "UNREADABLE", "Annotation", "Reason", "Side", "replace"]

TEXT_AFTER: Final = 0x02
"""A text after a move."""
SYMBOLS: Final = 0x03
"""NAGs in the three slots of ChessBase."""
TEXT_BEFORE: Final = 0x82
"""A text before a move."""
NAGS: Final = 256
"""NAGs that do not fit these slots: another order, repeats, two of a class."""
UNREADABLE: Final = 257
"""The rest of a line that a reader could not understand, verbatim; ``lang`` is the ``Reason``."""


class Side(IntEnum):
    """Where an annotation stands."""

    AFTER = 0
    BEFORE = 1
    LATE = 2
    """After the variations that follow the last move of a line, or after the result."""


class Reason(IntEnum):
    """Why the rest of a line is UNREADABLE."""

    UNREADABLE = 0
    ILLEGAL = 1
    AMBIGUOUS = 2
    UNRECOGNIZED = 3
    """A token that is nothing at all (jose)."""
    EXPECTED = 4
    """Nothing where something was expected (jose)."""


@dataclass(frozen=True, slots=True)
class Annotation:
    """A value of a kind, in its canonical binary form.

    Kinds up to 255 are those of ChessBase, with its payload as ``data``; only texts leave out ChessBase's two prefix
    bytes and are plain UTF-8. Kinds from 256 are our own.
    """

    kind: int
    data: bytes
    lang: int = 0
    raw: bytes | None = None
    """What was found, where it differs from the canonical form: the whole payload of ChessBase (a text's two bytes in
    front included), or the spelling in PGN of times, evaluations, and commands that were understood in part."""
    side: Side = Side.AFTER


def replace(annotations: list[Annotation], kinds: Collection[int], new: Iterable[Annotation]) -> None:
    """Put ``new`` in the place of everything of these kinds, or at the end if there was nothing."""
    place = next((i for i, annotation in enumerate(annotations) if annotation.kind in kinds), len(annotations))
    kept = [annotation for annotation in annotations[place:] if annotation.kind not in kinds]
    annotations[place:] = [*new, *kept]
