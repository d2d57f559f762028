"""One annotation: data attached to a move or to a whole record."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

TEXT_AFTER: Final = 0x02
"""A text after a move."""
SYMBOLS: Final = 0x03
"""NAGs in the three slots of ChessBase."""
TEXT_BEFORE: Final = 0x82
"""A text before a move."""
NAGS: Final = 256
"""NAGs that do not fit these slots: in another order, repeated, or two of a class."""
UNREADABLE: Final = 257
"""The unreadable rest of a line, verbatim; ``lang`` is the ``Reason``."""


class Side(IntEnum):
    """The place of an annotation."""

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
    """An unknown token (jose)."""
    EXPECTED = 4
    """A missing token (jose)."""


@dataclass(frozen=True, slots=True)
class Annotation:
    """A value of a kind, in its canonical binary form.

    Kinds up to 255 are those of ChessBase, with its payload as ``data``; texts, however, lack ChessBase's two prefix
    bytes and are plain UTF-8. Kinds from 256 are specific to tabiya.
    """

    kind: int
    data: bytes
    lang: int = 0
    raw: bytes | None = None
    """The original if it differs from the canonical form: the whole payload of ChessBase (including the prefix bytes of
    a text), or the spelling in PGN of times, evaluations, and partly readable commands.
    """
    side: Side = Side.AFTER


def replace(annotations: list[Annotation], kinds: Collection[int], new: Iterable[Annotation]) -> None:
    """Replace all annotations of these kinds by ``new``, which is appended if there were none."""
    place = next((i for i, annotation in enumerate(annotations) if annotation.kind in kinds), len(annotations))
    kept = [annotation for annotation in annotations[place:] if annotation.kind not in kinds]
    annotations[place:] = [*new, *kept]
