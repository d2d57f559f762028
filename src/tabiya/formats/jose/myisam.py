"""MyISAM tables without a server: the data file, and as much of the index file as says what is in it.

Dynamic rows are packed: a bit for every number that is zero, every blank-padded text that is shortened and every empty
blob, then the fields, little-endian. Blocks are aligned to four bytes; a row that grew may be scattered over several.
Fixed rows, of tables without texts of any length, are all fields one after the other; the first byte of a deleted one
is zero.
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tabiya.errors import CorruptError, UnsupportedError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["Field", "Table", "column_names", "pack_block", "patch_header"]

_MAGIC: Final = b"\xfe\xfe\x07\x01"
_FIXED, _CHAR, _PADDED, _NUMBER, _BLOB, _VARCHAR = 0, 1, 2, 3, 4, 8
_FLAGGED: Final = (_CHAR, _PADDED, _NUMBER, _BLOB)
_DYNAMIC, _COMPRESSED = 1, 4
_NUMBERS: Final = {1: "b", 2: "h", 3: "d", 4: "i", 8: "q"}
_MIN_BLOCK: Final = 20
_MOST_ROW: Final = 0xFFFFF0
_MOST_PARTS: Final = 100_000
_FIELD: Final = struct.Struct(">hHBH")


class Field(NamedTuple):
    """A column as the index file describes it."""

    type: int
    length: int
    null_bit: int
    null_byte: int


class _Block(NamedTuple):
    """The header of a block: where its data stand, and where the row goes on."""

    data: int
    length: int
    total: int
    next: int | None
    begins_row: bool
    deleted: bool


@dataclass(frozen=True, slots=True)
class Table:
    """A table of packed rows: its columns, and the bytes of its data file."""

    name: str
    fields: tuple[Field, ...]
    rows: int
    data: Any
    """Bytes, or a file that gives slices of them."""
    width: int = 0
    """Of fixed rows, in bytes; 0 if rows are dynamic."""

    @classmethod
    def of(cls, name: str, index: bytes, data: Any) -> Table:
        """The table of an index file and a data file.

        Raises:
            CorruptError: the index file is none.
        """
        if len(index) < 256 or not index.startswith(_MAGIC):
            raise CorruptError(f"the table {name} has no index of MyISAM")
        options, header, base = (struct.unpack_from(">H", index, place)[0] for place in (4, 6, 12))
        try:
            rows = struct.unpack_from(">Q", index, 28)[0]
            width = 0 if options & _DYNAMIC else struct.unpack_from(">I", index, base + 0x2C)[0]
            count = struct.unpack_from(">I", index, base + 0x40)[0]
            if not 0 < count < 256 or header > len(index) or header < count * _FIELD.size:
                raise CorruptError(f"the index of table {name} makes no sense")
            begin = header - count * _FIELD.size
            fields = tuple(Field(*_FIELD.unpack_from(index, begin + i * _FIELD.size)) for i in range(count))
        except struct.error as error:
            raise CorruptError(f"the index of table {name} breaks off") from error
        known = (_FIXED, *_FLAGGED, _VARCHAR)
        if options & _COMPRESSED or any(field.type not in known for field in fields):
            raise UnsupportedError(f"the table {name} is packed in a way that jose does not use")
        if width and (any(field.type != _FIXED for field in fields) or sum(field.length for field in fields) != width):
            raise CorruptError(f"the index of table {name} makes no sense")
        return cls(name, fields, rows, data, width)

    @property
    def columns(self) -> tuple[Field, ...]:
        """The fields without the one that says which others are null."""
        return self.fields[1:] if self._has_nulls else self.fields

    @property
    def shape(self) -> str:
        """A letter per column: of numbers the one that ``struct`` has for their size, d for dates, t for texts."""
        return "".join(_NUMBERS.get(field.length, "?") if field.type == _NUMBER else "t" for field in self.columns)

    @property
    def _has_nulls(self) -> bool:
        return self.fields[0].type == _FIXED and any(field.null_bit for field in self.fields[1:])

    # Reading.

    def places(self) -> Iterator[int]:
        """Where rows begin, in the order of the file. What is no block ends it."""
        place, end = 0, len(self.data)
        if self.width:
            yield from (place for place in range(0, end - self.width + 1, self.width) if self.data[place])
            return
        while place < end:
            block = self._block(place)
            if block.begins_row:
                yield place
            place += max(block.total, _MIN_BLOCK)

    def row(self, place: int) -> tuple[Any, ...]:
        """The values of the row that begins here: numbers, bytes or None.

        Raises:
            CorruptError: the row makes no sense.
        """
        try:
            packed = bytes(self.data[place : place + self.width]) if self.width else self._joined(place)
            return self._unpack(packed)
        except (struct.error, IndexError) as error:
            raise CorruptError(f"a row of table {self.name} breaks off", offset=place) from error

    def _block(self, place: int) -> _Block:
        head = bytes(self.data[place : place + _MIN_BLOCK])
        kind = head[0] if head else -1
        try:
            if kind == 0:
                return _Block(place, 0, _u24(head, 1), None, begins_row=False, deleted=True)
            if kind in (1, 2, 3, 4, 7, 8, 9, 10):
                wide = kind in (2, 4, 8, 10)
                length = _u24(head, 1) if wide else _u16(head, 1)
                padded = kind in (3, 4, 9, 10)
                begin = 3 + wide + padded
                unused = head[begin - 1] if padded else 0
                return _Block(place + begin, length, begin + length + unused, None, kind < 5, deleted=False)
            if kind in (5, 6, 13):
                sizes = {5: (2, 2), 6: (3, 3), 13: (4, 3)}[kind]
                part = 1 + sizes[0]
                length = _u24(head, part) if sizes[1] == 3 else _u16(head, part)
                begin = part + sizes[1] + 8
                following = struct.unpack_from(">Q", head, begin - 8)[0]
                return _Block(place + begin, length, begin + length, following, begins_row=True, deleted=False)
            if kind in (11, 12):
                wide = kind == 12
                length = _u24(head, 1) if wide else _u16(head, 1)
                begin = 3 + wide + 8
                following = struct.unpack_from(">Q", head, begin - 8)[0]
                return _Block(place + begin, length, begin + length, following, begins_row=False, deleted=False)
        except (struct.error, IndexError) as error:
            raise CorruptError(f"a block of table {self.name} breaks off", offset=place) from error
        raise CorruptError(f"the data of table {self.name} make no sense here", offset=place)

    def _joined(self, place: int) -> bytes:
        """The packed row that begins here, whatever blocks it is scattered over."""
        parts: list[bytes] = []
        size = 0
        following: int | None = place
        while following is not None:
            block = self._block(following)
            if block.deleted or block.data + block.length > len(self.data) or len(parts) > _MOST_PARTS:
                raise CorruptError(f"a row of table {self.name} is scattered and does not end", offset=place)
            parts.append(bytes(self.data[block.data : block.data + block.length]))
            size += block.length
            if size > 2 * _MOST_ROW:
                raise CorruptError(f"a row of table {self.name} is too long", offset=place)
            following = block.next
        return b"".join(parts)

    def _unpack(self, packed: bytes) -> tuple[Any, ...]:
        flagged = sum(field.type in _FLAGGED for field in self.fields)
        flags = int.from_bytes(packed[: (flagged + 7) // 8], "little")
        place = (flagged + 7) // 8
        nulls = b""
        values: list[Any] = []
        for field in self.fields:
            kind, length = field.type, field.length
            is_set = False
            if kind in _FLAGGED:
                is_set, flags = bool(flags & 1), flags >> 1
            if kind == _NUMBER:
                data = b"" if is_set else _take(packed, place, length)
                place += len(data)
                value: Any = int.from_bytes(data, "little", signed=length != 3)
            elif kind == _VARCHAR:
                size = packed[place]
                place += 1
                if length - 1 >= 256 and size == 0xFF:
                    size = _u16(packed, place)
                    place += 2
                value = _take(packed, place, size)
                place += size
            elif kind == _BLOB:
                size, head = 0, length - 8
                if not is_set:
                    size = int.from_bytes(_take(packed, place, head), "little")
                    place += head
                value = _take(packed, place, size)
                place += size
            elif is_set:
                size = packed[place]
                value = _take(packed, place + 1, size)
                place += 1 + size
            else:
                value = _take(packed, place, length)
                place += length
                if kind == _CHAR:
                    value = value.rstrip(b" ")
            if field is self.fields[0] and self._has_nulls:
                nulls = value
                continue
            is_null = field.null_bit and nulls[field.null_byte] & field.null_bit
            values.append(None if is_null else value)
        return tuple(values)

    # Writing.

    def pack(self, values: Sequence[Any]) -> bytes:
        """The packed row of some values, the inverse of ``row``; texts that are too long are cut."""
        flags, count = 0, 0
        parts: list[bytes] = []
        for field, value in zip(self.columns, values, strict=True):
            part, is_set = _packed(field, value)
            parts.append(part)
            if field.type in _FLAGGED:
                flags |= is_set << count
                count += 1
        head = flags.to_bytes((count + 7) // 8, "little")
        if self._has_nulls:
            nulls = bytearray(b"\xff" * self.fields[0].length)  # bits that nobody uses are set
            for field, value in zip(self.columns, values, strict=True):
                if field.null_bit and value is not None:
                    nulls[field.null_byte] &= ~field.null_bit
            head += bytes(nulls)
        return head + b"".join(parts)


def _packed(field: Field, value: Any) -> tuple[bytes, bool]:
    """The bytes of a value, and its flag."""
    if field.type == _NUMBER:
        if not value:
            return b"", True
        return int(value).to_bytes(field.length, "little", signed=field.length != 3), False
    data = b"" if value is None else bytes(value)
    if field.type == _BLOB:
        return (len(data).to_bytes(field.length - 8, "little") + data, False) if data else (b"", True)
    if field.type == _CHAR:
        data = data[: field.length].rstrip(b" ")
        short = len(data) + 1 < field.length
        return (bytes((len(data),)) + data, True) if short else (data.ljust(field.length), False)
    if field.type == _VARCHAR:
        head = 1 if field.length - 1 < 256 else 2
        data = data[: field.length - head]
        if head == 2 and len(data) >= 0xFF:
            return b"\xff" + struct.pack(">H", len(data)) + data, False
        return bytes((len(data),)) + data, False
    return data.ljust(field.length, b"\0")[: field.length], False


def pack_block(row: bytes) -> bytes:
    """The block of a packed row.

    Raises:
        UnsupportedError: the row is too long for one block.
    """
    if len(row) > _MOST_ROW:
        raise UnsupportedError("a game is too long for a table of jose")
    wide = len(row) > 0xFFFF
    head = bytes((1 + wide,)) + (struct.pack(">I", len(row))[1:] if wide else struct.pack(">H", len(row)))
    if (len(head) + len(row)) % 4 == 0 and len(head) + len(row) >= _MIN_BLOCK:
        return head + row
    size = max(_MIN_BLOCK, (len(head) + 1 + len(row) + 3) // 4 * 4)
    unused = size - len(head) - 1 - len(row)
    return bytes((head[0] + 2,)) + head[1:] + bytes((unused,)) + row + b"\0" * unused


def column_names(description: bytes, count: int) -> tuple[str, ...]:
    """The names of the columns of a table, from its ``.frm``; none if they are not found there."""
    lists = re.findall(rb"\xff((?:\w+\xff){%d})\0" % count, description)
    return tuple(name.decode() for name in lists[-1].split(b"\xff")[:-1]) if lists else ()  # names of keys come first


def patch_header(index: bytes, rows: int, size: int) -> bytes:
    """The index file of a table without keys for so many rows, each in one block, and so many bytes of data."""
    header = bytearray(index)
    struct.pack_into(">Q", header, 28, rows)
    struct.pack_into(">Q", header, 44, rows)
    struct.pack_into(">Q", header, 68, size)
    return bytes(header)


def _take(data: bytes, place: int, size: int) -> bytes:
    if place + size > len(data):
        raise IndexError(place)
    return data[place : place + size]


def _u16(data: Any, place: int) -> int:
    return int(struct.unpack_from(">H", data, place)[0])


def _u24(data: Any, place: int) -> int:
    high, low = struct.unpack_from(">BH", data, place)
    return int(high << 16 | low)
