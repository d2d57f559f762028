"""A database being written: nothing is visible under its name before the commit."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from tabiya.errors import LossError, UsageError
from tabiya.files.file_errors import errors_of
from tabiya.files.parallel import check_threads, ordered_map
from tabiya.files.targets import open_target
from tabiya.formats.database import Database
from tabiya.formats.exact_columns import exact_columns
from tabiya.formats.loss_counting import losses_of_reader
from tabiya.formats.losses import LossReport
from tabiya.formats.subset import Derived
from tabiya.game import Game, GameBatch, RecordKind

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType
    from typing import BinaryIO, Self

    from tabiya.formats.capabilities import Keeps
    from tabiya.formats.format import Format, Place

Records: TypeAlias = Game | GameBatch | Database | Iterable[Game | GameBatch]
"""What can be written: one game, a batch, a database, or any sequence of games and batches."""

_GROUP_RECORDS = 1000


class _State(Enum):
    OPEN = "open"
    BROKEN = "broken: an earlier write failed"
    COMMITTED = "committed already"
    CLOSED = "closed"


class Encoded(NamedTuple):
    """A batch as the format stores it."""

    content: Any
    """The content for the database: what the writer's ``_put`` takes; bytes for a single file."""
    written: int
    """Number of records in it; if it is 0, ``_put`` is not called."""
    losses: LossReport
    """What is lost of the batch, including omitted records."""


class Writer(ABC):
    """Writes records into a new database.

    As a context manager it commits at the end, or discards everything if there was an error. To control it explicitly:
    ``commit()`` makes the database appear; ``close()`` without a commit discards it. With ``strict`` a commit that
    would lose anything raises ``LossError`` instead and leaves the target untouched.

    Formats implement ``_encode``, ``_put``, ``_commit`` and ``_discard``; those with a single file start from
    ``SingleFileWriter`` and need ``_encode`` only.
    """

    def __init__(
        self,
        path: Path | None,
        format: Format,
        *,
        keeps: Keeps | None = None,
        strict: bool = False,
    ) -> None:
        self._path = path
        self._format = format
        self._keeps = format.keeps if keeps is None else keeps
        self._strict = strict
        self._losses = LossReport()
        self._remarks: tuple[str, ...] = ()
        self._unfinished: tuple[str, ...] = ()
        self._taken = 0
        self._written = 0
        self._last_kind: RecordKind | None = None
        self._state = _State.OPEN

    # Implemented by formats.

    @abstractmethod
    def _encode(self, batch: GameBatch, *, before: RecordKind | None) -> Encoded:
        """Encode a batch, beginning with ``fit``, which counts what ``keeps`` does not include.

        This runs in any thread, for several batches at once, and must not change the writer.

        Args:
            batch: one record or more.
            before: the kind of the last record before this batch that the format keeps; None if there is none.
        """

    @abstractmethod
    def _put(self, content: Any) -> None:
        """Append the content of an encoded batch to the database; runs in one thread, in the order of the batches."""

    @abstractmethod
    def _commit(self) -> None:
        """Complete the database and make it appear; on an error ``_discard`` is called next."""

    @abstractmethod
    def _discard(self) -> None:
        """Remove everything that was written."""

    def _is_same_kind(self, database: Database) -> bool:
        """Return whether ``_follow`` can use a database."""
        return database.format is self._format and not isinstance(database, Derived)

    def _follow(self, database: Database) -> None:  # noqa: B027 - most formats have nothing to do here
        """Take over data outside the records of a database of the same format, before it is copied as a whole.

        Called at most once, before the first record; formats need not implement it.
        """

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
    def keeps(self) -> Keeps:
        """What is kept with the selected options."""
        return self._keeps

    @property
    def losses(self) -> LossReport:
        """What has been lost so far."""
        return self._losses

    @property
    def remarks(self) -> tuple[str, ...]:
        """Other actions of the commit as sentences: outdated files that it removed, for example."""
        return self._remarks

    @property
    def unfinished(self) -> tuple[str, ...]:
        """Steps that failed after all records were written and on disk, as sentences with a remedy.

        Do not write the records again: they are stored.
        """
        return self._unfinished

    @property
    def written(self) -> int:
        """Number of records written so far."""
        return self._written

    @property
    def size(self) -> int | None:
        """Number of bytes written to the file so far; None for formats of several files, and for streams."""
        return None

    def follow(self, database: Database) -> None:
        """Prepare for a copy of a whole database: if the format is the same, its title and similar data are kept, too.

        ``write(database)`` does this itself; it has no effect once a record has been written.
        """
        self._check_open()
        if self._is_same_kind(database) and not self._taken:
            with errors_of(self._path):
                self._follow(database)

    def account_for(self, database: Database) -> None:
        """Count the losses that the reader of a database reports for the whole: no record shows them.

        ``write(database)`` does this itself.
        """
        self._losses += losses_of_reader(database.problems)

    def write(self, records: Records, *, threads: int = 1) -> None:
        """Write records in order; the database is the same for any number of threads.

        For bulk work pass batches, or many games at once: a call per game is slow. Games must not change until the call
        ends.
        """
        check_threads(threads)
        self._check_open()
        try:
            for taken, encoded in ordered_map(self._encoded, self._tasks(records, threads), threads):
                self._taken += taken
                self._losses += encoded.losses
                # A strict writer that has lost anything never commits: it only continues to count.
                if encoded.written and not (self._strict and self._losses):
                    with errors_of(self._path):
                        self._put(encoded.content)
                    self._written += encoded.written
        except BaseException:
            self._state = _State.BROKEN
            raise

    def commit(self) -> None:
        """Make the database appear, complete and on disk; afterwards the writer is closed."""
        self._check_open()
        if self._strict and self._losses:
            self.close()
            raise LossError(
                f"nothing was written, because this would be lost: {self._losses.summary()}", path=self._path
            )
        try:
            with errors_of(self._path):
                self._commit()
            self._state = _State.COMMITTED
        finally:
            self.close()

    def close(self) -> None:
        """Discard what was not committed. May be called twice."""
        if self._state in (_State.OPEN, _State.BROKEN):
            self._state = _State.CLOSED
            with errors_of(self._path):
                self._discard()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None and self._state is _State.OPEN:
            self.commit()
        else:
            self.close()

    def __repr__(self) -> str:
        name = "stream" if self._path is None else str(self._path)
        return f"<{self._format.name} writer {name}: {self._written} records, {self._state.value}>"

    def _encoded(self, task: tuple[GameBatch, RecordKind | None]) -> tuple[int, Encoded]:
        batch, before = task
        with errors_of(self._path):
            return len(batch), self._encode(exact_columns(batch), before=before)

    def _tasks(self, records: Records, threads: int) -> Iterator[tuple[GameBatch, RecordKind | None]]:
        """Yield the batches that are not empty, each with the kind of the record before it."""
        left_out = [
            kind
            for kind, kept in ((RecordKind.TEXT, self._keeps.guiding_texts), (RecordKind.OPAQUE, self._keeps.opaque))
            if not kept
        ]
        for batch in self._batches_of(records, threads):
            if len(batch):
                yield batch, self._last_kind
                kinds = batch.record_batch.column("kind").to_numpy()
                for kind in kinds[~np.isin(kinds, left_out)][-1:].tolist():
                    self._last_kind = RecordKind(kind)

    def _batches_of(self, records: Records, threads: int) -> Iterator[GameBatch]:
        if isinstance(records, GameBatch):
            yield records
        elif isinstance(records, Game):
            yield GameBatch.from_games([records], first_number=self._taken + 1)
        elif isinstance(records, Database):
            self.follow(records)
            self.account_for(records)
            yield from records.batches(threads=threads)
        else:
            yield from _grouped(records, self._taken + 1)

    def _check_open(self) -> None:
        if self._state is not _State.OPEN:
            raise UsageError(f"the writer is {self._state.value}", path=self._path)


