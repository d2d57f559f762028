"""LZ4 blocks, which pyarrow unpacks, and checksums, which zlib knows."""

from __future__ import annotations

import zlib
from random import Random

import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tabiya.positions.index.pack_kernel import packed

PIECES = st.lists(
    st.tuples(st.binary(min_size=1, max_size=40), st.integers(1, 40)) | st.tuples(st.just(b"\0"), st.integers(1, 9000)),
    min_size=1,
    max_size=12,
)


def check(data: bytes) -> int:
    """Compare with pyarrow and zlib; return the length of the block."""
    block, crc32 = packed(data)
    assert pa.Codec("lz4_raw").decompress(block, len(data), asbytes=True) == data
    assert crc32 == zlib.crc32(block)
    return len(block)


@given(PIECES)
@example([(b"\0", 12)])
@example([(b"\0", 13)])
@example([(b"tabiya", 1)])
def test_blocks_are_read_by_pyarrow(pieces: list[tuple[bytes, int]]) -> None:
    check(b"".join(piece * times for piece, times in pieces))


@pytest.mark.parametrize("size", [*range(1, 40), 270, 271, 285, 286, 70_000, 147_456])
@pytest.mark.parametrize("period", [1, 3, 8, 300, 65_535, 65_536])
def test_lengths_and_distances_at_their_borders(size: int, period: int) -> None:
    begin = Random(period).randbytes(min(size, period))
    check((begin * (size // len(begin) + 1))[:size])


def test_what_repeats_becomes_short_and_what_does_not_hardly_longer() -> None:
    assert check(bytes(100_000)) < 500
    assert check(Random(1).randbytes(100_000)) < 100_500


def test_there_is_no_empty_block() -> None:
    with pytest.raises(ValueError, match="empty"):
        packed(b"")
