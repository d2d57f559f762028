"""``.cbs``: sources, the magazines and discs that games were published in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tabiya.chessbase.field_codecs import DATE, QUALITY, TEXT
from tabiya.chessbase.header_fields import Field
from tabiya.formats.cbh.entities.entity_file import EntityKind, entity_layout
from tabiya.game.tag_values import Date

LAYOUT: Final = entity_layout(
    "cbs record",
    Field(0, "25s", "title", tag="SourceTitle", codec=TEXT),
    Field(25, "16s", "publisher", tag="Source", codec=TEXT),
    Field(41, "u32", "publication", "date, as in .cbh", tag="SourceDate", extra="cbh.source_date", codec=DATE),
    Field(45, "u32", "date", "of this version", tag="SourceVersionDate", extra="cbh.source_version_date", codec=DATE),
    Field(49, "u8", "version", tag="SourceVersion"),
    Field(50, "u8", "quality", "0 not set, 1 high, 2 medium, 3 low", tag="SourceQuality", codec=QUALITY),
)


@dataclass(frozen=True, slots=True)
class Source:
    """A source of games."""

    id: int
    name: str
    publisher: str
    publication: Date
    date: Date
    """Date of this version."""
    version: int
    quality: str
    games: int
    first_game: int
    deleted: bool = False


SOURCES: Final[EntityKind[Source]] = EntityKind(".cbs", "source", "sources", LAYOUT, Source)
