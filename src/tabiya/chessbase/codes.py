"""Small codes that the formats of ChessBase share: dates, ECO codes, results, rounds and stamps, in both directions."""

from __future__ import annotations

import datetime as dt
import re
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tabiya.game.record import Result
from tabiya.game.tag_values import Date, parse_date

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Dates: bits 0-4 day, 5-8 month, from 9 on the year; 0 marks an unknown part.

_MONTHS: Final = 12


def date_parts(codes: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Return year, month and day of each code, 0 where unknown."""
    wide = codes.astype(np.uint32)
    return (wide >> 9) & 0xFFF, (wide >> 5) & 0xF, wide & 0x1F


def is_canonical_date(codes: NDArray[Any]) -> NDArray[np.bool_]:
    """Return which codes are dates that PGN can express: no bits above the year, no thirteenth month."""
    wide = codes.astype(np.uint32)
    sound: NDArray[np.bool_] = ((wide >> 21) == 0) & (((wide >> 5) & 0xF) <= _MONTHS)
    return sound


def date_of(code: int) -> Date:
    """Return the date of a code, as far as it is valid."""
    year, month, day = code >> 9 & 0xFFF, code >> 5 & 0xF, code & 0x1F
    return Date(year or None, month if 1 <= month <= _MONTHS else None, day or None)


def encode_date(date: Date) -> int:
    """Return the code of a date; a year beyond 4095 has none and becomes unknown."""
    year = date.year or 0
    return (year if year <= 0xFFF else 0) << 9 | (date.month or 0) << 5 | (date.day or 0)


def date_text(code: int) -> str | None:
    """Return the text of a date in PGN; None if it is unknown or has no such text."""
    date = date_of(code)
    return str(date) if code and encode_date(date) == code else None


def parse_date_text(text: str) -> int:
    """Return the code of a date in PGN; 0 if invalid."""
    date = parse_date(text)
    return 0 if date is None else encode_date(date)


# ECO: (1 + number of the code) << 7 | sub code. High values are numbers of Chess960 positions instead.

CHESS960_ECO: Final = 0x10000 - 960
ECO_CODES: Final = tuple(f"{letter}{number:02}" for letter in "ABCDE" for number in range(100))
ECO_SHIFT: Final = 7
ECO_SUB_MASK: Final = 0x7F
MOST_ECO_SUB: Final = 99
_ECO: Final = re.compile(r"[A-E][0-9]{2}")


def parse_eco(text: str | None) -> int:
    """Return the code of an ECO text without a sub code, 0 if invalid."""
    if text is None or not _ECO.fullmatch(text):
        return 0
    return (1 + "ABCDE".index(text[0]) * 100 + int(text[1:])) << ECO_SHIFT


def eco_places(codes: NDArray[Any]) -> NDArray[np.int32]:
    """Return the index of each code in ``ECO_CODES``; -1 if it is not an opening."""
    places = (codes >> ECO_SHIFT).astype(np.int32) - 1
    sound = (places >= 0) & (places < len(ECO_CODES)) & ((codes & ECO_SUB_MASK) <= MOST_ECO_SUB)
    return np.where(sound, places, np.int32(-1))


def is_invalid_eco(codes: NDArray[Any]) -> NDArray[np.bool_]:
    """Return which codes are neither an opening nor a number of Chess960."""
    unusual: NDArray[np.bool_] = (codes != 0) & (codes < CHESS960_ECO) & (eco_places(codes) < 0)
    return unusual


# Results, in the order of ChessBase's numbers.

RESULTS: Final = (
    Result.BLACK_WINS,
    Result.DRAW,
    Result.WHITE_WINS,
    Result.LINE,
    Result.BLACK_WINS_FORFEIT,
    Result.DRAW_FORFEIT,
    Result.WHITE_WINS_FORFEIT,
    Result.BOTH_LOSE,
)

# Rounds.

_ROUND: Final = re.compile(r"(\?|[1-9][0-9]{0,2})(?:\.([1-9][0-9]{0,2}))?")


@cache
def round_text(code: int) -> str | None:
    """Return the text of round << 8 | subround as ChessBase writes it: ``5``, ``5.2``, ``?.4``."""
    number, sub = divmod(code, 256)
    if not code:
        return None
    return f"{number or '?'}.{sub}" if sub else str(number)


def parse_round(text: str | None) -> tuple[int, int] | None:
    """Return round and subround; None if ``round_text`` does not produce this text."""
    if text is None:
        return 0, 0
    match = _ROUND.fullmatch(text)
    if match is None:
        return None
    number, sub = 0 if match[1] == "?" else int(match[1]), int(match[2] or 0)
    return (number, sub) if number < 256 and sub < 256 and (number or sub) else None


# Time stamps.

_CREATION_EPOCH: Final = dt.datetime(2008, 12, 1, tzinfo=dt.UTC)
_SAVE_EPOCH: Final = dt.datetime(1582, 10, 15, tzinfo=dt.UTC)


def creation_time(stamp: int) -> dt.datetime | None:
    """Return when a game was entered: the stamp counts 1/1024 s. Games entered together have consecutive stamps."""
    return _moment(_CREATION_EPOCH, stamp / 1024)


def save_time(stamp: int) -> dt.datetime | None:
    """Return when a game was last saved: the stamp counts 100 ns, as in a UUID."""
    return _moment(_SAVE_EPOCH, stamp / 10_000_000)


def _moment(epoch: dt.datetime, seconds: float) -> dt.datetime | None:
    if not seconds:
        return None
    try:
        return epoch + dt.timedelta(seconds=seconds)
    except OverflowError:
        return None
