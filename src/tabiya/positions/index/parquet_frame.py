"""The end of a Parquet file whose pages are written already: what stands where.

It is made of structs in Thrift's compact protocol, as apache/parquet-format defines them (``parquet.thrift``): the
numbers of fields and kinds below come from there.
"""

from __future__ import annotations

import struct
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tabiya.positions.index.layout import Table

__all__ = ["MAGIC", "Group", "footer", "group_entry"]

MAGIC: Final = b"PAR1"

# Kinds of fields.
_TRUE, _FALSE, _I32, _I64, _BINARY, _LIST, _STRUCT = 1, 2, 5, 6, 8, 9, 12
_DELTA, _RLE = 5, 3
_REQUIRED, _INT_16, _UNCOMPRESSED, _LZ4_RAW = 0, 16, 0, 7
_PHYSICAL: Final = {2: 1, 4: 1, 8: 2}
"""Kinds of stored numbers, by their bytes: INT32 and INT64."""

_Field = tuple[int, int, int | bytes]
"""Number, kind, and a number or the bytes of anything else."""


class Group(NamedTuple):
    """A group of rows as it stands in the file."""

    rows: int
    least: int
    most: int
    place: int
    """Where the head of the first page stands."""
    heads: tuple[int, ...]
    """Bytes of the heads of the pages, one page per column."""
    stored: tuple[int, ...]
    plain: tuple[int, ...]

    def places(self) -> list[int]:
        """Return where the contents of the pages begin."""
        found, place = [], self.place
        for head, stored in zip(self.heads, self.stored, strict=True):
            found.append(place + head)
            place += head + stored
        return found


_BYTE: Final = [bytes([number]) for number in range(256)]


def _varint(number: int) -> bytes:
    if number < 128:
        return _BYTE[number]
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)


def _number(value: int) -> bytes:
    return _varint(value << 1 if value >= 0 else (-value << 1) - 1)


def _binary(data: bytes) -> bytes:
    return _varint(len(data)) + data


def _list(kind: int, items: Sequence[bytes]) -> bytes:
    short = len(items) < 15
    head = bytes([len(items) << 4 | kind]) if short else bytes([15 << 4 | kind]) + _varint(len(items))
    return head + b"".join(items)


def _struct(*fields: _Field, begun: tuple[int, bytes] = (0, b"")) -> bytes:
    """Return a struct; ``begun`` are fields before those that are given, and the number of the last one."""
    last, before = begun
    out = bytearray(before)
    for number, kind, value in fields:
        out.append(number - last << 4 | kind)
        out += _number(value) if isinstance(value, int) else value
        last = number
    out.append(0)
    return bytes(out)


@cache
def _kind_of(name: str, size: int, *, compressed: bool) -> tuple[int, bytes]:
    """Return what the entries of a column have in common in all groups, as the begin of a struct."""
    fields = _struct(
        (1, _I32, _PHYSICAL[size]),
        (2, _LIST, _list(_I32, [_number(_DELTA), _number(_RLE)])),
        (3, _LIST, _list(_BINARY, [_binary(name.encode())])),
        (4, _I32, _LZ4_RAW if compressed else _UNCOMPRESSED),
    )
    return 4, fields[:-1]


def group_entry(table: Table, group: Group) -> bytes:
    """Return what the footer says about a group of rows."""
    columns = []
    place = group.place
    for column, head, stored, plain in zip(table.columns, group.heads, group.stored, group.plain, strict=True):
        fields: list[_Field] = [
            (5, _I64, group.rows),
            (6, _I64, head + plain),
            (7, _I64, head + stored),
            (9, _I64, place),
        ]
        if column.name == "key":
            least, most = (_binary(struct.pack("<q", key)) for key in (group.least, group.most))
            fields.append((12, _STRUCT, _struct((3, _I64, 0), (5, _BINARY, most), (6, _BINARY, least))))
        begun = _kind_of(column.name, column.dtype.itemsize, compressed=column.compressed)
        columns.append(_struct((2, _I64, place), (3, _STRUCT, _struct(*fields, begun=begun))))
        place += head + stored
    return _struct(
        (1, _LIST, _list(_STRUCT, columns)),
        (2, _I64, sum(group.heads) + sum(group.plain)),
        (3, _I64, group.rows),
        (4, _LIST, _SORTED),
        (6, _I64, place - group.place),
    )


_SORTED: Final = _list(_STRUCT, [_struct((1, _I32, column), (2, _FALSE, b""), (3, _FALSE, b"")) for column in (0, 1)])
"""By key and game, ascending."""


def _schema(table: Table) -> Iterable[bytes]:
    yield _struct((4, _BINARY, _binary(b"schema")), (5, _I32, len(table.columns)))
    for column in table.columns:
        fields: list[_Field] = [
            (1, _I32, _PHYSICAL[column.dtype.itemsize]),
            (3, _I32, _REQUIRED),
            (4, _BINARY, _binary(column.name.encode())),
        ]
        if column.dtype.itemsize == 2:
            fields.append((6, _I32, _INT_16))
        yield _struct(*fields)


def footer(table: Table, rows: int, groups: Sequence[bytes], metadata: Mapping[str, str]) -> bytes:
    """Return what stands behind all pages, up to the end of the file; ``groups`` are the entries of all groups."""
    pairs = [
        _struct((1, _BINARY, _binary(key.encode())), (2, _BINARY, _binary(value.encode())))
        for key, value in metadata.items()
    ]
    by_value = _struct((1, _STRUCT, _struct()))
    data = _struct(
        (1, _I32, 2),
        (2, _LIST, _list(_STRUCT, list(_schema(table)))),
        (3, _I64, rows),
        (4, _LIST, _list(_STRUCT, groups)),
        (5, _LIST, _list(_STRUCT, pairs)),
        (6, _BINARY, _binary(b"tabiya")),
        (7, _LIST, _list(_STRUCT, [by_value] * len(table.columns))),
    )
    return data + struct.pack("<I", len(data)) + MAGIC
