"""Selection of records of a batch: by an expression over its columns, or by a callable that returns a mask for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabiya.errors import UsageError
from tabiya.game.batch import GameBatch

if TYPE_CHECKING:
    from numpy.typing import NDArray

Where: TypeAlias = pc.Expression | Callable[[pa.RecordBatch], pa.BooleanArray]
"""Which records: an expression over the columns, ``pc.field("white_elo") > 2700``, or a callable returning a mask."""


def mask_of(records: pa.RecordBatch, where: Where) -> NDArray[np.bool_]:
    """Return which of these records are chosen."""
    mask: NDArray[np.bool_] = np.zeros(len(records), np.bool_)
    try:
        if isinstance(where, pc.Expression):
            numbered = records.append_column("place", pa.array(np.arange(len(records))))
            mask[numbered.filter(where)["place"].to_numpy()] = True
        else:
            chosen = pc.fill_null(where(records), False)
            if len(chosen) != len(records):
                raise pa.ArrowInvalid(f"it gives {len(chosen)} values for {len(records)} records")
            mask |= chosen.to_numpy(zero_copy_only=False)
    except (pa.ArrowException, KeyError) as error:
        raise UsageError(f"these records cannot be selected: {error}") from error
    return mask


def both(first: Where | None, second: Where | None) -> Where | None:
    """Return a condition that selects a record if both do."""
    if first is None or second is None:
        return second if first is None else first
    return lambda records: pa.array(mask_of(records, first) & mask_of(records, second))


def chosen_of(batch: GameBatch, where: Where) -> GameBatch:
    """Return the chosen records of a batch; the batch itself if all are chosen."""
    mask = mask_of(batch.record_batch, where)
    return batch if mask.all() else GameBatch(batch.record_batch.filter(pa.array(mask)))
