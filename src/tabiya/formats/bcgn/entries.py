"""Stretches of a BCGN file with whole entries, the same for every reader."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO, Final

import numpy as np

from tabiya.formats.bcgn.entries_kernel import find_entries
from tabiya.formats.bcgn.file_header import HEADER_BYTES
from tabiya.formats.stretches import read_fully

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from tabiya.formats.bcgn.file_header import FileHeader

_STRETCH_BYTES: Final = 1 << 20
_SHORTEST_ENTRY: Final = 5


@dataclass(frozen=True, slots=True)
class Stretch:
    """Some consecutive entries."""

    data: memoryview
    offset: int
    """Their offset in the file."""
    ends: NDArray[np.int64]
    """The end of each in ``data``."""
    final: bool
    """Whether the file ends here."""
    plies: int
    movetext: int
    """Bytes of their movetexts."""

    @property
    def count(self) -> int:
        """The number of entries."""
        return len(self.ends)

    def part(self, start: int, stop: int) -> Stretch:
        """Return the entries from ``start`` up to ``stop``, without counting their plies again."""
        first = int(self.ends[start - 1]) if start else 0
        final = self.final and stop == len(self.ends)
        data, ends = self.data[first : int(self.ends[stop - 1])], self.ends[start:stop] - first
        return Stretch(data, self.offset + first, ends, final, self.plies, self.movetext)


def stretches(stream: BinaryIO, header: FileHeader, *, offset: int = HEADER_BYTES) -> Iterator[Stretch]:
    """Read a stream positioned at the beginning of an entry, ``offset`` bytes after the beginning of the file.

    Each stretch contains the whole entries in a megabyte, so it depends only on its own beginning.
    """
    rest = b""
    final = False
    while not final:
        data = rest + read_fully(stream, _STRETCH_BYTES - len(rest))
        final = len(data) < _STRETCH_BYTES
        ends = np.empty(len(data) // _SHORTEST_ENTRY + 1, np.int64)
        count, plies, movetext = find_entries(data, ends, header.level, header.headerless, final)
        if count:
            end = int(ends[count - 1])
            yield Stretch(memoryview(data)[:end], offset, ends[:count].copy(), final, plies, movetext)
            rest = data[end:]
            offset += end
