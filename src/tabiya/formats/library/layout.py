"""The columns of the files of a library, but for those of the index."""

from __future__ import annotations

import json
from typing import Final

import pyarrow as pa

from tabiya.formats.record_layout import FILE_SCHEMA
from tabiya.positions.game_facts import FACTS

__all__ = ["FILTER", "GAMES", "NAMES", "NUMBERED_FILTER", "ORIGINS", "TAPES", "remedy_of"]


def _mark(holds: str) -> dict[bytes, bytes]:
    return {b"tabiya": json.dumps({"holds": holds, "version": 1}).encode()}


REMEDY: Final = "restore it from a copy, or build the library again from its sources"
"""What helps against damage of games; ``tabiya check`` tells how far it goes."""
REBUILD: Final = '"tabiya library rebuild" builds it again from the games'
"""What helps against damage of all other files."""


def remedy_of(*kinds: str) -> str:
    """Return what helps against damage of files of some kinds."""
    return REMEDY if "games" in kinds else REBUILD


ORIGINS: Final = pa.schema([pa.field("source", pa.string()), pa.field("source_number", pa.int64())])
"""Where a record comes from: the database, and its number there."""

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
"""``game`` tells how many records come before each, where they do not simply follow each other."""

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
"""The names behind the numbers in the facts."""
