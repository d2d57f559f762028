"""The columns of a list of games for every record, in rows of fixed size, so that lists are sorted and filtered fast.

They are the facts of segments, with more names. A library has such segments. For any other database a background thread
fills a temporary one by reading the database once; the rows read so far can be used at any time.
"""

from __future__ import annotations

import tempfile
from abc import ABC, abstractmethod
from threading import Condition, Lock, Thread
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa

from tabiya.errors import TabiyaError
from tabiya.game import GameBatch
from tabiya.game.record import RecordKind
from tabiya.positions.game_facts import FACTS, Flag, facts_of, header_facts, records_of
from tabiya.positions.name_table import NameTable

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from numpy.typing import NDArray

    from tabiya.formats.database import Database
    from tabiya.positions.searchable import Searchable, Segment

_MORE_NAMES: Final = {"eco_text": "eco", "round": "round", "annotator": "annotator"}
_MORE: Final = np.dtype([(name, np.int32) for name in _MORE_NAMES])
LISTED: Final = np.dtype([*FACTS.descr, *_MORE.descr])
"""FACTS and more names; -1 where there is none, -2 where it is unknown."""
TEXT: Final = 0x40
"""Another flag: the record is a guiding text."""
UNKNOWN_BODY: Final = 0x80
"""Another flag: the number of plies is unknown, as is whether there are variations and annotations."""
NOT_HERE: Final = -2
"""Marks an unknown name."""
_RESTING: Final = 0.2
"""Seconds between checks by waiting callers."""


class Catalogue(ABC):
    """The rows of all records of a database, as far as they are known."""

    names: NameTable
    """The names that the numbers in the rows refer to."""
    _segments: Sequence[Segment | _TemporarySegment]
    _more: NDArray[Any] | None = None
    """The names that facts lack; None if unknown, or if the facts of the only segment have them."""
    _names: pa.Array | None = None

    @abstractmethod
    def __len__(self) -> int:
        """Return the number of known records, counted from the first of the database."""

    @property
    def complete(self) -> bool:
        """Whether all records are known."""
        return True

    @property
    def progress(self) -> float | None:
        """The part of the database that has been read, from 0 to 1, if known."""
        return 1.0

    @property
    def failure(self) -> TabiyaError | None:
        """The error that keeps it incomplete."""
        return None

    def take(self, places: NDArray[np.int64]) -> NDArray[Any]:
        """Return the rows of some records, as LISTED."""
        rows = np.zeros(len(places), LISTED)
        more = self._more
        for name in _MORE.names or ():
            rows[name] = NOT_HERE if more is None else more[name][places]
        for segment in self._segments:  # the latest segment with a record counts
            mine, own = _rows_in(segment, places)
            facts = segment.facts[own]
            for name in facts.dtype.names or ():
                rows[name][mine] = facts[name]
        return rows

    def column(self, name: str) -> NDArray[Any]:
        """Return one field of all known rows."""
        only = self._only
        if only is not None and name in (only.facts.dtype.names or ()):
            whole: NDArray[Any] = only.facts[name]
            return whole
        if name in _MORE_NAMES:
            self.know([name])
            assert self._more is not None
            more: NDArray[Any] = self._more[name]
            return more
        column = np.zeros(len(self), FACTS[name])
        for segment in self._segments:
            facts = segment.facts[name]
            if segment.numbers is None:
                column[segment.first : segment.first + len(facts)] = facts
            else:
                column[segment.numbers] = facts
        return column

    @property
    def _only(self) -> Segment | _TemporarySegment | None:
        """The segment that has all records in order, if there is one."""
        return self._segments[0] if len(self._segments) == 1 and self._segments[0].numbers is None else None

    def know(self, columns: Collection[str]) -> None:  # noqa: B027 - most catalogues are complete
        """Make sure that some columns are known, regardless of the cost, once all records are known."""

    def start(self) -> None:  # noqa: B027 - a library has nothing to read
        """Start to read the database if necessary. May be called twice."""

    def wait(self, records: int) -> None:  # noqa: B027
        """Wait for a short time unless there are more known records than this or all are known."""

    def close(self) -> None:  # noqa: B027
        """Stop reading. May be called twice."""

    def stretch(self, begin: int, end: int) -> NDArray[Any]:
        """Return the rows of consecutive records: as LISTED or, as long as further names are not gathered, as FACTS."""
        only, more = self._only, self._more
        if only is None:
            return self.take(np.arange(begin, end, dtype=np.int64))
        facts: NDArray[Any] = only.facts[begin:end]
        if more is None:
            return facts
        rows = np.empty(len(facts), LISTED)
        for name in LISTED.names or ():
            rows[name] = more[name][begin:end] if name in _MORE_NAMES else facts[name]
        return rows

    def _names_listed(self) -> pa.Array:
        """Return all names; the same array until there are new ones, so that callers can cache results by it."""
        if self._names is None or len(self._names) != len(self.names):
            self._names = self.names.array()
        return self._names

    def records(self, begin: int, end: int, columns: Collection[str] | None = None) -> pa.RecordBatch:
        """Return rows as columns of records, for conditions on headers: some or all; unknown columns are missing."""
        rows = self.stretch(begin, end)
        names = self._names_listed()
        records = records_of(rows, names, columns)
        for field, column in _MORE_NAMES.items():
            if columns is not None and column not in columns:
                continue
            numbers = rows[field] if field in (rows.dtype.names or ()) else None
            if numbers is None or (numbers == NOT_HERE).any():
                continue
            texts = pa.DictionaryArray.from_arrays(pa.array(numbers, mask=numbers < 0), names)
            place = records.schema.get_field_index(column)
            records = (records if place < 0 else records.remove_column(place)).append_column(column, texts)
        return records


