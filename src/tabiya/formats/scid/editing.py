"""Changes of a base in place: marks of deletion, other games, other names."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from tabiya.errors import LossError, UsageError
from tabiya.files.file_errors import errors_of
from tabiya.formats.loss_counting import fit
from tabiya.formats.losses import LossReport
from tabiya.formats.scid.base_files import target_of
from tabiya.formats.scid.batch_encoding import EncodedGames, encode_batch
from tabiya.formats.scid.codes import DELETED
from tabiya.formats.scid.database import ScidDatabase
from tabiya.formats.scid.index_file import LONGEST_NAME, encode_entries
from tabiya.formats.scid.name_file import KINDS, ROLES
from tabiya.formats.scid.swapping import Swap
from tabiya.formats.scid.writer import WINDOW, BaseBuilder, check_writable
from tabiya.game import Game, GameBatch

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Self

    from tabiya.formats.format import Format

__all__ = ["BaseEditor"]


class BaseEditor:
    """Changes a base in place; see ``tools.DatabaseEditor``.

    A game that takes the place of another is added to the game data, and what was there before becomes unused until
    the base is compacted. Marks of deletion change the index only.
    """

    def __init__(self, path: Path, format: Format) -> None:
        with errors_of(path):
            self._base = ScidDatabase(path, format)
            self.path = self._base.files[0]
            try:
                generation = self._base.generation
                check_writable(generation, self.path)
                self._swap = Swap(generation, target_of(self.path, generation)[1])
            except BaseException:
                self._base.close()
                raise
        self.remarks: tuple[str, ...] = ()
        self.unfinished: tuple[str, ...] = ()
        self._deleted: dict[int, bool] = {}
        self._games: dict[int, tuple[EncodedGames, LossReport]] = {}
        self._names: dict[str, dict[int, bytes]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self.commit()
        self.close()

    @property
    def losses(self) -> LossReport:
        """What gets lost of games that are put in the place of others."""
        return sum((losses for _, losses in self._games.values()), LossReport())

    # What can be done.

    def delete(self, numbers: Iterable[int]) -> None:
        """Mark games as deleted; they stay where they are."""
        self._deleted |= {self._row(number): True for number in numbers}

    def undelete(self, numbers: Iterable[int]) -> None:
        """Take marks of deletion back."""
        self._deleted |= {self._row(number): False for number in numbers}

    def replace(self, number: int, game: Game, *, strict: bool = False) -> None:
        """Put a game in the place of another, which keeps its mark of deletion; ``game`` may bring one.

        Raises:
            LossError: with ``strict``, if anything would be lost; or always, if nothing of it can be written.
        """
        row = self._row(number)
        batch, losses = fit(
            GameBatch.from_games([game], first_number=number), replace(self._base.format.keeps, chess960=True)
        )
        if len(batch):
            games, more = encode_batch(batch, self._base.generation)
            losses += more
        if not len(batch) or not len(games) or (strict and losses):
            what = f"not replaced, because this would be lost: {losses.summary()}"
            raise LossError(what, path=self.path, game=number)
        self._games[row] = games, losses
        if game.deleted:
            self.delete([number])

    def edit(self, kind: str, number: int, **fields: str | int) -> None:
        """Give another name to a player, event, site or round: ``edit("players", 3, name="Carlsen, Magnus")``.

        Numbers count from 0, as in the name file. If the new name is there already, games get the number of that one.
        """
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

    def _row(self, number: int) -> int:
        if not 1 <= number <= len(self._base):
            raise UsageError(f"there is no game {number}; the base has {len(self._base)}", path=self.path)
        return number - 1

    # The end.

    def commit(self) -> None:
        """Make all changes; afterwards the editor is closed."""
        try:
            with errors_of(self.path):
                if self._games or self._names:
                    self._rewrite()
                elif self._deleted:
                    self._rewrite_index()
        finally:
            self.close()

    def close(self) -> None:
        """Discard what was not committed. May be called twice."""
        self._base.close()
        self._swap.discard()

    def _rewrite_index(self) -> None:
        """Write the index only; its sisters stay as they are."""
        base, generation = self._base, self._base.generation
        file = self._swap.open(generation.index)
        file.write(base.file(generation.index)[: generation.header_size])
        for start in range(0, len(base), WINDOW):
            entries = base.entries(start, start + WINDOW)
            self._mark(entries, start)
            file.write(encode_entries(generation, entries))
        self._swap.commit()

    def _rewrite(self) -> None:
        base = self._base
        builder = BaseBuilder(self._swap, base.generation)
        builder.take_over(base)
        renamed = {kind: builder.rename(KINDS.index(kind), names) for kind, names in self._names.items()}
        found = {row: builder.resolve(games)[0] for row, (games, _) in sorted(self._games.items())}
        for start in range(0, len(base), WINDOW):
            entries = builder.entries_of(base, start)
            for role, ids in ((role, renamed.get(KINDS[kind])) for role, kind in ROLES.items()):
                if ids is not None:
                    known = entries[role] < len(ids)  # other names are not among those that were there
                    entries[role][known] = ids[entries[role][known]]
            for row in range(start, start + len(entries)) if found else ():
                if row in found:
                    kept = entries["flags"][row - start] & DELETED
                    entries[row - start] = found[row]
                    entries["flags"][row - start] |= kept
            self._mark(entries, start)
            builder.add_entries(entries)
        builder.finish()
        self._swap.commit()

    def _mark(self, entries: Any, start: int) -> None:
        """Set and clear marks of deletion."""
        for deleted in (True, False):
            rows = [row for row, mark in self._deleted.items() if mark is deleted]
            here = np.array([row - start for row in rows if start <= row < start + len(entries)], np.int64)
            if len(here):
                flags = entries["flags"][here]
                entries["flags"][here] = flags | DELETED if deleted else flags & ~np.uint32(DELETED)
