"""``.cbc``: annotators."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tabiya.formats.cbh.entities.entity_file import EntityKind, entity_layout
from tabiya.formats.cbh.files.field_codecs import TEXT
from tabiya.formats.cbh.files.header_fields import Field

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
