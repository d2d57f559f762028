"""Changes of a base in place: deletion marks, games, names."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tabiya.errors import UsageError
from tabiya.files.file_errors import errors_of
from tabiya.files.scratch import ScratchFile
from tabiya.formats.editor import DatabaseEditor
from tabiya.formats.loss_counting import fit
from tabiya.formats.scid.base_files import target_of
from tabiya.formats.scid.base_transaction import change_base
from tabiya.formats.scid.batch_encoding import EncodedGames, encode_batch
from tabiya.formats.scid.codes import DELETED
from tabiya.formats.scid.database import ScidDatabase
from tabiya.formats.scid.index_file import ENTRY, LONGEST_NAME, encode_entries
from tabiya.formats.scid.name_file import KINDS, ROLES
from tabiya.formats.scid.writer import WINDOW, BaseBuilder, check_writable
from tabiya.formats.writer import Encoded

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from tabiya.game import GameBatch

_IN_MEMORY: Final = 4 << 20
"""Above this number of bytes entries go to a temporary file."""


class BaseEditor(DatabaseEditor):
    """Changes a base in place.

    A new game is appended to the game data, and the data of the game it replaces becomes unused until the base is
    compacted. Deletion marks change only the index.
    """

    _record = "game"
    _database = "base"

    def __init__(self, path: Path) -> None:
        with errors_of(path):
            self._base = ScidDatabase(path)
            index = self._base.files[0]
            try:
                generation = self._base.generation
                check_writable(generation, index)
                self._transaction = change_base(generation, target_of(index, generation)[1])
            except BaseException:
                self._base.close()
                raise
        super().__init__(index, len(self._base))
        self._entries = ScratchFile(index.parent, in_memory=_IN_MEMORY)
        """Entries of new games, by row."""
        self._names: dict[str, dict[int, bytes]] = {}
        """New names not yet added to the builder."""
        self._ids: dict[str, NDArray[np.int64]] = {}
        """By kind, the new id of each id of the base."""

    # Changes.

    def _encode(self, batch: GameBatch) -> Encoded:
        fitting, losses = fit(batch, replace(self._base.format.keeps, chess960=True))
        if not len(fitting):
            return Encoded(None, 0, losses)
        games, more = encode_batch(fitting, self._base.generation)
        return Encoded(games, len(games), losses + more)

    def _put(self, rows: NDArray[np.int64], content: EncodedGames) -> None:
        self._rename()
        entries = self._builder.resolve(content)
        for run in np.split(np.arange(len(rows)), np.flatnonzero(np.diff(rows) != 1) + 1):
            self._entries.put(int(rows[run[0]]) * ENTRY.itemsize, entries[run])

    @cached_property
    def _builder(self) -> BaseBuilder:
        """The new files, with the game data and the names of the base."""
        builder = BaseBuilder(self._transaction, self._base.generation)
        builder.take_over(self._base)
        return builder

    def edit(self, kind: str, number: int, **fields: str | int) -> None:
        """Rename a player, event, site or round: ``edit("players", 3, name="Carlsen, Magnus")``.

        Numbers count from 0, as in the name file. If the new name already exists, games get its number.
        """
        self._check_open()
        if kind not in KINDS:
            raise UsageError(f"a base has no {kind!r}; it has: {', '.join(KINDS)}", path=self.path)
        count = len(self._base.names.lists[KINDS.index(kind)])
        if not 0 <= number < count:
            raise UsageError(f"there is no number {number} among the {count} {kind}", path=self.path)
        if fields.keys() != {"name"} or not isinstance(fields["name"], str):
            raise UsageError(f"{kind} have one field, their name", path=self.path)
        name = fields["name"].encode()
        if len(name) > LONGEST_NAME:
            raise UsageError(f"a name has at most {LONGEST_NAME} bytes, and this one has {len(name)}", path=self.path)
        self._names.setdefault(kind, {})[number] = name

    def _rename(self) -> None:
        """Write the new names, and update the ids of all existing entries; later entries have other ids."""
        names, self._names = self._names, {}
        if not names:
            return
        renamed = {kind: self._builder.rename(KINDS.index(kind), changes) for kind, changes in names.items()}
        for kind, ids in renamed.items():
            self._ids[kind] = ids[self._ids[kind]] if kind in self._ids else ids
        for start in range(0, self._count if self._replaced.any() else 0, WINDOW):
            entries = self._entries.read(start * ENTRY.itemsize, WINDOW, ENTRY)
            _follow(entries, renamed)
            self._entries.put(start * ENTRY.itemsize, entries)

    # The end.

    def _has_changes(self) -> bool:
        return bool(self._names) or super()._has_changes()

    def _commit(self) -> None:
        if self._names or self._replaced.any():
            self._rewrite()
        else:
            self._rewrite_index()

    def _discard(self) -> None:
        self._base.close()
        self._transaction.discard()
        self._entries.close()

    def _rewrite_index(self) -> None:
        """Write only the index; the other files are unchanged."""
        base, generation = self._base, self._base.generation
        file = self._transaction.open(generation.index)
        file.write(base.file(generation.index)[: generation.header_size])
        for start in range(0, len(base), WINDOW):
            entries = base.entries(start, start + WINDOW)
            self._mark(entries, start)
            file.write(encode_entries(generation, entries))
        self._transaction.commit()

    def _rewrite(self) -> None:
        base, builder = self._base, self._builder
        self._rename()
        for start in range(0, len(base), WINDOW):
            entries = builder.entries_of(base, start)
            _follow(entries, self._ids)
            rows = np.flatnonzero(self._replaced[start : start + WINDOW])
            if len(rows):
                kept = entries["flags"][rows] & DELETED
                entries[rows] = self._entries.read(start * ENTRY.itemsize, int(rows[-1]) + 1, ENTRY)[rows]
                entries["flags"][rows] |= kept
            self._mark(entries, start)
            builder.add_entries(entries)
        builder.finish()
        self._transaction.commit()

    def _mark(self, entries: Any, start: int) -> None:
        """Set and clear deletion marks."""
        before = (entries["flags"] & DELETED) != 0
        after = self._with_marks(slice(start, start + len(entries)), before)
        entries["flags"] = np.where(after, entries["flags"] | DELETED, entries["flags"] & ~np.uint32(DELETED))


def _follow(entries: Any, renamed: dict[str, NDArray[np.int64]]) -> None:
    """Replace the ids of names in entries by the new ones."""
    for role, kind in ROLES.items():
        if (ids := renamed.get(KINDS[kind])) is not None:
            known = entries[role] < len(ids)  # other names did not exist yet
            entries[role][known] = ids[entries[role][known]]
