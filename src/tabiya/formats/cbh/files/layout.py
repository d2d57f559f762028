"""Records of fixed layout as one table each, which serves to read them, to write them and to show them.

A table covers its record byte by byte, what nobody understands included (``unknown_77``), so that decoding and encoding
a record gives back its very bytes. Many records at once are a structured array of numpy.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tabiya.errors import FormatError

if TYPE_CHECKING:
    from tabiya.formats.cbh.files.stored_records import StoredRecords

__all__ = ["MOST_RECORD", "Field", "Layout", "Record", "Records", "Value"]

Value: TypeAlias = int | float | bytes
Record: TypeAlias = Mapping[str, Value]
Records: TypeAlias = NDArray[np.void]
"""Records of one layout: a structured array."""

_KIND: Final = re.compile(r"([uif])(\d+)|(\d+)s")
MOST_RECORD: Final = 1024
"""A longer record is none: files that tell the size of their records have at most 405 bytes, and one byte that is wrong
in such a size must not become memory for every game."""


@cache
def _size_of(kind: str) -> int:
    match = _KIND.fullmatch(kind)
    if match is None:
        raise ValueError(f"{kind!r} is not a kind of field")
    return int(match[3]) if match[3] else int(match[2]) // 8


@dataclass(frozen=True, slots=True)
class Field:
    """One field: where it lies, what it is made of, what it means.

    ``kind`` is ``u8`` … ``u64`` and ``u24``, ``i8`` … ``i64``, ``f64``, or ``30s`` for bytes. ``default`` is the value
    of a record that lacks the field: older versions of a file have shorter records.
    """

    offset: int
    kind: str
    name: str
    meaning: str = ""
    default: Value = 0

    @property
    def size(self) -> int:
        """How many bytes it takes."""
        return _size_of(self.kind)

    @property
    def is_bytes(self) -> bool:
        """Whether its value is a string of bytes."""
        return self.kind.endswith("s")


class Layout:
    """The table of a record. ``order`` is ``>`` for big-endian and ``<`` for little-endian numbers."""

    def __init__(self, name: str, order: str, *fields: Field) -> None:
        self.name = name
        self.order = order
        self.fields = fields
        self._by_name = {field.name: field for field in fields}
        end = 0
        for field in fields:
            if field.offset != end:
                raise ValueError(f"{name}: {field.name} lies at {field.offset}, not at {end}")
            end += field.size
        if len(self._by_name) != len(fields):
            raise ValueError(f"{name}: a name stands twice")
        self.size = end

    def __repr__(self) -> str:
        return f"<Layout of {self.name}, {self.size} bytes>"

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    def __getitem__(self, name: str) -> Field:
        return self._by_name[name]

    @cache  # noqa: B019 - layouts live as long as the program
    def cut(self, size: int) -> Layout:
        """The table of a shorter or longer version of the record: fields that fit, and the rest as bytes."""
        if size == self.size:
            return self
        fields = [field for field in self.fields if field.offset + field.size <= size]
        end = sum(field.size for field in fields)
        if end < size:
            fields.append(Field(end, f"{size - end}s", "rest", "not understood", b""))
        return Layout(self.name, self.order, *fields)

    # One record.

    def decode(self, data: bytes) -> dict[str, Value]:
        """The values of one record."""
        if len(data) != self.size:
            raise FormatError(f"a record of {self.name} has {self.size} bytes, not {len(data)}")
        return {field.name: self._take(field, data) for field in self.fields}

    def encode(self, record: Record) -> bytes:
        """The bytes of a record; fields that are not given have their default."""
        unknown = record.keys() - self._by_name.keys()
        if unknown:
            raise FormatError(f"{self.name} has no field {min(unknown)!r}")
        return b"".join(self._give(field, record.get(field.name, field.default)) for field in self.fields)

    def fits(self, name: str, value: Value) -> bool:
        """Whether a field has room for a value."""
        field = self._by_name.get(name)
        if field is None or isinstance(value, bytes):
            return field is not None and field.is_bytes and isinstance(value, bytes) and len(value) <= field.size
        if field.is_bytes or field.kind == "f64":
            return not field.is_bytes
        bits = 8 * field.size
        low, high = (-(1 << bits - 1), 1 << bits - 1) if field.kind.startswith("i") else (0, 1 << bits)
        return low <= value < high

    def _take(self, field: Field, data: bytes) -> Value:
        part = data[field.offset : field.offset + field.size]
        if field.is_bytes:
            return part
        if field.kind == "f64":
            number: float = struct.unpack(f"{self.order}d", part)[0]
            return number
        return int.from_bytes(part, _BYTE_ORDERS[self.order], signed=field.kind.startswith("i"))

    def _give(self, field: Field, value: Value) -> bytes:
        if isinstance(value, bytes):
            if not field.is_bytes or len(value) > field.size:
                raise FormatError(f"{len(value)} bytes do not fit into {field.name} of {self.name}")
            return value.ljust(field.size, b"\0")
        if field.is_bytes and value == 0:
            return bytes(field.size)
        if field.kind == "f64":
            return struct.pack(f"{self.order}d", value)
        try:
            return int(value).to_bytes(field.size, _BYTE_ORDERS[self.order], signed=field.kind.startswith("i"))
        except OverflowError as error:
            raise FormatError(f"{value} does not fit into {field.name} of {self.name}") from error

    def dump(self, data: bytes) -> Iterator[str]:
        """A record for people, a line per field."""
        for name, value in self.decode(data).items():
            field = self._by_name[name]
            shown = value.rstrip(b"\0").hex(" ") or "-" if isinstance(value, bytes) else str(value)
            yield f"{field.offset:>4} {field.kind:<5} {name:<20} {shown}".rstrip() + (
                f"  ({field.meaning})" if field.meaning else ""
            )

    def markdown(self) -> str:
        """The table for the documentation."""
        rows = [f"| {field.offset} | {field.kind} | `{field.name}` | {field.meaning} |" for field in self.fields]
        return "\n".join(["| offset | kind | field | meaning |", "|---:|---|---|---|", *rows])

    # Many records.

    @cached_property
    def dtype(self) -> np.dtype[np.void]:
        """The record as a type of numpy."""
        return np.dtype(
            {
                "names": [field.name for field in self.fields],
                "formats": [self._numpy_type(field) for field in self.fields],
                "offsets": [field.offset for field in self.fields],
                "itemsize": self.size,
            }
        )

    def _numpy_type(self, field: Field) -> Any:
        if field.is_bytes or field.kind == "u24":
            return ("u1", (field.size,))
        return f"{self.order}{field.kind[0]}{field.size}"

    def view(self, data: Any, offset: int = 0, count: int = -1) -> Records:
        """Records of a file or of its bytes, in memory."""
        whole = (len(data) - offset) // self.size
        count = whole if count < 0 else min(count, whole)
        if count <= 0 or not self.size:
            return np.empty(0, self.dtype)
        return np.frombuffer(data[offset : offset + count * self.size], self.dtype)

    def column(self, records: Records | StoredRecords, name: str) -> NDArray[Any]:
        """One field of many records in the byte order of the machine; bytes as a matrix.

        ``records`` may be of a shorter or longer version, a ``cut`` of this layout.
        """
        field = self._by_name.get(name, _REST)
        if name not in (records.dtype.names or ()):
            return self._defaults(field, len(records))
        values = records[name]
        if field.kind == "u24":
            high, middle, low = (2, 1, 0) if self.order == "<" else (0, 1, 2)
            wide = values.astype(np.uint32)
            return (wide[:, high] << 16) | (wide[:, middle] << 8) | wide[:, low]
        return values if field.is_bytes else values.astype(values.dtype.newbyteorder("="))

    def new(self, count: int) -> Records:
        """Records with all fields at their default, to be filled with ``put``."""
        records = np.zeros(count, self.dtype)
        for field in self.fields:
            if field.default:
                self.put(records, field.name, self._defaults(field, count))
        return records

    def put(self, records: Records, name: str, values: NDArray[Any]) -> None:
        """Set one field of many records; the inverse of ``column``."""
        field = self._by_name[name]
        if field.kind == "u24":
            wide = np.asarray(values, np.uint32)
            shifts = (0, 8, 16) if self.order == "<" else (16, 8, 0)
            records[name] = np.stack([(wide >> shift).astype(np.uint8) for shift in shifts], axis=-1)
        else:
            records[name] = values

    def _defaults(self, field: Field, count: int) -> NDArray[Any]:
        if isinstance(field.default, bytes) or field.is_bytes:
            data = (field.default or b"") if isinstance(field.default, bytes) else b""
            return np.tile(np.frombuffer(data.ljust(field.size, b"\0"), np.uint8), (count, 1))
        if field.kind == "u24":
            return np.full(count, field.default, np.uint32)
        return np.full(count, field.default, f"={field.kind[0]}{field.size}")


_REST: Final = Field(0, "0s", "rest", "", b"")
_BYTE_ORDERS: Final[dict[str, Any]] = {"<": "little", ">": "big"}