class SingleFileWriter(Writer):
    """Base of the writers of formats with a single file, which may also be a stream.

    Formats implement ``_encode``, whose content is bytes, and ``_end`` if the file has a trailer; a header is written
    to ``_stream`` on construction.
    """

    def __init__(
        self,
        place: Place,
        format: Format,
        *,
        keeps: Keeps | None = None,
        overwrite: bool = False,
        strict: bool = False,
    ) -> None:
        super().__init__(place if isinstance(place, Path) else None, format, keeps=keeps, strict=strict)
        self._target = open_target(place, overwrite=overwrite, hold=strict)

    @property
    def _stream(self) -> BinaryIO:
        """The stream to write to. Formats that support streams must not seek in it."""
        return self._target.stream

    @property
    def size(self) -> int | None:
        """Number of bytes written to the file so far; slightly less during compression."""
        return None if self._path is None else self._target.stream.tell()

    def _end(self) -> None:
        """Write the trailer after the last record."""

    def _put(self, content: bytes | memoryview) -> None:
        self._stream.write(content)

    def _commit(self) -> None:
        self._end()
        self._target.commit()

    def _discard(self) -> None:
        self._target.discard()


def _grouped(records: Iterable[Game | GameBatch], first_number: int) -> Iterator[GameBatch]:
    """Yield batches unchanged, and games collected into batches; both are numbered consecutively."""
    games: list[Game] = []
    number = first_number
    for record in records:
        if isinstance(record, Game):
            games.append(record)
        if games and (len(games) == _GROUP_RECORDS or not isinstance(record, Game)):
            yield GameBatch.from_games(games, first_number=number)
            number += len(games)
            games = []
        if isinstance(record, GameBatch):
            yield record
            number += len(record)
    if games:
        yield GameBatch.from_games(games, first_number=number)
