"""A plain decoder of ChessBase bases, written from the description of the format; it shares no code with tabiya.

It goes record by record and complains with ``AssertionError`` about everything that is not as it should be. Moves are
decoded by ``plain_cbg`` in modes 0 and 10, the ones that tabiya writes.
"""

from __future__ import annotations

import itertools
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.formats.cbh.plain_cbg import decode_moves

FLAG_OF_KIND = {
    0x02: 2,
    0x82: 2,
    0x03: 3,
    0x04: 4,
    0x05: 5,
    0x07: 7,
    0x08: 8,
    0x09: 9,
    0x10: 16,
    0x11: 17,
    0x20: 18,
    0x13: 19,
    0x14: 20,
    0x15: 21,
    0x16: 22,
    0x17: 23,
    0x18: 24,
    0x61: 25,
    0x1A: 26,
    0x1C: 28,
}
SIZES = {".cbp": 58, ".cbt": 90, ".cbc": 53, ".cbs": 59, ".cbe": 63, ".cbl": 1608}


def u(data: bytes) -> int:
    return int.from_bytes(data, "big")


@dataclass
class Annotation:
    position: int
    kind: int
    payload: bytes


@dataclass
class Record:
    number: int
    is_text: bool
    deleted: bool
    header: bytes
    extended: bytes
    blob: bytes
    annotations: list[Annotation]
    moves: list[tuple[int, int, int]] | None
    """All moves in the order of the stream."""
    main: int
    """How many of them are the main line."""
    ids: dict[str, int]


def read(main: Path) -> tuple[list[Record], dict[str, list[bytes | None]]]:
    """The records and the entities (by suffix and id, None for deleted ones) of a base that is sound in every way."""
    files = {path.suffix: path.read_bytes() for path in main.parent.glob(f"{main.stem}.*")}
    assert set(files) >= {*SIZES, ".cbh", ".cbg", ".cba", ".cbj", ".cbtt", ".cbm", ".ini"}
    assert not set(files) & {".cit", ".cib", ".cit2", ".cib2", ".cbb", ".cbgi"}
    games = files[".cbh"]
    count = len(games) // 46 - 1
    head = struct.unpack(">BHHBI2x3I16xI2x", games[:46])
    assert head[0] == 0
    assert head[1] in (0x24, 0x2C)
    assert head[2] == 46
    assert head[4] == count + 1
    assert head[8] == (count + 1 if head[1] == 0x2C else 0)
    assert len(games) == 46 * (count + 1)
    version, size, records = struct.unpack("<III", files[".cbj"][:12])
    assert (version, size, records) == (11, 120, count)
    assert len(files[".cbj"]) == 32 + 120 * count
    found = []
    used: dict[str, list[tuple[int, int]]] = {".cbg": [], ".cba": []}
    for number in range(1, count + 1):
        extended = files[".cbj"][32 + 120 * (number - 1) : 32 + 120 * number]
        found.append(_record(number, games[46 * number : 46 * (number + 1)], extended, files, used))
    for suffix, places in used.items():
        check_container(files[suffix], places)
    entities = {suffix: read_entities(suffix, files[suffix]) for suffix in SIZES}
    check_references(found, files, entities)
    return found, entities


def check_container(data: bytes, places: list[tuple[int, int]]) -> None:
    """The prolog is right, and blobs lie one behind the other."""
    prolog = u(data[:2])
    assert prolog in (10, 26)
    assert u(data[2:6]) == len(data)
    wasted = u(data[6:10])
    if prolog == 26:
        assert u(data[10:18]) == len(data)
        assert u(data[18:26]) == wasted
    end = prolog
    for begin, size in sorted(places):
        assert begin >= end, "blobs overlap"
        wasted -= begin - end
        end = begin + size
    assert end <= len(data)


def _record(
    number: int, header: bytes, extended: bytes, files: dict[str, bytes], used: dict[str, list[tuple[int, int]]]
) -> Record:
    is_text = bool(header[0] & 2)
    assert header[0] & 1
    offset = u(header[1:5])
    size = u(files[".cbg"][offset + 1 : offset + 4])
    blob = files[".cbg"][offset : offset + size]
    assert len(blob) == size >= 4
    used[".cbg"].append((offset, size))
    assert u(extended[30:38]) == offset
    words = struct.unpack(">10H", extended[8:28])
    assert u(extended[28:30]) == sum(words) & 0xFFFF
    assert u(extended[20:24]) >= u(extended[24:28])
    ids = {"white_team": 0, "black_team": 4, "tag": 116}
    ids = {name: struct.unpack(">i", extended[place : place + 4])[0] for name, place in ids.items()}
    if is_text:
        ids |= {"tournament": u(header[7:10]), "source": u(header[10:13]), "annotator": u(header[13:16])}
        assert blob[0] == 0x80
        return Record(number, True, bool(header[0] & 0x80), header, extended, blob, [], None, 0, ids)
    places = {"white": 9, "black": 12, "tournament": 15, "annotator": 18, "source": 21}
    ids |= {name: u(header[place : place + 3]) for name, place in places.items()}
    place = u(header[5:9])
    assert u(extended[12:20]) == place
    annotations = _annotations(number, files[".cba"], place, used) if place else []
    moves, main, black_starts = decode_moves(blob)
    record = Record(number, False, bool(header[0] & 0x80), header, extended, blob, annotations, moves, main, ids)
    if moves is not None:
        _check_header(record, black_starts=black_starts)
    return record


