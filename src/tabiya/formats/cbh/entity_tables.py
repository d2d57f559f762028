"""Entity files that are being made: equal entities are one, ids are given as they come, trees are made at the end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tabiya.errors import UnsupportedError
from tabiya.formats.cbh.carriers import Table
from tabiya.formats.cbh.entities import DELETED, HEADER, NODE, EntityFile, EntityKind
from tabiya.formats.cbh.strings import text_lengths
from tabiya.formats.cbh.trees import NO_NODE, balanced_tree, key_order

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tabiya.formats.cbh.layout import Records

__all__ = ["EntityTable", "content_of"]

_NODE_SIZE: Final = sum(field.size for field in NODE)
_USE_SIZE: Final = 8
MOST_ENTITIES: Final = 0xFFFFFF
"""Ids have 24 bits in the records of games."""


def content_of(record: bytes) -> bytes:
    """What a record says about its entity: all but the tree and who refers to it."""
    return record[_NODE_SIZE:-_USE_SIZE]


class EntityTable:
    """The entities of one kind, by content and by id.

    ``extra`` is the number of bytes between header and records, which stays what it is in an existing file. ``twin``
    in the methods below is what else distinguishes an entity: of a tournament, its record in ``.cbtt``.
    """

    def __init__(self, kind: EntityKind[Any], *, extra: int = 4) -> None:
        self.kind = kind
        self.extra = extra
        self.contents: list[bytes | None] = []
        """By id; None for entities that are deleted."""
        self.twins: dict[int, bytes] = {}
        self._free: list[int] = []
        self._ids: dict[tuple[bytes, bytes], int] = {}
        self._games = np.zeros(64, np.int64)
        self._first = np.zeros(64, np.int64)

    @classmethod
    def of_file(cls, file: EntityFile[Any], twins: dict[int, bytes]) -> EntityTable:
        """The entities of an existing file, with their ids; who refers to them is not taken over."""
        table = cls(file.kind, extra=int(file.header["extra"]) if file.is_there else 4)
        clean = _without_leftovers(file)
        for number, gone in enumerate(file.deleted.tolist()):
            if gone:
                table.contents.append(None)
                table._free.append(number)
                continue
            table.contents.append(content_of(file.bytes_of(number)))
            twin = twins.get(number, b"")
            if twin:
                table.twins[number] = twin
            table._ids.setdefault((content_of(clean[number].tobytes()), twin), number)
        table._free.reverse()  # the lowest is given first
        table._grow()
        return table

    def __len__(self) -> int:
        return len(self.contents)

    def __contains__(self, content: tuple[bytes, bytes]) -> bool:
        return content in self._ids

    def intern(self, content: bytes, twin: bytes = b"") -> int:
        """The id of an entity, a new one if it was not there yet."""
        number = self._ids.get((content, twin))
        if number is None:
            if self._free:
                number = self._free.pop()
                self.contents[number] = content
            else:
                number = len(self.contents)
                if number > MOST_ENTITIES:
                    raise UnsupportedError(
                        f"a ChessBase database has room for {MOST_ENTITIES + 1:,} {self.kind.plural}, not for more"
                    )
                self.contents.append(content)
                self._grow()
            self._ids[content, twin] = number
            if twin:
                self.twins[number] = twin
        return number

    def count(self, ids: NDArray[np.int64], games: NDArray[np.int64]) -> None:
        """Count references from games, whose numbers go up; -1 refers to nothing."""
        known = ids >= 0
        ids, games = ids[known], games[known]
        counts = np.bincount(ids, minlength=len(self.contents))[: len(self.contents)]
        self._games[: len(counts)] += counts
        first = np.zeros(len(counts), np.int64)
        first[ids[::-1]] = games[::-1]  # backwards, so that the first one stays
        used = np.flatnonzero(counts)
        earlier, now = self._first[used], first[used]
        self._first[used] = np.where((earlier == 0) | (now < earlier), now, earlier)

    @property
    def uses(self) -> NDArray[np.int64]:
        """How many records refer to each entity."""
        return self._games[: len(self.contents)].copy()

    def forget_uses(self) -> None:
        """Begin to count anew."""
        self._games[:] = 0
        self._first[:] = 0

    def change(self, number: int, content: bytes) -> None:
        """Give an entity another content; the records that refer to it go on doing so."""
        former = self.contents[number]
        twin = self.twins.get(number, b"")
        if former is not None and self._ids.get((former, twin)) == number:
            del self._ids[former, twin]
        self.contents[number] = content
        self._ids.setdefault((content, twin), number)

    def drop_unused(self, former: NDArray[np.int64] | None = None) -> None:
        """Delete the entities that nothing refers to; with ``former`` uses only those that were in use before."""
        unused = self.uses == 0
        if former is not None:
            unused[len(former) :] = False
            unused[: len(former)] &= former > 0
        for number in np.flatnonzero(unused).tolist():
            content = self.contents[number]
            if content is not None:
                self.contents[number] = None
                self._ids.pop((content, self.twins.pop(number, b"")), None)
                self._free.append(number)

    def encode(self) -> bytes:
        """The file: header and records, with a balanced tree over those that are not deleted."""
        records = self.records()
        deleted = self._chain(records)
        live = np.flatnonzero(np.array([content is not None for content in self.contents], np.bool_))
        layout = self.kind.layout
        order = live[key_order(self.kind.suffix, Table(layout, records[live]))] if len(live) else live
        nodes = balanced_tree(order, len(records))
        for name, values in (("left", nodes.left), ("right", nodes.right), ("balance", nodes.balance)):
            column = layout.column(records, name)
            column[live] = values[live]
            layout.put(records, name, column)
        header = {
            "capacity": len(records),
            "root": nodes.root if len(live) or not len(records) else NO_NODE,
            "record_size": self.kind.data_size,
            "first_deleted": deleted,
            "live": len(live),
            "extra": self.extra,
        }
        return HEADER.encode(header) + bytes(self.extra) + records.tobytes()

    def records(self) -> Records:
        """The records by id, without a tree."""
        layout = self.kind.layout
        size = layout.size - _NODE_SIZE - _USE_SIZE
        matrix = np.zeros((len(self.contents), layout.size), np.uint8)
        if len(matrix):
            joined = b"".join(bytes(size) if content is None else content for content in self.contents)
            matrix[:, _NODE_SIZE:-_USE_SIZE] = np.frombuffer(joined, np.uint8).reshape(len(matrix), size)
        records: Records = matrix.reshape(-1).view(layout.dtype)
        layout.put(records, "games", self._games[: len(matrix)])
        layout.put(records, "first_game", self._first[: len(matrix)])
        return records

    def _chain(self, records: Records) -> int:
        """Link the deleted records; gives the first of them."""
        gone = np.flatnonzero(np.array([content is None for content in self.contents], np.bool_))
        if not len(gone):
            return NO_NODE
        layout = self.kind.layout
        left, right = layout.column(records, "left"), layout.column(records, "right")
        left[gone], right[gone] = DELETED, np.append(gone[1:], NO_NODE)
        layout.put(records, "left", left)
        layout.put(records, "right", right)
        return int(gone[0])

    def _grow(self) -> None:
        if len(self.contents) > len(self._games):
            size = max(2 * len(self._games), len(self.contents))
            self._games, self._first = (
                np.concatenate([each, np.zeros(size - len(each), np.int64)]) for each in (self._games, self._first)
            )


def _without_leftovers(file: EntityFile[Any]) -> Records:
    """The records with zeros behind the NULs of texts, where ChessBase leaves anything."""
    records = file.records.copy()
    for name in file.kind.name_fields:
        matrix = records[name]
        matrix[np.arange(matrix.shape[1]) >= text_lengths(matrix)[:, None]] = 0
        records[name] = matrix
    return records