def catalogue_of(database: Database) -> Catalogue:
    """Return the catalogue of a database; that of a library is complete, any other has to be started."""
    searchable = database.searchable()
    return Gathered(database) if searchable is None else Indexed(database, searchable)


class Indexed(Catalogue):
    """The facts in a library; names that they lack are gathered on the first sort by them."""

    def __init__(self, database: Database, searchable: Searchable) -> None:
        self._database = database
        self._segments = searchable.segments
        self._count = len(database)
        self.names = NameTable()
        self.names.add(searchable.names.array())
        self._lock = Lock()

    def __len__(self) -> int:
        return self._count

    def know(self, columns: Collection[str]) -> None:
        """Names that are missing in the facts require reading all headers."""
        if _MORE_NAMES.keys().isdisjoint(columns):
            return
        with self._lock:
            if self._more is None:
                more = np.empty(self._count, _MORE)
                begin = 0
                for records in self._database.headers():
                    for field, column in _MORE_NAMES.items():
                        more[field][begin : begin + len(records)] = self.names.ids_of(records[column])
                    begin += len(records)
                self._more = more


def _rows_in(
    segment: Segment | _TemporarySegment, places: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the places that are in a segment, and its rows for them."""
    if segment.numbers is None:
        mine = np.flatnonzero((places >= segment.first) & (places < segment.first + len(segment.facts)))
        return mine, places[mine] - segment.first
    own = np.minimum(np.searchsorted(segment.numbers, places), len(segment.numbers) - 1)
    mine = np.flatnonzero(segment.numbers[own] == places)
    return mine, own[mine]


class _TemporarySegment:
    """Rows of a database, as LISTED, in a temporary file; it is mapped, so that the system can reclaim the memory."""

    first: Final = 0
    numbers: Final = None

    def __init__(self) -> None:
        self.facts: NDArray[Any] = np.empty(0, LISTED)
        self._file: Any = None

    def append(self, rows: NDArray[Any]) -> None:
        """Add the next rows."""
        if not len(rows):
            return
        if self._file is None:
            self._file = tempfile.TemporaryFile(prefix="tabiya-list-")  # noqa: SIM115 - closed by close
        self._file.write(rows.tobytes())
        self._file.flush()
        self.facts = np.memmap(self._file, LISTED, "r", shape=(len(self.facts) + len(rows),))

    def close(self) -> None:
        """Free the file; rows that are in use remain."""
        if self._file is not None:
            self._file.close()


class Gathered(Catalogue):
    """Rows gathered by reading a database once."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.names = NameTable()
        self._segment = _TemporarySegment()
        self._segments = (self._segment,)
        self._changed = Condition()
        self._knowing = Lock()
        self._thread: Thread | None = None
        self._complete = self._stopped = False
        self._failure: TabiyaError | None = None

    def __len__(self) -> int:
        return len(self._segment.facts)

    @property
    def complete(self) -> bool:
        return self._complete

    @property
    def progress(self) -> float | None:
        return 1.0 if self._complete else self._database.progress

    @property
    def failure(self) -> TabiyaError | None:
        return self._failure

    def start(self) -> None:
        with self._changed:
            if self._thread is None:
                self._thread = Thread(target=self._gather, name="tabiya-catalogue")
                self._thread.start()

    def know(self, columns: Collection[str]) -> None:
        with self._knowing:
            if "plies" not in columns or not (self.column("flags") & UNKNOWN_BODY).any():
                return
            segment = _TemporarySegment()
            for batch in self._database.batches():
                segment.append(_of_batch(batch, self.names))
            with self._changed:
                former, self._segment, self._segments = self._segment, segment, (segment,)
            former.close()

    def wait(self, records: int) -> None:
        with self._changed:
            if len(self) <= records and not self._complete:
                self._changed.wait(_RESTING)

    def close(self) -> None:
        self._stopped = True
        if self._thread is not None:
            self._thread.join()
        self._segment.close()

    def _gather(self) -> None:
        try:
            for rows in self._read():
                self._segment.append(rows)
                with self._changed:
                    self._changed.notify_all()
                if self._stopped:
                    return
        except TabiyaError as error:
            self._failure = error
        except OSError as error:  # the temporary folder is full
            self._failure = TabiyaError(f"the list cannot be kept: {error.strerror or error}")
        except Exception:
            self._failure = TabiyaError("not all games could be read: something unexpected went wrong")
            raise
        finally:
            with self._changed:
                self._complete = True
                self._changed.notify_all()

    def _read(self) -> Iterable[NDArray[Any]]:
        database = self._database
        if database.headers_apart:
            return (_listed(records, header_facts(records, self.names), self.names) for records in database.headers())
        return (_of_batch(batch, self.names) for batch in database.batches())


def _of_batch(batch: GameBatch, names: NameTable) -> NDArray[Any]:
    return _listed(batch.record_batch, facts_of(batch, names), names, body=True)


def _listed(records: pa.RecordBatch, facts: NDArray[Any], names: NameTable, *, body: bool = False) -> NDArray[Any]:
    rows = np.zeros(len(facts), LISTED)
    for name in FACTS.names or ():
        rows[name] = facts[name]
    for field, column in _MORE_NAMES.items():
        rows[field] = names.ids_of(records[column])
    kinds = records["kind"].to_numpy()
    rows["flags"] |= np.where(kinds == RecordKind.TEXT, np.uint8(TEXT), np.uint8(0))
    if not body:
        rows["flags"] |= np.where(rows["flags"] & Flag.GAME, np.uint8(UNKNOWN_BODY), np.uint8(0))
    return rows
