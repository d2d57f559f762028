"""``.cbc``: annotators."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tabiya.chessbase.field_codecs import TEXT
from tabiya.chessbase.header_fields import Field
from tabiya.formats.cbh.entities.entity_file import EntityKind, entity_layout

LAYOUT: Final = entity_layout("cbc record", Field(0, "45s", "name", column="annotator", codec=TEXT))


@dataclass(frozen=True, slots=True)
class Annotator:
    """An annotator of games."""

    id: int
    name: str
    games: int
    first_game: int
    deleted: bool = False


ANNOTATORS: Final[EntityKind[Annotator]] = EntityKind(".cbc", "annotator", "annotators", LAYOUT, Annotator)
