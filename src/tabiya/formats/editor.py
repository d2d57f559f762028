"""Changes of a database in place: collected in bounded memory, and made together at the end."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from tabiya.errors import LossError, UsageError
from tabiya.files.file_errors import errors_of
from tabiya.files.parallel import check_threads, ordered_map
from tabiya.formats.losses import LossReport
from tabiya.game import GameBatch

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path
    from typing import Self

    from numpy.typing import NDArray

    from tabiya.formats.writer import Encoded
    from tabiya.game import Game

    Rows = NDArray[np.int64]

_DELETE, _UNDELETE = 1, -1


class DatabaseEditor(ABC):
    """Changes a database in place: ``with tabiya.edit("x.cbh") as editor: editor.delete([3])``.

    Changes are collected and made together, in order, at the end of the block or by ``commit``. Until then, and after
    an error, an interrupt or a kill, the database is unchanged. No second writer can start in the meantime.

    Formats implement ``edit``, ``_encode``, ``_put``, ``_commit`` and ``_discard``.
    """

    _record: ClassVar[str] = "record"
    _database: ClassVar[str] = "database"
    """Nouns for both in messages."""

    def __init__(self, path: Path, count: int) -> None:
        self.path = path
        """Path of the database."""
        self.remarks: tuple[str, ...] = ()
        """Changes the commit made to other files of the database, as sentences."""
        self.unfinished: tuple[str, ...] = ()
        """Steps that failed after all changes were made and on disk, as sentences with a remedy."""
        self._count = count
        self._marks = np.zeros(count, np.int8)
        """By row, the last requested deletion mark."""
        self._replaced = np.zeros(count, np.bool_)
        """By row, whether the record is replaced."""
        self._lost: dict[int | None, LossReport] = {}
        """By row for single records, under None for all other records."""
        self._threads = 1
        """Number of threads the commit may use."""
        self._is_open = True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None and self._is_open:
            self.commit()
        self.close()

    @property
    def losses(self) -> LossReport:
        """What is lost of the games that replace others."""
        return sum(self._lost.values(), LossReport())

    # Implemented by formats.

    @abstractmethod
    def edit(self, kind: str, number: int, **fields: str | int) -> None:
        """Change fields of a player, tournament and so on: ``edit("players", 3, last="Carlsen", first="Magnus")``."""

    @abstractmethod
    def _encode(self, batch: GameBatch) -> Encoded:
        """Return records as the format stores them, and what is lost. May be called in any thread."""

    @abstractmethod
    def _put(self, rows: Rows, content: Any) -> None:
        """Take what ``_encode`` returned, to replace some rows. Data that grows with the records goes to disk."""

    @abstractmethod
    def _commit(self) -> None:
        """Make all changes, or none of them; called only if there are changes."""

    @abstractmethod
    def _discard(self) -> None:
        """Release files and locks. May be called twice."""

    # Public interface.

    def delete(self, numbers: Iterable[int]) -> None:
        """Mark records as deleted; they remain in the database."""
        self._marks[self._rows(numbers)] = _DELETE

    def undelete(self, numbers: Iterable[int]) -> None:
        """Remove deletion marks."""
        self._marks[self._rows(numbers)] = _UNDELETE

    def replace(self, number: int, game: Game, *, strict: bool = False) -> None:
        """Replace a record by a game (or guiding text).

        The record is marked as deleted if the old record or the game is; ``undelete`` removes the mark.

        Raises:
            LossError: If anything would be lost and ``strict`` is true; or always, if the game cannot be written at
                all. The earlier changes are unaffected.
        """
        batch = GameBatch.from_games([game]).numbered(number)
        _, rows, encoded = self._encoded(batch, strict=strict)
        self._take(batch, rows, encoded)
        self._lost[int(rows[0])] = encoded.losses

    def replace_all(
        self, batches: Iterable[GameBatch], *, strict: bool = False, threads: int = 1, dry_run: bool = False
    ) -> None:
        """Replace the records that have the same numbers, a batch at a time and in bounded memory.

        The result does not depend on the number of threads. An error closes the editor, and the database is unchanged.

        Args:
            batches: the new records; the column ``number`` specifies the records to replace, from 1.
            strict: raise ``LossError`` if anything would be lost.
            threads: number of threads that encode, and that the commit may use.
            dry_run: only count the losses.

        Raises:
            LossError: as for ``replace``.
        """
        self._threads = check_threads(threads)
        try:
            for batch, rows, encoded in ordered_map(partial(self._encoded, strict=strict), batches, threads):
                if not dry_run:
                    self._take(batch, rows, encoded)
                self._lost[None] = self._lost.get(None, LossReport()) + encoded.losses
        except BaseException:
            self.close()
            raise

    def commit(self) -> None:
        """Make all changes; the editor is closed afterwards."""
        self._check_open()
        try:
            with errors_of(self.path):
                if self._has_changes():
                    self._commit()
        finally:
            self.close()

    def close(self) -> None:
        """Discard what was not committed. May be called twice."""
        self._is_open = False
        self._discard()

    # Shared by the formats.

    def _has_changes(self) -> bool:
        return bool(self._marks.any() or self._replaced.any())

    def _with_marks(self, rows: slice | Rows, deleted: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return which of some rows are deleted after the changes, given whether they were deleted before."""
        marks = self._marks[rows]
        after: NDArray[np.bool_] = (deleted | (marks == _DELETE)) & (marks != _UNDELETE)
        return after

    def _rows(self, numbers: Iterable[int]) -> Rows:
        """Return the rows of records; raise an error if one does not exist."""
        self._check_open()
        given = numbers.tolist() if isinstance(numbers, np.ndarray) else [*numbers]
        wrong = next((number for number in given if not 1 <= number <= self._count), None)
        if wrong is not None:
            what = f"there is no {self._record} {wrong}; the {self._database} has {self._count}"
            raise UsageError(what, path=self.path)
        return np.array(given, np.int64) - 1

    def _check_open(self) -> None:
        if not self._is_open:
            raise UsageError("the editor is closed; nothing can be changed any more", path=self.path)

    def _encoded(self, batch: GameBatch, *, strict: bool) -> tuple[GameBatch, Rows, Encoded]:
        """Return records, the rows they replace and their stored form; raise an error if one cannot be stored there."""
        rows = self._rows(batch.record_batch["number"].to_numpy())
        with errors_of(self.path):
            encoded = self._encode(batch)
        if encoded.written < len(batch) or (strict and encoded.losses):
            for place in range(len(batch)) if len(batch) > 1 else ():
                self._encoded(batch.slice(place, 1), strict=strict)  # raises for the first that cannot be stored
            what = f"not replaced, because this would be lost: {encoded.losses.summary()}"
            raise LossError(what, path=self.path, game=int(rows[0]) + 1)
        return batch, rows, encoded

    def _take(self, batch: GameBatch, rows: Rows, encoded: Encoded) -> None:
        """Replace rows by records; after an error the changes can only be discarded."""
        try:
            with errors_of(self.path):
                self._put(rows, encoded.content)
        except BaseException:
            self.close()
            raise
        self._replaced[rows] = True
        deleted = batch.record_batch["deleted"].to_numpy(zero_copy_only=False)
        self._marks[rows[deleted]] = _DELETE
        for row in rows.tolist() if len(self._lost.keys() - {None}) else ():
            self._lost.pop(row, None)
