"""A database open for reading: the common interface of all formats."""

from __future__ import annotations

import operator
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, overload

import numpy as np
import pyarrow as pa

from tabiya.errors import UsageError
from tabiya.files.closing import Closing
from tabiya.files.file_errors import errors_of
from tabiya.files.parallel import check_threads
from tabiya.formats.origins import Origin, origin_columns
from tabiya.game import Game, GameBatch
from tabiya.game.schema import RECORD_SCHEMA
from tabiya.lazy import borrowed

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from tabiya.formats.format import Format
    from tabiya.formats.operations.summary import Summary
    from tabiya.formats.subset import Subset
    from tabiya.game.record import Problem
    from tabiya.game.where import Where
    from tabiya.positions.searchable import Searchable
    from tabiya.search.conditions import Condition
    from tabiya.search.explorer_results import Exploration
    from tabiya.search.finding import Matches
    from tabiya.search.player_view import PlayerView
    from tabiya.search.query import Query

BODY_COLUMNS = frozenset({"moves", "annotations", "texts", "extras", "problems"})

HEADER_SCHEMA = pa.schema([field for field in RECORD_SCHEMA if field.name not in BODY_COLUMNS])
"""The columns of a list of games: everything except moves, annotations and other parts of the body."""

ORIGIN_SCHEMA = pa.schema([("source", pa.dictionary(pa.int32(), pa.string())), ("source_number", pa.int64())])

READ_ONCE = "a stream can be read only once; write it to a file first"

Piece = TypeVar("Piece")

Opening: TypeAlias = "tuple[Callable[..., Database], tuple[Any, ...]]"

_PREVIEW_RECORDS = 10


