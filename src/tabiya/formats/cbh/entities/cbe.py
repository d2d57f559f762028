"""``.cbe``: teams."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tabiya.formats.cbh.entities.entity_file import EntityKind, entity_layout, numbers_in, text_in
from tabiya.formats.cbh.files import tags_and_extras
from tabiya.formats.cbh.files.layout import Field, Record
from tabiya.formats.cbh.files.tags_and_extras import Carrier
from tabiya.game.annotations import TextEncoding
from tabiya.game.nations import nation_code

__all__ = ["TEAMS", "Team", "team_carriers"]

_TITLE_WIDTH: Final = 45

LAYOUT: Final = entity_layout(
    "cbe record",
    Field(0, f"{_TITLE_WIDTH}s", "title"),
    Field(45, "u32", "number", "of several teams of one club"),
    Field(49, "u8", "season", "bit 0: the year is a season, 2016/17"),
    Field(50, "u32", "year"),
    Field(54, "u8", "nation"),
)


@dataclass(frozen=True, slots=True)
class Team:
    """A team, as a base knows it."""

    id: int
    name: str
    number: int
    season: bool
    """Whether ``year`` means the season that begins in it."""
    year: int
    nation: str
    """Code of three letters, empty if none."""
    games: int
    first_game: int
    deleted: bool = False


def _team(number: int, record: Record, encoding: TextEncoding, deleted: bool) -> Team:  # noqa: FBT001
    value = numbers_in(record)
    return Team(
        number,
        text_in(record, "title", encoding),
        value["number"],
        bool(value["season"] & 1),
        value["year"],
        nation_code(value["nation"]) if value["nation"] else "",
        value["games"],
        value["first_game"],
        deleted,
    )


TEAMS: Final[EntityKind[Team]] = EntityKind(".cbe", "team", "teams", LAYOUT, _team, ("title",))


def team_carriers(side: str) -> tuple[Carrier, ...]:
    """How the team of a side, ``White`` or ``Black``, travels."""
    extra = f"cbh.{side.lower()}_team"
    return (
        # Titles fill the whole field, without a NUL: twic1134 has such teams. Other names never do.
        tags_and_extras.text(f"{side}Team", "title", _TITLE_WIDTH + 1),
        tags_and_extras.nation(f"{side}TeamCountry", "nation"),
        tags_and_extras.number(f"{extra}_number", "number"),
        tags_and_extras.number(f"{extra}_season", "season"),
        tags_and_extras.number(f"{extra}_year", "year"),
    )
