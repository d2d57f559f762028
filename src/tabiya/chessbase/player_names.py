"""Names of players, which ChessBase stores as last and first name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow.compute as pc

from tabiya.chessbase.strings import masked

if TYPE_CHECKING:
    import pyarrow as pa

    from tabiya.chessbase.header_fields import Field, Table


def join_name(last: str, first: str) -> str:
    """Return the name in PGN: ``Last, First``."""
    return f"{last}, {first}" if first else last


def split_name(name: str, first: str | None = None) -> tuple[str, str]:
    """Return last and first name: the inverse of ``join_name``. ``first`` resolves misleading commas."""
    if first is None:
        last, _, rest = name.partition(",")
        return last, rest.lstrip(" ")
    return (name.removesuffix(f", {first}"), first) if first else (name, first)


def full_names(table: Table, _: Field) -> pa.Array:
    """Return the names of all players as in PGN, null where empty."""
    last, first = table.texts("last"), table.texts("first")
    both = pc.binary_join_element_wise(pc.fill_null(last, ""), first, ", ")
    return pc.coalesce(both, last)


def misleading_first_names(table: Table, _: Field) -> pa.Array:
    """Return the first names that splitting would not find: with a comma in the last name, or with leading blanks."""
    last = pc.fill_null(table.texts("last"), "")
    first = pc.fill_null(table.texts("first"), "")
    unusual = pc.or_(pc.match_substring(last, ","), pc.starts_with(first, " "))
    return masked(first, np.asarray(unusual.to_numpy(zero_copy_only=False)))
