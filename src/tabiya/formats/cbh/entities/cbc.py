"""``.cbc``: annotators."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tabiya.formats.cbh.entities.entity_file import EntityKind, entity_layout, text_in
from tabiya.formats.cbh.files.layout import Field, Record
from tabiya.game.annotations import TextEncoding

__all__ = ["ANNOTATORS", "NAME_WIDTH", "Annotator"]

NAME_WIDTH: Final = 45
LAYOUT: Final = entity_layout("cbc record", Field(0, f"{NAME_WIDTH}s", "name"))


@dataclass(frozen=True, slots=True)
class Annotator:
    """Somebody who has annotated games."""

    id: int
    name: str
    games: int
    first_game: int
    deleted: bool = False


def _annotator(number: int, record: Record, encoding: TextEncoding, deleted: bool) -> Annotator:  # noqa: FBT001
    name = text_in(record, "name", encoding)
    return Annotator(number, name, int(record["games"]), int(record["first_game"]), deleted)


ANNOTATORS: Final[EntityKind[Annotator]] = EntityKind(".cbc", "annotator", "annotators", LAYOUT, _annotator, ("name",))
