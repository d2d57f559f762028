"""The speed of a game, from the tag ``TimeControl``, in the usual classes."""

from __future__ import annotations

import re
from enum import IntEnum
from typing import Final


class TimeClass(IntEnum):
    """The class of a time control."""

    UNKNOWN = 0
    BULLET = 1
    BLITZ = 2
    RAPID = 3
    CLASSICAL = 4
    CORRESPONDENCE = 5


_MOVES: Final = 40
"""Assumed number of moves of a game, as on the large servers."""
_LIMITS: Final = ((180, TimeClass.BULLET), (600, TimeClass.BLITZ), (3600, TimeClass.RAPID))
"""Upper limits in seconds per player for the whole game; blitz and rapid as defined by FIDE, bullet by servers."""
_DAY: Final = 86_400
_PERIOD: Final = re.compile(r"\*?(?:(?P<moves>[0-9]{1,4})/)?(?P<seconds>[0-9]{1,8})(?:\+(?P<increment>[0-9]{1,6}))?")


def time_class(text: str) -> TimeClass:
    """Return the class of a time control in the form of PGN: ``300+3``, ``40/7200:3600``, ``*180``.

    Of several periods those count that 40 moves reach. A day or more for a single move is correspondence. An invalid
    text is unknown.
    """
    seconds, remaining = 0.0, _MOVES
    for part in text.strip().split(":"):
        period = _PERIOD.fullmatch(part)
        if period is None:
            return TimeClass.UNKNOWN
        moves = int(period["moves"] or 0)
        if int(period["seconds"]) >= _DAY * max(moves, 1):
            return TimeClass.CORRESPONDENCE
        counted = min(moves, remaining) if moves else remaining
        repeats = remaining / moves if moves and text.count(":") == 0 else 1
        seconds += int(period["seconds"]) * max(repeats, 1) + int(period["increment"] or 0) * counted
        remaining -= counted
        if remaining <= 0:
            break
    return (
        next((each for limit, each in _LIMITS if seconds < limit), TimeClass.CLASSICAL)
        if seconds
        else TimeClass.UNKNOWN
    )
