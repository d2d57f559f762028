"""Layouts of fixed-size records, each a table that is used to read, write and document the record.

A table covers its record byte by byte, including bytes of unknown meaning (``unknown_77``), so decoding and encoding
a record returns the same bytes. Several records are a structured array of numpy.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, Final, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tabiya.errors import FormatError

Value: TypeAlias = int | float | bytes
Record: TypeAlias = Mapping[str, Any]
"""The values of one record by field: integers, floating-point numbers and bytes."""
Records: TypeAlias = NDArray[np.void]
"""Records of one layout: a structured array."""

_KIND: Final = re.compile(r"(?:[ui](?:8|16|32|64)|u24|f64|(\d+)s)")
_UNSIGNED: Final = {"u8": "B", "u16": "H", "u24": "3s", "u32": "I", "u64": "Q"}
_STRUCT_CODES: Final = _UNSIGNED | {"i8": "b", "i16": "h", "i32": "i", "i64": "q", "f64": "d"}
_BYTE_ORDERS: Final[dict[str, Any]] = {"<": "little", ">": "big"}


class _Indexable(Protocol):
    """Records in an array, or in a file that can be indexed like one."""

    @property
    def dtype(self) -> np.dtype[np.void]: ...
    def __len__(self) -> int: ...
    def __getitem__(self, name: str, /) -> NDArray[Any]: ...


@cache
def _size_of(kind: str) -> int:
    match = _KIND.fullmatch(kind)
    if match is None:
        raise ValueError(f"{kind!r} is not a kind of field")
    return int(match[1]) if match[1] else int(kind[1:]) // 8


@dataclass(frozen=True, slots=True)
class Field:
    """One field: its offset, its type and its meaning.

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
        """The size of the field in bytes."""
        return _size_of(self.kind)

    @property
    def is_bytes(self) -> bool:
        """Whether the value is a byte string."""
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
            raise ValueError(f"{name}: a name appears twice")
        self.size = end

    @classmethod
    def of(cls, name: str, order: str, *rows: str) -> Layout:
        """Return a table from a short notation: ``"u16 size=32 version"`` is two fields, the first with a default."""
        fields: list[Field] = []
        for kind, each in ((row.split()[0], each) for row in rows for each in row.split()[1:]):
            end = fields[-1].offset + fields[-1].size if fields else 0
            field, _, default = each.partition("=")
            fields.append(Field(end, kind, field, default=int(default or 0)))
        return cls(name, order, *fields)

    def __repr__(self) -> str:
        return f"<Layout of {self.name}, {self.size} bytes>"

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    def __getitem__(self, name: str) -> Field:
        return self._by_name[name]

    @cache  # noqa: B019 - layouts live as long as the program
    def cut(self, size: int) -> Layout:
        """Return the table of a shorter or longer version of the record: the fields that fit, and the rest as bytes."""
        if size == self.size:
            return self
        fields = [field for field in self.fields if field.offset + field.size <= size]
        end = sum(field.size for field in fields)
        if end < size:
            fields.append(Field(end, f"{size - end}s", "rest", "not understood", b""))
        return Layout(self.name, self.order, *fields)

    # One record.

    @cached_property
    def struct(self) -> struct.Struct:
        """The record as a ``struct.Struct``; numbers of 24 bits are bytes in it."""
        codes = (field.kind if field.is_bytes else _STRUCT_CODES[field.kind] for field in self.fields)
        return struct.Struct(self.order + "".join(codes))

    def decode(self, data: bytes) -> dict[str, Any]:
        """Return the values of one record."""
        if len(data) != self.size:
            raise FormatError(f"a record of {self.name} has {self.size} bytes, not {len(data)}")
        return {
            field.name: int.from_bytes(value, _BYTE_ORDERS[self.order]) if field.kind == "u24" else value
            for field, value in zip(self.fields, self.struct.unpack(data), strict=True)
        }

    def read(self, data: Any, offset: int = 0) -> dict[str, Any]:
        """Return the values of the record at an offset of bytes, or of a file that returns slices of them."""
        return self.decode(bytes(data[offset : offset + self.size]))

    def encode(self, record: Record) -> bytes:
        """Return the bytes of a record; missing fields have their default."""
        unknown = record.keys() - self._by_name.keys()
        if unknown:
            raise FormatError(f"{self.name} has no field {min(unknown)!r}")
        return self.struct.pack(
            *(self._packable(field, record.get(field.name, field.default)) for field in self.fields)
        )

    def _packable(self, field: Field, value: Value) -> Value:
        """Return a value in the form that the module ``struct`` accepts."""
        if field.is_bytes and value == 0:
            return b""
        if not self.fits(field.name, value):
            what = f"{len(value)} bytes do" if isinstance(value, bytes) else f"{value} does"
            raise FormatError(f"{what} not fit into {field.name} of {self.name}")
        return int(value).to_bytes(3, _BYTE_ORDERS[self.order]) if field.kind == "u24" else value

    def fits(self, name: str, value: Value) -> bool:
        """Return whether a value fits into a field."""
        field = self._by_name.get(name)
        if field is None or isinstance(value, bytes):
            return field is not None and field.is_bytes and isinstance(value, bytes) and len(value) <= field.size
        if field.is_bytes or field.kind == "f64":
            return not field.is_bytes
        bits = 8 * field.size
        low, high = (-(1 << bits - 1), 1 << bits - 1) if field.kind.startswith("i") else (0, 1 << bits)
        return low <= value < high

    def markdown(self) -> str:
        """Return the table for the documentation."""
        rows = [
            f"| {field.offset} | {field.kind} | `{field.name}` | {field.meaning.replace('|', '&#124;')} |"
            for field in self.fields
        ]
        return "\n".join(["| offset | kind | field | meaning |", "|---:|---|---|---|", *rows])

    # Many records.

    @cached_property
    def dtype(self) -> np.dtype[np.void]:
        """The record as a numpy data type."""
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
        """Return records of a file, or of its bytes, as an array."""
        whole = (len(data) - offset) // self.size if self.size else 0
        count = whole if count < 0 else min(count, whole)
        if count <= 0:
            return np.empty(0, self.dtype)
        return np.frombuffer(data[offset : offset + count * self.size], self.dtype)

    def column(self, records: _Indexable, name: str) -> NDArray[Any]:
        """Return one field of many records in native byte order; bytes as a matrix.

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
        """Return records with all fields at their default. ``put`` fills them."""
        records = np.zeros(count, self.dtype)
        for field in self.fields:
            if field.default:
                self.put(records, field.name, self._defaults(field, count))
        return records

    def put(self, records: Records, name: str, values: NDArray[Any], rows: Any = slice(None)) -> None:
        """Set one field of many records, or of some of their rows. The inverse of ``column``."""
        if self._by_name[name].kind == "u24":
            wide = np.asarray(values, np.uint32)
            shifts = (0, 8, 16) if self.order == "<" else (16, 8, 0)
            values = np.stack([(wide >> shift).astype(np.uint8) for shift in shifts], axis=-1)
        records[name][rows] = values

    def _defaults(self, field: Field, count: int) -> NDArray[Any]:
        if isinstance(field.default, bytes) or field.is_bytes:
            data = (field.default or b"") if isinstance(field.default, bytes) else b""
            return np.tile(np.frombuffer(data.ljust(field.size, b"\0"), np.uint8), (count, 1))
        if field.kind == "u24":
            return np.full(count, field.default, np.uint32)
        return np.full(count, field.default, f"={field.kind[0]}{field.size}")


_REST: Final = Field(0, "0s", "rest", "", b"")
