"""``.cbp``: players."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabiya.binary import Value
from tabiya.formats.cbh.entities.entity_file import EntityKind, entity_layout
from tabiya.formats.cbh.files.field_codecs import Codec
from tabiya.formats.cbh.files.header_fields import Field, Table
from tabiya.formats.cbh.files.strings import encode_field, masked
from tabiya.game.annotations import TextEncoding


def join_name(last: str, first: str) -> str:
    """Return the name in PGN: ``Last, First``."""
    return f"{last}, {first}" if first else last


def split_name(name: str, first: str | None = None) -> tuple[str, str]:
    """Return last and first name: the inverse of ``join_name``. ``first`` resolves misleading commas."""
    if first is None:
        last, _, rest = name.partition(",")
        return last, rest.lstrip(" ")
    return (name.removesuffix(f", {first}"), first) if first else (name, first)


def _names(table: Table, _: Field) -> pa.Array:
    """Return the names of all players as in PGN, null where empty."""
    last, first = table.texts("last"), table.texts("first")
    both = pc.binary_join_element_wise(pc.fill_null(last, ""), first, ", ")
    return pc.coalesce(both, last)


def _misleading_first_names(table: Table, _: Field) -> pa.Array:
    """Return the first names that splitting would not find: with a comma in the last name, or with leading blanks."""
    last = pc.fill_null(table.texts("last"), "")
    first = pc.fill_null(table.texts("first"), "")
    odd = pc.or_(pc.match_substring(last, ","), pc.starts_with(first, " "))
    return masked(first, np.asarray(odd.to_numpy(zero_copy_only=False)))


def encode_player(name: str, first: str | None, encoding: TextEncoding) -> dict[str, Value]:
    """Return the fields of a player with this name."""
    last_name, first_name = split_name(name, first)
    return {
        "last": encode_field(last_name, _LAST_WIDTH, encoding),
        "first": encode_field(first_name, _FIRST_WIDTH, encoding),
    }


LAYOUT: Final = entity_layout(
    "cbp record",
    Field(0, "30s", "last", column="{side}", codec=Codec(_names)),
    Field(30, "20s", "first", extra="cbh.{side}_first", codec=Codec(_misleading_first_names)),
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
