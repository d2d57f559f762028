"""``.cbt``: tournaments. What newer versions know besides stands in ``.cbtt``."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntFlag
from typing import Final

from tabiya.formats.cbh.entities.entity_file import EntityKind, entity_layout, numbers_in, text_in
from tabiya.formats.cbh.files import tags_and_extras
from tabiya.formats.cbh.files.codes import date_of
from tabiya.formats.cbh.files.layout import Field, Record, Value
from tabiya.formats.cbh.files.strings import by_value
from tabiya.formats.cbh.files.tags_and_extras import Carrier, Table
from tabiya.game.annotations import TextEncoding
from tabiya.game.nations import nation_code
from tabiya.game.tag_values import Date

__all__ = ["CARRIERS", "TOURNAMENTS", "Tournament", "TournamentFlag", "parse_type", "type_text"]

TITLE_WIDTH: Final = 40
PLACE_WIDTH: Final = 30

LAYOUT: Final = entity_layout(
    "cbt record",
    Field(0, f"{TITLE_WIDTH}s", "title"),
    Field(40, f"{PLACE_WIDTH}s", "place"),
    Field(70, "u32", "date", "as in .cbh"),
    Field(74, "u8", "type", "bits 0-4 the kind, 5 blitz, 6 rapid, 7 correspondence"),
    Field(75, "u8", "team", "bit 0: teams play"),
    Field(76, "u8", "nation"),
    Field(77, "u8", "unknown_77"),
    Field(78, "u8", "category"),
    Field(79, "u8", "flags", "bit 0 complete (old), 1 complete, 2 board points, 3 three points for a win"),
    Field(80, "u8", "rounds"),
    Field(81, "u8", "unknown_81"),
)

# Spellings of ChessBase's own EventType; those from match on were not seen in its exports.
KINDS: Final = ("", "game", "match", "tourn", "swiss", "team", "k.o.", "simul", "schev")
PACES: Final = {0: "", 0x20: "blitz", 0x40: "rapid", 0x80: "corr"}
_KIND_MASK: Final = 0x1F
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


@dataclass(frozen=True, slots=True)
class Tournament:
    """A tournament, as a base knows it."""

    id: int
    name: str
    place: str
    date: Date
    type: str
    """As in the tag EventType: ``swiss (rapid)``."""
    team: bool
    nation: str
    """Code of three letters, empty if none."""
    category: int
    rounds: int
    flags: TournamentFlag
    games: int
    first_game: int
    deleted: bool = False


def type_text(code: int) -> str | None:
    """The text of a type in the tag EventType; None if it has none."""
    return _TYPE_TEXTS.get(code) or None


def parse_type(text: str) -> int | None:
    """The code of a type; None if the text is none."""
    return _TYPES.get(text.strip().lower())


def _tournament(number: int, record: Record, encoding: TextEncoding, deleted: bool) -> Tournament:  # noqa: FBT001
    value = numbers_in(record)
    title, place = (text_in(record, name, encoding) for name in ("title", "place"))
    return Tournament(
        number,
        title,
        place,
        date_of(value["date"]),
        type_text(value["type"]) or "",
        bool(value["team"] & 1),
        nation_code(value["nation"]) if value["nation"] else "",
        value["category"],
        value["rounds"],
        TournamentFlag(value["flags"]),
        value["games"],
        value["first_game"],
        deleted,
    )


TOURNAMENTS: Final[EntityKind[Tournament]] = EntityKind(
    ".cbt", "tournament", "tournaments", LAYOUT, _tournament, ("title", "place")
)


def _type_texts(table: Table) -> object:
    return by_value(table["type"], type_text)


def _type_values(text: str, _: TextEncoding) -> dict[str, Value]:
    code = parse_type(text)
    return {} if code is None else {"type": code}


def _odd_types(table: Table) -> object:
    return by_value(table["type"], lambda code: None if code in _TYPE_TEXTS else str(code))


_EVENT_DATE, _ODD_EVENT_DATE = tags_and_extras.dates("EventDate", "cbh.event_date", "date")
_ODD_TYPE: Final = tags_and_extras.number("cbh.event_type", "type")

CARRIERS: Final[tuple[Carrier, ...]] = (
    _EVENT_DATE,
    Carrier("EventType", _type_texts, _type_values),
    tags_and_extras.number("EventRounds", "rounds"),
    tags_and_extras.nation("EventCountry", "nation"),
    tags_and_extras.number("EventCategory", "category"),
    _ODD_EVENT_DATE,
    Carrier("cbh.event_type", _odd_types, _ODD_TYPE.values),
    tags_and_extras.number("cbh.event_team", "team"),
    tags_and_extras.number("cbh.event_flags", "flags"),
    tags_and_extras.number("cbh.event_unknown_77", "unknown_77"),
    tags_and_extras.number("cbh.event_unknown_81", "unknown_81"),
)
"""How a tournament travels, besides its title and place."""
