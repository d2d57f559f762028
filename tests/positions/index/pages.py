"""Rows of positions and the pages they are encoded as, for the tests of the kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from hypothesis import strategies as st

from tabiya.positions.index.frame_kernel import encode_groups

if TYPE_CHECKING:
    from numpy.typing import NDArray

KEY = st.one_of(
    st.integers(-(1 << 63), (1 << 63) - 1), st.integers(-3, 3), st.sampled_from([-(1 << 63), (1 << 63) - 1])
)
GAME = st.one_of(st.integers(0, 5), st.integers(0, (1 << 31) - 1))
ROW = st.tuples(KEY, GAME, st.one_of(st.integers(0, 90), st.integers(0, 32767)), st.integers(-1, 32766))
ROWS = st.lists(ROW, min_size=1, max_size=300)

Values = list[tuple[int, int, int, int]]


class Page(NamedTuple):
    """A page as it stands in a file."""

    head: bytes
    content: bytes
    plain: int
    """Bytes of the content before it was packed."""


def words_of(rows: Values) -> NDArray[np.uint64]:
    return np.array(
        [
            ((key + (1 << 64)) % (1 << 64) ^ 1 << 63, game << 32 | ply << 16 | move & 0xFFFF)
            for key, game, ply, move in sorted(rows)
        ],
        np.uint64,
    )


def page_of(words: NDArray[np.uint64], column: int) -> bytes:
    """The content of a page of all rows, not packed."""
    (page,) = pages_of(words, len(words), {column: False})
    return page.content


def pages_of(words: NDArray[np.uint64], group: int, columns: dict[int, bool]) -> list[Page]:
    """All pages of groups of rows; by column, whether it is packed."""
    count = -(-len(words) // group) * len(columns)
    out = np.full(10 * len(words) * len(columns) + 2048 * count, 0xAA, np.uint8)
    sizes = np.zeros((count, 3), np.int64)
    numbers, packed = np.array([*columns], np.int32), np.array([*columns.values()], np.uint8)
    end = encode_groups(words, group, numbers, packed, out, sizes)
    assert (out[end:] == 0xAA).all()
    found, place = [], 0
    for head, stored, plain in sizes.tolist():
        content = place + head
        found.append(Page(out[place:content].tobytes(), out[content : content + stored].tobytes(), plain))
        place = content + stored
    assert place == end
    return found
