"""The entities of a database by id: for whole windows of records, kept where there are not too many, and one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, TypeVar, overload

import numpy as np
import pyarrow.compute as pc

from tabiya.formats.cbh2.entities import TAGS, EntityKind, EntityTable, title_places
from tabiya.formats.cbh2.lid_file import Header, Type, read_contents
from tabiya.game.annotations import UTF8, TextEncoding, detect_encoding

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pyarrow as pa
    from numpy.typing import NDArray

    from tabiya.chessbase.header_fields import Carrier

_FEW: Final = 2000
"""Up to this many entities are read as a whole even for a single record: most likely others follow."""
_MOST: Final = 1_000_000
"""Above this number they are not kept in memory, but read for each window."""
_SAMPLE: Final = 4096
"""Number of entities of a kind from which the encoding of names is detected."""


@dataclass(slots=True)
class _Known:
    """A table, and the texts of its columns that have been used."""

    table: EntityTable
    texts: dict[Any, pa.Array] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Names:
    """The entities of some records in one role."""

    count: int
    """Number of entities of the kind."""
    places: NDArray[np.int64]
    """By record the index of its entity among those of ``known``; -1 for none."""
    used: NDArray[np.int64]
    """The indices that occur."""
    known: _Known

    @property
    def unused(self) -> NDArray[np.bool_]:
        """Which entities have no record, or a deleted one."""
        return self.known.table.unused

    @property
    def damaged(self) -> NDArray[np.bool_]:
        """Which entities are damaged."""
        return self.known.table.damaged

    def texts(self, carrier: Carrier) -> pa.Array:
        """Return the text of every entity."""
        key = carrier.field.name, carrier.codec.texts
        found = self.known.texts.get(key)
        if found is None:
            found = self.known.texts[key] = carrier.texts(self.known.table)
        return found


class EntityStore:
    """All entities of a ``.2lid`` file."""

    def __init__(self, data: Any, header: Header | None, encoding: TextEncoding = UTF8) -> None:
        self._data = data
        self._header = header
        self._encoding = encoding
        self._kept: dict[int, _Known] = {}

    def count(self, kind: EntityKind) -> int:
        """Return the number of entities of a kind, deleted ones included, as far as the file has them."""
        header = self._header
        if header is None or kind.type >= len(header.types) or not header.block:
            return 0
        declared = header.types[kind.type]
        there = -(-(len(self._data) - header.size - declared.offset) // header.block)
        return max(0, min(declared.entities, there)) if declared.container else 0

    def table(self, kind: EntityKind, ids: NDArray[np.int64]) -> EntityTable:
        """Return some entities; ids that do not exist are unused."""
        header = self._header
        if header is None or kind.type >= len(header.types):
            return kind.read(kind, read_contents(b"", _NOTHING, 0, np.empty(0, np.int64)), self._encoding)
        return kind.read(kind, read_contents(self._data, header, kind.type, ids), self._encoding)

    def names(self, kind: EntityKind, ids: NDArray[np.int64], *, whole: bool) -> Names:
        """Return the entities of some records."""
        count = self.count(kind)
        ids = np.where((ids >= 0) & (ids < count), ids, -1)
        known = self._kept.get(kind.type)
        if known is None and count <= (_MOST if whole else _FEW):
            known = self._kept[kind.type] = _Known(self.table(kind, np.arange(count)))
        if known is not None:
            return Names(count, ids, np.arange(count), known)
        used = np.unique(ids[ids >= 0])
        places = np.where(ids >= 0, np.searchsorted(used, ids), -1)
        return Names(count, places, np.arange(len(used)), _Known(self.table(kind, used)))

    def odd_names(self, kinds: Iterable[EntityKind]) -> Iterator[bytes]:
        """Yield data with letters beyond ASCII of a sample of all entities, for detecting the code page."""
        header = self._header
        for kind in kinds:
            count = self.count(kind)
            if not count or header is None:
                continue
            ids = np.unique(np.linspace(0, count - 1, min(count, _SAMPLE)).astype(np.int64))
            contents = read_contents(self._data, header, kind.type, ids)
            for begin, end in zip(contents.begins.tolist(), contents.ends.tolist(), strict=True):
                yield from _strings(kind, contents.data[begin:end].tobytes())

    def with_encoding(self, encoding: TextEncoding) -> EntityStore:
        """Return the same entities with names in this encoding."""
        return EntityStore(self._data, self._header, encoding)


_NOTHING: Final = Header(0, 0, (Type(0, 0, -1, 0),))


def _strings(kind: EntityKind, data: bytes) -> Iterator[bytes]:
    """Yield the strings of an entity that are not ASCII, as far as they are intact."""
    if kind is TAGS:
        places = title_places(data)[0]
        yield from (text for _, begin, end in places if not (text := data[begin:end]).isascii())
        return
    place = 0
    for _ in kind.strings:
        length = int.from_bytes(data[place : place + 4], "little", signed=True)
        if not 0 <= length <= len(data) - place - 4:
            return
        text = data[place + 4 : place + 4 + length]
        if not text.isascii():
            yield text
        place += 4 + length


def detect_names(store: EntityStore, kinds: Iterable[EntityKind]) -> TextEncoding:
    """Return the encoding of names that are not UTF-8."""
    return detect_encoding(store.odd_names(kinds))


Entity = TypeVar("Entity")


class Entities(Sequence[Entity]):
    """The entities of a database by id: ``db.players[3]``, ``db.players.find("carlsen")``.

    Deleted ones keep their ids and are marked; ``find`` skips them.
    """

    def __init__(self, store: EntityStore, kind: EntityKind, make: Callable[[int, EntityTable, int], Entity]) -> None:
        self._store = store
        self._kind = kind
        self._make = make

    def __len__(self) -> int:
        return self._store.count(self._kind)

    @overload
    def __getitem__(self, index: int) -> Entity: ...
    @overload
    def __getitem__(self, index: slice) -> list[Entity]: ...
    def __getitem__(self, index: int | slice) -> Entity | list[Entity]:
        numbers = range(len(self))[index]
        ids = np.array([numbers] if isinstance(numbers, int) else list(numbers), np.int64)
        table = self._store.table(self._kind, ids)
        found = [self._make(number, table, row) for row, number in enumerate(ids.tolist())]
        return found[0] if isinstance(numbers, int) else found

    def find(self, text: str) -> list[Entity]:
        """Return the entities whose names contain all words of this text, ignoring case.

        Words are separated by blanks and commas, so ``carlsen magnus`` and ``Carlsen, Magnus`` find the same.
        """
        table = self._store.names(self._kind, np.empty(0, np.int64), whole=True).known.table
        if len(table) != len(self):  # too many to be kept
            table = self._store.table(self._kind, np.arange(len(self)))
        hits = ~table.unused
        for word in text.replace(",", " ").split():
            found = np.zeros(len(table), np.bool_)
            for name in (*self._kind.strings, *(set(table.strings) - {"data"} if not self._kind.strings else ())):
                mask = pc.match_substring(table.strings[name], word, ignore_case=True)
                found |= pc.fill_null(mask, fill_value=False).to_numpy(zero_copy_only=False)
            hits &= found
        return [self._make(int(row), table, int(row)) for row in np.flatnonzero(hits)]

    def __repr__(self) -> str:
        return f"<{len(self)} {self._kind.plural}>"
