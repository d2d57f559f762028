"""MyISAM tables without a server: the data file, and the part of the index file that describes its content.

Dynamic rows are packed: a bit for every number that is zero, every blank-padded text that is shortened and every empty
blob, then the fields, little-endian. Blocks are aligned to four bytes; a row that grew may be scattered over several.
Fixed rows, of tables without variable-length texts, are all fields concatenated; the first byte of a deleted one is
zero.
"""

from __future__ import annotations

import dataclasses
import re
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tabiya.binary import Layout
from tabiya.errors import CorruptError, FormatError, UnsupportedError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_MAGIC: Final = b"\xfe\xfe\x07\x01"
_FIXED, _CHAR, _PADDED, _NUMBER, _BLOB, _VARCHAR = 0, 1, 2, 3, 4, 8
_FLAGGED: Final = (_CHAR, _PADDED, _NUMBER, _BLOB)
_DYNAMIC, _COMPRESSED = 1, 4
_NUMBERS: Final = {1: "b", 2: "h", 3: "d", 4: "i", 8: "q"}
_MIN_BLOCK: Final = 20
_MOST_ROW: Final = 0xFFFFF0
_MOST_PARTS: Final = 100_000
_FREE_BYTES: Final = 64 << 20
_MOST_RATIO: Final = 4

_STATE: Final = Layout.of(
    *("myi state", ">"),
    *("4s magic", "u16 options header_size", "4s unknown_8", "u16 base_offset", "14s unknown_14"),
    "u64 rows deleted blocks first_deleted index_size data_size",
)
_BASE: Final = Layout.of("myi base", ">", "44s unknown_0", "u32 width", "16s unknown_48", "u32 columns")
_COLUMN: Final = Layout.of("myi column", ">", "i16 type", "u16 length", "u8 null_bit", "u16 null_byte")


def _head(*rows: str) -> Layout:
    return Layout.of("myd block", ">", "u8 kind", *rows)


_HEADS: Final = {
    0: _head("u24 length"),
    **dict.fromkeys((1, 7), _head("u16 length")),
    **dict.fromkeys((2, 8), _head("u24 length")),
    **dict.fromkeys((3, 9), _head("u16 length", "u8 unused")),
    **dict.fromkeys((4, 10), _head("u24 length", "u8 unused")),
    5: _head("u16 row length", "u64 next"),
    6: _head("u24 row length", "u64 next"),
    11: _head("u16 length", "u64 next"),
    12: _head("u24 length", "u64 next"),
    13: _head("u32 row", "u24 length", "u64 next"),
}
"""The header of a block by its first byte: the length of its data, that of the whole row if it continues elsewhere,
unused bytes after the data, and where the row continues."""
_BEGINNING: Final = frozenset({1, 2, 3, 4, 5, 6, 13})
"""The blocks that begin a row; 0 is a deleted one."""


class Column(NamedTuple):
    """A column as the index file describes it."""

    type: int
    length: int
    null_bit: int
    null_byte: int


class _Block(NamedTuple):
    """The header of a block: where its data begins, and where the row continues."""

    data: int
    length: int
    total: int
    next: int | None
    begins_row: bool
    deleted: bool


