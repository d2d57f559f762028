"""Parts of the headers of a batch that are not read back from the records built from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabiya.chessbase.codes import CHESS960_ECO, RESULTS, date_parts, is_canonical_date
from tabiya.chessbase.header_fields import Carrier, Table
from tabiya.formats.cbh.files.cbh import GAME, TEXT
from tabiya.formats.cbh.files.cbj import RECORD as CBJ
from tabiya.formats.cbh.messages import HEADER_LOSSES
from tabiya.formats.cbh.reading.keyed_members import BODY_KEYS
from tabiya.formats.cbh.writing.entity_codec import Change
from tabiya.formats.losses import Loss
from tabiya.game.record import RecordKind

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tabiya.formats.cbh.reading.keyed_members import Items
    from tabiya.formats.cbh.writing.entity_codec import Encoded
    from tabiya.formats.cbh.writing.header_records import Group, Headers

    Rows = NDArray[np.int64]
    Mask = NDArray[np.bool_]
    Changes: TypeAlias = tuple[tuple[int, Change], ...]
    """What an entity loses: indexes of keys, and how their texts change."""


@dataclass(frozen=True)
class Arrivals:
    """Compares a batch with its records."""

    records: pa.RecordBatch
    tags: Items
    extras: Items
    headers: Headers
    groups: tuple[tuple[Group, list[Encoded]], ...]
    body_losses: Mapping[str, Mask]
    """For the keys of bodies, and for media and top games, the rows whose extra is not used."""

    def losses(self) -> list[Loss]:
        """Return all losses."""
        return [*self._of_columns(), *self._of_texts(), *self._of_names(), *self._of_tags(), *self._of_extras()]

    # Columns.

    @cached_property
    def _is_text(self) -> Mask:
        found: Mask = self.records["kind"].to_numpy() == RecordKind.TEXT
        return found

    def _of_columns(self) -> Iterator[Loss]:
        games, is_game = self.headers.games, ~self._is_text
        yield from self._loss("cbh-rounds", self.headers.lost_rounds)
        codes = GAME.column(games, "eco")
        lost = np.zeros(len(games), np.bool_)
        lost[self.headers.lost_ecos] = True
        lost |= _valid(self.records["eco"]) & (codes >= CHESS960_ECO)
        yield from self._loss("cbh-ecos", np.flatnonzero(lost & is_game))
        yield from self._loss("cbh-dates", np.flatnonzero(self._lost_dates() & is_game))
        for name in ("white_elo", "black_elo"):
            column = self.records[name]
            zero = _valid(column) & (_filled(column, 1) == 0)
            yield from self._loss("cbh-elos", np.flatnonzero(zero & is_game))
        missing = ~_valid(self.records["result"]) & (GAME.column(games, "result") < len(RESULTS))
        yield from self._loss("cbh-results", np.flatnonzero(missing & is_game))

    def _lost_dates(self) -> Mask:
        codes = GAME.column(self.headers.games, "date")
        parts = date_parts(np.where(is_canonical_date(codes), codes, 0))
        lost = np.zeros(len(codes), np.bool_)
        for name, part in zip(("year", "month", "day"), parts, strict=True):
            column = self.records[name]
            lost |= _valid(column) & ((_filled(column, 0) != part) | (part == 0))
        return lost

    def _of_texts(self) -> Iterator[Loss]:
        if self._is_text.any():
            names = ("white", "black", "year", "month", "day", "white_elo", "black_elo", "result", "eco", "start")
            given = np.logical_or.reduce([_valid(self.records[name]) for name in names])
            for name in ("moves", "annotations"):
                given |= _lengths(self.records[name]) > 0
            yield from self._loss("cbh-text-fields", np.flatnonzero(given & self._is_text))
        within = (_lengths(self.records["texts"]) > 0) & ~self._is_text
        yield from self._loss("cbh-game-texts", np.flatnonzero(within))

    # Entities.

    def _of_names(self) -> Iterator[Loss]:
        for number, (group, _) in enumerate(self.groups):
            for key in group.role.columns:
                for change in Change:
                    yield from self._loss(change.value, np.flatnonzero(self._losing(number, key, change)))

    @cached_property
    def _changes(self) -> list[tuple[list[Changes], Rows]]:
        """Return, for each group, the different changes of its entities, and for each row the number of its changes.

        Names such as "Carlsen,Magnus" may change in every record, but nearly all of them in the same way.
        """
        found = []
        for group, encoded in self.groups:
            numbers: dict[Changes, int] = {(): 0}
            own = [numbers.setdefault(each.lost, len(numbers)) for each in encoded]
            found.append((list(numbers), np.array([*own, 0], np.int64)[group.of_record]))
        return found

    def _losing(self, number: int, key: str, change: Change) -> Mask:
        """Return the rows whose entity in a group loses something."""
        entry = self.groups[number][0].role.keys.index(key), change
        changes, own = self._changes[number]
        return np.array([entry in each for each in changes])[own]

    @cached_property
    def _without_content(self) -> list[Mask]:
        """Return, for each group, the rows without an entity: an empty text creates none."""
        return [
            np.array([*(each.content is None for each in encoded), True])[group.of_record]
            if group.role.optional
            else group.of_record < 0
            for group, encoded in self.groups
        ]

    def _lost_values(self, key: str) -> Mask:
        """Return the rows whose text under a key of an entity changes when read back."""
        lost = np.zeros(len(self.records), np.bool_)
        for number, (group, _) in enumerate(self.groups):
            if any(carrier.key == key for carrier in group.role.carriers):
                lost |= np.logical_or.reduce([self._losing(number, key, change) for change in Change])
                lost |= self._without_content[number]
        return lost

    # Tags and extras.

    def _of_tags(self) -> Iterator[Loss]:
        tags = self.tags  # the loss of unknown ones is counted by ``Keeps``
        lost = self._lost(tags, self._lost_values) | tags.repeated
        yield from self._loss("cbh-tag-values", tags.rows[lost], tags.names(lost))
        yield from self._loss("cbh-tag-order", np.unique(tags.rows[tags.disordered(lost)]))

    def _of_extras(self) -> Iterator[Loss]:
        extras = self.extras
        if not len(extras):
            return
        lost = self._lost(extras, self._lost_extras) | extras.repeated | ~extras.is_known
        bad = (lost | extras.disordered(lost)) & extras.of_base
        yield from self._loss("cbh-details", extras.rows[bad], extras.names(bad))

    def _lost(self, items: Items, lost_rows: Callable[[str], Mask]) -> Mask:
        """Return which members with a known key are not read back, except repeats."""
        lost = np.zeros(len(items), np.bool_)
        for key in items.known:
            rows = lost_rows(key)
            if rows.any():
                members = items.first(key)
                lost[members[rows & (members >= 0)]] = True
        return lost

    def _lost_extras(self, key: str) -> Mask:
        if key in self.body_losses:
            return self.body_losses[key]
        if key in BODY_KEYS:
            return np.zeros(len(self.records), np.bool_)
        tables = self._tables.get(key)
        if tables is None:
            return self._lost_values(key)
        lost = np.ones(len(self.records), np.bool_)  # a row of another kind has no such field
        given = self.extras.column(key).cast(pa.binary())
        for rows, table, carrier in tables:
            back, target = carrier.texts(table).cast(pa.binary()), given.take(pa.array(rows))
            lost[rows] = ~_numpy(pc.fill_null(pc.equal(back, target), fill_value=False))
        return lost

    @cached_property
    def _tables(self) -> dict[str, list[tuple[Rows, Table, Carrier]]]:
        """Return, by key of games, guiding texts and ``.cbj``, the rows that have it, and their records."""
        games, texts = np.flatnonzero(~self._is_text), np.flatnonzero(self._is_text)
        both = np.arange(len(self.records))
        elos = {
            name: np.where(self._is_text, 0, GAME.column(self.headers.games, name))
            for name in ("white_elo", "black_elo")
        }
        found: dict[str, list[tuple[Rows, Table, Carrier]]] = {}
        for rows, table in (
            (games, Table(GAME, self.headers.games[games])),
            (texts, Table(TEXT, self.headers.games[texts].view(TEXT.dtype))),
            (both, Table(CBJ, self.headers.cbj, more=elos)),
        ):
            for carrier in table.layout.carriers():
                found.setdefault(carrier.key, []).append((rows, table, carrier))
        return found

    def _loss(self, what: str, rows: Rows, examples: Iterable[str] = ()) -> list[Loss]:
        return HEADER_LOSSES.of(what, self.records["number"].to_numpy()[rows], examples)


def _valid(column: pa.Array) -> Mask:
    found: Mask = column.is_valid().to_numpy(zero_copy_only=False)
    return found


def _filled(column: pa.Array, missing: int) -> NDArray[Any]:
    return _numpy(column.fill_null(missing))


def _numpy(column: pa.Array) -> NDArray[Any]:
    values: NDArray[Any] = column.to_numpy(zero_copy_only=False)
    return values


def _lengths(lists: pa.Array) -> Rows:
    lengths: Rows = np.diff(lists.offsets.to_numpy()).astype(np.int64)
    return lengths
