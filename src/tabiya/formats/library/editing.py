"""Changing records of a library in place: a small segment takes the place of their rows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, NoReturn

import numpy as np
import pyarrow as pa

from tabiya.errors import LossError, UsageError
from tabiya.files.file_errors import errors_of
from tabiya.formats.library import LIBRARY
from tabiya.formats.library.change import LibraryChange
from tabiya.formats.library.contents import Library
from tabiya.formats.library.indexing import BuiltIndex
from tabiya.formats.library.manifest import Manifest
from tabiya.formats.library.merging import merge_by_rule
from tabiya.formats.library.segment_writer import SegmentWriter
from tabiya.formats.loss_counting import fit
from tabiya.formats.losses import LossReport
from tabiya.formats.url import local_path
from tabiya.game import GameBatch
from tabiya.game.schema import RECORD_SCHEMA

if TYPE_CHECKING:
    from collections.abc import Iterable
    from os import PathLike
    from typing import Self

    from tabiya.game import Game

__all__ = ["LibraryEditor"]

_AT_ONCE: Final = 1024
"""Records that are changed at a time."""
_DELETED: Final = RECORD_SCHEMA.get_field_index("deleted")


class LibraryEditor:
    """Changes records of a library: ``with LibraryEditor("x.tabiya") as editor: editor.delete([3])``.

    Changes are gathered and made together at the end of the block, or by ``commit``, as if one after the other; an
    error discards them. Records keep their numbers. No second writer can begin meanwhile.
    """

    def __init__(self, place: str | PathLike[str]) -> None:
        path = local_path(place)
        with errors_of(path):
            Manifest.read(path)  # there must be one
            self.path = path.resolve()
            self._change = LibraryChange(path, append=True)
            try:
                self._library = Library(self.path)
            except BaseException:
                self._change.discard()
                raise
        self.losses = LossReport()
        """What gets lost of games that are put in the place of others: nothing, ever."""
        self.remarks: tuple[str, ...] = ()
        self.unfinished: tuple[str, ...] = ()
        """That segments could not be merged afterwards."""
        self._marks: dict[int, bool] = {}
        self._games: dict[int, GameBatch] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self.commit()
        self.close()

    # What can be done.

    def delete(self, numbers: Iterable[int]) -> None:
        """Mark records as deleted; they stay where they are."""
        self._marks.update({self._checked(number): True for number in numbers})

    def undelete(self, numbers: Iterable[int]) -> None:
        """Take marks of deletion back."""
        self._marks.update({self._checked(number): False for number in numbers})

    def replace(self, number: int, game: Game, *, strict: bool = False) -> None:
        """Put a game (or guiding text) in the place of a record.

        A record that is marked as deleted stays so, and one becomes so if the game is; ``undelete`` takes it back.
        """
        self._checked(number)
        batch, losses = fit(GameBatch.from_games([game], first_number=number), LIBRARY.keeps)
        if not len(batch) or (strict and losses):
            what = f"not replaced, because this would be lost: {losses.summary()}"
            raise LossError(what, path=self.path, game=number)
        self.losses += losses
        self._games[number] = batch
        if game.deleted:
            self.delete([number])

    def edit(self, kind: str, number: int, **fields: str | int) -> NoReturn:  # noqa: ARG002 - as other editors have it
        """Refuse: names stand in the games of a library, and nowhere else."""
        raise UsageError(f"a library has no {kind!r} to edit; replace the games instead", path=self.path)

    def _checked(self, number: int) -> int:
        count = self._library.manifest.records
        if not 1 <= number <= count:
            raise UsageError(f"there is no record {number}; the library has {count}", path=self.path)
        return number

    # The end.

    def commit(self) -> None:
        """Make all changes; afterwards the editor is closed."""
        try:
            with errors_of(self.path):
                self._commit()
        finally:
            self.close()

    def close(self) -> None:
        """Discard what was not committed. May be called twice."""
        self._library.close()
        self._change.discard()

    def _commit(self) -> None:
        numbers = np.array(sorted({*self._marks, *self._games}), np.int64)
        manifest, folder, names = self._change.manifest, self._change.folder, self._library.names
        index = BuiltIndex(folder, None, variations=manifest.variations) if manifest.positions else None
        writer = SegmentWriter(folder, manifest.next, names, len(names), index, variations=manifest.variations)
        try:
            for begin in range(0, len(numbers), _AT_ONCE):
                self._add(writer, numbers[begin : begin + _AT_ONCE])
            if not writer.rows:
                return
            entry = writer.finish()
        finally:
            writer.discard()
        self._library.close()
        self._change.commit(replace(manifest, segments=(*manifest.segments, entry), next=manifest.next + 1))
        self.unfinished = merge_by_rule(self._change)

    def _add(self, writer: SegmentWriter, numbers: Any) -> None:
        """Write those of some records that change."""
        records = self._library.records.read(numbers - 1, "batch")
        before = records["deleted"].to_numpy(zero_copy_only=False)
        after = np.array(
            [self._marks.get(number, was) for number, was in zip(numbers.tolist(), before.tolist(), strict=True)], bool
        )
        replaced = np.isin(numbers, list(self._games))
        if replaced.any():
            games = [self._games[number].record_batch for number in numbers[replaced].tolist()]
            places = np.arange(len(numbers))
            places[replaced] = len(numbers) + np.arange(len(games))
            records = pa.concat_batches([records, *games]).take(pa.array(places))
            records = records.set_column(0, RECORD_SCHEMA.field("number"), pa.array(numbers))
        records = records.set_column(_DELETED, RECORD_SCHEMA.field("deleted"), pa.array(after))
        chosen = np.flatnonzero(replaced | (before != after))
        if len(chosen):
            rows = pa.array(chosen)
            writer.add(records.take(rows), self._library.records.read(numbers[chosen] - 1, "origins"))
