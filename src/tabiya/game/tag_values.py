"""The values in the texts of tags: dates, ratings, results, variants. Each has its ``parse`` and ``format``.

``parse`` is lenient and returns None for unreadable texts; ``format`` returns the only canonical spelling. To check
whether a text is canonical, compare: ``format(parse(text)) == text``. ``…_of`` accepts assigned values and texts, and
rejects unreadable ones.
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from typing import Final

from tabiya.errors import UsageError
from tabiya.game.record import Result, Variant

_DATE: Final = re.compile(r"([0-9]{4}|\?{1,4})(?:([-./])([0-9]{1,2}|\?{1,2})(?:\2([0-9]{1,2}|\?{1,2}))?)?")
_MAX_ELO: Final = 0xFFFF

RESULTS: Final[dict[Result, str]] = {
    Result.UNKNOWN: "*",
    Result.WHITE_WINS: "1-0",
    Result.BLACK_WINS: "0-1",
    Result.DRAW: "1/2-1/2",
    Result.LINE: "line",
    Result.WHITE_WINS_FORFEIT: "+:-",
    Result.BLACK_WINS_FORFEIT: "-:+",
    Result.DRAW_FORFEIT: "=:=",
    Result.BOTH_LOSE: "0-0",
}
"""The spelling of results. PGN knows only the first four: its writer must replace the others by one of these and store
the exact one elsewhere; readers also accept the others in a ``Result`` tag.
"""

LENIENT_RESULTS: Final[dict[str, Result]] = {
    **{text.lower(): result for result, text in RESULTS.items()},
    "1:0": Result.WHITE_WINS,
    "0:1": Result.BLACK_WINS,
    "1/2": Result.DRAW,
    "1/2:1/2": Result.DRAW,
    "½": Result.DRAW,
    "½-½": Result.DRAW,
    "½:½": Result.DRAW,
    "0.5-0.5": Result.DRAW,
    "0,5-0,5": Result.DRAW,
    "+--": Result.WHITE_WINS_FORFEIT,
    "--+": Result.BLACK_WINS_FORFEIT,
    "0:0": Result.BOTH_LOSE,
}

VARIANTS: Final[dict[str, Variant]] = {
    "standard": Variant.STANDARD,
    "normal": Variant.STANDARD,
    "chess": Variant.STANDARD,
    "from position": Variant.STANDARD,  # Lichess: the usual rules from a FEN
    "chess960": Variant.CHESS960,
    "chess 960": Variant.CHESS960,
    "fischerandom": Variant.CHESS960,  # the spelling of Cute Chess
    "fischerrandom": Variant.CHESS960,
    "fischer random": Variant.CHESS960,
}


@dataclass(frozen=True, slots=True)
class Date:
    """A date, possibly incomplete; ``str`` returns the form of PGN, ``2023.05.??``."""

    year: int | None = None
    """1 … 9999."""
    month: int | None = None
    """1 … 12."""
    day: int | None = None
    """1 … 31."""

    def __str__(self) -> str:
        year = "????" if self.year is None else f"{self.year:04}"
        month = "??" if self.month is None else f"{self.month:02}"
        day = "??" if self.day is None else f"{self.day:02}"
        return f"{year}.{month}.{day}"


def parse_date(text: str) -> Date | None:
    """Return the date of ``2023.05.??``, ``2023``, ``2023.5`` or ``2023-05-01``; a part out of range is unknown."""
    match = _DATE.fullmatch(text.strip())
    if match is None:
        return None
    year, month, day = match.group(1, 3, 4)
    return Date(_number(year, 9999), _number(month, 12), _number(day, 31))


def _number(text: str | None, highest: int) -> int | None:
    if text is None or "?" in text:
        return None
    number = int(text)
    return number if 1 <= number <= highest else None


def parse_elo(text: str) -> int | None:
    """Return a rating, 1 … 65535; 0 is not a rating."""
    digits = text.strip().lstrip("0")
    if not digits.isascii() or not digits.isdigit() or len(digits) > len(str(_MAX_ELO)):
        return None
    elo = int(digits)
    return elo if elo <= _MAX_ELO else None


def format_elo(elo: int) -> str:
    """Return the text of a rating."""
    return str(elo)


def parse_result(text: str) -> Result | None:
    """Return a result from its usual and some unusual spellings."""
    return LENIENT_RESULTS.get("".join(text.split()).lower())


def format_result(result: Result) -> str:
    """Return the text of a result, as in ``RESULTS``."""
    return RESULTS[result]


def parse_variant(text: str) -> Variant | None:
    """Return a variant by name; None if tabiya does not know its rules."""
    return VARIANTS.get(text.strip().lower())


def format_variant(variant: Variant) -> str | None:
    """Return the text of a variant; standard chess has no tag."""
    return "Chess960" if variant is Variant.CHESS960 else None


def text_of(text: str) -> str:
    """Return a text, and reject anything else."""
    if not isinstance(text, str):
        raise UsageError(f"{text!r} is not a text")
    return text


def elo_of(elo: object) -> int:
    """Return a rating, given as a number or as a text."""
    found = parse_elo(elo) if isinstance(elo, str) else elo
    if isinstance(found, bool) or not isinstance(found, int) or not 1 <= found <= _MAX_ELO:
        raise UsageError(f"{elo!r} is not a rating; ratings are numbers from 1 to {_MAX_ELO}, or None")
    return found


def result_of(result: object) -> Result:
    """Return a result, given as such or as a text."""
    found = parse_result(result) if isinstance(result, str) else result
    if not isinstance(found, Result):
        raise UsageError(f"{result!r} is not a result; results are {' '.join(RESULTS.values())}")
    return found


def date_of(date: object) -> Date:
    """Return a date, given as such, as a text or as a date of Python; every given part must be valid."""
    if isinstance(date, dt.date):
        return Date(date.year, date.month, date.day)
    found = parse_date(date) if isinstance(date, str) else date
    if isinstance(found, Date):
        text = str(found)
        given = date if isinstance(date, str) else text
        if parse_date(text) == found and len(re.findall("[0-9]+", given)) == len(re.findall("[0-9]+", text)):
            return found
    raise UsageError(f"{date!r} is not a date: give a year, a month as 2020.05 or a day as 2020.05.17")


def variant_of(variant: object) -> Variant:
    """Return a variant, given as such or as a text."""
    found = parse_variant(variant) if isinstance(variant, str) else variant
    if not isinstance(found, Variant):
        raise UsageError(f"{variant!r} is not a supported variant; tabiya supports standard chess and Chess960")
    return found
