"""Where records come from: the file or server, and the number of the record there."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Origin(NamedTuple):
    """Where a record comes from."""

    source: str | None
    """The file or server; None for a stream."""
    number: int
    """The number of the record there, from 1."""


def origin_columns(source: str | None, numbers: NDArray[np.int64]) -> tuple[pa.DictionaryArray, NDArray[np.int64]]:
    """Return the origins of records that all come from one source, where they have the same numbers."""
    indices = pa.array(np.zeros(len(numbers), np.int32))
    name = None if source is None else printable_name(source)
    return pa.DictionaryArray.from_arrays(indices, pa.array([name], pa.string())), numbers


def printable_name(name: str) -> str:
    """Return the name of a file as text that can be stored, with escapes for bytes that are not UTF-8."""
    return name.encode("utf-8", "backslashreplace").decode("utf-8")
