"""Choosing records by their tags, on the columns of a batch: no Python object per record.

A text is looked for anywhere in a tag, in upper or lower case alike; ``/…/`` is a regular expression (of RE2, which
needs linear time whatever the expression).
"""

from __future__ import annotations

import re
from calendar import monthrange
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabiya.errors import UsageError
from tabiya.game.record import Result
from tabiya.game.tag_texts import COLUMN_TEXTS
from tabiya.game.tag_values import Date, parse_date, result_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Matcher: TypeAlias = Callable[[pa.Array], pa.BooleanArray]
    Condition: TypeAlias = Callable[[pa.RecordBatch], pa.BooleanArray]

__all__ = ["RecordFilter"]

_PLAYERS = ("white", "black")
_LAST_MONTH, _LAST_DAY = 12, 31


class RecordFilter:
    """Conditions that a record must all meet; called with the columns of records it gives a mask.

    So it serves as the ``where`` of ``tabiya.convert``. It is false if it lets everything through.
    """

    def __init__(
        self,
        *,
        white: str | None = None,
        black: str | None = None,
        player: str | None = None,
        event: str | None = None,
        site: str | None = None,
        eco: str | None = None,
        tags: Iterable[str] = (),
        results: Iterable[str] = (),
        min_elo: int | None = None,
        max_elo: int | None = None,
        date: str | None = None,
        since: str | None = None,
        until: str | None = None,
    ) -> None:
        """Describe which records to choose.

        Args:
            white: a text or expression for the name of White.
            black: the same for Black.
            player: the same for either of them.
            event: the same for the event.
            site: the same for the place.
            eco: the beginning of the ECO code.
            tags: each ``Name=text`` for any tag, or ``Name`` for records that have it; one text alone is fine.
            results: the results to choose, one of them; ``*`` also takes records without any. One text alone is fine.
            min_elo: both players have at least this rating.
            max_elo: both players have at most this rating.
            date: when it was played: ``2020``, ``2020-05`` (or ``2020.05``), ``2020-05-17``, or a range of these,
                ``2019..2020-05``, of which either end may be missing. A game whose date is not known to the day is
                chosen if it may have been played then; a game without a year is not.
            since: the first date.
            until: the last date.

        Raises:
            UsageError: One of these makes no sense, or nothing can meet it.
        """
        texts = {"white": white, "black": black, "event": event, "site": site}
        self._conditions: list[Condition] = [
            partial(_name_matches, (column,), _matcher(text)) for column, text in texts.items() if text is not None
        ]
        if player is not None:
            self._conditions.append(partial(_name_matches, _PLAYERS, _matcher(player)))
        if eco is not None:
            beginning = _eco(eco)
            self._conditions.append(
                partial(_name_matches, ("eco",), lambda codes: pc.starts_with(pc.utf8_upper(codes), beginning))
            )
        self._conditions += [_tag_condition(condition) for condition in _several(tags)]
        if wanted := [result_of(text) for text in _several(results)]:
            self._conditions.append(partial(_result_in, pa.array(wanted, pa.uint8())))
        if min_elo is not None and max_elo is not None and min_elo > max_elo:
            raise UsageError(f"the lowest rating, {min_elo}, is above the highest, {max_elo}")
        if min_elo is not None:
            least = _rating(min_elo)
            self._conditions.append(partial(_ratings, lambda elo: pc.greater_equal(elo, least)))
        if max_elo is not None:
            most = _rating(max_elo)
            self._conditions.append(partial(_ratings, lambda elo: pc.less_equal(elo, most)))
        first, last = (None, None) if date is None else _range(date)
        begins = [_date(text) for text in (since, first or None) if text is not None]
        ends = [_date(text) for text in (until, last or None) if text is not None]
        for begin, end in product(begins, ends):
            # Within a year they may pass each other: a game of which only the year is known meets both.
            if (begin.year or 0) > (end.year or 0):
                raise UsageError(f"no game was played in {begin.year} or later and in {end.year} or earlier")
        self._conditions += [partial(_since, begin) for begin in begins]
        self._conditions += [partial(_until, end) for end in ends]

    def __bool__(self) -> bool:
        return bool(self._conditions)

    def __call__(self, records: pa.RecordBatch) -> pa.BooleanArray:
        """Return which of these records to take; their columns are those of RECORD_SCHEMA or of HEADER_SCHEMA."""
        mask = pa.array(np.ones(len(records), dtype=np.bool_))
        for condition in self._conditions:
            mask = pc.and_(mask, pc.fill_null(condition(records), False))
        return mask


def _several(texts: Iterable[str]) -> Iterable[str]:
    """Return one text alone, which type checkers take for several of one letter each, as the only one."""
    return [texts] if isinstance(texts, str) else texts


