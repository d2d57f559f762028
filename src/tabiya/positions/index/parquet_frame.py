"""The end of a Parquet file whose pages have been written: the index of its contents.

It consists of structs in Thrift's compact protocol, as apache/parquet-format defines them (``parquet.thrift``): the
numbers of fields and kinds below come from there.
"""

from __future__ import annotations

import re
import struct
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from tabiya.positions.index.frame_kernel import fill

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from tabiya.positions.index.layout import Table

MAGIC: Final = b"PAR1"

# Kinds of fields.
_FALSE, _I32, _I64, _BINARY, _LIST, _STRUCT = 2, 5, 6, 8, 9, 12
_DELTA, _RLE = 5, 3
_REQUIRED, _INT_16, _UNCOMPRESSED, _LZ4_RAW = 0, 16, 0, 7
_PHYSICAL: Final = {2: 1, 4: 1, 8: 2}
"""Kinds of stored numbers, by their size: INT32 and INT64."""

_Field = tuple[int, int, int | bytes]
"""Number, kind, and a number, or the bytes of anything else, or the name of a gap."""


class Groups(NamedTuple):
    """Consecutive groups of rows of a file."""

    rows: NDArray[np.int64]
    keys: NDArray[np.int64]
    """By groups, the least and the greatest key."""
    sizes: NDArray[np.int64]
    """By groups and columns, the size of the head of the page, of its content, and of that before compression."""

    def places(self) -> NDArray[np.int64]:
        """Return the offsets of the heads of pages, by groups and columns."""
        sizes: NDArray[np.int64] = self.sizes[:, :, 0] + self.sizes[:, :, 1]
        return sizes.cumsum().reshape(sizes.shape) - sizes + len(MAGIC)

    @classmethod
    def joined(cls, some: Sequence[Groups]) -> Groups:
        """Return all groups of several lists."""
        return cls(*map(np.concatenate, zip(*some, strict=True)))


def _varint(number: int) -> bytes:
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
    return _list_head(kind, len(items)) + b"".join(items)


def _list_head(kind: int, count: int) -> bytes:
    return bytes([count << 4 | kind]) if count < 15 else bytes([15 << 4 | kind]) + _varint(count)


def _struct(*fields: _Field) -> bytes:
    last, out = 0, bytearray()
    for number, kind, value in fields:
        out.append(number - last << 4 | kind)
        out += _number(value) if isinstance(value, int) else value
        last = number
    out.append(0)
    return bytes(out)


_GAP: Final = re.compile(rb"\{(\w+)\}")
"""The place of a named number in a template; no other part matches it."""


def _entry(table: Table) -> bytes:
    """Return the template of the footer entry of a group of rows."""
    columns = []
    for column in table.columns:
        place, plain, stored = (b"{%s%d}" % (what, column.number) for what in (b"place", b"plain", b"stored"))
        fields: list[_Field] = [
            (1, _I32, _PHYSICAL[column.dtype.itemsize]),
            (2, _LIST, _list(_I32, [_number(_DELTA), _number(_RLE)])),
            (3, _LIST, _list(_BINARY, [_binary(column.name.encode())])),
            (4, _I32, _LZ4_RAW if column.compressed else _UNCOMPRESSED),
            (5, _I64, b"{rows}"),
            (6, _I64, plain),
            (7, _I64, stored),
            (9, _I64, place),
        ]
        if column.name == "key":
            least, most = (_varint(8) + name for name in (b"{least}", b"{most}"))
            fields.append((12, _STRUCT, _struct((3, _I64, 0), (5, _BINARY, most), (6, _BINARY, least))))
        columns.append(_struct((2, _I64, place), (3, _STRUCT, _struct(*fields))))
    return _struct(
        (1, _LIST, _list(_STRUCT, columns)),
        (2, _I64, b"{plain}"),
        (3, _I64, b"{rows}"),
        (4, _LIST, _SORTED),
        (6, _I64, b"{stored}"),
    )


def _entries(table: Table, groups: Groups) -> bytes:
    """Return the footer entries of all groups."""
    heads, stored, plain = (groups.sizes[:, :, part] for part in range(3))
    numbers = {b"rows": groups.rows, b"least": groups.keys[:, 0], b"most": groups.keys[:, 1]}
    for name, values in ((b"place", groups.places()), (b"plain", heads + plain), (b"stored", heads + stored)):
        numbers[name] = values.sum(axis=1)
        numbers |= {b"%s%d" % (name, column.number): each for column, each in zip(table.columns, values.T, strict=True)}
    constants, names = (_GAP.split(_entry(table))[first::2] for first in (0, 1))
    ends = np.cumsum([len(each) for each in constants], dtype=np.int32)
    is_word = np.array([name in {b"least", b"most"} for name in names], np.uint8)
    rows = np.stack([numbers[name] for name in names], axis=1)
    out = np.empty(len(rows) * (int(ends[-1]) + 10 * len(names)), np.uint8)
    return out[: fill(np.frombuffer(b"".join(constants), np.uint8), ends, is_word, rows, out)].tobytes()


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


def footer(table: Table, groups: Groups, metadata: Mapping[str, str]) -> bytes:
    """Return everything after the pages, up to the end of the file."""
    pairs = [
        _struct((1, _BINARY, _binary(key.encode())), (2, _BINARY, _binary(value.encode())))
        for key, value in metadata.items()
    ]
    by_value = _struct((1, _STRUCT, _struct()))
    data = _struct(
        (1, _I32, 2),
        (2, _LIST, _list(_STRUCT, list(_schema(table)))),
        (3, _I64, int(groups.rows.sum())),
        (4, _LIST, _list_head(_STRUCT, len(groups.rows)) + _entries(table, groups)),
        (5, _LIST, _list(_STRUCT, pairs)),
        (6, _BINARY, _binary(b"tabiya")),
        (7, _LIST, _list(_STRUCT, [by_value] * len(table.columns))),
    )
    return data + struct.pack("<I", len(data)) + MAGIC