class Database(Closing, Sequence[Game]):
    """The records of a database, as a sequence: ``len(database)``, ``database[0]``, ``for game in database``.

    Positions count from 0 and include all records, also guiding texts and deleted ones; the ``number`` of a record is
    its position plus one. Use ``batches`` for bulk work. Several iterators may run over one database at the same time,
    unless it is a stream. Only ``TabiyaError`` is raised, and ``IndexError`` as for any sequence.

    Formats implement ``_count``, ``_read`` and ``_batches``. Where they can do better than the defaults, they also
    implement ``_count_up_to``, ``_headers``, ``_close``, ``files``, ``problems``, ``progress`` and ``details``.
    """

    _damage: tuple[type[Exception], ...] = ()
    """Exceptions of libraries, such as decompressors, that mean damaged input in this format."""

    def __init__(self, path: Path | None, format: Format) -> None:
        self._path = path
        self._format = format
        self._closed = False
        self._opening: Opening | str = "it was made from another database"  # how to open it again, or why not

    # Implemented by formats.

    @abstractmethod
    def _count(self) -> int:
        """Return the number of records; formats that must scan for it cache it."""

    def _count_up_to(self, limit: int) -> int:
        """Return the number of records, or ``limit`` if there are more; formats that must scan can stop there."""
        return min(self._count(), limit)

    @abstractmethod
    def _read(self, start: int, stop: int) -> GameBatch:
        """Return the records from ``start`` up to ``stop``, both in range."""

    @abstractmethod
    def _batches(self, threads: int) -> Iterator[GameBatch]:
        """Yield all records in order; batches are cut by records and bytes of input, never by the number of threads."""

    def _headers(self, threads: int) -> Iterator[pa.RecordBatch]:
        """Yield all records in order, in the columns of HEADER_SCHEMA."""
        for batch in self._batches(threads):
            yield batch.record_batch.select(HEADER_SCHEMA.names)

    def _take(self, places: NDArray[np.int64]) -> GameBatch:
        """Return the records at some positions, which are ascending and in range."""
        runs = np.split(places, np.flatnonzero(np.diff(places) > 1) + 1)
        found = [self._read(int(run[0]), int(run[-1]) + 1) for run in runs if len(run)]
        return found[0] if len(found) == 1 else GameBatch.concat(found)

    def _take_headers(self, places: NDArray[np.int64]) -> pa.RecordBatch:
        """Return the columns of HEADER_SCHEMA of some records."""
        return self._take(places).record_batch.select(HEADER_SCHEMA.names)

    def _unfolded(self, batch: GameBatch) -> Iterator[Game]:
        """Yield the games of a batch as returned to users; a collection adds where each came from."""
        return batch.games()

    def _close(self) -> None:
        """Release files and maps."""

    # Public interface.

    @property
    def path(self) -> Path | None:
        """Path of the database; None for a stream."""
        return self._path

    @property
    def format(self) -> Format:
        """The format of the database."""
        return self._format

    @property
    def files(self) -> tuple[Path, ...]:
        """All files that belong to the database."""
        return () if self._path is None else (self._path,)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Problems of the database as a whole; problems of a record are stored in the record."""
        return ()

    @property
    def remarks(self) -> tuple[str, ...]:
        """Other remarks as sentences, for example files in a folder that are not databases."""
        return ()

    @property
    def progress(self) -> float | None:
        """Fraction of the input that the latest read has consumed, from 0 to 1, if known."""
        return None

    def details(self) -> dict[str, str | int | float]:
        """Return facts specific to this format, by name, for display: how the file is organised or compressed."""
        return {}

    def summarize(self, summary: Summary) -> bool:  # noqa: ARG002 - used by some formats
        """Complete a summary from metadata, without reading records; return False if they must be read."""
        return False

    @property
    def name(self) -> str:
        """Name of the database for messages."""
        return str(self._path) if self._path is not None else "stream"

    @property
    def has_origins(self) -> bool:
        """Whether its records come from several files, each with its own numbering."""
        return False

    def origin(self, number: int) -> Origin:
        """Return the file that the record of this number comes from, and its number there.

        In collections of several databases both differ from the database and the number passed in.
        """
        sources, numbers = self.origins(np.array([number], np.int64))
        return Origin(sources[0].as_py(), int(numbers[0]))

    def origins(self, numbers: NDArray[np.int64]) -> tuple[pa.DictionaryArray, NDArray[np.int64]]:
        """Return the files that records come from, and their numbers there.

        In a collection, the records must have been read or counted before.
        """
        return origin_columns(None if self._path is None else self.name, numbers)

    def with_origins(self, records: pa.RecordBatch) -> pa.RecordBatch:
        """Return records of this database, as it streams them, with the columns ``source`` and ``source_number``."""
        sources, numbers = self.origins(records["number"].to_numpy())
        both = zip(ORIGIN_SCHEMA, (sources, pa.array(numbers)), strict=True)
        for field, column in both:
            records = records.append_column(field, column)
        return records

    def batches(self, *, threads: int = 1) -> Iterator[GameBatch]:
        """Stream all records in order as batches, which do not depend on the number of threads."""
        self._check_open()
        return self._guarded(self._batches, check_threads(threads))

    def headers(self, *, threads: int = 1) -> Iterator[pa.RecordBatch]:
        """Stream the columns of HEADER_SCHEMA of all records; cheap where the format stores headers separately."""
        self._check_open()
        return self._guarded(self._headers, check_threads(threads))

    @property
    def headers_apart(self) -> bool:
        """Whether headers can be read without the rest, so that ``headers`` is cheaper than ``batches``."""
        return type(self)._headers is not Database._headers

    def count_up_to(self, limit: int) -> int:
        """Return the number of records, or ``limit`` if there are more: much cheaper where records must be scanned."""
        self._check_open()
        with errors_of(self._path, *self._damage):
            return self._count_up_to(limit)

    def read(self, start: int, stop: int) -> GameBatch:
        """Return the records from position ``start`` up to ``stop`` as one batch; the range is clipped."""
        positions = self._positions(slice(start, stop))
        with errors_of(self._path, *self._damage):
            return self._read(positions.start, max(positions.start, positions.stop))

    def read_with(self, others: Sequence[Database]) -> tuple[GameBatch, list[int]] | None:
        """Return the records of this database and of others as one batch, and the number of records of each.

        None if the format does not support this. It is for many small databases, each of which is read as a whole.
        """
        del others
        return None

    def take(self, places: NDArray[np.int64]) -> GameBatch:
        """Return the records at some positions as one batch; positions must be ascending."""
        with errors_of(self._path, *self._damage):
            return self._take(self._ascending(places))

    def take_headers(self, places: NDArray[np.int64]) -> pa.RecordBatch:
        """Return the columns of HEADER_SCHEMA of the records at some positions, which must be ascending."""
        with errors_of(self._path, *self._damage):
            return self._take_headers(self._ascending(places))

    def _ascending(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        last = int(places[-1]) if len(places) else -1
        if len(places) and (places[0] < 0 or self.count_up_to(last + 1) <= last or (np.diff(places) <= 0).any()):
            raise UsageError(f"positions of records must ascend, from 0 to {len(self) - 1}", path=self._path)
        return places

    def to_arrow(
        self, columns: Sequence[str] | str | None = None, *, rows: str = "games", threads: int = 1
    ) -> pa.RecordBatchReader:
        """Stream columns of all records to Arrow, or one column; ``.read_all()`` of the result is a table.

        If all columns are in HEADER_SCHEMA, formats that store headers separately read nothing else. ``result``,
        ``kind`` and ``variant`` are texts; ``result_code`` and so on are the numbers of RECORD_SCHEMA. Further columns
        are ``source`` and ``source_number``, see ``origin``; any tag, such as ``tag:TimeControl``; and values computed
        from the moves: ``san``, ``uci``, ``fen:20`` and so on, see ``tabiya.tables.COLUMNS``. With ``rows="positions"``
        every position of the main lines is a row.
        """
        return borrowed("tables.streaming.to_arrow")(self, columns, rows=rows, threads=threads)

    def filter(self, where: Where | None = None, **conditions: Any) -> Database:
        """Select records; the result is a database that reads from this one.

        Args:
            where: an expression over the columns, ``pc.field("white_elo") > 2700``, or a function that returns a mask
                for a batch.
            conditions: those of ``RecordFilter``: ``player="carlsen"``, ``min_elo=2500``, ``since="2020"`` and so on.
        """
        from tabiya.formats.subset import filtered  # noqa: PLC0415 - it needs this module
        from tabiya.game import RecordFilter  # noqa: PLC0415 - imported on use

        self._check_open()
        chosen: Database = self if where is None else filtered(self, where)
        return filtered(chosen, RecordFilter(**conditions)) if conditions else chosen

    def search(self, condition: Condition | Query | None = None, **options: Any) -> Matches:
        """Find the games in which a condition is true at some ply; see ``tabiya.search``, which takes the same options.

        ``database.search(Material("KRPKR"), player="carlsen")`` returns the games as ``Matches``, each with its ply.
        """
        matches: Matches = borrowed("search.finding.search")(self, condition, **options)
        return matches

    def searchable(self) -> Searchable | None:
        """Return the position index of the database for searches; None for formats without one."""
        return None

    def explore(self, moves: str | Iterable[str] = (), **options: Any) -> Exploration:
        """Return the moves played in a position, ``database.explore("e4 c5", since=2000)``; see ``tabiya.explore``."""
        answer: Exploration = borrowed("search.explorer.explore")(self, moves, **options)
        return answer

    def player(self, name: str, **options: Any) -> PlayerView:
        """Return the openings and results of a player, ``database.player("carlsen")``; see ``tabiya.player``."""
        view: PlayerView = borrowed("search.player_view.player")(self, name, **options)
        return view

    def excerpt(
        self,
        records: str | Iterable[int] | None = None,
        *,
        sample: int | None = None,
        seed: int | None = None,
        limit: int | None = None,
    ) -> Database:
        """Select records by their number; the result is a database that reads from this one.

        Args:
            records: record numbers, from 1: ``5,17-40,100-``, or an iterable of numbers.
            sample: pick this many of them at random; all if there are fewer.
            seed: a number that makes the random selection repeatable.
            limit: keep at most this many of the remaining records, from the first.

        Raises:
            UsageError: A record does not exist, or one of the numbers is invalid.
        """
        from tabiya.formats.subset import excerpt_of  # noqa: PLC0415 - it needs this module

        self._check_open()
        return excerpt_of(self, records, sample=sample, seed=seed, limit=limit)

    def sort(self, by: str | Iterable[str], *, memory: int | None = None) -> Database:
        """Sort records; the result is a database that reads from this one.

        ``database.sort("date,-white_elo")``: see ``tabiya.sort`` for the fields and the other arguments.
        """
        ordered: Database = borrowed("maintenance.sorting.sorted_database")(self, by, memory=memory)
        return ordered

    def close(self) -> None:
        """Release files; reading afterwards is an error. May be called twice."""
        if not self._closed:
            self._closed = True
            with errors_of(self._path):
                self._close()

    # Python protocols.

    def __len__(self) -> int:
        self._check_open()
        with errors_of(self._path, *self._damage):
            return self._count()

    @overload
    def __getitem__(self, index: int) -> Game: ...
    @overload
    def __getitem__(self, index: slice) -> Subset: ...
    def __getitem__(self, index: int | slice) -> Game | Subset:
        """Return one game, or for a slice a database that reads its games when they are accessed.

        Records after the last game accessed are not read, unless the index is negative.
        """
        if isinstance(index, slice):
            return self._part(self._positions(index))
        index = operator.index(index)
        position = position_of(index, self._reach(index + 1 if index >= 0 else None))
        return next(self._unfolded(self.read(position, position + 1)))

    def __iter__(self) -> Iterator[Game]:
        for batch in self.batches():
            yield from self._unfolded(batch)

    def __repr__(self) -> str:
        return f"<{self._format.name} database {self.name}>"

    def __reduce__(self) -> Opening:
        """Pickle the location and the options of the database; another process then opens it again."""
        self._check_open()
        if isinstance(self._opening, str):
            raise UsageError(f"cannot be pickled: {self._opening}; pass on its path, and open that", path=self._path)
        return self._opening

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Let pandas, polars, duckdb and other libraries use the database as a table."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def _repr_html_(self) -> str:
        """Show the first games in a notebook."""
        from tabiya.game.html_tables import header_columns, header_rows, html_table  # noqa: PLC0415 - for notebooks

        count = len(self)  # first: a stream that has been counted can be read again
        rows = list(islice((row for batch in self.headers() for row in header_rows(batch)), _PREVIEW_RECORDS))
        title = f"{self.name}: {self._format.title}, {count:,} record{'' if count == 1 else 's'}"
        note = f"… {count - len(rows):,} more" if count > len(rows) else ""
        return html_table(title, header_columns(), rows, note=note)

    def _reach(self, stop: int | None) -> int:
        """Return the number of records, or ``stop`` if there are more."""
        return len(self) if stop is None or stop < 0 else self.count_up_to(stop)

    def _positions(self, part: slice) -> range:
        """Return the positions that a slice selects."""
        forward = (part.step or 1) > 0 and (part.start or 0) >= 0
        return range(self._reach(part.stop if forward else None))[part]

    def _part(self, positions: range) -> Subset:
        """Return the records at these positions."""
        from tabiya.formats.subset import Subset  # noqa: PLC0415 - it needs this module

        return Subset.at(self, positions)

    def _check_open(self) -> None:
        if self._closed:
            raise UsageError("the database is closed", path=self._path)

    def _guarded(self, stream: Callable[[int], Iterator[Piece]], threads: int) -> Iterator[Piece]:
        with errors_of(self._path, *self._damage):
            yield from stream(threads)


def position_of(index: int, count: int) -> int:
    """Return the position from 0 for an index into a sequence of games; the error states the valid range."""
    position = operator.index(index)
    if -count <= position < count:
        return position % count
    there = f"there are {count:,}, at the positions 0 to {count - 1}" if count else "there are none"
    raise IndexError(f"there is no game at position {position}: {there}")
