"""Entity files (``.cbp .cbt .cbc .cbs .cbe .cbl``): records by id, which are also the nodes of a balanced search tree.

Little-endian. tabiya reads records by id and never walks the tree, so that damage to it does not matter. The module of
each suffix describes its records.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar, overload

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabiya.binary import Layout, Record
from tabiya.chessbase.header_fields import Field, HeaderLayout, Table
from tabiya.chessbase.strings import non_ascii
from tabiya.game.annotations import UTF8, TextEncoding

if TYPE_CHECKING:
    from numpy.typing import NDArray

MAGIC: Final = 1234567890
DELETED: Final = -999
NO_NODE: Final = -1

HEADER: Final = Layout(
    "entity header",
    "<",
    Field(0, "i32", "capacity", "number of records, deleted ones included"),
    Field(4, "i32", "root", "id of the root of the tree"),
    Field(8, "i32", "magic", "1234567890", MAGIC),
    Field(12, "i32", "record_size", "without the 9 bytes of the tree"),
    Field(16, "i32", "first_deleted", "id, -1 none", NO_NODE),
    Field(20, "i32", "live", "number of records that are not deleted"),
    Field(24, "i32", "extra", "bytes that follow: 4, in old files 0", 4),
)

NODE: Final = (
    Field(0, "i32", "left", "id, -1 none; -999 the record is deleted", NO_NODE),
    Field(4, "i32", "right", "id, -1 none; the next deleted one", NO_NODE),
    Field(8, "i8", "balance", "height of the right minus that of the left"),
)
_NODE_SIZE: Final = 9
_MOST_EXTRA: Final = 4096
_CALLED: Final = {"title": "name"}
"""Every entity has a name in the public interface."""


def entity_layout(name: str, *fields: Field) -> HeaderLayout:
    """Return the layout of a record: the tree node, its own fields (counted from 0), and the references to it."""
    moved = [replace(field, offset=field.offset + _NODE_SIZE) for field in fields]
    end = moved[-1].offset + moved[-1].size
    return HeaderLayout(
        name,
        "<",
        *NODE,
        *moved,
        Field(end, "i32", "games", "how many records refer to it"),
        Field(end + 4, "i32", "first_game", "the first of them"),
    )


Entity = TypeVar("Entity")


@dataclass(frozen=True, slots=True)
class EntityKind(Generic[Entity]):
    """A kind of entity file."""

    suffix: str
    noun: str
    plural: str
    layout: HeaderLayout
    make: Callable[..., Entity]
    """Creates the public entity from its id, from ``deleted`` and from its fields, except unknown ones."""

    @property
    def name_fields(self) -> tuple[str, ...]:
        """The fields with texts, the first of them the name."""
        return tuple(field.name for field in self.layout.fields if field.is_bytes)

    @property
    def data_size(self) -> int:
        """The size of a record as stored in the header."""
        return self.layout.size - _NODE_SIZE

    def decode(self, number: int, data: bytes, encoding: TextEncoding) -> Entity:
        """Return one record as a public entity."""
        record = self.layout.decode(data)
        known = [field for field in self.layout.fields[len(NODE) :] if not field.name.startswith("unknown")]
        values = {_CALLED.get(field.name, field.name): field.display(record[field.name], encoding) for field in known}
        return self.make(id=number, deleted=record["left"] == DELETED, **values)


class EntityFile(Generic[Entity]):
    """The records of one entity file, by id: as many as the file contains, regardless of the header.

    ``complaints`` are its errors, as sentences.
    """

    def __init__(self, kind: EntityKind[Entity], data: Any = b"", encoding: TextEncoding = UTF8) -> None:
        self.kind = kind
        self.complaints: list[str] = []
        self.header: Record = HEADER.decode(HEADER.encode({}))
        self.is_there = len(data) > 0
        self.records = self._records(data)
        self.table = Table(kind.layout, self.records, encoding)

    def _records(self, data: Any) -> NDArray[np.void]:
        layout = self.kind.layout
        nothing = np.empty(0, layout.dtype)
        if not len(data):
            return nothing
        if len(data) < HEADER.size:
            self.complaints.append("it is shorter than its header")
            return nothing
        self.header = header = HEADER.read(data)
        if header["record_size"] != self.kind.data_size or header["magic"] != MAGIC:
            self.complaints.append("its header is invalid")
            return nothing
        extra = header["extra"]
        begin = HEADER.size + (extra if 0 <= extra <= _MOST_EXTRA else 0)
        whole = max(0, len(data) - begin) // layout.size
        capacity = header["capacity"]
        if capacity > whole:
            self.complaints.append(f"it has {whole} of {capacity} records")
        # Records after the declared ones are leftovers, unless the count is invalid.
        return layout.view(data, begin, capacity if 0 < capacity <= whole or not whole else whole)

    def encoded(self, encoding: TextEncoding) -> EntityFile[Entity]:
        """Return the same records with texts in this encoding."""
        other = copy(self)
        other.table = Table(self.kind.layout, self.records, encoding)
        return other

    def __len__(self) -> int:
        return len(self.records)

    @cached_property
    def deleted(self) -> NDArray[np.bool_]:
        """Which records are deleted."""
        found: NDArray[np.bool_] = self.table["left"] == DELETED
        return found

    def bytes_of(self, number: int) -> bytes:
        """Return the record of an id."""
        return bytes(self.records[number].tobytes())

    def non_ascii_texts(self, most: int) -> Iterator[bytes]:
        """Yield texts with letters beyond ASCII, for detecting the code page."""
        for name in self.kind.name_fields:
            matrix = self.table[name][:most]
            for row in np.flatnonzero(non_ascii(matrix)):
                yield matrix[row].tobytes().partition(b"\0")[0]


class Entities(Sequence[Entity]):
    """The entities of a base by id: ``db.players[3]``, ``db.players.find("carlsen")``.

    Deleted ones keep their ids and are marked; ``find`` skips them.
    """

    def __init__(self, file: EntityFile[Entity]) -> None:
        self._file = file

    def __len__(self) -> int:
        return len(self._file)

    @overload
    def __getitem__(self, index: int) -> Entity: ...
    @overload
    def __getitem__(self, index: slice) -> list[Entity]: ...
    def __getitem__(self, index: int | slice) -> Entity | list[Entity]:
        if isinstance(index, slice):
            return [self[i] for i in range(len(self))[index]]
        number = range(len(self))[index]
        file = self._file
        return file.kind.decode(number, file.bytes_of(number), file.table.encoding)

    def find(self, text: str) -> list[Entity]:
        """Return the entities whose names contain all words of this text, ignoring case.

        Words are separated by blanks and commas, so ``carlsen magnus`` and ``Carlsen, Magnus`` find the same.
        """
        words = text.replace(",", " ").split()
        hits = np.ones(len(self), np.bool_) & ~self._file.deleted
        for word in words:
            hits &= self._containing(word)
        return [self[int(number)] for number in np.flatnonzero(hits)]

    def _containing(self, word: str) -> NDArray[np.bool_]:
        found = np.zeros(len(self), np.bool_)
        for column in self._texts:
            mask = pc.match_substring(column, word, ignore_case=True)
            found |= pc.fill_null(mask, fill_value=False).to_numpy(zero_copy_only=False)
        return found

    @cached_property
    def _texts(self) -> list[pa.Array]:
        return [self._file.table.texts(name) for name in self._file.kind.name_fields]

    def __repr__(self) -> str:
        return f"<{len(self)} {self._file.kind.plural}>"
