"""Consecutive records of a base, their fields as columns: from ``.cbh``, ``.cbj`` and entities, never from a body."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa

from tabiya.binary import Layout, Records
from tabiya.chessbase.codes import round_text
from tabiya.chessbase.field_codecs import digits
from tabiya.chessbase.header_fields import Carrier, HeaderLayout, Table
from tabiya.chessbase.header_window import HeaderWindow
from tabiya.chessbase.list_columns import Piece
from tabiya.chessbase.name_columns import code_texts, dense, interned
from tabiya.chessbase.stored_records import StoredRecords
from tabiya.formats.cbh.bodies.blobs import annotation_sizes, move_sizes
from tabiya.formats.cbh.entities import cbc, cbe, cbl, cbp, cbs, cbt, cbtt
from tabiya.formats.cbh.entities.entity_file import EntityKind
from tabiya.formats.cbh.files import flags
from tabiya.formats.cbh.files.cbh import GAME, TEXT
from tabiya.formats.cbh.files.cbj import NO_ID
from tabiya.formats.cbh.files.cbj import RECORD as CBJ

if TYPE_CHECKING:
    from numpy.typing import NDArray

MISSING_ENTITY: Final = 123
DELETED_ENTITY: Final = 124
UNUSED_RECORD: Final = 125
SHARED_BODY: Final = 115

BODIES: Final = {".cbg": move_sizes, ".cba": annotation_sizes}
_WHOLE: Final = 4096
"""From this many records in a window on, it is faster to read an entity file as a whole."""
_FEW_ENTITIES: Final = 20_000
"""Up to this many are read as a whole even for a single record: most likely others follow."""
_MOST_ENTITIES: Final = 1_000_000
"""Above this number they are not kept in memory, but read for each window."""


def offset_field(suffix: str) -> str:
    """Return the name of the field with the offsets of bodies in a file."""
    return f"{suffix[1:]}_offset"


class Entries:
    """The records of an entity file (or of ``.cbtt``) by id, as texts; in files of usual size converted once."""

    def __init__(self, table: Table, deleted: NDArray[np.bool_] | None = None) -> None:
        self.table = table
        self.deleted = np.zeros(len(table), np.bool_) if deleted is None else deleted
        self._known: dict[Any, pa.Array] = {}

    def __len__(self) -> int:
        return len(self.table)

    def known(self, carrier: Carrier, *, whole: bool) -> pa.Array | None:
        """Return the texts of all entities, None if there are too many. Those of White's and Black's are the same."""
        key = carrier.field.name, carrier.codec.texts
        found = self._known.get(key)
        if found is None and len(self) <= (_MOST_ENTITIES if whole else _FEW_ENTITIES):
            found = self._known[key] = carrier.texts(self.table)
        return found

    def texts(self, carrier: Carrier, ids: NDArray[np.int64], *, whole: bool) -> pa.Array:
        """Return the texts of some entities."""
        known = self.known(carrier, whole=whole)
        if known is not None:
            return known.take(pa.array(ids))
        table = self.table
        return carrier.texts(Table(table.layout, table.records[ids], table.encoding))


@dataclass(frozen=True)
class Role:
    """The relation of an entity to a record, and how it is stored in a batch."""

    reference: str
    """The field with its id."""
    suffix: str
    noun: str
    layout: HeaderLayout
    optional: bool = False
    """Whether a record may lack it, and a base is complete without its file."""

    @cached_property
    def side(self) -> str:
        """``white`` or ``black``, if it belongs to a side."""
        return self.reference.removesuffix("_team")

    @cached_property
    def columns(self) -> dict[str, Carrier]:
        """Columns of a batch by name."""
        return self.layout.columns(self.side)

    @cached_property
    def carriers(self) -> tuple[Carrier, ...]:
        """The tags and extras."""
        return self.layout.carriers(self.side)

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The columns, tags and extras that such an entity is built from."""
        return (*self.columns, *(carrier.key for carrier in self.carriers))


def _role(reference: str, kind: EntityKind[Any], *, optional: bool = False) -> Role:
    return Role(reference, kind.suffix, kind.noun, kind.layout, optional)


