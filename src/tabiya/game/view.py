"""From a batch to the columns that kernels write files from; the inverse of :mod:`tabiya.game.assemble`.

Costs time per record and per list, never per move or comment: buffers are shared, not copied.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from tabiya.errors import CorruptError
from tabiya.game.schema import NAME_COLUMNS
from tabiya.game.view_kernel import BatchView

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tabiya.game.batch import GameBatch

__all__ = ["strings_of", "view_of"]

_NO_BYTES = np.zeros(0, np.uint8)


def view_of(batch: GameBatch) -> BatchView:
    """A view for kernels; CorruptError if the columns of the batch do not fit each other."""
    records = batch.record_batch
    names = [records.column(name) for name in NAME_COLUMNS]
    columns: dict[str, Any] = {
        "kind": _numbers(records.column("kind")),
        "variant": _numbers(records.column("variant")),
        "has_start": _present(records.column("start")),
        "start": strings_of(records.column("start")),
        "names": [_filled(name.indices, -1).astype(np.int32, copy=False) for name in names],
        "interned": [strings_of(name.dictionary) for name in names],
        "year": _filled(records.column("year"), 0),
        "month": _filled(records.column("month"), 0),
        "day": _filled(records.column("day"), 0),
        "white_elo": _elo(records.column("white_elo")),
        "black_elo": _elo(records.column("black_elo")),
        "result": _filled(records.column("result"), 255),
        **_list(records.column("tags"), "tag", ["tag_names", "tag_values"]),
        "move_ends": _ends(records.column("moves")),
        "moves": _numbers(records.column("moves").values),
        **_list(
            records.column("annotations"),
            "annotation",
            [
                "annotation_move",
                "annotation_side",
                "annotation_kind",
                "annotation_lang",
                "annotation_data",
                "annotation_raw",
            ],
        ),
        "annotation_has_raw": _present(records.column("annotations").values.field("raw")),
        **_list(records.column("extras"), "extra", ["extra_keys", "extra_values"]),
    }
    try:
        return BatchView(len(batch), columns)
    except ValueError as error:
        raise CorruptError(f"this batch is damaged: {error}") from error


def _list(column: pa.Array, name: str, members: list[str]) -> dict[str, Any]:
    """The ends of lists of structs, and the columns of their first fields."""
    parts = column.values.flatten()
    return {
        f"{name}_ends": _ends(column),
        **{
            member: strings_of(part)
            if pa.types.is_binary(part.type) or pa.types.is_string(part.type)
            else _numbers(part)
            for member, part in zip(members, parts, strict=False)
        },
    }


def _ends(column: pa.Array) -> NDArray[np.int32]:
    ends: NDArray[np.int32] = np.ascontiguousarray(column.offsets.to_numpy(), np.int32)
    return ends


def _numbers(column: pa.Array) -> NDArray[Any]:
    numbers: NDArray[Any] = column.to_numpy(zero_copy_only=True)
    return numbers


def _filled(column: pa.Array, missing: int) -> NDArray[Any]:
    return _numbers(column.fill_null(missing) if column.null_count else column)


def _elo(column: pa.Array) -> NDArray[np.int32]:
    return _filled(column.cast(pa.int32()), -1)


def _present(column: pa.Array) -> NDArray[np.uint8]:
    present: NDArray[np.uint8] = column.is_valid().cast(pa.uint8()).to_numpy(zero_copy_only=True)
    return present


def strings_of(column: pa.Array) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
    """Where the strings of a column begin and end, and their bytes; which of them are null is said elsewhere."""
    if len(column) == 0:
        return np.zeros(1, np.int32), _NO_BYTES
    _, ends, data = column.buffers()
    offsets = np.frombuffer(ends, np.int32)[column.offset : column.offset + len(column) + 1]
    return offsets, _NO_BYTES if data is None else np.frombuffer(data, np.uint8)
