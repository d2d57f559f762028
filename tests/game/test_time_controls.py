"""Classes of time controls."""

from __future__ import annotations

import pytest

from tabiya.game.time_controls import TimeClass, time_class


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("60+0", TimeClass.BULLET),
        ("60", TimeClass.BULLET),
        ("120+1", TimeClass.BULLET),
        ("180", TimeClass.BLITZ),
        ("180+2", TimeClass.BLITZ),
        ("300+3", TimeClass.BLITZ),
        ("*180", TimeClass.BLITZ),
        ("600", TimeClass.RAPID),
        ("900+10", TimeClass.RAPID),
        ("5400+30", TimeClass.CLASSICAL),
        ("40/7200:3600", TimeClass.CLASSICAL),
        ("40/5400+30:1800+30", TimeClass.CLASSICAL),
        ("20/60", TimeClass.BULLET),
        ("10/60", TimeClass.BLITZ),
        ("1/86400", TimeClass.CORRESPONDENCE),
        ("1/259200", TimeClass.CORRESPONDENCE),
        ("10/2592000", TimeClass.CORRESPONDENCE),
        ("2592000", TimeClass.CORRESPONDENCE),
        ("-", TimeClass.UNKNOWN),
        ("?", TimeClass.UNKNOWN),
        ("", TimeClass.UNKNOWN),
        ("0", TimeClass.UNKNOWN),
        ("0+1", TimeClass.BULLET),
        (":", TimeClass.UNKNOWN),
        ("90 min", TimeClass.UNKNOWN),
        ("9" * 400, TimeClass.UNKNOWN),
        ("40/7200:", TimeClass.CLASSICAL),
    ],
)
def test_a_time_control_has_a_class(text: str, expected: TimeClass) -> None:
    assert time_class(text) is expected
