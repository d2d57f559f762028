"""``.cbp``: players."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabiya.formats.cbh.entities.entity_file import EntityKind, entity_layout, text_in
from tabiya.formats.cbh.files.layout import Field, Record, Value
from tabiya.formats.cbh.files.strings import encode_field, masked
from tabiya.formats.cbh.files.tags_and_extras import Carrier, Table
from tabiya.game.annotations import TextEncoding

__all__ = ["PLAYERS", "Player", "first_name", "join_name", "player_names", "split_name"]

_LAST_WIDTH, _FIRST_WIDTH = 30, 20

LAYOUT: Final = entity_layout(
    "cbp record", Field(0, f"{_LAST_WIDTH}s", "last"), Field(_LAST_WIDTH, f"{_FIRST_WIDTH}s", "first")
)


@dataclass(frozen=True, slots=True)
class Player:
    """A player, as a base knows him."""

    id: int
    last: str
    first: str
    games: int
    """In how many records he is White or Black; twice where he is both."""
    first_game: int
    deleted: bool = False

    @property
    def name(self) -> str:
        """The name as in PGN."""
        return join_name(self.last, self.first)


def _player(number: int, record: Record, encoding: TextEncoding, deleted: bool) -> Player:  # noqa: FBT001
    last, first = (text_in(record, name, encoding) for name in ("last", "first"))
    return Player(number, last, first, int(record["games"]), int(record["first_game"]), deleted)


PLAYERS: Final[EntityKind[Player]] = EntityKind(".cbp", "player", "players", LAYOUT, _player, ("last", "first"))


def join_name(last: str, first: str) -> str:
    """The name in PGN: ``Last, First``."""
    return f"{last}, {first}" if first else last


def split_name(name: str, first: str | None = None) -> tuple[str, str]:
    """Last and first name: the inverse of ``join_name``. ``first`` says how, where the comma is misleading."""
    if first is None:
        last, _, rest = name.partition(",")
        return last, rest.lstrip(" ")
    return (name.removesuffix(f", {first}"), first) if first else (name, first)


def player_names(table: Table) -> pa.Array:
    """The names of all players as in PGN, null where empty."""
    last, first = table.texts("last"), table.texts("first")
    both = pc.binary_join_element_wise(pc.fill_null(last, ""), first, ", ")
    return pc.coalesce(both, last)


def _misleading_first_names(table: Table) -> pa.Array:
    """The first names that splitting would not find: behind a comma in the last name, or with blanks before."""
    last = pc.fill_null(table.texts("last"), "")
    first = pc.fill_null(table.texts("first"), "")
    odd = pc.or_(pc.match_substring(last, ","), pc.starts_with(first, " "))
    return masked(first, np.asarray(odd.to_numpy(zero_copy_only=False)))


def first_name(key: str) -> Carrier:
    """Carries a first name that cannot be told from the whole name."""
    return Carrier(
        key,
        _misleading_first_names,
        lambda text, encoding: {"first": encode_field(text, _FIRST_WIDTH, encoding)},
    )


def encode_player(name: str, first: str | None, encoding: TextEncoding) -> dict[str, Value]:
    """The fields of a player with this name."""
    last_name, first_name_ = split_name(name, first)
    return {
        "last": encode_field(last_name, _LAST_WIDTH, encoding),
        "first": encode_field(first_name_, _FIRST_WIDTH, encoding),
    }
