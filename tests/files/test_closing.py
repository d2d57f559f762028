"""Things that are closed at the end of a ``with`` block."""

from __future__ import annotations

import pytest

from tabiya.files.closing import Closing


class Door(Closing):
    closed = 0

    def close(self) -> None:
        self.closed += 1


def test_it_is_closed_at_the_end() -> None:
    with Door() as door:
        assert door.closed == 0
    assert door.closed == 1


def test_it_is_closed_whatever_happens() -> None:
    door = Door()
    with pytest.raises(KeyError), door:
        raise KeyError
    assert door.closed == 1
