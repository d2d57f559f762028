"""The columns of the files of a library, except those of the index."""

from __future__ import annotations

import json
from typing import Final

import pyarrow as pa

from tabiya.formats.record_layout import FILE_SCHEMA
from tabiya.positions.game_facts import FACTS


def _mark(holds: str) -> dict[bytes, bytes]:
    return {b"tabiya": json.dumps({"holds": holds, "version": 1}).encode()}


REMEDY: Final = "restore it from a copy, or make the library anew from its sources"
"""Remedy for damaged games; ``tabiya check`` shows the extent of the damage."""
REBUILD: Final = '"tabiya library rebuild" builds it again from the games'
"""Remedy for damage of all other files."""


def remedy_of(*kinds: str) -> str:
    """Return the remedy for damage of files of some kinds."""
    return REMEDY if "games" in kinds else REBUILD


ORIGINS: Final = pa.schema([pa.field("source", pa.string()), pa.field("source_number", pa.int64())])
"""Origin of a record: the database, and its number there."""

GAMES: Final = pa.schema(
    [*FILE_SCHEMA, pa.field("source", pa.dictionary(pa.int32(), pa.string())), ORIGINS.field("source_number")],
    FILE_SCHEMA.metadata,
)

_FACTS: Final = pa.field(
    "facts",
    pa.binary(FACTS.itemsize),
    nullable=False,
    metadata={name: f"{value[0].str} at {value[1]}" for name, value in (FACTS.fields or {}).items()},
)
FILTER: Final = pa.schema([_FACTS], _mark("filter"))
NUMBERED_FILTER: Final = pa.schema([_FACTS, pa.field("game", pa.int32(), nullable=False)], _mark("filter"))
"""``game`` is the number of records before each, if they are not consecutive."""

TAPES: Final = pa.schema(
    [
        pa.field("line", pa.large_list(pa.field("item", pa.uint16(), nullable=False)), nullable=False),
        pa.field("start", pa.string()),
    ],
    _mark("tapes"),
)
"""Main lines as tokens, and start positions."""

NAMES: Final = pa.schema(
    [pa.field("id", pa.int32(), nullable=False), pa.field("name", pa.string(), nullable=False)], _mark("names")
)
"""The names for the numbers in the facts."""
