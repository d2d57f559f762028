"""``.cbe``: teams."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tabiya.chessbase.field_codecs import BIT, FULL_TEXT, NATION
from tabiya.chessbase.header_fields import Field
from tabiya.formats.cbh.entities.entity_file import EntityKind, entity_layout

LAYOUT: Final = entity_layout(
    "cbe record",
    # Titles fill the whole field, without a NUL: twic1134 has such teams. Other names never do.
    Field(0, "45s", "title", tag="{Side}Team", codec=FULL_TEXT),
    Field(45, "u32", "number", "of several teams of one club", extra="cbh.{side}_team_number"),
    Field(49, "u8", "season", "bit 0: the year is a season, 2016/17", extra="cbh.{side}_team_season", codec=BIT),
    Field(50, "u32", "year", extra="cbh.{side}_team_year"),
    Field(54, "u8", "nation", tag="{Side}TeamCountry", codec=NATION),
)


@dataclass(frozen=True, slots=True)
class Team:
    """A team as stored in a base."""

    id: int
    name: str
    number: int
    season: bool
    """Whether ``year`` is the season that begins in it."""
    year: int
    nation: str
    """Three-letter code, empty if none."""
    games: int
    first_game: int
    deleted: bool = False


TEAMS: Final[EntityKind[Team]] = EntityKind(".cbe", "team", "teams", LAYOUT, Team)