def _in_utf8(text: str) -> str:
    """Return a text to look for, which may hold bytes of the command line that are not UTF-8: no database has these."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise UsageError(f"{text!a} cannot be searched for: it is not UTF-8") from error
    return text


def _rating(elo: int) -> int:
    """Return a bound for ratings, brought within reach of a column of 16 bits."""
    return max(-1, min(elo, 1 << 16))


def _matcher(text: str) -> Matcher:
    _in_utf8(text)
    if len(text) < len("/./") or not text.startswith("/") or not text.endswith("/"):
        return partial(pc.match_substring, pattern=text, ignore_case=True)
    matcher = partial(pc.match_substring_regex, pattern=text[1:-1], ignore_case=True)
    try:
        matcher(pa.array([""]))
    except pa.ArrowInvalid as error:
        raise UsageError(f"{text} cannot be searched for: {str(error)[:1].lower()}{str(error)[1:]}") from error
    return matcher


def _name_matches(columns: tuple[str, ...], matcher: Matcher, records: pa.RecordBatch) -> pa.BooleanArray:
    """Look at each name once, however often it occurs."""
    found = [matcher(records[column].dictionary).take(records[column].indices) for column in columns]
    return found[0] if len(found) == 1 else pc.or_kleene(*found)


def _tag_condition(text: str) -> Condition:
    name, equals, value = _in_utf8(text).partition("=")
    if not name:
        raise UsageError(f"{text!r} is not a tag: give Name=text, or Name alone")
    return partial(_tag_matches, name, _matcher(value) if equals else pc.is_valid)


def _tag_matches(name: str, matcher: Matcher, records: pa.RecordBatch) -> pa.BooleanArray:
    column = records["tags"]
    tags = column.flatten()
    named = pc.equal(tags.field("name"), name)
    owners = pc.list_parent_indices(column).filter(named)
    found = owners.filter(matcher(tags.field("value").filter(named)))
    mask = np.zeros(len(records), dtype=np.bool_)
    mask[found.to_numpy()] = True
    if name in COLUMN_TEXTS:
        in_column = pc.fill_null(matcher(COLUMN_TEXTS[name](records)), False).to_numpy(zero_copy_only=False)
        listed = np.zeros(len(records), dtype=np.bool_)
        listed[owners.to_numpy()] = True
        mask |= in_column & ~listed
    return pa.array(mask)


def _result_in(wanted: pa.Array, records: pa.RecordBatch) -> pa.BooleanArray:
    return pc.is_in(pc.fill_null(records["result"], Result.UNKNOWN), wanted)


def _ratings(condition: Callable[[pa.Array], pa.BooleanArray], records: pa.RecordBatch) -> pa.BooleanArray:
    return pc.and_(condition(records["white_elo"]), condition(records["black_elo"]))


def _eco(text: str) -> str:
    """Return the beginning of an ECO code, in upper case."""
    code = _in_utf8(text).upper()
    if code and code[0] not in "ABCDE":
        raise UsageError(f"{text!r} is not the beginning of an ECO code: these go from A00 to E99")
    return code


def _date(text: str) -> Date:
    """Return a date, of which the month and the day may be missing, but not be wrong."""
    date = parse_date(text)
    told = sum("?" not in part for part in re.split("[-./]", text))
    if (
        date is None
        or date.year is None
        or sum(part is not None for part in (date.year, date.month, date.day)) != told
        or (date.month and date.day and date.day > monthrange(date.year, date.month)[1])
    ):
        raise UsageError(f"{text!r} is not a date: give a year, a month as 2020-05 or a day as 2020-05-17")
    return date


def _range(text: str) -> tuple[str, str]:
    """Return the first and the last date of a range, or of one date, which is both; an end that is open is empty."""
    first, dots, last = (part.strip() for part in text.partition(".."))
    if not dots:
        last = first
    if not (first or last):
        raise UsageError(f"{text!r} is not a range of dates: give one as 2019..2020-05, with at least one end")
    if first and last and _day(_date(first), 1, 1) > _day(_date(last), _LAST_MONTH, _LAST_DAY):
        raise UsageError(f"{text!r} ends before it begins")
    return first, last


def _since(date: Date, records: pa.RecordBatch) -> pa.BooleanArray:
    return pc.greater_equal(_days(records, _LAST_MONTH, _LAST_DAY), _day(date, 1, 1))


def _until(date: Date, records: pa.RecordBatch) -> pa.BooleanArray:
    return pc.less_equal(_days(records, 1, 1), _day(date, _LAST_MONTH, _LAST_DAY))


def _day(date: Date, month: int, day: int) -> int:
    """Return a date as a number that grows with it; what is not known is filled in."""
    return ((date.year or 0) * 100 + (date.month or month)) * 100 + (date.day or day)


def _days(records: pa.RecordBatch, month: int, day: int) -> pa.Array:
    """Return the same for all records; null without a year."""
    years = pc.multiply(records["year"].cast(pa.int32()), 10_000)
    months = pc.multiply(pc.fill_null(records["month"], month).cast(pa.int32()), 100)
    return pc.add(pc.add(years, months), pc.fill_null(records["day"], day).cast(pa.int32()))
