"""The layout of the files of a position index, and their metadata."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import pyarrow as pa

from tabiya.errors import FormatError, UnsupportedError

if TYPE_CHECKING:
    from collections.abc import Mapping

GROUP_ROWS: Final = 1 << 14
"""Rows of a group, except the last one of a file: the minimum that a lookup reads."""

_MARK: Final = "tabiya"
_VERSION: Final = 1


class Column(NamedTuple):
    """A column of a Parquet file, encoded as differences."""

    name: str
    number: int
    """Its number in kernels."""
    dtype: np.dtype[Any]
    compressed: bool


class Table(NamedTuple):
    """A kind of file with rows of positions."""

    holds: str
    number: int
    """The number that distinguishes its groups from those of other tables among the fences."""
    columns: tuple[Column, ...]


_KEY: Final = Column("key", 0, np.dtype(np.int64), compressed=True)
_GAME: Final = Column("game", 1, np.dtype(np.int32), compressed=False)  # compression would not help
_PLY: Final = Column("ply", 2, np.dtype(np.int16), compressed=True)
_MOVE: Final = Column("move", 3, np.dtype(np.int16), compressed=True)
_NUMBER: Final = Column("move", 4, np.dtype(np.int32), compressed=True)

POSITIONS: Final = Table("positions", 0, (_KEY, _GAME, _PLY, _MOVE))
VARIATIONS: Final = Table("variations", 1, (_KEY, _GAME, _NUMBER))

MOST_COLUMNS: Final = len(POSITIONS.columns)


def _per_column(kind: pa.DataType) -> pa.DataType:
    return pa.list_(pa.field("item", kind, nullable=False), MOST_COLUMNS)


FENCES: Final = pa.schema(
    [
        pa.field(name, kind, nullable=False)
        for name, kind in {
            "table": pa.int8(),  # the number of the table
            "key": pa.int64(),  # the first one of the group
            "rows": pa.int32(),
            "place": _per_column(pa.int64()),  # where the content of each page begins in the file
            "stored": _per_column(pa.int32()),  # its bytes there
            "plain": _per_column(pa.int32()),  # its bytes without compression
        }.items()
    ]
)
"""One row per group of rows of each table: the data to find and read it."""


def mark_of(holds: str, **more: object) -> dict[str, str]:
    """Return the metadata that identify a file."""
    return {_MARK: json.dumps({"holds": holds, "version": _VERSION, **more})}


def checked_mark(metadata: Mapping[bytes, bytes] | None, holds: str) -> dict[str, Any]:
    """Return the metadata of a file; raise an error unless it has the expected contents, in a known layout."""
    try:
        mark: Any = json.loads((metadata or {})[_MARK.encode()])
        found, version = str(mark["holds"]), int(mark["version"])
    except (KeyError, TypeError, ValueError, RecursionError):
        raise FormatError("is not a file of a position index made by tabiya") from None
    if found != holds:
        raise FormatError(f"holds {found[:40]}, not {holds}")
    if version > _VERSION:
        raise UnsupportedError(f"was written by a newer tabiya (version {version} of the layout; known: {_VERSION})")
    return dict(mark)
