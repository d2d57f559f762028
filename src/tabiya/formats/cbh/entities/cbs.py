"""``.cbs``: sources, the magazines and discs that games were published in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tabiya.formats.cbh.entities.entity_file import EntityKind, entity_layout, numbers_in, text_in
from tabiya.formats.cbh.files import tags_and_extras
from tabiya.formats.cbh.files.codes import date_of
from tabiya.formats.cbh.files.layout import Field, Record
from tabiya.formats.cbh.files.tags_and_extras import Carrier
from tabiya.game.annotations import TextEncoding
from tabiya.game.tag_values import Date

__all__ = ["CARRIERS", "QUALITIES", "SOURCES", "Source"]

_TITLE_WIDTH, _PUBLISHER_WIDTH = 25, 16

LAYOUT: Final = entity_layout(
    "cbs record",
    Field(0, f"{_TITLE_WIDTH}s", "title"),
    Field(25, f"{_PUBLISHER_WIDTH}s", "publisher"),
    Field(41, "u32", "publication", "date, as in .cbh"),
    Field(45, "u32", "date", "of this version"),
    Field(49, "u8", "version"),
    Field(50, "u8", "quality", "0 not set, 1 high, 2 medium, 3 low"),
)

QUALITIES: Final = ("", "high", "medium", "low")


@dataclass(frozen=True, slots=True)
class Source:
    """Where games come from."""

    id: int
    name: str
    publisher: str
    publication: Date
    date: Date
    """Of this version."""
    version: int
    quality: str
    games: int
    first_game: int
    deleted: bool = False


def _source(number: int, record: Record, encoding: TextEncoding, deleted: bool) -> Source:  # noqa: FBT001
    value = numbers_in(record)
    title, publisher = (text_in(record, name, encoding) for name in ("title", "publisher"))
    quality = value["quality"]
    return Source(
        number,
        title,
        publisher,
        date_of(value["publication"]),
        date_of(value["date"]),
        value["version"],
        QUALITIES[quality] if quality < len(QUALITIES) else str(quality),
        value["games"],
        value["first_game"],
        deleted,
    )


SOURCES: Final[EntityKind[Source]] = EntityKind(".cbs", "source", "sources", LAYOUT, _source, ("title", "publisher"))

_PUBLICATION, _ODD_PUBLICATION = tags_and_extras.dates("SourceDate", "cbh.source_date", "publication")
_DATE, _ODD_DATE = tags_and_extras.dates("SourceVersionDate", "cbh.source_version_date", "date")

CARRIERS: Final[tuple[Carrier, ...]] = (
    tags_and_extras.text("SourceTitle", "title", _TITLE_WIDTH),
    tags_and_extras.text("Source", "publisher", _PUBLISHER_WIDTH),
    _PUBLICATION,
    tags_and_extras.number("SourceVersion", "version"),
    _DATE,
    tags_and_extras.number("SourceQuality", "quality"),
    _ODD_PUBLICATION,
    _ODD_DATE,
)
"""How a source travels."""
