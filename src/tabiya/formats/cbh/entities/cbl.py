"""``.cbl``: game tags, titles in several languages for games and guiding texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from tabiya.chessbase.field_codecs import TEXT
from tabiya.chessbase.header_fields import Field
from tabiya.formats.cbh.entities.entity_file import EntityKind, entity_layout

LANGUAGES: Final = ("english", "german", "french", "spanish", "italian", "dutch", "slovenian", "reserve")
"""The languages of the titles in order; whether the seventh is Slovenian is not certain."""

LAYOUT: Final = entity_layout(
    "cbl record",
    *(Field(200 * i, "200s", name, extra=f"cbh.tag_{name}", codec=TEXT) for i, name in enumerate(LANGUAGES)),
)
"""A tag without any title, as in the bases of TWIC, counts as none."""


@dataclass(frozen=True, slots=True)
class GameTag:
    """A title in several languages."""

    id: int
    titles: dict[str, str]
    """Titles by language, without empty ones."""
    games: int
    first_game: int
    deleted: bool = False

    @property
    def name(self) -> str:
        """The first title."""
        return next(iter(self.titles.values()), "")


def _game_tag(**values: Any) -> GameTag:
    titles = {language: title for language in LANGUAGES if (title := values.pop(language))}
    return GameTag(titles=titles, **values)


GAME_TAGS: Final[EntityKind[GameTag]] = EntityKind(".cbl", "game tag", "game tags", LAYOUT, _game_tag)
