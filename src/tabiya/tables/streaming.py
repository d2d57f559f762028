"""Databases as tables: selected columns of games, or of all their positions, as a stream of Arrow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import pyarrow as pa

from tabiya.errors import TabiyaError, UsageError
from tabiya.files.parallel import ordered_map
from tabiya.formats.database import ORIGIN_SCHEMA
from tabiya.game.schema import RECORD_SCHEMA
from tabiya.tables.columns import ROWS, Piece, column_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tabiya.formats.database import Database

_MOST_TOKENS: Final = 1 << 19
"""Size of the tapes of records processed together: about 40 MB with FENs."""
_USUAL_OF_POSITIONS: Final = ("number", "ply", "key", "san")


class Plan:
    """The columns of a table, and how they are computed from batches."""

    def __init__(self, columns: Sequence[str] | str | None, *, rows: str = "games") -> None:
        """Select columns.

        Args:
            columns: their names; by default those of a record, or a selection suitable for positions.
            rows: what a row is, ``games`` or ``positions``.

        Raises:
            UsageError: A column does not exist, or is requested twice.
        """
        if rows not in ROWS:
            raise UsageError(f"the rows of a table are {' or '.join(ROWS)}, not {rows!r}")
        if columns is None:
            columns = _USUAL_OF_POSITIONS if rows == "positions" else RECORD_SCHEMA.names
        names = [columns] if isinstance(columns, str) else list(columns)
        if twice := [name for name in names if names.count(name) > 1]:
            raise UsageError(f"the column {twice[0]!r} is requested twice")
        self._columns = [column_of(name, rows) for name in names]
        self._padded = rows == "positions"
        self._plies = frozenset(column.plies for column in self._columns)
        self.schema: pa.Schema = pa.schema([column.field for column in self._columns])

    def pieces(self, database: Database, threads: int) -> Iterator[tuple[int, pa.RecordBatch]]:
        """Yield the rows of a database in pieces, each with the number of records it is made of.

        Columns are computed in ``threads`` threads; the rows do not depend on the number.
        """
        records = self._records(database, threads)
        if all(column.is_plain for column in self._columns):
            return map(self._made, records)
        return ordered_map(self._made, _small(records), threads)

    def _records(self, database: Database, threads: int) -> Iterable[pa.RecordBatch]:
        """Return the records, with moves and the rest of the body only if a column needs them."""
        found: Iterable[pa.RecordBatch]
        if any(column.needs_body for column in self._columns):
            found = (batch.record_batch for batch in database.batches(threads=threads))
        else:
            found = database.headers(threads=threads)
        from_several = not {*self.schema.names}.isdisjoint(ORIGIN_SCHEMA.names)
        return map(database.with_origins, found) if from_several else found

    def _made(self, records: pa.RecordBatch) -> tuple[int, pa.RecordBatch]:
        piece = Piece(records, self._plies, padded=self._padded)
        columns = [column.make(piece) for column in self._columns]
        return len(records), pa.RecordBatch.from_arrays(columns, schema=self.schema)


def _small(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Split batches whose games are long: a FEN takes thirty times the space of a move."""
    for records in batches:
        if "moves" not in records.schema.names:
            yield records
            continue
        ends = records["moves"].offsets.to_numpy()
        begin = 0
        while begin < len(records):
            end = int(np.searchsorted(ends, ends[begin] + _MOST_TOKENS, side="right")) - 1
            end = max(min(end, len(records)), begin + 1)
            yield records.slice(begin, end - begin)
            begin = end


def to_arrow(
    database: Database, columns: Sequence[str] | str | None = None, *, rows: str = "games", threads: int = 1
) -> pa.RecordBatchReader:
    """Stream columns of a database to Arrow; see ``Database.to_arrow``."""
    try:
        plan = Plan(columns, rows=rows)
    except TabiyaError as error:
        error.path = None if database.path is None else str(database.path)
        raise
    pieces = plan.pieces(database, threads)
    return pa.RecordBatchReader.from_batches(plan.schema, (made for _, made in pieces))