@dataclasses.dataclass(frozen=True)
class Table:
    """A table of packed rows: its columns, and the bytes of its data file."""

    name: str
    fields: tuple[Column, ...]
    rows: int
    data: Any
    """Bytes, or a file that supports slicing."""
    width: int = 0
    """Length of fixed rows in bytes; 0 if rows are dynamic."""
    refused: set[int] = dataclasses.field(default_factory=set)
    """Offsets of rows for which ``places`` found that too many other rows share their parts; they are not read."""

    @classmethod
    def of(cls, name: str, index: bytes, data: Any) -> Table:
        """Return the table of an index file and a data file.

        Raises:
            CorruptError: The index file is invalid.
        """
        if len(index) < 256 or not index.startswith(_MAGIC):
            raise CorruptError(f"the table {name} has no index of MyISAM")
        state = _STATE.read(index)
        options, header, place = state["options"], state["header_size"], state["base_offset"]
        if place + _BASE.size > len(index):
            raise CorruptError(f"the index of table {name} is truncated")
        base = _BASE.read(index, place)
        width, count = 0 if options & _DYNAMIC else base["width"], base["columns"]
        if not 0 < count < 256 or not count * _COLUMN.size <= header <= len(index):
            raise CorruptError(f"the index of table {name} is invalid")
        columns = _COLUMN.view(index, header - count * _COLUMN.size, count)
        fields = tuple(Column(*column) for column in columns.tolist())
        known = (_FIXED, *_FLAGGED, _VARCHAR)
        if options & _COMPRESSED or any(field.type not in known for field in fields):
            raise UnsupportedError(f"the table {name} is compressed in a way that jose does not use")
        if width and (any(field.type != _FIXED for field in fields) or sum(field.length for field in fields) != width):
            raise CorruptError(f"the index of table {name} is invalid")
        return cls(name, fields, state["rows"], data, width)

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """The fields without the one that contains the null flags."""
        return self.fields[1:] if self._has_nulls else self.fields

    @property
    def shape(self) -> str:
        """A letter per column: for numbers the ``struct`` code of their size, d for dates, t for texts."""
        return "".join(_NUMBERS.get(field.length, "?") if field.type == _NUMBER else "t" for field in self.columns)

    @cached_property
    def _has_nulls(self) -> bool:
        return self.fields[0].type == _FIXED and any(field.null_bit for field in self.fields[1:])

    # Reading.

    def places(self) -> Iterator[int]:
        """Yield where rows begin, in the order of the file, up to the first invalid block."""
        place, end = 0, len(self.data)
        if self.width:
            yield from (place for place in range(0, end - self.width + 1, self.width) if self.data[place])
            return
        work = _FREE_BYTES + _MOST_RATIO * end
        while place < end:
            block = self._block(place)
            if block.begins_row:
                if block.next is not None:
                    if work < 0:
                        self.refused.add(place)
                    else:
                        work -= self._effort(block)
                yield place
            place += max(block.total, _MIN_BLOCK)

    def _effort(self, block: _Block) -> int:
        """Return how many bytes must be read for a scattered row.

        In a sound table rows have no parts in common, so all rows together take at most twice its size. In damaged or
        fabricated ones any number of rows may refer to one long chain of parts, which would take unlimited time.
        """
        effort = parts = 0
        following: int | None = 0
        while following is not None and effort <= 2 * _MOST_ROW and parts <= _MOST_PARTS:
            effort += _MIN_BLOCK + block.length
            parts += 1
            following = block.next
            try:
                block = block if following is None else self._block(following)
            except CorruptError:
                break
        return effort

    def row(self, place: int) -> tuple[Any, ...]:
        """Return the values of the row that begins here: numbers, bytes or None.

        Raises:
            CorruptError: The row is invalid.
        """
        if place in self.refused:
            raise CorruptError(f"a row of table {self.name} shares its parts with too many other rows", offset=place)
        try:
            packed = bytes(self.data[place : place + self.width]) if self.width else self._joined(place)
            return self._unpack(packed)
        except IndexError as error:
            raise CorruptError(f"a row of table {self.name} is truncated", offset=place) from error

    def _block(self, place: int) -> _Block:
        data = bytes(self.data[place : place + _MIN_BLOCK])
        layout = _HEADS.get(data[0]) if data else None
        if layout is None:
            raise CorruptError(f"the data of table {self.name} are invalid here", offset=place)
        try:
            head = layout.read(data)
        except FormatError as error:
            raise CorruptError(f"a block of table {self.name} is truncated", offset=place) from error
        begin, length = layout.size, head["length"]
        if head["kind"] == 0:
            return _Block(place, 0, length, None, begins_row=False, deleted=True)
        total = begin + length + head.get("unused", 0)
        return _Block(place + begin, length, total, head.get("next"), head["kind"] in _BEGINNING, deleted=False)

    def _joined(self, place: int) -> bytes:
        """Return the packed row that begins here, from all its blocks."""
        parts: list[bytes] = []
        size = 0
        following: int | None = place
        while following is not None:
            block = self._block(following)
            if block.deleted or block.data + block.length > len(self.data) or len(parts) > _MOST_PARTS:
                raise CorruptError(f"a row of table {self.name} is fragmented and has no end", offset=place)
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
                    size = int.from_bytes(_take(packed, place, 2))
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
        """Return the packed row of some values, the inverse of ``row``; texts that are too long are cut."""
        flags, count = 0, 0
        nulls = bytearray(b"\xff" * self.fields[0].length if self._has_nulls else b"")  # unused bits are set
        parts: list[bytes | bytearray] = [b"", nulls]
        for (kind, length, null_bit, null_byte), value in zip(self.columns, values, strict=True):
            if null_bit and value is not None:
                nulls[null_byte] &= ~null_bit
            if kind == _NUMBER:
                is_set = not value
                if value:
                    parts.append(int(value).to_bytes(length, "little", signed=length != 3))
            else:
                part, is_set = _packed_text(kind, length, value or b"")
                parts.append(part)
                if kind not in _FLAGGED:
                    continue
            flags |= is_set << count
            count += 1
        parts[0] = flags.to_bytes((count + 7) // 8, "little")
        return b"".join(parts)


def _packed_text(kind: int, length: int, data: bytes) -> tuple[bytes, bool]:
    """Return the bytes of a text, and its flag."""
    if kind == _BLOB:
        return (len(data).to_bytes(length - 8, "little") + data, False) if data else (b"", True)
    if kind == _CHAR:
        data = data[:length].rstrip(b" ")
        short = len(data) + 1 < length
        return (bytes((len(data),)) + data, True) if short else (data.ljust(length), False)
    if kind == _VARCHAR:
        head = 1 if length - 1 < 256 else 2
        data = data[: length - head]
        if head == 2 and len(data) >= 0xFF:
            return b"\xff" + len(data).to_bytes(2) + data, False
        return bytes((len(data),)) + data, False
    return data.ljust(length, b"\0")[:length], False


def pack_block(row: bytes) -> bytes:
    """Return the block of a packed row.

    Raises:
        UnsupportedError: The row is too long for one block.
    """
    if len(row) > _MOST_ROW:
        raise UnsupportedError("a game is too long for a table of jose")
    kind = 1 + (len(row) > 0xFFFF)
    used = _HEADS[kind].size + len(row)
    length = len(row).to_bytes(1 + kind)
    if used % 4 == 0 and used >= _MIN_BLOCK:
        return bytes((kind,)) + length + row
    unused = max(_MIN_BLOCK, (used + 1 + 3) // 4 * 4) - used - 1
    return bytes((kind + 2,)) + length + bytes((unused,)) + row + bytes(unused)


def column_names(description: bytes, count: int) -> tuple[str, ...]:
    """Return the names of the columns of a table, from its ``.frm``; none if they are not found there."""
    lists = re.findall(rb"\xff((?:\w+\xff){%d})\0" % count, description)
    return tuple(name.decode() for name in lists[-1].split(b"\xff")[:-1]) if lists else ()  # names of keys come first


def patch_header(index: bytes, rows: int, size: int) -> bytes:
    """Return the index file of a table without keys, for rows of one block each and data of this size."""
    state = {**_STATE.read(index), "rows": rows, "blocks": rows, "data_size": size}
    return _STATE.encode(state) + index[_STATE.size :]


def _take(data: bytes, place: int, size: int) -> bytes:
    if place + size > len(data):
        raise IndexError(place)
    return data[place : place + size]
