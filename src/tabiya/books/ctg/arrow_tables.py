"""Positions of a book as Arrow tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabiya.books.ctg.columns import MARKS, SIGNATURE_SIZE, STATISTICS
from tabiya.errors import UsageError

if TYPE_CHECKING:
    import numpy.typing as npt

    from tabiya.books.ctg.columns import PositionColumns

POSITION_SCHEMA: Final = pa.schema(
    [
        ("signature", pa.binary()),
        ("moves", pa.list_(pa.uint16())),
        ("move_nags", pa.list_(pa.uint8())),
        *((name, pa.int64()) for name in STATISTICS),
        *((name, pa.uint8()) for name in MARKS),
    ]
)
"""All columns of a table of positions; see ``tabiya.books.ctg.columns``."""


def columns_of_table(table: pa.RecordBatch | pa.Table) -> tuple[npt.NDArray[Any], ...]:
    """Return the fields of ``PositionColumns``; UsageError if a column is invalid."""
    names = set(table.schema.names)
    if "signature" not in names:
        raise UsageError("a table of positions needs a column called signature")
    try:
        signatures = _signatures(_required(table, "signature"))
        statistics = _numbers(table, STATISTICS, np.int64)
        marks = _numbers(table, MARKS, np.uint8)
        if "score" not in names:
            statistics[:, STATISTICS.index("score")] = -1
        lists = _required(table, "moves") if "moves" in names else pa.nulls(len(signatures), pa.list_(pa.uint16()))
        ends, moves = _lists(lists, pa.uint16())
        nags = np.zeros(len(moves), np.uint8)
        if "move_nags" in names:
            nag_ends, nags = _lists(_required(table, "move_nags"), pa.uint8())
            if not np.array_equal(nag_ends, ends):
                raise UsageError("the lists in the columns moves and move_nags differ in length")
    except (pa.ArrowException, OverflowError) as error:
        raise UsageError(f"a column of the position table has the wrong type: {error}") from error
    return signatures, statistics, marks, ends, moves, nags


def table_of_columns(columns: PositionColumns) -> pa.RecordBatch:
    """Return a table with all columns of ``POSITION_SCHEMA``."""
    lengths = columns.signatures[:, 0] & 31
    used = np.arange(SIGNATURE_SIZE) < lengths[:, None]
    ends = np.concatenate([np.zeros(1, np.int32), np.cumsum(lengths, dtype=np.int32)])
    packed = pa.py_buffer(columns.signatures[used].tobytes())
    move_ends = pa.array(columns.move_ends.astype(np.int32))
    arrays = [
        pa.Array.from_buffers(pa.binary(), len(columns), [None, pa.py_buffer(ends.tobytes()), packed]),
        pa.ListArray.from_arrays(move_ends, pa.array(columns.moves)),
        pa.ListArray.from_arrays(move_ends, pa.array(columns.move_nags)),
        *(pa.array(columns.statistic(name)) for name in STATISTICS),
        *(pa.array(columns.mark(name)) for name in MARKS),
    ]
    return pa.RecordBatch.from_arrays(arrays, schema=POSITION_SCHEMA)


def _required(table: pa.RecordBatch | pa.Table, name: str) -> pa.Array:
    column = table.column(name)
    return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column


def _signatures(column: pa.Array) -> npt.NDArray[np.uint8]:
    """Return rows of 32 bytes; signatures may include trailing zeros or not."""
    if column.null_count:
        raise UsageError("a position of the table has no signature")
    column = column.cast(pa.large_binary())
    ends = np.frombuffer(column.buffers()[1], np.int64)[column.offset : column.offset + len(column) + 1]
    lengths = np.diff(ends)
    rows = np.zeros((len(column), SIGNATURE_SIZE), np.uint8)
    if len(column) == 0:
        return rows
    if lengths.min() < 1 or lengths.max() > SIGNATURE_SIZE:
        raise UsageError(f"a signature of the table does not have 1 to {SIGNATURE_SIZE} bytes")
    data = np.frombuffer(column.buffers()[2], np.uint8)[ends[0] : ends[-1]]
    rows[np.arange(SIGNATURE_SIZE) < lengths[:, None]] = data
    if ((lengths != SIGNATURE_SIZE) & (lengths != rows[:, 0] & 31)).any():
        raise UsageError("the first byte of a signature of the table is not its length")
    return rows


def _numbers(table: pa.RecordBatch | pa.Table, names: tuple[str, ...], kind: type[np.generic]) -> npt.NDArray[Any]:
    rows = np.zeros((table.num_rows, len(names)), kind)
    for place, name in enumerate(names):
        if name in table.schema.names:
            column = _required(table, name).cast(pa.from_numpy_dtype(kind))
            missing = -1 if name == "score" else 0
            rows[:, place] = column.fill_null(missing).to_numpy(zero_copy_only=False)
    return rows


def _lists(column: pa.Array, kind: pa.DataType) -> tuple[npt.NDArray[np.int64], npt.NDArray[Any]]:
    column = column.cast(pa.large_list(kind))
    lengths = pc.list_value_length(column).fill_null(0).to_numpy(zero_copy_only=False)
    members = column.flatten()
    if members.null_count:
        raise UsageError("a list of moves has a gap")
    ends = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths, dtype=np.int64)])
    return ends, members.to_numpy(zero_copy_only=False)
