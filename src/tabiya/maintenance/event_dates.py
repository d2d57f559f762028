"""The first days of events, from the dates of their games."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabiya.positions.name_table import NO_NAME, NameTable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tabiya.formats import Database

_PAUSE: Final = np.timedelta64(60, "D")
"""After a longer pause, games belong to another event of the same name, for example of the next year."""
_UNKNOWN: Final = "?"
_DAY_ZERO: Final = 1 << 24
"""Offset that makes all days positive, even those before 1970."""
_NO_DAY: Final = np.datetime64("NaT", "D")


class EventDates:
    """The first days of all events of a database."""

    def __init__(self, names: NameTable, keys: NDArray[np.int64], days: NDArray[Any]) -> None:
        self._names = names
        order = np.lexsort((days, keys))
        keys, days = keys[order], days[order]
        new = np.ones(len(keys), np.bool_)
        new[1:] = (keys[1:] != keys[:-1]) | (days[1:] - days[:-1] > _PAUSE)
        self._different, ranks = np.unique(keys[new], return_inverse=True)
        self._days = days[new]
        self._beginnings = _in_order(ranks, self._days)

    @classmethod
    def of(cls, database: Database, *, threads: int = 1) -> EventDates:
        """Read the headers of a database."""
        names = NameTable()
        keys, days = [np.empty(0, np.int64)], [np.empty(0, "datetime64[D]")]
        for records in database.headers(threads=threads):
            own, played = _events(names, records), _days(records)
            known = (own >= 0) & ~np.isnat(played)
            pairs = np.unique(np.rec.fromarrays([own[known], played[known]]))  # there are few days, but many games
            keys.append(pairs["f0"])
            days.append(pairs["f1"])
        return cls(names, np.concatenate(keys), np.concatenate(days))

    def texts(self, records: pa.RecordBatch) -> pa.Array:
        """Return the first day of the event of each record, in PGN notation; null where it is unknown."""
        own, played = _events(self._names, records), _days(records)
        ranks = np.searchsorted(self._different, own)
        known = (own >= 0) & ~np.isnat(played) & (ranks < len(self._different))
        known[known] = self._different[ranks[known]] == own[known]
        places = np.searchsorted(self._beginnings, _in_order(ranks[known], played[known]), "right") - 1
        found = np.full(len(own), _NO_DAY)
        found[known] = self._days[places]
        # Not strftime: it needs a database of time zones, which Windows lacks.
        return pc.replace_substring(pa.array(found).cast(pa.string()), "-", ".")


def _in_order(ranks: NDArray[np.int64], days: NDArray[Any]) -> NDArray[np.int64]:
    """Return numbers that sort by event first and day second."""
    return ranks << 32 | (days.astype(np.int64) + _DAY_ZERO)


def _events(names: NameTable, records: pa.RecordBatch) -> NDArray[np.int64]:
    """Return a number for each event at its site; -1 without a name."""
    event, site = (names.ids_of(records[name]).astype(np.int64) for name in ("event", "site"))
    unknown = (event == NO_NAME) | (event == names.id_of(_UNKNOWN))
    return np.where(unknown, -1, event << 32 | (site + 1))


def _days(records: pa.RecordBatch) -> NDArray[Any]:
    """Return the days on which games were played; NaT where they are unknown or do not exist."""
    year, month, day = (
        pc.fill_null(records[name], 0).to_numpy(zero_copy_only=False).astype(np.int64)
        for name in ("year", "month", "day")
    )
    known = (year > 0) & (month > 0) & (day > 0)
    months = (np.where(known, (year - 1970) * 12 + month - 1, 0)).astype("datetime64[M]")
    days = months.astype("datetime64[D]") + (np.where(known, day, 1) - 1).astype("timedelta64[D]")
    return np.where(known & (days.astype("datetime64[M]") == months), days, _NO_DAY)
