"""Entity files being built: equal entities are merged, ids are assigned in order, trees are built at the end.

A base may have millions of names, so only a few numbers per name are in memory: its references, and a hash that leads
to its id. The contents are in a temporary file; those with equal hashes are compared there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final, TypeAlias

import numpy as np

from tabiya.chessbase.header_fields import Table
from tabiya.chessbase.strings import text_lengths
from tabiya.errors import UnsupportedError
from tabiya.files.scratch import ScratchFile
from tabiya.formats.cbh.entities.entity_file import DELETED, HEADER, NODE, EntityFile, EntityKind
from tabiya.formats.cbh.entities.search_trees import NO_NODE, Nodes, balanced_tree, key_order

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tabiya.binary import Records

    Numbers = NDArray[np.int64]

_NODE_SIZE: Final = sum(field.size for field in NODE)
_USE_SIZE: Final = 8
MOST_ENTITIES: Final = 0xFFFFFF
"""Ids have 24 bits in the records of games."""
AT_ONCE: Final = 1 << 15
"""Number of records decoded at a time."""
_MOST_IN_MEMORY: Final = 4 << 20
"""Above this number of bytes contents go to a temporary file."""
_DENSE: Final = 16
"""Up to this multiple of the references, ids are counted in a table, not sorted."""
_SIZE_BITS: Final = 16
_NONE: Final = -1

Entity: TypeAlias = tuple[bytes, bytes]
"""An entity: its content, and what else distinguishes it; for a tournament its record in ``.cbtt``."""


def content_of(record: bytes) -> bytes:
    """Return the content of a record: everything except the tree and the references."""
    return record[_NODE_SIZE:-_USE_SIZE]


class EntityTable:
    """The entities of one kind, by content and by id.

    ``extra`` is the number of bytes between header and records, which is unchanged in an existing file. ``folder`` is
    where contents go that do not fit into memory.
    """

    def __init__(self, kind: EntityKind[Any], folder: Path | None = None, *, extra: int = 4) -> None:
        self.kind = kind
        self.extra = extra
        self._size = kind.layout.size - _NODE_SIZE - _USE_SIZE
        self._count = 0
        self._contents = ScratchFile(folder, in_memory=_MOST_IN_MEMORY)
        self._cbtts = ScratchFile(folder, in_memory=_MOST_IN_MEMORY)
        self._ids = _Hashes()
        self._clashes: dict[Entity, int] = {}
        """The ids of entities whose hash leads, or once led, to another one."""
        self._free: list[int] = []
        self._live = np.zeros(64, np.bool_)
        self._games = np.zeros(64, np.int32)
        self._first = np.zeros(64, np.int32)
        self._cbtt_of = np.zeros(64, np.int64)
        """Offset and size of the twin in its file, 0 for none; no longer than necessary."""

    @classmethod
    def of_file(cls, file: EntityFile[Any], cbtts: dict[int, bytes], folder: Path | None = None) -> EntityTable:
        """Return the entities of an existing file, with their ids; references are not taken over."""
        table = cls(file.kind, folder, extra=int(file.header["extra"]) if file.is_there else 4)
        table._grow(len(file))
        table._live[: len(file)] = ~file.deleted
        table._free = np.flatnonzero(file.deleted)[::-1].tolist()  # the lowest is assigned first
        for begin in range(0, len(file), AT_ONCE):
            records = file.records[begin : begin + AT_ONCE]
            table._contents.append(b"".join(table._split(records)))
            known: dict[Entity, int] = {}
            for number, content in enumerate(table._split(_without_leftovers(file.kind, records)), begin):
                if table._live[number]:
                    cbtt_data = cbtts.get(number, b"")
                    table._put_cbtt(number, cbtt_data)
                    known.setdefault((content, cbtt_data), number)
            table._remember(list(known), list(known.values()))
        return table

    def _split(self, records: Records) -> Iterator[bytes]:
        data, size = records.tobytes(), self.kind.layout.size
        return (content_of(data[begin : begin + size]) for begin in range(0, len(data), size))

    def __len__(self) -> int:
        return self._count

    @property
    def live(self) -> NDArray[np.bool_]:
        """Return, by id, whether there is an entity; all others are deleted."""
        return self._live[: self._count]

    def content(self, number: int) -> bytes | None:
        """Return the content of an entity; None if it is deleted."""
        return self._contents.read_bytes(number * self._size, self._size) if self._live[number] else None

    # Looking up and adding.

    def intern(self, entities: Sequence[Entity]) -> list[int]:
        """Return the ids of entities; unknown ones get new ids, in order."""
        numbers = dict.fromkeys(entities, _NONE)
        different = list(numbers)
        for entity, found in zip(different, self._find(different, _hashes_of(different)), strict=True):
            numbers[entity] = found
        new = [entity for entity, number in numbers.items() if number == _NONE]
        if new:
            ids = self._new_ids(len(new))
            numbers.update(zip(new, ids, strict=True))
            for number, (_, cbtt_data) in zip(ids, new, strict=True):
                self._put_cbtt(number, cbtt_data)
            reused = sum(number < self._count for number in ids)
            for number, (content, _) in zip(ids[:reused], new[:reused], strict=True):
                self._contents.put(number * self._size, content)
            self._contents.append(b"".join(content for content, _ in new[reused:]))
            self._grow(self._count + len(new) - reused)
            self._live[ids] = True
            self._remember(new, ids)
        return [numbers[entity] for entity in entities]

    def _new_ids(self, count: int) -> list[int]:
        """Return ids for new entities, reusing those of deleted ones first."""
        reused = [self._free.pop() for _ in range(min(count, len(self._free)))]
        end = self._count + count - len(reused)
        if end > MOST_ENTITIES + 1:
            raise UnsupportedError(f"a ChessBase database holds at most {MOST_ENTITIES + 1:,} {self.kind.plural}")
        return [*reused, *range(self._count, end)]

    def _find(self, entities: Sequence[Entity], hashes: Numbers) -> list[int]:
        """Return the ids of these entities, -1 for unknown ones."""
        hints = self._ids.find(hashes).tolist()
        return [
            next((number for number in (self._clashes.get(entity, _NONE), hint) if self._is(number, entity)), _NONE)
            for entity, hint in zip(entities, hints, strict=True)
        ]

    def _is(self, number: int, entity: Entity) -> bool:
        content = self.content(number) if number != _NONE else None
        if content is None or self._cbtt(number) != entity[1]:
            return False
        return content == entity[0] or self._without_leftovers(content) == entity[0]

    def _without_leftovers(self, content: bytes) -> bytes:
        record = self.kind.layout.view(bytes(_NODE_SIZE) + content + bytes(_USE_SIZE))
        return content_of(_without_leftovers(self.kind, record).tobytes())

    def _remember(self, entities: list[Entity], numbers: list[int]) -> None:
        """Register entities that have an id; of equal ones the first counts."""
        hashes = _hashes_of(entities)
        _, places = np.unique(hashes, return_index=True)
        is_hint = np.zeros(len(hashes), np.bool_)
        is_hint[places] = True
        is_hint &= self._ids.find(hashes) == _NONE
        for place in np.flatnonzero(~is_hint).tolist():
            if self._find(entities[place : place + 1], hashes[place : place + 1]) == [_NONE]:
                self._clashes[entities[place]] = numbers[place]
        self._ids.add(hashes[is_hint], np.array(numbers, np.int32)[is_hint])

    def change(self, number: int, content: bytes) -> None:
        """Change the content of an entity; the references to it remain."""
        self._contents.put(number * self._size, content)
        self._remember([(self._without_leftovers(content), self._cbtt(number))], [number])

    # References.

    def count(self, ids: Numbers, games: Numbers) -> None:
        """Count references from games, whose numbers ascend; -1 refers to nothing."""
        known = ids >= 0
        ids, games = ids[known], games[known]
        if self._count > _DENSE * len(ids):
            used, places, counts = np.unique(ids, return_index=True, return_counts=True)
            now = games[places]
        else:
            every = np.bincount(ids, minlength=self._count)
            first = np.zeros(len(every), np.int64)
            first[ids[::-1]] = games[::-1]  # backwards, so that the first one remains
            used = np.flatnonzero(every)
            counts, now = every[used], first[used]
        self._games[used] += counts.astype(np.int32)
        earlier = self._first[used]
        self._first[used] = np.where((earlier == 0) | (now < earlier), now, earlier)

    @property
    def uses(self) -> Numbers:
        """Return the number of records that refer to each entity."""
        return self._games[: self._count].astype(np.int64)

    def forget_uses(self) -> None:
        """Reset the counts."""
        self._games[:] = 0
        self._first[:] = 0

    def drop_unused(self, former: Numbers | None = None) -> None:
        """Delete the entities without references; with ``former`` uses only those that had references before."""
        unused = (self.uses == 0) & self.live
        if former is not None:
            unused[len(former) :] = False
            unused[: len(former)] &= former > 0
        removed = np.flatnonzero(unused)
        self._live[removed] = False
        self._free += removed.tolist()
        self._cbtt_of[removed[removed < len(self._cbtt_of)]] = 0

    # Twins.

    def _put_cbtt(self, number: int, cbtt_data: bytes) -> None:
        if cbtt_data:
            self._cbtt_of = _grown(self._cbtt_of, number + 1)
            self._cbtt_of[number] = self._cbtts.append(cbtt_data) << _SIZE_BITS | len(cbtt_data)

    def _cbtt(self, number: int) -> bytes:
        where = int(self._cbtt_of[number]) if number < len(self._cbtt_of) else 0
        return self._cbtts.read_bytes(where >> _SIZE_BITS, where & (1 << _SIZE_BITS) - 1) if where else b""

    @property
    def cbtt_sizes(self) -> Numbers:
        """Return the sizes of twins by id, up to the last entity that has one; 0 for none."""
        sizes: Numbers = np.trim_zeros(self._cbtt_of, "b") & (1 << _SIZE_BITS) - 1
        return sizes

    def cbtts(self, begin: int, end: int) -> Iterator[tuple[int, bytes]]:
        """Yield the twins of a range of ids."""
        return ((number, self._cbtt(number)) for number in range(begin, end) if self._cbtt_of[number])

    # The file.

    def write(self, stream: BinaryIO) -> None:
        """Write header and records, with a balanced tree over those that are not deleted."""
        layout, live = self.kind.layout, np.flatnonzero(self.live)
        order = live[key_order(self.kind.suffix, lambda: self._live_tables(), len(live))]
        nodes = balanced_tree(order, self._count)
        header = {
            "capacity": self._count,
            "root": nodes.root if len(live) or not self._count else NO_NODE,
            "record_size": self.kind.data_size,
            "first_deleted": self._chain(nodes),
            "live": len(live),
            "extra": self.extra,
        }
        stream.write(HEADER.encode(header) + bytes(self.extra))
        for rows, records in self._records():
            for name, column in (
                ("left", nodes.left),
                ("right", nodes.right),
                ("balance", nodes.balance),
                ("games", self._games),
                ("first_game", self._first),
            ):
                layout.put(records, name, column[rows])
            stream.write(records.tobytes())

    def _records(self) -> Iterator[tuple[slice, Records]]:
        """Yield the records by id, without a tree; deleted ones are empty."""
        for begin in range(0, self._count, AT_ONCE):
            rows = slice(begin, min(begin + AT_ONCE, self._count))
            data = self._contents.read(begin * self._size, (rows.stop - begin) * self._size, np.uint8)
            matrix = np.zeros((rows.stop - begin, self.kind.layout.size), np.uint8)
            matrix[:, _NODE_SIZE:-_USE_SIZE] = data.reshape(len(matrix), self._size)
            matrix[~self._live[rows]] = 0
            yield rows, matrix.reshape(-1).view(self.kind.layout.dtype)

    def _live_tables(self) -> Iterator[Table]:
        return (Table(self.kind.layout, records[self._live[rows]]) for rows, records in self._records())

    def _chain(self, nodes: Nodes) -> int:
        """Link the deleted records and return the first of them."""
        removed = np.flatnonzero(~self.live)
        if not len(removed):
            return NO_NODE
        nodes.left[removed], nodes.right[removed] = DELETED, np.append(removed[1:], NO_NODE)
        return int(removed[0])

    def _grow(self, count: int) -> None:
        self._count = count
        self._live, self._games, self._first = (
            _grown(column, count) for column in (self._live, self._games, self._first)
        )


class _Hashes:
    """Distinct hashes, and the id for each: sorted runs, merged so that there are few."""

    def __init__(self) -> None:
        self._runs: list[tuple[Numbers, NDArray[np.int32]]] = []

    def add(self, hashes: Numbers, ids: NDArray[np.int32]) -> None:
        """Add new hashes."""
        while self._runs and len(self._runs[-1][0]) <= 2 * len(hashes):
            former = self._runs.pop()
            hashes, ids = np.concatenate([former[0], hashes]), np.concatenate([former[1], ids])
        order = np.argsort(hashes, kind="stable")
        if len(order):
            self._runs.append((hashes[order], ids[order]))

    def find(self, hashes: Numbers) -> Numbers:
        """Return the ids, -1 for unknown hashes."""
        found = np.full(len(hashes), _NONE, np.int64)
        for known, ids in self._runs:
            places = np.minimum(np.searchsorted(known, hashes), len(known) - 1)
            hits = known[places] == hashes
            found[hits] = ids[places[hits]]
        return found


def _hashes_of(entities: Sequence[Entity]) -> Numbers:
    """Return Python's hashes, whose seed is random: collisions cannot be constructed."""
    return np.fromiter(map(hash, entities), np.int64, len(entities))


def _grown(column: NDArray[Any], count: int) -> NDArray[Any]:
    """Return the column with capacity for this many, and for more to come."""
    if count <= len(column):
        return column
    larger = np.zeros(max(2 * len(column), count), column.dtype)
    larger[: len(column)] = column
    return larger


def _without_leftovers(kind: EntityKind[Any], records: Records) -> Records:
    """Return the records with zeros after the NULs of texts, where ChessBase leaves arbitrary bytes."""
    records = records.copy()
    for name in kind.name_fields:
        matrix = records[name]
        matrix[np.arange(matrix.shape[1]) >= text_lengths(matrix)[:, None]] = 0
        records[name] = matrix
    return records
