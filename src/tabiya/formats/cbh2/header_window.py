"""Consecutive records of a database, their fields as columns: from ``.2cbh`` and ``.2lid``, never from a body."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa

from tabiya.chessbase.header_fields import Carrier, HeaderLayout, Table
from tabiya.chessbase.header_window import HeaderWindow
from tabiya.chessbase.list_columns import Piece
from tabiya.chessbase.name_columns import code_texts, interned
from tabiya.chessbase.shared_bodies import REFUSED_BODY
from tabiya.formats.cbh2 import messages
from tabiya.formats.cbh2.base_files import ANNOTATIONS, MOVES
from tabiya.formats.cbh2.container import Places, record_sizes
from tabiya.formats.cbh2.entities import KINDS, PLAYERS, SOURCES, TAGS, TEAMS, TOURNAMENTS, EntityKind
from tabiya.formats.cbh2.headers import (
    ANALYSIS,
    GAME,
    HIGHEST_ROUND,
    NO_ID,
    TEXT,
    Kind,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from tabiya.chessbase.stored_records import StoredRecords
    from tabiya.formats.cbh2.entity_store import EntityStore, Names

_WHOLE: Final = 4096
"""From this many records in a window on, it is faster to read all entities of a kind."""
_SUBROUNDS: Final = 1 << 16


@dataclass(frozen=True)
class Role:
    """The relation of an entity to a record, and how it is stored in a batch."""

    reference: str
    """The field with its id."""
    kind: EntityKind
    side: str = ""
    """``white`` or ``black``, if it belongs to a side."""
    optional: bool = False
    """Whether -1 means none."""

    @cached_property
    def columns(self) -> dict[str, Carrier]:
        """Columns of a batch by name."""
        return self.kind.columns(self.side)

    @cached_property
    def carriers(self) -> tuple[Carrier, ...]:
        """The tags and extras."""
        return self.kind.carriers(self.side)


class _AnnotatorRole(Role):
    """Annotators are players, of whom a record needs only the name."""

    @cached_property
    def columns(self) -> dict[str, Carrier]:
        name = self.kind.columns("white")["white"]
        return {"annotator": name}

    @cached_property
    def carriers(self) -> tuple[Carrier, ...]:
        return ()


ROLES: Final = (
    Role("white", PLAYERS, "white"),
    Role("black", PLAYERS, "black"),
    Role("tournament", TOURNAMENTS),
    _AnnotatorRole("annotator", PLAYERS),
    Role("source", SOURCES),
    Role("white_team", TEAMS, "white", optional=True),
    Role("black_team", TEAMS, "black", optional=True),
    Role("tag", TAGS),
)


@dataclass(slots=True)
class Source:
    """The data that windows read."""

    games: StoredRecords
    """All records, in the layout of games."""
    entities: EntityStore
    has_entities: bool


class Window(HeaderWindow):
    """The records from ``start`` up to ``stop``, counted from 0."""

    source: Source
    _layout = GAME
    _roles = ROLES
    _unused_record = messages.UNUSED_RECORD
    _shared_body = messages.SHARED_BODY

    def __init__(self, source: Source, start: int, stop: int) -> None:
        super().__init__(source, start, stop)
        self._known: dict[str, Names] = {}

    def _rows_by_layout(self) -> dict[HeaderLayout, NDArray[np.int64]]:
        is_analysis = (GAME.column(self.records, "kind") == Kind.ANALYSIS) & ~self.is_text
        return {TEXT: np.flatnonzero(self.is_text), ANALYSIS: np.flatnonzero(is_analysis)}

    # Fields of the records.

    @cached_property
    def _ids(self) -> dict[str, NDArray[np.int64]]:
        ids = {}
        for role in ROLES:
            values = self.field(role.reference).astype(np.int64)
            for layout, rows in self._rows.items():
                if len(rows) and role.reference not in layout:
                    values[rows] = NO_ID
            ids[role.reference] = values
        return ids

    @cached_property
    def titles(self) -> NDArray[np.int64]:
        """The ids of the titles of guiding texts."""
        found: NDArray[np.int64] = TEXT.column(self._of(TEXT), "title")
        return found

    def offsets(self, suffix: str) -> NDArray[np.int64]:
        """Return the offsets of bodies; texts have no annotations: -1."""
        values = self.field(f"{suffix[2:]}_offset").astype(np.int64)
        if suffix == ANNOTATIONS:
            values[self.is_text] = NO_ID
        return values

    def _sizes(self, suffix: str, data: Any) -> NDArray[np.int64]:
        return record_sizes(data, self.offsets(suffix))

    def places(self, suffix: str, data: Any) -> Places:
        """Return where the bodies to read are in a file; all others have the offset REFUSED_BODY."""
        offsets, sizes = self.selected_offsets(suffix), self.sizes(suffix, data)
        return Places(offsets, np.where(offsets == REFUSED_BODY, 0, sizes) if suffix in self.refused else sizes)

    # Columns of a batch.

    def _rounds(self) -> pa.Array:
        """Return the rounds as ChessBase writes them: ``5``, ``5.2``, ``?.4``."""
        rounds, subrounds = self.field("round").astype(np.int64), self.field("subround").astype(np.int64)
        known = (rounds <= HIGHEST_ROUND) & (subrounds <= HIGHEST_ROUND) & ((rounds | subrounds) != 0)
        different, places = np.unique(np.where(known, rounds * _SUBROUNDS + subrounds, -1), return_inverse=True)
        texts = [_round_text(*divmod(code, _SUBROUNDS)) if code >= 0 else None for code in different.tolist()]
        return interned(places.reshape(-1), np.arange(len(different)), lambda _: pa.array(texts, pa.string()))

    def _names(self, role: Role, carrier: Carrier) -> pa.Array:
        if not self.source.has_entities:
            return interned(np.full(self.count, NO_ID), np.empty(0, np.int64), code_texts(str))
        known = self._entities(role)
        return interned(known.places, known.used, lambda _: known.texts(carrier))

    def _entities(self, role: Role) -> Names:
        """Return the entities that the records have in a role."""
        found = self._known.get(role.reference)
        if found is None:
            ids = self._ids[role.reference]
            found = self.source.entities.names(role.kind, ids, whole=self.count >= _WHOLE)
            self._known[role.reference] = found
        return found

    def _pieces(self, *, tags: bool) -> Iterator[Piece]:
        yield from self._record_pieces(tags=tags)
        if not self.source.has_entities:
            return
        for role in ROLES:
            wanted = [carrier for carrier in role.carriers if carrier.is_tag is tags]
            if wanted:
                known = self._entities(role)
                yield from (Piece(each.key, known.places, known.texts(each)) for each in wanted)

    def _record_pieces(self, *, tags: bool) -> Iterator[Piece]:
        games = Table(GAME, self.records)
        special = not self._is_game.all()
        for each in GAME.carriers():
            if each.is_tag is tags:
                piece = Piece.of(each.key, each.texts(games))
                yield piece.only(self._is_game) if special else piece
        for layout, rows in self._rows.items():
            if len(rows):
                table = Table(layout, self._of(layout))
                for each in layout.carriers():
                    if each.is_tag is tags:
                        yield Piece.at(each.key, rows, each.texts(table), self.count)

    # Problems.

    def _entity_problems(self) -> Iterator[Piece]:
        if self.source.has_entities:
            for role in ROLES:
                yield from self._dangling(role)

    def _dangling(self, role: Role) -> Iterator[Piece]:
        """Yield references to entities that do not exist, are deleted, or are damaged."""
        ids = self._ids[role.reference]
        known = self._entities(role)
        # Games without a title, and records of other layouts, refer to none by -1.
        missing = (ids >= known.count) | (ids < NO_ID) | ((ids == NO_ID) & ~self._may_lack(role))
        inside = known.places >= 0
        deleted, damaged = np.zeros(self.count, np.bool_), np.zeros(self.count, np.bool_)
        deleted[inside] = known.unused[known.places[inside]]
        damaged[inside] = known.damaged[known.places[inside]]
        found = (
            (messages.MISSING_ENTITY, missing),
            (messages.DELETED_ENTITY, deleted),
            (messages.DAMAGED_ENTITY, damaged),
        )
        for code, concerned in found:
            rows = np.flatnonzero(concerned)
            yield self._noted(code, rows, [f"{role.kind.noun} {number}" for number in ids[rows].tolist()])

    def _may_lack(self, role: Role) -> NDArray[np.bool_]:
        """Return which records may have no entity in a role."""
        lacking = np.full(self.count, role.optional)
        for layout, rows in self._rows.items():
            if role.reference not in layout:
                lacking[rows] = True
        return lacking


@lru_cache(maxsize=1 << 12)  # windows of the same database have the same rounds
def _round_text(number: int, sub: int) -> str:
    return f"{number or '?'}.{sub}" if sub else str(number)


ENTITY_KINDS: Final = KINDS
BODIES: Final = (MOVES, ANNOTATIONS)
