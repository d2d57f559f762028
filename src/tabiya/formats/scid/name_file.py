"""The names of a base: players, events, sites and rounds, in ``.sn3`` and ``.sn4`` (sorted) or ``.sn5`` (unsorted).

Names are bytes of no stated encoding. Those that are not UTF-8 are read in a code page, and written back unchanged.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa

from tabiya.binary import Layout
from tabiya.errors import CorruptError
from tabiya.formats.scid.index_file import SI5, Generation
from tabiya.formats.scid.names_kernel import read_records, read_sorted, write_sorted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

KINDS: Final = ("players", "events", "sites", "rounds")
ROLES: Final = {"white": 0, "black": 0, "event": 1, "site": 2, "round": 3}
"""The names of a game, and the kind of each."""
_INFO: Final = 4
_MAGIC: Final = b"Scid.sn\0"
HEADER: Final = Layout.of(
    "sn4 header",
    ">",
    "8s magic",
    "u32 stamp",
    "u24 players events sites rounds",
    "u24 most_players most_events most_sites most_rounds",
)
"""The number of names of each kind, and the maximum number of uses of one name of each."""
_SHORT_ID: Final = 1 << 16
_NEXT_BYTES: Final = bytes(byte ^ 0x80 for byte in range(256))
"""Converts bytes to ones whose order is that of signed bytes."""


@dataclass(frozen=True, slots=True)
class NameList:
    """The names of one kind by id."""

    ends: NDArray[np.int64]
    letters: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.ends) - 1

    def bytes_of(self) -> list[bytes]:
        """Return the names as stored."""
        data, ends = self.letters.tobytes(), self.ends.tolist()
        return [data[begin:end] for begin, end in pairwise(ends)]

    def texts(self, encoding: str) -> pa.StringArray:
        """Return the names as texts; those that are not UTF-8 in this encoding."""
        offsets = pa.py_buffer(self.ends.astype(np.int32))
        texts = pa.Array.from_buffers(pa.string(), len(self), [None, offsets, pa.py_buffer(self.letters)])
        try:
            texts.validate(full=True)
        except pa.ArrowInvalid:
            return pa.array([_text(name, encoding) for name in self.bytes_of()], pa.string())
        return texts

    @classmethod
    def of(cls, names: list[bytes]) -> NameList:
        """Return a list of these names."""
        ends = np.zeros(len(names) + 1, np.int64)
        np.cumsum(np.fromiter(map(len, names), np.int64, len(names)), out=ends[1:])
        return cls(ends, np.frombuffer(b"".join(names), np.uint8))


def _text(name: bytes, encoding: str) -> str:
    try:
        return name.decode()
    except UnicodeDecodeError:
        return "".join(
            bytes((byte,)).decode(encoding, "ignore") or chr(byte) for byte in name
        )  # a byte without a letter is the control character of its number, as in kernels


_NO_NAMES: Final = NameList(np.zeros(1, np.int64), np.zeros(0, np.uint8))


@dataclass(frozen=True, slots=True)
class Names:
    """The content of a name file."""

    lists: tuple[NameList, NameList, NameList, NameList] = (_NO_NAMES,) * 4
    """In the order of KINDS."""
    info: dict[str, bytes] = field(default_factory=dict)
    """For si5: data about the base, such as its description."""
    listed: tuple[NameList, ...] = ()
    """For si4: the same names in the order of the file."""

    @property
    def sorted(self) -> bool:
        """Whether the names are in the order that old versions of Scid expect."""
        return all(_is_sorted(names) for names in self.listed)


def read_names(generation: Generation, data: bytes, path: Path) -> Names:
    """Read a name file; raise CorruptError if it is invalid."""
    return _read_5(data, path) if generation is SI5 else _read_4(data, path)


def _read_4(data: bytes, path: Path) -> Names:
    if len(data) < HEADER.size or not data.startswith(_MAGIC):
        raise CorruptError("this is not the header of a name file of Scid", path=path, offset=0)
    header = HEADER.read(data)
    letters = np.frombuffer(data, np.uint8)
    place, lists, in_file = HEADER.size, [], []
    for kind in KINDS:
        count, most = header[kind], header[f"most_{kind}"]
        widths = 2 if count < _SHORT_ID else 3, 1 if most < 256 else 2 if most < _SHORT_ID else 3
        place, ids, ends, found = read_sorted(letters, place, count, *widths)
        if len(ids) < count:
            raise CorruptError(f"the names of {kind} are damaged", path=path, offset=place)
        if not np.array_equal(np.sort(ids), np.arange(count)):
            raise CorruptError(f"the numbers of {kind} do not run from 0 to {count - 1}", path=path, offset=place)
        in_file.append(NameList(ends, found))
        order = np.empty(count, np.int64)
        order[ids] = np.arange(count)
        lists.append(_reordered(in_file[-1], order))
    if place != len(data):
        raise CorruptError("there is data after the last name", path=path, offset=place)
    return Names((lists[0], lists[1], lists[2], lists[3]), {}, tuple(in_file))


def _reordered(names: NameList, order: NDArray[np.int64]) -> NameList:
    offsets = pa.py_buffer(names.ends)
    array = pa.Array.from_buffers(pa.large_binary(), len(names), [None, offsets, pa.py_buffer(names.letters)])
    taken = array.take(pa.array(order))
    _, ends, letters = taken.buffers()
    found = np.frombuffer(ends, np.int64)[: len(names) + 1] if len(names) else np.zeros(1, np.int64)
    return NameList(found, np.frombuffer(letters or b"", np.uint8)[: int(found[-1])])


def _read_5(data: bytes, path: Path) -> Names:
    place, kinds, begins, ends = read_records(np.frombuffer(data, np.uint8))
    if place != len(data):
        raise CorruptError("a name is damaged", path=path, offset=place)
    unusual = np.flatnonzero(kinds > _INFO)
    if len(unusual):
        raise CorruptError(
            f"there is no kind of name {int(kinds[unusual[0]])}", path=path, offset=int(begins[unusual[0]])
        )
    lists = [NameList.of([data[begins[at] : ends[at]] for at in np.flatnonzero(kinds == kind)]) for kind in range(4)]
    info = {}
    for at in np.flatnonzero(kinds == _INFO):
        entry = data[begins[at] : ends[at]]
        for key in _INFO_KEYS:
            if entry.startswith(key):
                info[key.decode()] = entry.removeprefix(key)
                break
    return Names((lists[0], lists[1], lists[2], lists[3]), info)


_INFO_KEYS: Final = (b"type", b"description", b"autoload", *(b"flag%d" % number for number in range(1, 7)))


def name_order(name: bytes) -> bytes:
    """Return the sort key of a name: the first byte, then all others as signed ones, the end of the name as 0."""
    return name[:1] + (name[1:] + b"\0").translate(_NEXT_BYTES) if name else b"\0"


def _is_sorted(names: NameList) -> bool:
    keys = [name_order(name) for name in names.bytes_of()]
    return all(one <= other for one, other in pairwise(keys))


def encode_names(
    generation: Generation, lists: tuple[list[bytes], ...], frequencies: tuple[Any, ...], info: Mapping[str, bytes]
) -> bytes:
    """Return a whole name file. ``frequencies``: how often each name is used."""
    if generation is SI5:
        facts = b"".join(_record_5(_INFO, key.encode() + value) for key, value in info.items())
        return facts + b"".join(_record_5(kind, name) for kind, names in enumerate(lists) for name in names)
    most = [int(counts.max()) if len(counts) else 0 for counts in frequencies]
    header = {kind: len(names) for kind, names in zip(KINDS, lists, strict=True)}
    header |= {f"most_{kind}": number for kind, number in zip(KINDS, most, strict=True)}
    parts = [HEADER.encode({"magic": _MAGIC, **header})]
    for names, counts, number in zip(lists, frequencies, most, strict=True):
        listed = NameList.of(names)
        keys = [name_order(name) for name in names]
        order = np.array(sorted(range(len(names)), key=keys.__getitem__), np.int64)
        widths = 2 if len(names) < _SHORT_ID else 3, 1 if number < 256 else 2 if number < _SHORT_ID else 3
        parts.append(write_sorted(listed.letters, listed.ends, order, np.asarray(counts, np.int64), *widths))
    return b"".join(parts)


def _record_5(kind: int, name: bytes) -> bytes:
    number, head = len(name) << 3 | kind, bytearray()
    while number > 127:
        head.append(number & 127 | 128)
        number >>= 7
    return bytes((*head, number)) + name
