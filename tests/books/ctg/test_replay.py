"""Positions of a book that are played again from the moves of the games."""

from __future__ import annotations

import numpy as np
import pytest

from tabiya.books.ctg.signature_kernel import pack_places, pack_position
from tabiya.chess import Position


def test_a_door_that_checks() -> None:
    tapes = np.zeros((0, 0), np.uint16)
    with pytest.raises(ValueError, match="room"):
        pack_places(tapes, b"", np.zeros(1, np.int64), np.zeros((1, 31), np.uint8))
    with pytest.raises(ValueError, match="no position"):
        pack_places(tapes, b"nonsense", np.zeros(1, np.int64), np.zeros((1, 32), np.uint8))
    signatures = np.ones((2, 32), np.uint8)
    pack_places(np.zeros((1, 4), np.uint16), b"", np.array([5 << 8, 3], np.int64), signatures)
    assert not signatures[0].any()
    assert signatures[1].tobytes()[:22] == pack_position(Position(), False)
