"""Types and flags of tournaments."""

from __future__ import annotations

from enum import IntFlag
from typing import Final

# Spellings of ChessBase's own EventType; those from match on have not been seen in its exports.
KINDS: Final = ("", "game", "match", "tourn", "swiss", "team", "k.o.", "simul", "schev")
PACES: Final = {0: "", 0x20: "blitz", 0x40: "rapid", 0x80: "corr"}
_TYPES: Final = {
    f"{kind} ({pace})".lstrip() if pace else kind: code | bit
    for bit, pace in PACES.items()
    for code, kind in enumerate(KINDS)
}
_TYPE_TEXTS: Final = {code: text for text, code in _TYPES.items()}


class TournamentFlag(IntFlag):
    """The byte ``flags`` of a tournament."""

    COMPLETE_OLD = 1
    COMPLETE = 2
    BOARD_POINTS = 4
    THREE_POINTS = 8


def type_text(code: int) -> str | None:
    """Return the text of a type in the tag EventType; None if it has none."""
    return _TYPE_TEXTS.get(code) or None


def parse_type(text: str) -> int | None:
    """Return the code of a type; None for an unknown text."""
    return _TYPES.get(text.strip().lower())
