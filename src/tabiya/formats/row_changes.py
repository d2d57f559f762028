"""Changing a few rows of a batch as Python values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from tabiya.game import GameBatch
from tabiya.game.schema import RECORD_SCHEMA

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["change_rows", "replaced_rows"]


def change_rows(batch: GameBatch, rows: Sequence[int], change: Callable[[dict[str, Any], int], None]) -> GameBatch:
    """Return the batch with some rows changed: ``change`` gets each as a dictionary, and its place in the batch."""
    if not rows:
        return batch
    values = batch.record_batch.take(pa.array(rows, pa.int64())).to_pylist()
    for row, index in zip(values, rows, strict=True):
        change(row, index)
    return replaced_rows(batch, rows, GameBatch(pa.RecordBatch.from_pylist(values, schema=RECORD_SCHEMA)))


def replaced_rows(batch: GameBatch, rows: Sequence[int], changed: GameBatch) -> GameBatch:
    """Return the batch with other records in the place of some rows."""
    order = np.arange(len(batch))
    order[rows] = len(batch) + np.arange(len(rows))
    return GameBatch(GameBatch.concat([batch, changed]).record_batch.take(pa.array(order)))
