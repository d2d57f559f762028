"""The records of a Polyglot book in its file: found by their keys, without reading the whole file."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Final

from tabiya.books.polyglot import search_kernel
from tabiya.books.polyglot.records import RECORD_BYTES

if TYPE_CHECKING:
    from tabiya.files.file_bytes import FileBytes

_BLOCK: Final = 1024
"""Number of records read at once for a search, 16 kB."""
_MOST_BLOCKS: Final = 1024
"""Maximum number of cached blocks; a smaller book is a single block."""
_SCANNED: Final = 1 << 16


class StoredKeys:
    """The records of a book by key, from the file or from bytes in memory.

    A search reads the first keys of blocks, then the relevant blocks; both are cached.
    """

    def __init__(self, data: FileBytes | bytes) -> None:
        self.data = data
        self.count = len(data) // RECORD_BYTES
        self._block = _BLOCK if self.count > _BLOCK * _MOST_BLOCKS else max(1, self.count)
        self._first_keys = _FirstKeys(data, self._block, -(-self.count // self._block))
        self._kept: dict[int, bytes] = {}

    def key(self, index: int) -> int:
        """Return the key of a record."""
        return int.from_bytes(self.data[RECORD_BYTES * index : RECORD_BYTES * index + 8], "big")

    def part(self, begin: int, end: int) -> bytes:
        """Return a range of whole records."""
        return self.data[RECORD_BYTES * begin : RECORD_BYTES * min(end, self.count)]

    def lower_bound(self, key: int) -> int:
        """Return the index of the first record whose key is not below ``key``; O(log n)."""
        first = max(0, bisect_left(self._first_keys, key) - 1)
        return self._block * first + search_kernel.lower_bound(self._kept_block(first), key)

    def find(self, key: int) -> bytes:
        """Return the records with this key, one after the other; O(log n)."""
        blocks = len(self._first_keys)
        first = max(0, bisect_left(self._first_keys, key) - 1) if blocks > 1 else 0
        stop = first + 1
        while stop < blocks and self._first_keys[stop] <= key:
            stop += 1
        if stop == first + 1:
            return search_kernel.find(self._kept_block(first), key)
        return search_kernel.find(self.part(self._block * first, self._block * stop), key)

    def _kept_block(self, number: int) -> bytes:
        found = self._kept.get(number)
        if found is None:
            if len(self._kept) >= _MOST_BLOCKS:
                self._kept.clear()
            found = self._kept[number] = self.part(self._block * number, self._block * (number + 1))
        return found

    def scan(self) -> tuple[int, int, int]:
        """Return the number of runs of equal keys, the number of records out of order, and the first of these or -1."""
        keys = unsorted = 0
        first = -1
        for begin in range(0, self.count, _SCANNED):
            before = max(0, begin - 1)  # the previous record is needed for the comparison
            found, early, place = search_kernel.scan(self.part(before, begin + _SCANNED))
            keys += found - (before < begin)
            unsorted += early
            if first < 0 <= place:
                first = before + place
        return keys, unsorted, first


class _FirstKeys:
    """The keys of the first records of blocks, each read on first use."""

    def __init__(self, data: FileBytes | bytes, block: int, count: int) -> None:
        self._data = data
        self._bytes = RECORD_BYTES * block
        self._count = count
        self._known: dict[int, int] = {}

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, block: int) -> int:
        found = self._known.get(block)
        if found is None:
            place = self._bytes * block
            found = self._known[block] = int.from_bytes(self._data[place : place + 8], "big")
        return found
