"""Several databases, of any formats, read as one."""

from __future__ import annotations

import os
import sys
from bisect import bisect_right
from collections import Counter
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from itertools import chain, groupby, takewhile
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, cast

import numpy as np
import pyarrow as pa

from tabiya.errors import TabiyaError, UsageError
from tabiya.files.parallel import ordered_map
from tabiya.formats.collection.format import COLLECTION, UNREADABLE_FILE
from tabiya.formats.collection.open_databases import OpenDatabases, together
from tabiya.formats.collection.sources import find_sources, is_list
from tabiya.formats.database import HEADER_SCHEMA, Database
from tabiya.formats.open_and_create import open as open_database
from tabiya.formats.open_and_create import options_of, path_of
from tabiya.formats.origins import Origin, origin_columns
from tabiya.formats.url import url_of
from tabiya.game import GameBatch
from tabiya.game.batch import number_records
from tabiya.game.record import Problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from tabiya.formats.collection.sources import FoundDatabase
    from tabiya.formats.format import Format
    from tabiya.formats.open_and_create import Location, Locations
    from tabiya.game import Game

_SMALL_BYTES: Final = 8 << 20
"""Files up to this size are read as a whole, each by one thread: they have too few chunks for several threads."""
_MOST_NAMES: Final = 3

Method = Literal["batches", "headers"]
Counts: TypeAlias = dict[int, int | None]
"""Number of records of databases, by index; None if it is only known after reading."""


