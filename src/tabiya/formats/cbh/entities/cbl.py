"""``.cbl``: game tags, titles that games and guiding texts can be given in several languages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tabiya.formats.cbh.entities.entity_file import EntityKind, entity_layout, text_in
from tabiya.formats.cbh.files import tags_and_extras
from tabiya.formats.cbh.files.layout import Field, Record
from tabiya.formats.cbh.files.tags_and_extras import Carrier
from tabiya.game.annotations import TextEncoding

__all__ = ["CARRIERS", "GAME_TAGS", "LANGUAGES", "GameTag"]

LANGUAGES: Final = ("english", "german", "french", "spanish", "italian", "dutch", "slovenian", "reserve")
"""The languages of the titles in their order; whether the seventh is Slovenian is not certain."""
_WIDTH: Final = 200

LAYOUT: Final = entity_layout(
    "cbl record", *(Field(i * _WIDTH, f"{_WIDTH}s", language) for i, language in enumerate(LANGUAGES))
)


@dataclass(frozen=True, slots=True)
class GameTag:
    """A title in several languages."""

    id: int
    titles: dict[str, str]
    """By language, those that are not empty."""
    games: int
    first_game: int
    deleted: bool = False

    @property
    def name(self) -> str:
        """The first title."""
        return next(iter(self.titles.values()), "")


def _game_tag(number: int, record: Record, encoding: TextEncoding, deleted: bool) -> GameTag:  # noqa: FBT001
    titles = {name: text_in(record, name, encoding) for name in LANGUAGES}
    found = {language: title for language, title in titles.items() if title}
    return GameTag(number, found, int(record["games"]), int(record["first_game"]), deleted)


GAME_TAGS: Final[EntityKind[GameTag]] = EntityKind(".cbl", "game tag", "game tags", LAYOUT, _game_tag, LANGUAGES)

CARRIERS: Final[tuple[Carrier, ...]] = tuple(
    tags_and_extras.text(f"cbh.tag_{language}", language, _WIDTH) for language in LANGUAGES
)
"""How a game tag travels. A tag without any title, which the bases of TWIC have, is none."""
