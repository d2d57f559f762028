"""What a database contains about every player name: games, years, ratings, FIDE ids, opponents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow.compute as pc

from tabiya.formats.open_and_create import opened
from tabiya.formats.progress import Progress
from tabiya.maintenance.tag_columns import tag_texts
from tabiya.positions.name_table import NO_NAME, NameTable

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

    from tabiya.formats import Database
    from tabiya.formats.open_and_create import Locations
    from tabiya.formats.progress import Watcher

_SIDES: Final = (("white", "black", "WhiteFideId"), ("black", "white", "BlackFideId"))
_UNKNOWN: Final = "?"
_NO_YEAR: Final = 0xFFFF


class Evidence:
    """Data about names, by their numbers."""

    def __init__(self) -> None:
        self.names = NameTable()
        self.games = np.zeros(0, np.int64)
        self.years = np.zeros((0, 2), np.int64)
        """First and last year; 0 if there is none."""
        self.ratings = np.zeros((0, 2), np.int64)
        """Lowest and highest rating; 0 if there is none."""
        self._ids: dict[int, set[str]] = {}
        self._pairs: list[NDArray[np.int64]] = []
        self._opponents = np.empty(0, np.int64)

    def add(self, records: pa.RecordBatch) -> None:
        """Add the headers of some records."""
        for own, other, tag in _SIDES:
            names, opponents = self.names.ids_of(records[own]), self.names.ids_of(records[other])
            self._grow(len(self.names))
            known = (names != NO_NAME) & (names != self.names.id_of(_UNKNOWN))
            self.games += np.bincount(names[known], minlength=len(self.games))
            _extend(self.years, names[known], _numbers(records["year"])[known])
            _extend(self.ratings, names[known], _numbers(records[f"{own}_elo"])[known])
            met = known & (opponents != NO_NAME)
            self._pairs.append(np.unique(names[met].astype(np.int64) << 32 | opponents[met]))
            self._add_ids(names, tag_texts(records, tag), known)

    def finish(self) -> None:
        """Prepare the data for queries."""
        self._opponents = np.unique(np.concatenate([np.empty(0, np.int64), *self._pairs]))
        self._pairs.clear()

    def ids_of(self, name: int) -> frozenset[str]:
        """Return the FIDE ids of a name."""
        return frozenset(self._ids.get(name, ()))

    def opponents_of(self, name: int) -> NDArray[np.int64]:
        """Return the names of the opponents of a name, ascending."""
        part = slice(*np.searchsorted(self._opponents, [name << 32, (name + 1) << 32]))
        found: NDArray[np.int64] = self._opponents[part] & 0xFFFFFFFF
        return found

    def have_met(self, one: int, other: int) -> bool:
        """Return whether there is a game between two names; such names are different players."""
        return bool(len(pair := self.opponents_of(one)) and np.isin(other, pair))

    def _grow(self, count: int) -> None:
        more = count - len(self.games)
        if more > 0:
            self.games = np.concatenate([self.games, np.zeros(more, np.int64)])
            self.years = np.concatenate([self.years, np.zeros((more, 2), np.int64)])
            self.ratings = np.concatenate([self.ratings, np.zeros((more, 2), np.int64)])

    def _add_ids(self, names: NDArray[np.int32], texts: pa.Array, known: NDArray[np.bool_]) -> None:
        present = np.flatnonzero(known & pc.is_valid(texts).to_numpy(zero_copy_only=False))
        if not len(present):
            return
        values = texts.take(present).dictionary_encode()
        listed = values.dictionary.to_pylist()
        for pair in np.unique(names[present].astype(np.int64) << 32 | values.indices.to_numpy()).tolist():
            text = listed[pair & 0xFFFFFFFF].strip()
            if text.isdigit() and int(text):
                self._ids.setdefault(pair >> 32, set()).add(str(int(text)))


def _numbers(column: pa.Array) -> NDArray[np.int64]:
    numbers: NDArray[np.int64] = pc.fill_null(column, 0).to_numpy(zero_copy_only=False).astype(np.int64)
    return numbers


def _extend(spans: NDArray[Any], names: NDArray[np.int32], values: NDArray[np.int64]) -> None:
    """Extend the ranges of names by values; 0 means no value."""
    present = values > 0
    names, values = names[present], values[present]
    lowest = np.where(spans[:, 0] == 0, np.iinfo(np.int64).max, spans[:, 0])
    np.minimum.at(lowest, names, values)
    np.maximum.at(spans[:, 1], names, values)
    spans[:, 0] = np.where(lowest == np.iinfo(np.int64).max, 0, lowest)


def read_evidence(source: Locations | Database, *, threads: int = 1, progress: Watcher = None) -> Evidence:
    """Read the headers of a database once."""
    evidence, records = Evidence(), 0
    with opened(source) as database:
        for headers in database.headers(threads=threads):
            evidence.add(headers)
            records += len(headers)
            if progress is not None:
                progress(Progress(records, database.progress))
    evidence.finish()
    return evidence
