"""Rating types of players: whose rating a number is, and for which pace."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tabiya.binary import Field, Layout

RATING_TYPE: Final = Layout(
    "rating type",
    ">",
    Field(0, "u16", "kind", "low 3 bits: 1 international, 2 national; the others are leftovers"),
    Field(2, "u8", "national_pace", "0 normal, 1 blitz, 2 rapid, 3 correspondence"),
    Field(3, "u8", "international_pace", "1 normal, 2 blitz, 3 rapid, 4 correspondence; 100 for national ratings"),
    Field(4, "u8", "nation"),
    Field(5, "11s", "name", "FIDE, ICCF"),
)
USUAL_RATING_TYPE: Final = bytes.fromhex("000100010046494445").ljust(RATING_TYPE.size, b"\0")
"""International, normal, FIDE: the usual type for players with a rating."""

_KIND_MASK: Final = 7
_PACES: Final = ("normal", "blitz", "rapid", "correspondence")


@dataclass(frozen=True, slots=True)
class RatingType:
    """The origin of a rating, and its time control."""

    kind: str
    """``international``, ``national``, or empty if unspecified."""
    pace: str
    nation: int
    name: bytes

    @classmethod
    def decode(cls, data: bytes) -> RatingType:
        """Return the meaning of the 16 bytes, as far as known."""
        record = RATING_TYPE.decode(data.ljust(RATING_TYPE.size, b"\0"))
        kind = {1: "international", 2: "national"}.get(record["kind"] & _KIND_MASK, "")
        pace = record["national_pace"] if kind == "national" else record["international_pace"] - 1
        name = record["name"].partition(b"\0")[0]
        return cls(kind, _PACES[pace] if kind and 0 <= pace < len(_PACES) else "", record["nation"], name)