ROLES: Final = (
    _role("white", cbp.PLAYERS),
    _role("black", cbp.PLAYERS),
    _role("tournament", cbt.TOURNAMENTS),
    Role("tournament", ".cbtt", "tournament", cbtt.RECORD, optional=True),
    _role("annotator", cbc.ANNOTATORS),
    _role("source", cbs.SOURCES),
    _role("white_team", cbe.TEAMS, optional=True),
    _role("black_team", cbe.TEAMS, optional=True),
    _role("tag", cbl.GAME_TAGS, optional=True),
)
"""All references of a record."""

ENTITY_KINDS: Final = (cbp.PLAYERS, cbt.TOURNAMENTS, cbc.ANNOTATORS, cbs.SOURCES, cbe.TEAMS, cbl.GAME_TAGS)


@dataclass(frozen=True, slots=True)
class BaseTables:
    """The data that windows read."""

    games: Records | StoredRecords
    """All records of .cbh, in the layout of games."""
    cbj_layout: Layout
    cbj: Records | StoredRecords
    entries: dict[str, Entries]
    """By suffix; missing files are omitted."""
    top_games: Any
    """The bytes of .flags."""
    manifest: Callable[[int], bytes | None]
    """Returns the media manifest at an offset of .cbm."""


class Window(HeaderWindow):
    """The records from ``start`` up to ``stop``, counted from 0."""

    source: BaseTables
    _layout = GAME
    _roles = ROLES
    _unused_record = UNUSED_RECORD
    _shared_body = SHARED_BODY

    def __init__(self, source: BaseTables, start: int, stop: int) -> None:
        super().__init__(source, start, stop)
        self._whole = self.count >= _WHOLE
        self._places: dict[tuple[str, str], tuple[NDArray[np.int64], NDArray[np.int64]]] = {}
        self._offsets: dict[str, NDArray[np.int64]] = {}

    def _rows_by_layout(self) -> dict[HeaderLayout, NDArray[np.int64]]:
        return {TEXT: np.flatnonzero(self.is_text)}

    # Fields of the records.

    @cached_property
    def cbj(self) -> Table:
        """The records of .cbj, with defaults for missing ones."""
        source = self.source
        found = source.cbj[self.start : self.start + self.count]
        if len(found) < self.count:
            found = np.concatenate([found, source.cbj_layout.new(self.count - len(found))])
        ratings = {name: self.field(name) for name in ("white_elo", "black_elo")}
        return Table(CBJ, found, more=ratings)

    @cached_property
    def _ids(self) -> dict[str, NDArray[np.int64]]:
        ids = {name: self.field(name).astype(np.int64) for name in ("tournament", "annotator", "source")}
        for name in ("white", "black"):
            ids[name] = np.where(self.is_text, NO_ID, self.field(name).astype(np.int64))
        for name in ("white_team", "black_team", "tag"):
            ids[name] = self.cbj[name].astype(np.int64)
        return ids

    def ids(self, reference: str) -> NDArray[np.int64]:
        """Return the ids that the records refer to, -1 for none."""
        return self._ids[reference]

    def offsets(self, suffix: str) -> NDArray[np.int64]:
        """Return the offsets of bodies, in 64 bits where .cbj agrees in the lower 32; texts have no annotations: 0."""
        found = self._offsets.get(suffix)
        if found is None:
            name = offset_field(suffix)
            short = self.field(name).astype(np.int64)
            long = self.cbj[name]
            extends = (long > np.uint64(0xFFFFFFFF)) & (long < np.uint64(1 << 62))
            extends &= long & np.uint64(0xFFFFFFFF) == short
            if name not in TEXT:
                extends[self.is_text] = False
            found = self._offsets[suffix] = np.where(extends, long.astype(np.int64), short)
            found.flags.writeable = False
        return found

    def _sizes(self, suffix: str, data: Any) -> NDArray[np.int64]:
        return BODIES[suffix](data, self.offsets(suffix))

    def further_sizes(self) -> NDArray[np.int64]:
        """Return the sizes of media manifests, which any number of records may share."""
        sizes = np.zeros(self.count, np.int64)
        for row, manifest in self._found_manifests().items():
            sizes[row] = len(manifest)
        return sizes

    # Columns of a batch.

    def _rounds(self) -> pa.Array:
        rounds = self.field("round").astype(np.int64) << 8 | self.field("subround")
        return interned(*dense(np.where(rounds == 0, -1, rounds), 1 << 16), code_texts(round_text))

    def _names(self, role: Role, carrier: Carrier) -> pa.Array:
        entries = self.source.entries.get(role.suffix)
        if entries is None:
            return interned(np.full(self.count, NO_ID), np.empty(0, np.int64), code_texts(str))
        return interned(*self._placed(role), lambda used: entries.texts(carrier, used, whole=self._whole))

    def _placed(self, role: Role) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the distinct ids of a role and, for each record, the index of its id; -1 if it has none."""
        key = role.reference, role.suffix
        if key not in self._places:
            ids, size = self._ids[role.reference], len(self.source.entries[role.suffix])
            self._places[key] = dense(np.where((ids >= 0) & (ids < size), ids, NO_ID), size)
        return self._places[key]

    def _pieces(self, *, tags: bool) -> Iterable[Piece]:
        return [*([] if tags else self._record_pieces()), *self._entity_pieces(tags=tags)]

    def _entity_pieces(self, *, tags: bool) -> Iterable[Piece]:
        for role in ROLES:
            entries = self.source.entries.get(role.suffix)
            carriers = [carrier for carrier in role.carriers if carrier.is_tag is tags]
            if entries is None or not carriers or not len(entries):
                continue
            for carrier in carriers:
                known = entries.known(carrier, whole=self._whole)
                if known is not None:
                    yield Piece(carrier.key, self._ids[role.reference], known)
                    continue
                places, used = self._placed(role)
                yield Piece(carrier.key, places, entries.texts(carrier, used, whole=self._whole))

    def _record_pieces(self) -> list[Piece]:
        games = Table(GAME, self.records)
        pieces = [Piece.of(each.key, each.texts(games)) for each in GAME.carriers()]
        rows = self._rows[TEXT]
        if len(rows):
            texts = Table(TEXT, self._of(TEXT))
            pieces = [piece.only(~self.is_text) for piece in pieces]
            pieces += [Piece.at(each.key, rows, each.texts(texts), self.count) for each in TEXT.carriers()]
        extended = [Piece.of(each.key, each.texts(self.cbj)) for each in CBJ.carriers()]
        extended_count = max(0, len(self.source.cbj) - self.start)
        pieces += (
            extended
            if extended_count >= self.count
            else [piece.only(np.arange(self.count) < extended_count) for piece in extended]
        )
        top_games = flags.top_games(self.source.top_games, self.start + 1, self.count)
        return [*pieces, Piece.of("cbh.top_game", digits(top_games)), self._manifests()]

    def _manifests(self) -> Piece:
        found = self._found_manifests()
        rows, manifests = np.array(list(found), np.int64), pa.array(list(found.values()), pa.binary())
        return Piece.at("cbh.media", rows, manifests, self.count)

    def _found_manifests(self) -> dict[int, bytes]:
        """Return the manifests of the records that have one, by row."""
        offsets = self.cbj["media"]
        rows = np.flatnonzero(offsets > 0).tolist()
        by_offset = {offset: self.source.manifest(offset) for offset in set(offsets[rows].tolist())}
        return {row: found for row in rows if (found := by_offset[int(offsets[row])]) is not None}

    # Problems.

    def _entity_problems(self) -> Iterator[Piece]:
        seen = set()
        for role in ROLES:
            if role.suffix in self.source.entries and role.suffix != ".cbtt" and role.reference not in seen:
                seen.add(role.reference)
                yield from self._dangling(role)

    def _dangling(self, role: Role) -> Sequence[Piece]:
        """Return references to entities that do not exist, or that are deleted."""
        entries = self.source.entries[role.suffix]
        ids = self._ids[role.reference]
        # An empty file of an optional kind is accompanied by ids for none: -1, or 0 in records of zeros.
        nowhere = (ids >= len(entries)) | (ids < NO_ID)
        missing = np.flatnonzero(nowhere & ~(role.optional & (len(entries) == 0) & (ids == 0)))
        pieces = [self._noted(MISSING_ENTITY, missing, _numbered(role, ids[missing]))]
        if entries.deleted.any():
            known = np.flatnonzero((ids >= 0) & (ids < len(entries)))
            deleted = known[entries.deleted[ids[known]]]
            pieces.append(self._noted(DELETED_ENTITY, deleted, _numbered(role, ids[deleted])))
        return pieces


def _numbered(role: Role, ids: NDArray[np.int64]) -> list[str]:
    return [f"{role.noun} {number}" for number in ids.tolist()]