def _check_header(record: Record, *, black_starts: bool) -> None:
    header, moves = record.header, record.moves or []
    assert all(-1 <= each.position < len(moves) for each in record.annotations)
    positions = [each.position for each in record.annotations]
    assert positions == sorted(positions)
    assert header[45] == min(255, (record.main + black_starts + 1) // 2)
    flags = u(header[39:43])
    expected = 0
    for each in record.annotations:
        expected |= 1 << FLAG_OF_KIND[each.kind] if each.kind in FLAG_OF_KIND else 0
    expected |= 1 if record.blob[0] & 0x40 else 0
    expected |= 2 if len(moves) > record.main else 0
    expected |= 1 << 27 if record.blob[0] & 0x3F == 10 else 0
    assert flags & 0x1FFF_FFFF == expected, f"game {record.number}: flags {flags:#x}, not {expected:#x}"
    magnitudes = u(header[43:45])
    variations = len(moves) - record.main
    assert magnitudes & 3 == (variations > 50) + (variations > 300) + (variations > 1000)
    texts = sum(len(each.payload) - 2 for each in record.annotations if each.kind in (0x02, 0x82))
    assert bool(magnitudes & 4) == (texts > 200)
    symbols = sum(each.kind == 0x03 for each in record.annotations)
    assert bool(magnitudes & 8) == (symbols >= 10)


def _annotations(number: int, data: bytes, place: int, used: dict[str, list[tuple[int, int]]]) -> list[Annotation]:
    size = u(data[place + 10 : place + 14])
    blob = data[place : place + size]
    used[".cba"].append((place, size))
    assert u(blob[:3]) == number
    assert blob[3:7] == bytes.fromhex("01000e0e")
    found = []
    at = 14
    while at < len(blob):
        length = u(blob[at + 4 : at + 6])
        position = int.from_bytes(blob[at : at + 3], "big", signed=True)
        found.append(Annotation(position, blob[at + 3], blob[at + 6 : at + length]))
        assert length >= 6
        at += length
    assert at == len(blob)
    assert u(blob[7:10]) == len(found) + 1
    return found


# Entities.


def text(data: bytes) -> bytes:
    return data.partition(b"\0")[0] + b"\0"


def signed(data: bytes) -> list[int]:
    return [byte - 256 if byte > 127 else byte for byte in text(data)]


def key(suffix: str, data: bytes) -> Any:
    if suffix == ".cbp":
        return text(data[:30]), text(data[30:50])
    if suffix == ".cbt":
        day = int.from_bytes(data[70:74], "little")
        return -(day >> 9), signed(data[:40]), signed(data[40:70]), -(day >> 5 & 15), -(day & 31)
    if suffix == ".cbc":
        return signed(data[:45])
    if suffix == ".cbs":
        return signed(data[:25])
    if suffix == ".cbe":
        number, season, year, nation = struct.unpack("<IBIB", data[45:55])
        return text(data[:45]), number, -(season & 1), year, nation
    return [text(data[place : place + 200]) for place in range(0, 1600, 200)]


def read_entities(suffix: str, data: bytes) -> list[bytes | None]:
    """The records of an entity file, whose tree must be balanced, in order and complete."""
    capacity, root, magic, size, deleted, live, extra = struct.unpack("<7i", data[:28])
    assert magic == 1234567890
    assert size == SIZES[suffix]
    assert extra in (0, 4)
    begin = 28 + extra
    assert len(data) == begin + capacity * (size + 9)
    records = [data[begin + i * (size + 9) : begin + (i + 1) * (size + 9)] for i in range(capacity)]
    nodes = [struct.unpack("<iib", record[:9]) for record in records]
    gone = set()
    while deleted != -1:
        assert deleted not in gone
        assert nodes[deleted][0] == -999
        gone.add(deleted)
        deleted = nodes[deleted][1]
    assert live == capacity - len(gone)
    order: list[int] = []

    def height(number: int) -> int:
        if number == -1:
            return 0
        left = height(nodes[number][0])
        order.append(number)
        right = height(nodes[number][1])
        assert nodes[number][2] == right - left
        assert abs(right - left) <= 1
        return 1 + max(left, right)

    if live:
        height(root)
    assert sorted(order) == [number for number in range(capacity) if number not in gone]
    keys = [key(suffix, records[number][9:]) for number in order]
    assert all(a <= b for a, b in itertools.pairwise(keys)), f"the tree of {suffix} is not in order"
    return [None if number in gone else record[9:] for number, record in enumerate(records)]


def check_references(records: list[Record], files: dict[str, bytes], entities: dict[str, list[bytes | None]]) -> None:
    """Everything that is referred to exists, and knows how often and where first."""
    kinds = {
        "white": ".cbp",
        "black": ".cbp",
        "tournament": ".cbt",
        "annotator": ".cbc",
        "source": ".cbs",
        "white_team": ".cbe",
        "black_team": ".cbe",
        "tag": ".cbl",
    }
    counts: dict[tuple[str, int], list[int]] = {}
    for record in records:
        for name, number in record.ids.items():
            if number == -1:
                assert name in ("white_team", "black_team", "tag")
                continue
            assert entities[kinds[name]][number] is not None
            counts.setdefault((kinds[name], number), []).append(record.number)
    for suffix, found in entities.items():
        for number, data in enumerate(found):
            if data is not None:
                games = counts.get((suffix, number), [])
                count, first = struct.unpack("<ii", data[-8:])
                assert (count, first) == (len(games), min(games, default=0)), (suffix, number)
    version, size, highest = struct.unpack("<III", files[".cbtt"][:12])
    assert size == {2: 61, 3: 65, 4: 223, 5: 405}[version]
    stored, rest = divmod(len(files[".cbtt"]) - 32, size)
    assert rest == 0
    assert highest == max(stored - 1, 0)
