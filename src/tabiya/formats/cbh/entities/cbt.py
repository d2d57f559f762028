"""``.cbt``: tournaments. Newer versions store additional data in ``.cbtt``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tabiya.chessbase.field_codecs import BIT, DATE, NATION, TEXT, number, spelled
from tabiya.chessbase.header_fields import Field
from tabiya.chessbase.tournament_types import TournamentFlag, parse_type, type_text
from tabiya.formats.cbh.entities.entity_file import EntityKind, entity_layout
from tabiya.game.tag_values import Date

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
    Field(79, "u8", "flags", _FLAGS, extra="cbh.event_flags", codec=number(display=TournamentFlag)),
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
