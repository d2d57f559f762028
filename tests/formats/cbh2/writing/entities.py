"""All entities, in one file, ``.2lid`` (facts page, section 9)."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

PLAYER, TOURNAMENT, SOURCE, UNUSED, TEAM, TAG = range(6)
CONTAINERS: Final = (1024, 1120, 220, 1024, 314, 532)
HEADER_SIZE: Final = 184
DELETED_MARK: Final = bytes.fromhex("2233445566778899")

Encoder = Callable[[str], bytes]
"""How names are stored."""


def utf8(text: str) -> bytes:
    """The usual encoding of names."""
    return text.encode()


def string(text: str, encode: Encoder = utf8) -> bytes:
    """A text after its length."""
    data = encode(text)
    return struct.pack("<i", len(data)) + data


@dataclass(frozen=True)
class Player:
    """A player or annotator."""

    last: str = ""
    first: str = ""
    chessbase_id: int = -1
    fide_id: int = -1

    def encode(self, encode: Encoder = utf8) -> bytes:
        numbers = struct.pack("<iiiiq", 0, 0, self.chessbase_id, 8, self.fide_id)
        return string(self.last, encode) + string(self.first, encode) + numbers


@dataclass(frozen=True)
class Tournament:
    """A tournament; dates are packed."""

    title: str = ""
    place: str = ""
    date: int = 0
    type: int = 0
    team: int = 0
    nation: int = 0
    category: int = 0
    flags: int = 0
    rounds: int = 0
    latitude: float = 0.0
    longitude: float = 0.0
    nation_today: int = 0
    tie_breaks: tuple[int, ...] = ()
    end_date: int = 0
    has_sevens: bool = True
    """Whether three unknown bytes are 7; otherwise another one is 1."""

    def encode(self, encode: Encoder = utf8) -> bytes:
        tail = bytearray(60)
        head = (self.date, self.type, self.team, self.nation, self.category, self.flags, self.rounds)
        struct.pack_into("<iBBBxBBH", tail, 0, *head)
        struct.pack_into("<ffB", tail, 12, self.latitude, self.longitude, self.nation_today)
        for place in (34, 45, 56) if self.has_sevens else ():
            tail[place] = 7
        tail[57] = not self.has_sevens
        struct.pack_into("<H", tail, 58, len(self.tie_breaks))
        rules = struct.pack(f"<{len(self.tie_breaks)}H", *self.tie_breaks)
        end = struct.pack("<i", self.end_date) + bytes(44)
        return string(self.place, encode) + string(self.title, encode) + bytes(tail) + rules + end


@dataclass(frozen=True)
class Source:
    """A source; dates are packed."""

    title: str = ""
    publisher: str = ""
    publication: int = 0
    date: int = 0
    version: int = 0
    quality: int = 0

    def encode(self, encode: Encoder = utf8) -> bytes:
        numbers = struct.pack("<iiHH", self.publication, self.date, self.version, self.quality)
        return string(self.title, encode) + string(self.publisher, encode) + numbers


@dataclass(frozen=True)
class Team:
    """A team."""

    title: str = ""
    number: int = 0
    season: int = 0
    year: int = 0
    nation: int = 0

    def encode(self, encode: Encoder = utf8) -> bytes:
        return string(self.title, encode) + struct.pack("<BBHB", self.number, self.season, self.year, self.nation)


@dataclass(frozen=True)
class Tag:
    """The title of a game or text in languages, given by their nation codes."""

    titles: tuple[tuple[int, str], ...] = ()

    def encode(self, encode: Encoder = utf8) -> bytes:
        parts = [struct.pack("<i", nation) + string(title, encode) for nation, title in sorted(self.titles)]
        return struct.pack("<i", len(parts)) + b"".join(parts)


Entity = Player | Tournament | Source | Team | Tag
_TYPES: Final[dict[type, int]] = {Player: PLAYER, Tournament: TOURNAMENT, Source: SOURCE, Team: TEAM, Tag: TAG}


def deleted_record(following: int = -1) -> bytes:
    """The content of a deleted entity, which names the next deleted one."""
    return DELETED_MARK + struct.pack("<q", following)


@dataclass
class EntityFile:
    """The entities of a base: equal ones share an id, counted by type from 0."""

    header_size: int = HEADER_SIZE
    containers: tuple[int, ...] = CONTAINERS
    encode_name: Encoder = utf8
    records: list[list[bytes]] = field(default_factory=lambda: [[] for _ in CONTAINERS])
    first_deleted: list[int] = field(default_factory=lambda: [-1] * len(CONTAINERS))
    entities: list[dict[int, Entity]] = field(default_factory=lambda: [{} for _ in CONTAINERS])
    """By type and id; deleted ones are not among them."""
    _ids: dict[Entity, int] = field(default_factory=dict)

    def id_of(self, entity: Entity) -> int:
        """The id of an entity, which is added if it is new."""
        found = self._ids.get(entity)
        if found is None:
            kind = _TYPES[type(entity)]
            found = self._ids[entity] = self.add(kind, entity.encode(self.encode_name))
            self.entities[kind][found] = entity
        return found

    def add(self, kind: int, data: bytes) -> int:
        """Add a record of a type and return its id."""
        if len(data) + 4 > self.containers[kind]:
            raise ValueError(f"an entity of {len(data)} bytes does not fit its container")
        self.records[kind].append(data)
        return len(self.records[kind]) - 1

    def delete(self, kind: int, number: int) -> None:
        """Delete an entity: it becomes the first of the chain of deleted ones."""
        self.records[kind][number] = deleted_record(self.first_deleted[kind])
        self.first_deleted[kind] = number
        if (entity := self.entities[kind].pop(number, None)) is not None:
            del self._ids[entity]

    def header(self) -> bytes:
        head = struct.pack(">ii", self.header_size, len(self.containers))
        for size, records, deleted in zip(self.containers, self.records, self.first_deleted, strict=True):
            head += struct.pack(">iqq", size, len(records), deleted)
        head += b"".join(struct.pack(">ii", number, 1) for number in range(-1, len(self.containers)))
        missing = self.header_size - len(head)
        more = struct.pack(">ii", -1, 1) * (missing // 8) if missing % 8 == 0 else bytes(missing)
        return head + more

    def encode(self) -> bytes:
        """The file, which ends after the last record."""
        block = sum(self.containers)
        data, end = bytearray(), 0
        for number in range(max(map(len, self.records))):
            data.extend(bytes(block))
            place = number * block
            for size, records in zip(self.containers, self.records, strict=True):
                if number < len(records) and records[number]:
                    record = struct.pack("<i", len(records[number])) + records[number]
                    data[place : place + len(record)] = record
                    end = max(end, place + len(record))
                place += size
        return self.header() + bytes(data[:end])
