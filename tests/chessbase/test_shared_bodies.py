"""Bodies that overlap, against a comparison of every pair, and the limit from which on they are omitted."""

from __future__ import annotations

import numpy as np
import pytest  # noqa: TC002
from hypothesis import given
from hypothesis import strategies as st

from tabiya.chessbase import shared_bodies
from tabiya.chessbase.shared_bodies import Sharing, overlapping


@given(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 5)), max_size=8))
def test_overlapping(bodies: list[tuple[int, int]]) -> None:
    ranges = [set(range(offset, offset + size)) for offset, size in bodies]
    expected = [
        any(own & other for place, other in enumerate(ranges) if place != number) for number, own in enumerate(ranges)
    ]
    offsets, sizes = (np.array([body[i] for body in bodies], np.int64) for i in range(2))
    assert overlapping(offsets, sizes).tolist() == expected


def test_only_what_is_shared_is_omitted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_bodies, "_FREE_BYTES", 10)
    monkeypatch.setattr(shared_bodies, "_MOST_RATIO", 0)
    offsets, sizes = np.array([0, 0, 20, 0]), np.array([8, 8, 8, 8])
    limit = Sharing(lambda: 28, lambda: (offsets, sizes))
    assert limit.refused(0, sizes[:2]).tolist() == [False, True]
    assert limit.refused(2, sizes[2:]).tolist() == [False, True]
