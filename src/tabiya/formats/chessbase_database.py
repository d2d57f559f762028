"""What the databases of ChessBase have in common: headers of fixed size in one file, bodies and entities in others."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, TypeVar

import numpy as np
import pyarrow as pa

from tabiya.chessbase.header_window import HeaderWindow
from tabiya.chessbase.list_columns import concat_lists
from tabiya.chessbase.shared_bodies import Sharing
from tabiya.chessbase.stored_records import StoredRecords
from tabiya.files.parallel import ordered_map
from tabiya.formats.database import HEADER_SCHEMA, Database
from tabiya.game import GameBatch
from tabiya.game.annotations import UTF8, TextEncoding
from tabiya.game.schema import RECORD_SCHEMA

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    from tabiya.chessbase.body_columns import Bodies, Texts
    from tabiya.chessbase.header_fields import HeaderLayout
    from tabiya.files.companion_files import CompanionFiles
    from tabiya.formats.format import Format

AUTO: Final = "auto"
_BATCH_RECORDS: Final = 16384
_HEADER_RECORDS: Final = 65536

WindowType = TypeVar("WindowType", bound=HeaderWindow)


class ChessBaseDatabase(Database, Generic[WindowType]):
    """A database that is read in windows of consecutive records."""

    _files: CompanionFiles
    _records: StoredRecords
    """The headers of all records, in the layout of games."""
    _header: Mapping[str, Any]
    """The fields of the header of the main file."""
    _layout: ClassVar[HeaderLayout]
    """The layout of games."""
    _batch_bytes: ClassVar[int]
    """The limit of bytes of bodies in a batch."""
    _bodies: ClassVar[tuple[str, str]]
    """The suffixes of the files with moves and with annotations."""
    _released: ClassVar[tuple[str, ...]]
    """Cached properties that refer to open files."""

    def __init__(self, files: CompanionFiles, format: Format, encoding: str) -> None:
        super().__init__(files.main, format)
        self._files = files
        self._given_encoding = None if encoding.lower() == AUTO else TextEncoding(encoding)
        self._done = 0

    # Implemented by formats.

    @property
    @abstractmethod
    def text_encoding(self) -> TextEncoding:
        """Encoding of comments that are not UTF-8."""

    @abstractmethod
    def _window(self, start: int, stop: int) -> WindowType: ...

    @abstractmethod
    def _missing(self) -> tuple[str, ...]:
        """Return the names of the files without which the database is incomplete."""

    @abstractmethod
    def _facts(self) -> dict[str, str | int | float]:
        """Return facts about the database for display."""

    @abstractmethod
    def _setups(self, window: WindowType, rows: NDArray[np.int64]) -> Bodies:
        """Return the bodies of some games without their annotations."""

    @abstractmethod
    def _read_bodies(self, window: WindowType) -> Bodies: ...

    @abstractmethod
    def _read_texts(self, window: WindowType) -> Texts: ...

    # Public interface.

    @property
    def files(self) -> tuple[Path, ...]:
        """All files of the database, the main one first."""
        return self._files.all()

    @property
    def header(self) -> dict[str, Any]:
        """The fields of the header of the main file."""
        return dict(self._header)

    @property
    def remarks(self) -> tuple[str, ...]:
        """The missing files, in a sentence."""
        missing, moves = self._missing(), self._bodies[0]
        if not missing:
            return ()
        lost = f"; without the {moves} file there are no moves" if moves not in self._files else ""
        return (f"{self.name}: {', '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing{lost}",)

    @property
    def progress(self) -> float | None:
        """Fraction of the records that have been read."""
        return self._done / len(self._records) if len(self._records) else None

    def details(self) -> dict[str, str | int | float]:
        """Return facts about the database for display: version, entities, code page, what is wrong with its files."""
        facts = self._facts()
        if self.text_encoding != UTF8:
            facts["code page"] = self.text_encoding.page
        if self.problems:
            facts["files"] = "; ".join(problem.sentence for problem in self.problems)
        return facts

    # Reading.

    def _count(self) -> int:
        return len(self._records)

    def _headers(self, threads: int) -> Iterator[pa.RecordBatch]:
        yield from ordered_map(self._header_batch, self._tracked(self._header_windows()), threads)

    def _header_windows(self) -> Iterator[WindowType]:
        moves = self._bodies[0]
        limit = self._sharing(moves)
        for start in range(0, self._count(), _HEADER_RECORDS):
            window = self._window(start, min(start + _HEADER_RECORDS, self._count()))
            if window.has_setup.any():
                sizes = np.where(window.has_setup, window.sizes(moves, self._files.data(moves)), 0)
                window.refused[moves] = limit.refused(start, sizes)
            yield window

    def _header_batch(self, window: WindowType) -> pa.RecordBatch:
        columns = window.header_columns()
        columns["start"], columns["variant"] = self._starts(window, columns)
        return pa.RecordBatch.from_arrays([columns[name] for name in HEADER_SCHEMA.names], schema=HEADER_SCHEMA)

    def _starts(self, window: WindowType, columns: dict[str, pa.Array]) -> tuple[pa.Array, pa.Array]:
        """Return start positions, which are in the bodies: only those of games with a set-up position are read."""
        rows = np.flatnonzero(window.has_setup)
        if not len(rows):
            return columns["start"], columns["variant"]
        bodies = self._setups(window, rows)
        places = np.full(window.count, -1)
        places[rows] = np.arange(len(rows))
        variants = columns["variant"].to_numpy().copy()
        variants[rows] = bodies.variant.to_numpy()
        return bodies.start.take(pa.array(places, mask=places < 0)), pa.array(variants)

    def _batches(self, threads: int) -> Iterator[GameBatch]:
        _ = self.text_encoding  # detected once, before there are threads
        yield from ordered_map(self._read_window, self._tracked(self._windows()), threads)

    def _tracked(self, windows: Iterable[WindowType]) -> Iterator[WindowType]:
        for window in windows:
            self._done = window.start + window.count
            yield window

    def _windows(self) -> Iterator[WindowType]:
        """Yield the windows for batches: limited both by the number of records and by the bytes of their bodies."""
        limits = {suffix: self._sharing(suffix) for suffix in self._bodies}
        for start in range(0, self._count(), _BATCH_RECORDS):
            window = self._window(start, min(start + _BATCH_RECORDS, self._count()))
            sizes = window.further_sizes()
            for suffix, limit in limits.items():
                found = window.sizes(suffix, self._files.data(suffix))
                window.refused[suffix] = limit.refused(start, found)
                sizes += np.where(window.refused[suffix], 0, found)
            ends = np.cumsum(sizes)
            begin = 0
            while begin < window.count:
                before = int(ends[begin - 1]) if begin else 0
                end = max(begin + 1, int(np.searchsorted(ends, before + self._batch_bytes, side="right")))
                whole = begin == 0 and end == window.count
                yield window if whole else window.part(begin, end)
                begin = end

    def _sharing(self, suffix: str) -> Sharing:
        """Return the limit of what is read of a file."""

        def places() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
            window = self._window(0, self._count())
            return window.offsets(suffix), window.sizes(suffix, self._files.data(suffix))

        return Sharing(lambda: len(self._files.data(suffix)), places)

    def _read(self, start: int, stop: int) -> GameBatch:
        return self._read_window(self._window(start, stop))

    def _read_window(self, window: WindowType) -> GameBatch:
        bodies, texts = self._read_bodies(window), self._read_texts(window)
        columns = window.header_columns() | {
            "kind": bodies.kind,
            "variant": bodies.variant,
            "start": bodies.start,
            "moves": bodies.moves,
            "annotations": bodies.annotations,
            "texts": texts.texts,
            "extras": concat_lists(concat_lists(window.extras(), bodies.extras), texts.extras),
            "problems": concat_lists(concat_lists(window.problems(), bodies.problems), texts.problems),
        }
        arrays = [columns[name] for name in RECORD_SCHEMA.names]
        return GameBatch(pa.RecordBatch.from_arrays(arrays, schema=RECORD_SCHEMA))

    def _close(self) -> None:
        for name in self._released:
            self.__dict__.pop(name, None)
        self._records = StoredRecords(self._layout)
        self._files.close()


def entity_counts(counts: Mapping[Any, int]) -> str:
    """Return how many entities of each kind there are, in words."""
    return ", ".join(f"{count:,} {kind.noun if count == 1 else kind.plural}" for kind, count in counts.items() if count)
