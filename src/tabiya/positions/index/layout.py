"""What the files of a position index hold, and what they say about themselves."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import pyarrow as pa

from tabiya.errors import FormatError, UnsupportedError

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["FENCES", "GROUP_ROWS", "POSITIONS", "VARIATIONS", "Table", "check_mark", "mark_of"]

GROUP_ROWS: Final = 1 << 14
"""Rows of a group, but for the last one of a file: what a lookup reads at least."""

_MARK: Final = b"tabiya"
_VERSION: Final = 1


class Table(NamedTuple):
    """A kind of file with rows of positions."""

    holds: str
    schema: pa.Schema
    number: int
    """What tells its groups from those of other tables among the fences."""


def mark_of(holds: str) -> dict[bytes, bytes]:
    """Return the metadata that say what a file is."""
    return {_MARK: json.dumps({"holds": holds, "version": _VERSION}).encode()}


def check_mark(metadata: Mapping[bytes, bytes] | None, holds: str) -> None:
    """Raise an error unless a file says that it holds what is wanted, in a layout that this tabiya knows."""
    try:
        mark: Any = json.loads((metadata or {})[_MARK])
        found, version = str(mark["holds"]), int(mark["version"])
    except (KeyError, TypeError, ValueError, RecursionError):
        raise FormatError("is not a file of a position index made by tabiya") from None
    if found != holds:
        raise FormatError(f"holds {found[:40]}, not {holds}")
    if version > _VERSION:
        raise UnsupportedError(f"was written by a newer tabiya (version {version} of the layout; known: {_VERSION})")


def _table(number: int, holds: str, **columns: pa.DataType) -> Table:
    fields = [pa.field(name, kind, nullable=False) for name, kind in columns.items()]
    return Table(holds, pa.schema(fields, metadata=mark_of(holds)), number)


POSITIONS: Final = _table(0, "positions", key=pa.int64(), game=pa.int32(), ply=pa.int16(), move=pa.int16())
VARIATIONS: Final = _table(1, "variations", key=pa.int64(), game=pa.int32(), move=pa.int32())
FENCES: Final = _table(2, "fences", table=pa.int8(), key=pa.int64(), row=pa.int64())