class Collection(Database):
    """Several databases as one: their records in sequence, numbered from 1 to the last.

    ``origin`` returns the database a record came from and its number there; games store both as ``source`` and
    ``source_number``. Databases are opened when they are needed, a few at a time. A database is read once to be counted
    if its format does not store the number of records.
    """

    def __init__(
        self,
        sources: Sequence[FoundDatabase],
        *,
        title: str,
        path: Path | None = None,
        format: Format = COLLECTION,
        formats: Sequence[Format],
        skipped: Sequence[Path] = (),
        options: Mapping[str, Any] | None = None,
    ) -> None:
        """Create a collection; use ``open_collection`` to resolve locations."""
        super().__init__(path, format)
        self._sources = tuple(sources)
        self._title = title
        self._formats = formats
        self._options = dict(options or {})
        self._skipped = tuple(skipped)
        self._open = OpenDatabases()
        self._ends: list[int] = []
        """End positions of the first databases, as far as they have been counted."""
        self._apart = 0
        """Databases before this index are not counted together again: that was tried."""
        self._problems: dict[int, tuple[Problem, ...]] = {
            index: (_unreadable(self._name_of(index), source.failure),)
            for index, source in enumerate(self._sources)
            if source.failure
        }
        self._lock = RLock()
        self._bytes = sum(source.size for source in self._sources)
        self._consumed = 0
        self._reading: Database | None = None
        self._check_options()

    # Public interface.

    @property
    def name(self) -> str:
        """Name of the collection for messages."""
        return self._title

    @property
    def has_origins(self) -> bool:
        """Whether records come from several files."""
        return True

    @property
    def members(self) -> tuple[str, ...]:
        """The databases, in order."""
        return tuple(map(self._name_of, range(len(self._sources))))

    @property
    def remarks(self) -> tuple[str, ...]:
        """Files that were found but skipped because they are not databases, as a sentence."""
        if not self._skipped:
            return ()
        names = ", ".join(str(path) for path in self._skipped[:_MOST_NAMES])
        more = len(self._skipped) - _MOST_NAMES
        files = "1 file that is" if len(self._skipped) == 1 else f"{len(self._skipped):,} files that are"
        return (f"{files} no database skipped: {names}{f' and {more:,} more' if more > 0 else ''}",)

    @property
    def files(self) -> tuple[Path, ...]:
        """The files of all databases."""
        return tuple(dict.fromkeys(file for index in range(len(self._sources)) for file in self.files_of(index)))

    def files_of(self, index: int) -> tuple[Path, ...]:
        """Return the files of one database."""
        source = self._sources[index]
        if source.path is not None and source.path.is_file() and (source.format is None or not source.format.main):
            return (source.path,)
        with self._lent(index) as database:
            return () if database is None else database.files

    def format_of(self, index: int) -> str:
        """Return the name of the format of one database."""
        known = self._sources[index].format
        with self._lent(index) if known is None else nullcontext() as database:
            return known.name if known is not None else "" if database is None else database.format.name

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Problems of the databases as a whole, and the found databases that cannot be read."""
        for index in range(len(self._sources)):
            if index not in self._problems:
                with self._lent(index):
                    pass
        return tuple(problem for _, found in sorted(self._problems.items()) for problem in found)

    @property
    def progress(self) -> float | None:
        """Fraction of the files that has been read."""
        if not self._bytes:
            return None
        reading = self._reading
        inside = 0.0 if reading is None else (reading.progress or 0.0) * self._current
        return min(1.0, (self._consumed + inside) / self._bytes)

    def details(self) -> dict[str, str | int | float]:
        """Return what the collection consists of."""
        kinds = Counter(source.format.name for source in self._sources if source.format is not None)
        facts: dict[str, str | int | float] = {"databases": len(self._sources)}
        facts |= {"formats": ", ".join(f"{count} {name}" for name, count in kinds.most_common())} if kinds else {}
        return facts | ({"skipped files": len(self._skipped)} if self._skipped else {})

    # Reading.

    def _name_of(self, index: int) -> str:
        location = self._sources[index].location
        if isinstance(location, (str, os.PathLike)):
            return str(url_of(location) or os.fspath(location))
        return "stream"

    def _check_options(self) -> None:
        """Raise an error for options that none of the databases has."""
        known = [source.format for source in self._sources if source.format is not None]
        if len(known) < len(self._sources):
            return
        for option in self._options:
            if not any(option in options_of(format.open) for format in known):
                names = ", ".join(dict.fromkeys(format.name for format in known))
                raise UsageError(f"none of these databases has the option {option!r}; they are: {names}")

    def _options_for(self, source: FoundDatabase) -> dict[str, Any]:
        """Return the options that a database takes; includes the password only if the database is encrypted."""
        if source.format is None:
            return self._options
        taken = options_of(source.format.open)
        locked = source.path is None or source.path.name.lower().endswith(source.format.encrypted_suffixes or ("\0",))
        return {
            name: value for name, value in self._options.items() if name in taken and (locked or name != "password")
        }

    def _opened(self, index: int) -> Database:
        source = self._sources[index]
        if source.format is not None and source.format not in self._formats:  # an archive of databases
            return source.format.open(cast("Path", source.path))
        return open_database(source.location, format=source.format, formats=self._formats, **self._options_for(source))

    @contextmanager
    def _lent(self, index: int) -> Iterator[Database | None]:
        """Yield a database, opening it if needed; None if it was found (not named) and cannot be read."""
        with self._lock:
            database = None
            if not self._sources[index].failure:
                database = self._open.take(index)
            if database is None and not self._failed(index):
                try:
                    database = self._opened(index)
                except TabiyaError as error:
                    if not self._sources[index].found:
                        raise
                    self._problems[index] = (_unreadable(self._name_of(index), error.message),)
                else:
                    self._open.add(index, database, keep=self._sources[index].is_stream)
                    self._problems.setdefault(index, self._named(index, database.problems))
        try:
            yield database
        finally:
            if database is not None:
                with self._lock:
                    self._open.give_back(index)

    def _failed(self, index: int) -> bool:
        return any(problem.code == UNREADABLE_FILE for problem in self._problems.get(index, ()))

    def _named(self, index: int, problems: Iterable[Problem]) -> tuple[Problem, ...]:
        """Return the problems of a database, with its name in front of the text of each."""
        name = self._name_of(index)
        return tuple(
            Problem(each.code, each.offset, f"{name}: {each.text}" if each.text else name) for each in problems
        )

    def _count(self) -> int:
        return self._count_up_to(sys.maxsize)

    def _count_up_to(self, limit: int) -> int:
        with self._lock:
            while len(self._ends) < len(self._sources) and self._counted < limit:
                if limit == sys.maxsize and self._count_together():
                    continue
                with self._lent(len(self._ends)) as database:
                    reach = 0 if database is None else database.count_up_to(limit - self._counted)
                if reach == limit - self._counted:
                    return limit
                self._ends.append(self._counted + reach)
            return min(self._counted, limit)

    def _count_together(self) -> bool:
        """Count the next databases together, if they are small and their format supports it."""
        begin = len(self._ends)
        if begin < self._apart:
            return False
        small = takewhile(self._is_small, range(begin, len(self._sources)))
        group = next(together(self._sources, small), [])
        joined = self._joined(group)
        self._apart = begin + len(group)
        for count in joined[1] if joined is not None else ():
            self._ends.append(self._counted + count)
        return joined is not None

    @property
    def _counted(self) -> int:
        return self._ends[-1] if self._ends else 0

    def _read(self, start: int, stop: int) -> GameBatch:
        found: list[GameBatch] = []
        index = bisect_right(self._ends, start)
        while start < stop and index < len(self._sources):
            first = self._ends[index - 1] if index else 0
            end = min(stop, self._ends[index]) if index < len(self._ends) else stop
            with self._lent(index) as database:
                if database is not None and start < end:
                    found.append(database.read(start - first, end - first).numbered(start + 1))
            start, index = end, index + 1
        return GameBatch.concat(found)

    def _batches(self, threads: int) -> Iterator[GameBatch]:
        return cast("Iterator[GameBatch]", self._stream("batches", threads))

    def _headers(self, threads: int) -> Iterator[pa.RecordBatch]:
        return self._stream("headers", threads)

    def _stream(self, method: Method, threads: int) -> Iterator[Any]:
        """Yield the pieces of all databases, numbered continuously; records where each ends for ``origin``."""
        number = 1
        self._consumed = 0
        for is_small, indexes in groupby(range(len(self._sources)), self._is_small):
            if is_small:
                wholes = ordered_map(lambda some: self._wholes(some, method), together(self._sources, indexes), threads)
                pieces_of: Iterable[tuple[Counts, Iterable[Any]]] = chain.from_iterable(wholes)
            else:
                pieces_of = (({index: None}, self._pieces(index, method, threads)) for index in indexes)
            for counts, pieces in pieces_of:
                end = number - 1
                for index, count in counts.items():
                    if count is not None:  # before the records are yielded, because the caller may request their origin
                        end += count
                        self._end(index, end)
                for piece in pieces:
                    numbered = number_records(piece, number) if method == "headers" else piece.numbered(number)
                    yield numbered
                    number += len(piece)
                for index in (index for index, count in counts.items() if count is None):
                    self._end(index, number - 1)

    def _wholes(self, group: list[int], method: Method) -> list[tuple[Counts, list[Any]]]:
        joined = self._joined(group)
        if joined is None:
            return [({index: None}, self._whole(index, method)) for index in group]
        batch, counts = joined
        piece = batch.record_batch.select(HEADER_SCHEMA.names) if method == "headers" else batch
        return [(dict(zip(group, counts, strict=True)), [piece] if len(batch) else [])]

    def _joined(self, group: list[int]) -> tuple[GameBatch, list[int]] | None:
        """Return the records of some databases and the number in each; None if each must be read separately."""
        if len(group) < 2:
            return None
        with ExitStack() as stack, suppress(TabiyaError):  # its problems are reported when it is read separately
            first = stack.enter_context(self._opened(group[0]))
            if type(first).read_with is Database.read_with:
                return None
            databases = [first, *(stack.enter_context(self._opened(index)) for index in group[1:])]
            if not any(database.problems for database in databases) and (found := first.read_with(databases[1:])):
                with self._lock:
                    self._problems |= {index: self._problems.get(index, ()) for index in group}
                return found
        return None

    def _is_small(self, index: int) -> bool:
        source = self._sources[index]
        return source.path is not None and source.path.is_file() and source.size <= _SMALL_BYTES

    def _whole(self, index: int, method: Method) -> list[Any]:
        with self._lent(index) as database:
            return [] if database is None else list(getattr(database, method)())

    def _pieces(self, index: int, method: Method, threads: int) -> Iterator[Any]:
        with self._lent(index) as database:
            if database is not None:
                self._reading, self._current = database, self._sources[index].size
                try:
                    yield from getattr(database, method)(threads=threads)
                finally:
                    self._reading = None

    _current: int = 0
    """The size of the database that is being read."""

    def _end(self, index: int, end: int) -> None:
        """Record that a database has been read to its end."""
        self._consumed += self._sources[index].size
        with self._lock:
            if len(self._ends) == index:
                self._ends.append(end)

    # Origins of records.

    def origin(self, number: int) -> Origin:
        """Return the database that a record came from, and its number there."""
        if number < 1 or self._reach(number) < number:
            raise UsageError(f"there is no record {number}: the last is {len(self)}")
        sources, numbers = self.origins(np.array([number], np.int64))
        return Origin(sources[0].as_py(), int(numbers[0]))

    def _unfolded(self, batch: GameBatch) -> Iterator[Game]:
        sources, numbers = self.origins(batch.record_batch["number"].to_numpy())
        for game, source, number in zip(batch.games(), sources.to_pylist(), numbers.tolist(), strict=True):
            game.source, game.source_number = source, number
            yield game

    def origins(self, numbers: NDArray[np.int64]) -> tuple[pa.DictionaryArray, NDArray[np.int64]]:
        """Return the databases and the numbers there of records that were read or counted before."""
        places, firsts = self.members_of(numbers)
        names: list[str | None] = []
        indices = np.empty(len(numbers), np.int32)
        inner = numbers - firsts
        for place in np.unique(places).tolist():
            rows = places == place
            found, inner[rows] = self._origins_in(place, inner[rows])
            indices[rows] = found.indices.to_numpy() + len(names)
            names += found.dictionary.to_pylist()
        return pa.DictionaryArray.from_arrays(pa.array(indices), pa.array(names, pa.string())), inner

    def members_of(self, numbers: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the index in ``members`` for each record, and the number of records before that member."""
        with self._lock:
            ends = np.array(self._ends, np.int64)
        places = np.searchsorted(ends, numbers, side="left")
        return places, np.concatenate([[0], ends])[places]

    def _origins_in(self, index: int, numbers: NDArray[np.int64]) -> tuple[pa.DictionaryArray, NDArray[np.int64]]:
        """Return the same for records of one database, by their numbers there."""
        if self._sources[index].format is None or self._sources[index].format in self._formats:
            return origin_columns(self._name_of(index), numbers)
        with self._lent(index) as database:
            return origin_columns(None, numbers) if database is None else database.origins(numbers)

    def _close(self) -> None:
        with self._lock:
            self._open.close()

    def __repr__(self) -> str:
        return f"<collection of {len(self._sources)} databases: {self.name}>"


