"""Entities of batches as the contents of their records; each distinct one is encoded and checked once."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Final, Generic, TypeAlias, TypeVar

import numpy as np
import pyarrow as pa

from tabiya.chessbase.header_fields import Table
from tabiya.formats.cbh.entities import cbtt
from tabiya.formats.cbh.files.cbj import NO_ID
from tabiya.formats.cbh.reading.header_window import ROLES, Role
from tabiya.formats.cbh.writing.entity_tables import content_of
from tabiya.formats.cbh.writing.header_records import Group, entity_fields

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tabiya.binary import Value
    from tabiya.game.annotations import TextEncoding

UNKNOWN_ID: Final = -2

_MOST_RECENT: Final = 1 << 15
Texts: TypeAlias = tuple[str | None, ...]
Key = TypeVar("Key", bound=Hashable)


class Change(StrEnum):
    """How a text changes when it is read back; the values are names of losses."""

    CUT = "cbh-names"
    BLANKS = "cbh-blanks"
    SPELLING = "cbh-spellings"

    @classmethod
    def of(cls, before: str, after: str | None) -> Change:
        """Return the smallest change that applies: a blank after a comma does not make a different name."""
        if after is None:
            return cls.SPELLING
        if after.replace(" ", "") == before.replace(" ", ""):
            return cls.BLANKS
        return cls.CUT if before.startswith(after) and before.rstrip(", ") != after else cls.SPELLING


class Encoded:
    """The content of an entity, its parts that are not read back, and its id in the base being written."""

    __slots__ = ("cbtt_data", "content", "lost", "number")

    def __init__(self, content: bytes | None, lost: tuple[tuple[int, Change], ...], cbtt_data: bytes = b"") -> None:
        self.content = content
        """None if the entity is empty."""
        self.lost = lost
        """Indexes of keys whose text is read back differently, and how."""
        self.cbtt_data = cbtt_data
        """For a tournament, its record in ``.cbtt``."""
        self.number = NO_ID if content is None else UNKNOWN_ID


class Memory(Generic[Key]):
    """Recently used entities. The least recent ones are dropped, and recomputed if needed again.

    Threads may share it: concurrent access can only cost time.
    """

    def __init__(self) -> None:
        self._recent: dict[Key, Encoded] = {}
        self._former: dict[Key, Encoded] = {}

    def find(self, keys: Sequence[Key]) -> list[Encoded | None]:
        """Return the cached entities of these keys."""
        found = [*map(self._recent.get, keys)]
        for place, each in enumerate(found):
            if each is None and (known := self._former.get(keys[place])) is not None:
                found[place] = self.keep(keys[place], known)
        return found

    def keep(self, key: Key, entity: Encoded) -> Encoded:
        """Cache an entity and return the one to use, which may have been cached before."""
        if len(self._recent) >= _MOST_RECENT:
            self._recent, self._former = {}, self._recent
        return self._recent.setdefault(key, entity)


def entity_codecs(encoding: TextEncoding) -> list[EntityCodec]:
    """Return a codec for each role; those of White and Black share their cache."""
    known: dict[str, Memory[Texts]] = {}
    return [EntityCodec(role, encoding, known.setdefault(role.suffix, Memory())) for role in ROLES]


class EntityCodec:
    """Encodes the entities of one role. May be used by several threads: they share only a cache."""

    def __init__(self, role: Role, encoding: TextEncoding, known: Memory[Texts] | None = None) -> None:
        self.role = role
        self.encoding = encoding
        self._known = known or Memory()
        self._layout = None if role.suffix == ".cbtt" else role.layout
        self._nothing = self._contents([{}])[0] if role.optional else None

    def encode(self, group: Group) -> list[Encoded]:
        """Return the entities of a batch."""
        found = self._known.find(group.texts)
        new = [place for place, each in enumerate(found) if each is None]
        for place, each in zip(new, self._encode_all([group.texts[place] for place in new]), strict=True):
            found[place] = self._known.keep(group.texts[place], each)
        return [each for each in found if each is not None]

    def _encode_all(self, entities: Sequence[Texts]) -> list[Encoded]:
        if not entities:
            return []
        contents = self._contents([entity_fields(self.role, texts, self.encoding) for texts in entities])
        lost = self._lost(entities, contents)
        return [
            Encoded(None if content == self._nothing else content, keys)
            for content, keys in zip(contents, lost, strict=True)
        ]

    def _contents(self, entities: list[dict[str, Value]]) -> list[bytes]:
        """Return the contents of records with these fields."""
        if self._layout is None:
            return [_cbtt(fields) for fields in entities]
        records = self._layout.new(len(entities))
        for name in {name for fields in entities for name in fields}:
            field = self._layout[name]
            values = [fields.get(name, field.default) for fields in entities]
            if field.is_bytes:
                joined = b"".join((value or b"").ljust(field.size, b"\0") for value in values)  # type: ignore[union-attr]
                records[name] = np.frombuffer(joined, np.uint8).reshape(len(entities), field.size)
            else:
                self._layout.put(records, name, np.array(values))
        data, size = records.tobytes(), self._layout.size
        return [content_of(data[begin : begin + size]) for begin in range(0, len(data), size)]

    def _lost(self, entities: Sequence[Texts], contents: list[bytes]) -> list[tuple[tuple[int, Change], ...]]:
        """Return the texts that change when read back from the records, by the same rules as those of a base."""
        lost: list[list[tuple[int, Change]]] = [[] for _ in entities]
        for rows, table in self._tables(contents):
            for place, carrier in enumerate((*self.role.columns.values(), *self.role.carriers)):
                given = pa.array([entities[row][place] for row in rows], pa.string())
                back = carrier.texts(table)
                if back.equals(given):
                    continue
                for row, before, after in zip(rows.tolist(), given.to_pylist(), back.to_pylist(), strict=True):
                    if before != after and before is not None:
                        lost[row].append((place, Change.of(before, after)))
        return [tuple(keys) for keys in lost]

    def _tables(self, contents: list[bytes]) -> list[tuple[NDArray[np.int64], Table]]:
        """Return records with these contents, grouped by size."""
        sizes = np.array([len(content) for content in contents], np.int64)
        tables = []
        for size in np.unique(sizes).tolist():
            rows = np.flatnonzero(sizes == size)
            data = b"".join(contents[row] for row in rows)
            if self._layout is None:
                layout = cbtt.RECORD
                records = layout.cut(size).view(data)
            else:
                layout = self._layout
                before = layout.fields[3].offset
                matrix = np.zeros((len(rows), layout.size), np.uint8)
                matrix[:, before : before + size] = np.frombuffer(data, np.uint8).reshape(len(rows), size)
                records = matrix.reshape(-1).view(layout.dtype)
            tables.append((rows, Table(layout, records, self.encoding)))
        return tables


def _cbtt(fields: dict[str, Value]) -> bytes:
    """Return a record of ``.cbtt``, of the smallest version that can store it."""
    rest = fields.get("rest", b"")
    size = cbtt.RECORD.size + (len(rest) if isinstance(rest, bytes) else 0)
    return cbtt.RECORD.cut(size).encode(fields)
