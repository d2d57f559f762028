"""Positions of records as ranges: compact for adjacent records, and open at the end for all that follow."""

from __future__ import annotations

import operator
import re
import sys
from typing import TYPE_CHECKING, Final

import numpy as np

from tabiya.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

_RUN: Final = re.compile(r"\s*([0-9]{1,18})\s*(?:(-|–|\.\.)\s*([0-9]{0,18})\s*)?")


class Runs:
    """A set of positions, as ascending ranges that do not touch. The last one may extend past the last record."""

    def __init__(self, starts: NDArray[np.int64], stops: NDArray[np.int64]) -> None:
        """Join ranges in any order, which may overlap."""
        order = np.argsort(starts, kind="stable")
        starts, reach = starts[order], np.maximum.accumulate(stops[order])
        begins = np.append(True, starts[1:] > reach[:-1])[: len(starts)]
        self.starts = starts[begins]
        self.stops = reach[np.append(begins[1:], True)[: len(starts)]]
        self._ends = np.cumsum(self.stops - self.starts)

    @classmethod
    def of(cls, places: range | NDArray[np.int64]) -> Runs:
        """Return the set of these positions."""
        if isinstance(places, range) and abs(places.step) == 1 and places:
            return cls(np.array([min(places[0], places[-1])]), np.array([max(places[0], places[-1]) + 1]))
        each = np.asarray(places, np.int64)
        return cls(each, each + 1)

    @property
    def total(self) -> int:
        """Number of positions."""
        return int(self._ends[-1]) if len(self._ends) else 0

    @property
    def end(self) -> int:
        """The position after the last one; 0 if there are none."""
        return int(self.stops[-1]) if len(self.stops) else 0

    def at(self, indexes: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the positions at these indexes in the set, from 0 to ``total - 1``."""
        run = np.searchsorted(self._ends, indexes, side="right")
        places: NDArray[np.int64] = self.stops[run] - self._ends[run] + indexes
        return places

    def rank(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return how many positions of the set come before each of these."""
        run = np.searchsorted(self.starts, places, side="right")
        before: NDArray[np.int64] = np.append(0, self._ends)[run] - np.maximum(
            0, np.append(0, self.stops)[run] - places
        )
        return before

    def holds(self, places: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return which of these are in the set."""
        held: NDArray[np.bool_] = np.append(0, self.stops)[np.searchsorted(self.starts, places, side="right")] > places
        return held


def runs_of(records: str | Iterable[int]) -> Runs:
    """Return the positions from 0 for record numbers from 1.

    Raises:
        UsageError: A text is not of the form ``5,17-40,100-``, or a number is below 1.
    """
    if isinstance(records, str):
        ranges = [_range(part, records) for part in records.split(",")]
    else:
        last = (min(operator.index(number), sys.maxsize) for number in records)
        ranges = [(number - 1, number) for number in last]
    bounds = np.array(ranges, np.int64).reshape(-1, 2)
    if len(bounds) and (first := int(bounds.min())) < 0:
        raise UsageError(f"there is no record {first + 1}: the first is 1")
    return Runs(bounds[:, 0], bounds[:, 1])


def _range(part: str, text: str) -> tuple[int, int]:
    found = _RUN.fullmatch(part)
    if found is None:
        raise UsageError(f"{text!r} does not name records: give numbers and ranges as 5,17-40,100-")
    first, dash, last = found.groups()
    stop = int(first) if dash is None else int(last) if last else sys.maxsize
    if stop < int(first):
        raise UsageError(f"{part.strip()!r} ends before it begins")
    return int(first) - 1, stop