def _unreadable(name: str, why: str) -> Problem:
    return Problem(UNREADABLE_FILE, None, f"{name}: {why}")


def open_collection(
    location: Locations,
    *,
    format: str | Format | None,
    formats: Sequence[Format],
    recursive: bool,
    options: Mapping[str, Any],
) -> Collection:
    """Open the databases that several locations, a pattern or a folder specify."""
    locations: list[Location] = list(cast("Iterable[Location]", location)) if is_list(location) else [location]  # type: ignore[list-item]
    if not locations:
        raise UsageError("there is nothing to open: the list of databases is empty")
    found = find_sources(locations, format=format, formats=formats, recursive=recursive)
    return Collection(
        found.sources,
        title=_title(locations),
        path=_common_folder(locations, found.sources),
        formats=formats,
        skipped=found.skipped,
        options=options,
    )


def _title(locations: Sequence[Location]) -> str:
    names = [str(url_of(each) or each) if isinstance(each, (str, os.PathLike)) else "stream" for each in locations]
    return names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1:,} more"


def _common_folder(locations: Sequence[Location], sources: Sequence[FoundDatabase]) -> Path | None:
    """Return the folder that was named, or the common parent folder; None if one of the databases is a stream."""
    if any(source.is_stream for source in sources):
        return None
    if len(locations) == 1 and (path := path_of(locations[0])) is not None and path.is_dir():
        return path
    folders = [str(source.path.parent) for source in sources if source.path is not None]
    with suppress(ValueError):  # on several drives, or a mixture of absolute and relative paths
        return Path(os.path.commonpath(folders))
    return Path()
