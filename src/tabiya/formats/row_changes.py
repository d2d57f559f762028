"""Change a few rows of a batch as Python values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa

from tabiya.game import GameBatch
from tabiya.game.schema import RECORD_SCHEMA

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_FEW_ROWS: Final = 64


def change_rows(batch: GameBatch, rows: Sequence[int], change: Callable[[dict[str, Any], int], None]) -> GameBatch:
    """Return the batch with some rows changed: ``change`` receives each as a dictionary, and its index in the batch."""
    if not rows:
        return batch
    values = batch.record_batch.take(pa.array(rows, pa.int64())).to_pylist()
    for row, index in zip(values, rows, strict=True):
        change(row, index)
    return replaced_rows(batch, rows, GameBatch(pa.RecordBatch.from_pylist(values, schema=RECORD_SCHEMA)))


def replaced_rows(batch: GameBatch, rows: Sequence[int], changed: GameBatch) -> GameBatch:
    """Return the batch with some rows, which are ascending, replaced by other records."""
    if len(rows) <= _FEW_ROWS:
        return _spliced(batch, rows, changed)
    order = np.arange(len(batch))
    order[rows] = len(batch) + np.arange(len(rows))
    return GameBatch(GameBatch.concat([batch, changed]).record_batch.take(pa.array(order)))


def _spliced(batch: GameBatch, rows: Sequence[int], changed: GameBatch) -> GameBatch:
    """Replace rows by copying the long pieces between them: taking every row singly costs as much as decoding it."""
    tables = pa.Table.from_batches([batch.record_batch, changed.record_batch]).unify_dictionaries()
    old, new = tables.slice(0, len(batch)), tables.slice(len(batch))
    ends = [*rows, len(batch)]
    pieces = [old.slice(0, ends[0])]
    for place, row in enumerate(rows):
        pieces += [new.slice(place, 1), old.slice(row + 1, ends[place + 1] - row - 1)]
    return GameBatch(pa.concat_batches([each for piece in pieces for each in piece.to_batches()]))
