"""Comparison of event names: ``82nd Tata Steel Masters`` and ``Tata Steel Masters 2020`` are one event."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import numpy as np
import pyarrow as pa

from tabiya.game.filter_texts import without_accents

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

_NUMBER: Final = re.compile(r"\d+(?:st|nd|rd|th)?|[ivx]+")
"""Years, ordinals and Roman numerals, which only some spellings have."""
_NO_WORD: Final = re.compile(r"[\W_]+")


def event_keys(names: Sequence[str], events: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return numbers that are equal for events with similar names, given the numbers of their names.

    Words count, in any order; numbers only if there is nothing else. A missing name is -1.
    """
    used = np.unique(events[events >= 0])
    plain = without_accents(pa.array([names[number] for number in used.tolist()], pa.string())).to_pylist()
    keys: dict[str, int] = {}
    numbers = np.full(len(names) + 1, -1, np.int64)
    numbers[used] = [keys.setdefault(_key(text), len(keys)) for text in plain]
    return numbers[events]


def _key(plain: str) -> str:
    words = [word for word in _NO_WORD.split(plain) if word]
    return " ".join(sorted({word for word in words if not _NUMBER.fullmatch(word)} or {*words}))
