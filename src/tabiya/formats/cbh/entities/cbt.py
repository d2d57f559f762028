"""``.cbt``: tournaments. Newer versions store additional data in ``.cbtt``."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntFlag
from typing import Final

from tabiya.formats.cbh.entities.entity_file import EntityKind, entity_layout
from tabiya.formats.cbh.files.field_codecs import BIT, DATE, NATION, TEXT, number, spelled
from tabiya.formats.cbh.files.header_fields import Field
from tabiya.game.tag_values import Date

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


_FLAGS: Final = "bit 0 complete (old), 1 complete, 2 board points, 3 three points for a win"
_TYPE: Final = "bits 0-4 the kind, 5 blitz, 6 rapid, 7 correspondence"

LAYOUT: Final = entity_layout(
    "cbt record",
    Field(0, "40s", "title", column="event", codec=TEXT),
    Field(40, "30s", "place", column="site", codec=TEXT),
    Field(70, "u32", "date", "as in .cbh", tag="EventDate", extra="cbh.event_date", codec=DATE),
    Field(74, "u8", "type", _TYPE, tag="EventType", extra="cbh.event_type", codec=spelled(type_text, parse_type)),
    Field(75, "u8", "team", "bit 0: teams play", extra="cbh.event_team", codec=BIT),
    Field(76, "u8", "nation", tag="EventCountry", codec=NATION),
    Field(77, "u8", "unknown_77", extra="cbh.event_unknown_77", rank=1),
    Field(78, "u8", "category", tag="EventCategory"),
    Field(79, "u8", "flags", _FLAGS, extra="cbh.event_flags", codec=number(shown=TournamentFlag)),
    Field(80, "u8", "rounds", tag="EventRounds"),
    Field(81, "u8", "unknown_81", extra="cbh.event_unknown_81", rank=1),
)


@dataclass(frozen=True, slots=True)
class Tournament:
    """A tournament as stored in a base."""

    id: int
    name: str
    place: str
    date: Date
    type: str
    """As in the tag EventType: ``swiss (rapid)``."""
    team: bool
    nation: str
    """Three-letter code, empty if none."""
    category: int
    rounds: int
    flags: TournamentFlag
    games: int
    first_game: int
    deleted: bool = False


TOURNAMENTS: Final[EntityKind[Tournament]] = EntityKind(".cbt", "tournament", "tournaments", LAYOUT, Tournament)
