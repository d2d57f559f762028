"""The records of a Polyglot book in blocks, as a book of more than a million records is read."""

from __future__ import annotations

import struct
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabiya.books.polyglot import stored
from tabiya.books.polyglot.stored import StoredKeys

KEYS = st.integers(0, 12) | st.integers(0, (1 << 64) - 1)


def records_of(keys: list[int]) -> bytes:
    return b"".join(struct.pack(">QHHI", key, place, 0, 0) for place, key in enumerate(keys))


@given(
    keys=st.lists(KEYS, max_size=60).map(sorted),
    others=st.lists(KEYS, max_size=5),
    block=st.integers(1, 9),
    kept=st.integers(1, 4),
)
def test_searching_in_blocks_is_exact(keys: list[int], others: list[int], block: int, kept: int) -> None:
    """Every key is asked for twice: blocks and their first keys are kept, and dropped when there are too many."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stored, "_BLOCK", block)
        patch.setattr(stored, "_MOST_BLOCKS", kept)
        found = StoredKeys(records_of(keys) + b"tail")
        assert found.count == len(keys)
        assert [found.key(place) for place in range(len(keys))] == keys
        for key in 2 * [*keys, *others]:
            assert found.lower_bound(key) == sum(other < key for other in keys)
            places = [place for _, place, _, _ in struct.iter_unpack(">QHHI", found.find(key))]
            assert places == [place for place, other in enumerate(keys) if other == key]


@given(keys=st.lists(KEYS, max_size=40), scanned=st.integers(1, 9))
def test_scanning_in_parts_is_exact(keys: list[int], scanned: int) -> None:
    early = [place for place, (before, key) in enumerate(pairwise(keys), 1) if key < before]
    runs = bool(keys) + sum(before != key for before, key in pairwise(keys))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stored, "_SCANNED", scanned)
        assert StoredKeys(records_of(keys)).scan() == (runs, len(early), early[0] if early else -1)
