"""Consecutive records of a database, their fields as columns: from ``.2cbh`` and ``.2lid``, never from a body."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa

from tabiya.chessbase.codes import CHESS960_ECO, ECO_CODES, RESULTS, date_parts, eco_places, is_canonical_date
from tabiya.chessbase.game_flags import Flag
from tabiya.chessbase.header_fields import Carrier, HeaderLayout, Table
from tabiya.chessbase.list_columns import Piece, keyed_lists, problem_lists
from tabiya.chessbase.name_columns import code_texts, dense, interned, or_null
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
    Mark,
    is_deleted,
    is_text,
)
from tabiya.game.record import RecordKind, Variant
from tabiya.game.schema import EXTRA, TAG

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from tabiya.chessbase.stored_records import StoredRecords
    from tabiya.formats.cbh2.entity_store import EntityStore, Names

_NO_RESULT: Final = 255
_RESULT_CODES: Final = np.array([*RESULTS, *[_NO_RESULT] * (256 - len(RESULTS))], np.uint8)
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
_SPECIAL: Final = (TEXT, ANALYSIS)


@dataclass(slots=True)
class Source:
    """The data that windows read."""

    records: StoredRecords
    """All records, in the layout of games."""
    entities: EntityStore
    has_entities: bool


@dataclass
class Window:
    """The records from ``start`` up to ``stop``, counted from 0."""

    source: Source
    start: int
    stop: int
    refused: dict[str, NDArray[np.bool_]] = field(default_factory=dict)
    """Suffixes whose bodies are not read because too many records share them."""
    known_sizes: dict[str, NDArray[np.int64]] = field(default_factory=dict)
    """Sizes of the bodies in some files, which are in these."""

    def __post_init__(self) -> None:
        self.records = self.source.records[self.start : self.stop]
        self.count = len(self.records)
        self.marks = GAME.column(self.records, "marks")
        self.is_text = is_text(self.marks)
        kinds = GAME.column(self.records, "kind")
        self.is_analysis = (kinds == Kind.ANALYSIS) & ~self.is_text
        self._rows = {TEXT: np.flatnonzero(self.is_text), ANALYSIS: np.flatnonzero(self.is_analysis)}
        self._fields: dict[str, NDArray[Any]] = {}
        self._known: dict[str, Names] = {}

    def part(self, begin: int, end: int) -> Window:
        """Return some of these records."""
        refused = {suffix: each[begin:end] for suffix, each in self.refused.items()}
        sizes = {suffix: each[begin:end] for suffix, each in self.known_sizes.items()}
        return Window(self.source, self.start + begin, self.start + end, refused, sizes)

    # Fields of the records.

    def field(self, name: str) -> NDArray[Any]:
        """Return a field of all records; those of another layout than games have 0 where they lack it."""
        values = self._fields.get(name)
        if values is None:
            values = self._fields[name] = GAME.column(self.records, name)
            for layout, rows in self._rows.items():
                if len(rows):
                    values[rows] = layout.column(self._of(layout), name) if name in layout else 0
            values.flags.writeable = False
        return values

    def _of(self, layout: HeaderLayout) -> NDArray[np.void]:
        """Return the records of a layout."""
        return self.records[self._rows[layout]].view(layout.dtype)

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

    def sizes(self, suffix: str, data: Any) -> NDArray[np.int64]:
        """Return the sizes of the bodies in a file, as far as it contains them."""
        if suffix not in self.known_sizes:
            self.known_sizes[suffix] = record_sizes(data, self.offsets(suffix))
        return self.known_sizes[suffix]

    def places(self, suffix: str, data: Any) -> Places:
        """Return where the bodies to read are in a file; all others have the offset REFUSED_BODY."""
        offsets, sizes = self.offsets(suffix), self.sizes(suffix, data)
        refused = self.refused.get(suffix)
        if refused is None:
            return Places(offsets, sizes)
        return Places(np.where(refused, REFUSED_BODY, offsets), np.where(refused, 0, sizes))

    @cached_property
    def has_setup(self) -> NDArray[np.bool_]:
        """Which games begin from a set-up position, according to their flags; analyses have no flags."""
        flags = self.field("flags") & np.uint32(Flag.SETUP | Flag.UNORTHODOX)
        found: NDArray[np.bool_] = (flags != 0) | (self.field("eco") >= CHESS960_ECO) | self.is_analysis
        return found & ~self.is_text

    # Columns of a batch.

    def header_columns(self) -> dict[str, pa.Array]:
        """Return the columns of HEADER_SCHEMA that a header contains; a set-up position is in the body."""
        ecos = self.field("eco")
        without_result = self.is_text | self.is_analysis
        results = np.where(without_result, np.uint8(_NO_RESULT), _RESULT_CODES[self.field("result")])
        variants = np.where(ecos >= CHESS960_ECO, np.uint8(Variant.CHESS960), np.uint8(Variant.STANDARD))
        columns = {
            "number": pa.array(np.arange(self.start + 1, self.start + 1 + self.count, dtype=np.int64)),
            "kind": pa.array(np.where(self.is_text, np.uint8(RecordKind.TEXT), np.uint8(RecordKind.GAME))),
            "deleted": pa.array(is_deleted(self.marks)),
            "variant": pa.array(variants),
            "start": pa.nulls(self.count, pa.string()),
            "eco": interned(*dense(eco_places(ecos), len(ECO_CODES)), code_texts(ECO_CODES.__getitem__)),
            "round": self._rounds(),
            "white_elo": or_null(self.field("white_elo"), 0, pa.uint16()),
            "black_elo": or_null(self.field("black_elo"), 0, pa.uint16()),
            "result": or_null(results, _NO_RESULT, pa.uint8()),
            "tags": keyed_lists(self._entity_pieces(tags=True, more=self._record_pieces(tags=True)), self.count, TAG),
        }
        dates = self.field("date")
        dates = np.where(is_canonical_date(dates), dates, 0)
        kinds = (pa.uint16(), pa.uint8(), pa.uint8())
        for name, part, kind in zip(("year", "month", "day"), date_parts(dates), kinds, strict=True):
            columns[name] = or_null(part, 0, kind)
        for role in ROLES:
            for name, carrier in role.columns.items():
                columns[name] = self._names(role, carrier)
        return columns

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

    def extras(self) -> pa.Array:
        """Return the data that is in neither columns nor tags."""
        return keyed_lists(self._entity_pieces(tags=False, more=self._record_pieces(tags=False)), self.count, EXTRA)

    def _entity_pieces(self, *, tags: bool, more: Iterable[Piece]) -> Iterator[Piece]:
        yield from more
        if not self.source.has_entities:
            return
        for role in ROLES:
            wanted = [carrier for carrier in role.carriers if carrier.is_tag is tags]
            if wanted:
                known = self._entities(role)
                yield from (Piece(each.key, known.places, known.texts(each)) for each in wanted)

    def _record_pieces(self, *, tags: bool) -> Iterator[Piece]:
        games = Table(GAME, self.records)
        usual = ~(self.is_text | self.is_analysis)
        special = not usual.all()
        for each in GAME.carriers():
            if each.is_tag is tags:
                piece = Piece.of(each.key, each.texts(games))
                yield piece.only(usual) if special else piece
        for layout, rows in self._rows.items():
            if len(rows):
                table = Table(layout, self._of(layout))
                for each in layout.carriers():
                    if each.is_tag is tags:
                        yield Piece.at(each.key, rows, each.texts(table), self.count)

    # Problems.

    def problems(self) -> pa.Array:
        """Return the problems of these records."""
        pieces = [self._unused(), *self._refusals()]
        if self.source.has_entities:
            for role in ROLES:
                pieces += self._dangling(role)
        return problem_lists(pieces, self.count)

    def _unused(self) -> Piece:
        rows = np.flatnonzero((self.marks & np.uint8(Mark.USED)) == 0)
        return Piece.at(messages.UNUSED_RECORD, rows, pa.array([""] * len(rows), pa.string()), self.count)

    def _refusals(self) -> Iterator[Piece]:
        for suffix, refused in self.refused.items():
            rows = np.flatnonzero(refused)
            if len(rows):
                names = pa.array([suffix] * len(rows), pa.string())
                yield Piece.at(messages.SHARED_BODY, rows, names, self.count)

    def _dangling(self, role: Role) -> Sequence[Piece]:
        """Return references to entities that do not exist, are deleted, or are damaged."""
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
        pieces = []
        for code, concerned in found:
            rows = np.flatnonzero(concerned)
            if len(rows):
                texts = pa.array([f"{role.kind.noun} {number}" for number in ids[rows].tolist()], pa.string())
                pieces.append(Piece.at(code, rows, texts, self.count))
        return pieces

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
