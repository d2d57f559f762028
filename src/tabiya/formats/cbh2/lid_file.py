"""``.2lid``: the entities of a database. Block i contains entity i of every kind, each in a container of fixed size.

The header is big-endian, the records are little-endian: their length, then their data, then zeros.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import pyarrow as pa

from tabiya.files.file_bytes import gathered

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tabiya.game.annotations import TextEncoding

_SIZES: Final = struct.Struct(">ii")
_TYPE: Final = struct.Struct(">iqq")
_MOST_TYPES: Final = 64
_MOST_CONTAINER: Final = 1 << 20
_LENGTH_BYTES: Final = 4
_CHUNK: Final = 2048
"""Number of entities read at a time: their containers consist mostly of zeros."""
_DELETED: Final = bytes.fromhex("2233445566778899")


class Type(NamedTuple):
    """One type of entity in the header."""

    container: int
    """The size of a record."""
    entities: int
    first_deleted: int
    offset: int
    """Of the container in a block."""


@dataclass(frozen=True, slots=True)
class Header:
    """The header of the file; it may be longer than what is known of it."""

    size: int
    block: int
    """The size of a block."""
    types: tuple[Type, ...]


def read_header(data: Any) -> Header | None:
    """Return the header; None if it is invalid."""
    if len(data) < _SIZES.size:
        return None
    size, count = _SIZES.unpack(bytes(data[: _SIZES.size]))
    if not 0 <= count <= _MOST_TYPES or size < _SIZES.size + count * _TYPE.size or size > len(data):
        return None
    types: list[Type] = []
    block = 0
    for place in range(_SIZES.size, _SIZES.size + count * _TYPE.size, _TYPE.size):
        container, records, first_deleted = _TYPE.unpack(bytes(data[place : place + _TYPE.size]))
        if not 0 <= container <= _MOST_CONTAINER or records < 0:
            return None
        types.append(Type(container, records, first_deleted, block))
        block += container
    return Header(size, block, tuple(types))


@dataclass(frozen=True, slots=True)
class Contents:
    """The data of some entities of one type."""

    data: NDArray[np.uint8]
    """All of them, one after the other, and some zeros, so that numbers can be read anywhere."""
    begins: NDArray[np.int64]
    ends: NDArray[np.int64]
    unused: NDArray[np.bool_]
    """Which ids have no record, or a deleted one."""
    damaged: NDArray[np.bool_]
    """Which ids have a record that is longer than its container, or than the file."""

    def __len__(self) -> int:
        return len(self.begins)

    def numbers(self, places: NDArray[np.int64], kind: str) -> NDArray[np.int64]:
        """Return a number at an offset of each entity; places must be inside of its data, or at its end."""
        width = np.dtype(kind).itemsize
        found = self.data[places[:, None] + np.arange(width)].view(kind)
        numbers: NDArray[np.int64] = found.reshape(-1).astype(np.int64)
        return numbers

    def rows(self, places: NDArray[np.int64], width: int, ends: NDArray[np.int64] | None = None) -> NDArray[np.uint8]:
        """Return the bytes from an offset of each entity on, as a matrix; beyond the end there are zeros."""
        wanted = places[:, None] + np.arange(width)
        inside = wanted < (self.ends if ends is None else ends)[:, None]
        found: NDArray[np.uint8] = np.where(inside, self.data[np.where(inside, wanted, 0)], np.uint8(0))
        return found


_MARGIN: Final = np.zeros(64, np.uint8)


def read_contents(data: Any, header: Header, number: int, ids: NDArray[np.int64]) -> Contents:
    """Return the data of entities of a type; ids without a record, or outside the file, have none."""
    kind = header.types[number]
    parts: list[NDArray[np.uint8]] = []
    lengths: list[NDArray[np.int64]] = []
    damage: list[NDArray[np.bool_]] = []
    for start in range(0, len(ids), _CHUNK):
        part, length, damaged = _chunk(data, header, kind, ids[start : start + _CHUNK])
        parts.append(part)
        lengths.append(length)
        damage.append(damaged)
    sizes = np.concatenate(lengths) if lengths else np.zeros(0, np.int64)
    ends = np.cumsum(sizes)
    contents = Contents(
        np.concatenate([*parts, _MARGIN]),
        ends - sizes,
        ends,
        sizes == 0,
        np.concatenate(damage) if damage else np.zeros(0, np.bool_),
    )
    deleted = np.flatnonzero(sizes == len(_DELETED) + 8)
    if len(deleted):
        marks = contents.rows(contents.begins[deleted], len(_DELETED), contents.ends[deleted])
        contents.unused[deleted] = (marks == np.frombuffer(_DELETED, np.uint8)).all(axis=1)
    return contents


def _chunk(
    data: Any, header: Header, kind: Type, ids: NDArray[np.int64]
) -> tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.bool_]]:
    """Return the data of a few entities, the length of each, and which of them are damaged."""
    offsets = header.size + ids * header.block + kind.offset
    there = (ids >= 0) & (ids < kind.entities)
    sizes = np.where(there, np.clip(len(data) - offsets, 0, kind.container), 0)
    sizes[sizes < _LENGTH_BYTES] = 0
    buffer, places = gathered(data, offsets, sizes)
    buffer = np.concatenate([buffer, _MARGIN[:_LENGTH_BYTES]])
    places = np.where(sizes > 0, places, len(buffer) - _LENGTH_BYTES)
    lengths = buffer[places[:, None] + np.arange(_LENGTH_BYTES)].view("<i4").reshape(-1).astype(np.int64)
    damaged = (lengths < 0) | (lengths > np.maximum(sizes - _LENGTH_BYTES, 0))
    lengths = np.where(lengths < 0, 0, np.minimum(lengths, np.maximum(sizes - _LENGTH_BYTES, 0)))
    return ragged(buffer, places + _LENGTH_BYTES, lengths), lengths, damaged


def ragged(data: NDArray[np.uint8], begins: NDArray[np.int64], lengths: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Return parts of a buffer, one after the other."""
    ends = np.cumsum(lengths)
    shift = np.repeat(begins - (ends - lengths), lengths)
    return data[shift + np.arange(len(shift))]


def texts_at(
    contents: Contents, begins: NDArray[np.int64], lengths: NDArray[np.int64], encoding: TextEncoding
) -> pa.Array:
    """Return the text at each place, null if it is empty."""
    offsets = np.zeros(len(lengths) + 1, np.int32)
    np.cumsum(lengths, out=offsets[1:])
    letters = ragged(contents.data, begins, lengths)
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(letters)]
    stored = pa.Array.from_buffers(pa.binary(), len(lengths), buffers)
    try:
        texts = stored.cast(pa.string())
    except pa.ArrowInvalid:  # some are not UTF-8
        texts = pa.array([encoding.decode_name(text) for text in stored.to_pylist()], pa.string())
    empty = lengths == 0
    return texts if not empty.any() else pa.compute.if_else(pa.array(empty), pa.scalar(None, pa.string()), texts)
