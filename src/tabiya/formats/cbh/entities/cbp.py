"""``.cbp``: players."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tabiya.binary import Value
from tabiya.chessbase.field_codecs import Codec
from tabiya.chessbase.header_fields import Field
from tabiya.chessbase.player_names import full_names, join_name, misleading_first_names, split_name
from tabiya.chessbase.strings import encode_field
from tabiya.formats.cbh.entities.entity_file import EntityKind, entity_layout
from tabiya.game.annotations import TextEncoding


def encode_player(name: str, first: str | None, encoding: TextEncoding) -> dict[str, Value]:
    """Return the fields of a player with this name."""
    last_name, first_name = split_name(name, first)
    return {
        "last": encode_field(last_name, _LAST_WIDTH, encoding),
        "first": encode_field(first_name, _FIRST_WIDTH, encoding),
    }


LAYOUT: Final = entity_layout(
    "cbp record",
    Field(0, "30s", "last", column="{side}", codec=Codec(full_names)),
    Field(30, "20s", "first", extra="cbh.{side}_first", codec=Codec(misleading_first_names)),
)
_LAST_WIDTH, _FIRST_WIDTH = LAYOUT["last"].size, LAYOUT["first"].size


@dataclass(frozen=True, slots=True)
class Player:
    """A player as stored in a base."""

    id: int
    last: str
    first: str
    games: int
    """Number of records with the player as White or Black; records with both count twice."""
    first_game: int
    deleted: bool = False

    @property
    def name(self) -> str:
        """The name as in PGN."""
        return join_name(self.last, self.first)


PLAYERS: Final[EntityKind[Player]] = EntityKind(".cbp", "player", "players", LAYOUT, Player)
