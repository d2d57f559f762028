"""Dates of jose: a calendar day, and flags for its unknown parts."""

from __future__ import annotations

import datetime as dt
from functools import lru_cache
from typing import Final

from tabiya.game.tag_values import Date, parse_date

EVENT_SHIFT: Final = 8
"""Number of bits by which the flags of the event's date are shifted."""
_NO_DAY: Final = 0x10
_NO_MONTH: Final = 0x20
_NO_YEAR: Final = 0x40
_UNKNOWN_YEAR: Final = 1970


def decode_date(day: int | None, flags: int) -> Date | None:
    """Return the date of a number such as 20011231 and its flags; unknown parts are None regardless of the number."""
    if not day:
        return None
    year, month, number = day // 10000, day // 100 % 100, day % 100
    date = Date(
        None if flags & _NO_YEAR or not year else year,
        None if flags & _NO_MONTH or not month else month,
        None if flags & _NO_DAY or not number else number,
    )
    return None if date == Date(None, None, None) else date


@lru_cache(1 << 12)
def encode_day(year: int | None, month: int | None, day: int | None) -> tuple[int | None, int] | None:
    """Return the number and the flags of a date; None if the day does not exist. Days repeat, so they are cached."""
    if year is month is day is None:
        return None, 0
    known = _UNKNOWN_YEAR if year is None else year, month or 1, day or 1
    try:
        dt.date(*known)
    except ValueError:
        return None
    flags = _NO_YEAR * (year is None) | _NO_MONTH * (month is None) | _NO_DAY * (day is None)
    return known[0] * 10000 + known[1] * 100 + known[2], flags


@lru_cache(1 << 12)
def encode_date(text: str) -> tuple[int, int] | None:
    """Return the number and the flags of a date as text; None if jose would not return the text unchanged."""
    date = parse_date(text)
    if date is None or str(date) != text:
        return None
    number, flags = encode_day(date.year, date.month, date.day) or (None, 0)
    return None if number is None else (number, flags)


def is_last_of_month(day: int) -> bool:
    """Return whether a day such as 20011231 is followed by the first of a month."""
    following = next_day(day)
    return following is not None and following % 100 == 1


def next_day(day: int | None) -> int | None:
    """Return the next day; a number that is not a calendar day is returned unchanged."""
    if not day:
        return day
    try:
        following = dt.date(day // 10000, day // 100 % 100, day % 100) + dt.timedelta(days=1)
    except (ValueError, OverflowError):
        return day
    return following.year * 10000 + following.month * 100 + following.day
