"""Columns of a batch from ids and codes: each distinct value is looked up once."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from tabiya.chessbase.list_columns import validity

if TYPE_CHECKING:
    from numpy.typing import NDArray


def or_null(values: NDArray[Any], missing: int, kind: pa.DataType) -> pa.Array:
    """Return a column of numbers, null where they have the value that means none."""
    return pa.array(values.astype(kind.to_pandas_dtype()), mask=values == missing)


def code_texts(text_of: Callable[[int], str | None]) -> Callable[[NDArray[np.int64]], pa.Array]:
    """Return a function from codes to their texts."""
    return lambda used: pa.array([text_of(code) for code in used.tolist()], pa.string())


def dense(ids: NDArray[Any], size: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the distinct ids, in order, and for each id its index among them; ids below 0 remain -1."""
    present = np.zeros(size + 1, np.bool_)
    present[ids] = True  # -1 is the last index, which no id has
    present[size] = False
    used = np.flatnonzero(present)
    places = np.full(size + 1, -1)
    places[used] = np.arange(len(used))
    return places[ids], used


def interned(
    places: NDArray[np.int64], used: NDArray[np.int64], texts_of: Callable[[NDArray[np.int64]], pa.Array]
) -> pa.Array:
    """Return a column of names: the text of each distinct id is looked up once; null remains null."""
    texts = texts_of(used)
    if texts.null_count:
        valid = validity(texts)
        moved = np.append(np.where(valid, np.cumsum(valid) - 1, -1), -1)
        places, texts = moved[places], texts.drop_null()
    return pa.DictionaryArray.from_arrays(pa.array(places.astype(np.int32), mask=places < 0), texts)
