"""Selection of records by the columns of a batch, without a Python object per record."""

from __future__ import annotations

import re
import sys
from calendar import monthrange
from functools import partial, reduce
from itertools import product
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabiya.errors import UsageError
from tabiya.game.filter_content import TIME_CLASSES, comments_match, features, plies_within, time_class_in
from tabiya.game.filter_eco import eco_matcher
from tabiya.game.filter_texts import Remembering, checked_text, name_matcher, text_matcher
from tabiya.game.record import Result
from tabiya.game.tag_texts import COLUMN_TEXTS
from tabiya.game.tag_values import Date, parse_date, result_of
from tabiya.game.time_controls import TimeClass

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tabiya.game.filter_texts import Matcher

    Condition: TypeAlias = Callable[[pa.RecordBatch], Any]

_PLAYERS: Final = ("white", "black")
_ELO_COLUMNS: Final = ("white_elo", "black_elo")
_ANY_RATING: Final = 1 << 16
_LAST_MONTH, _LAST_DAY = 12, 31


class RecordFilter:
    """Conditions that a record must all meet; called with the columns of records it returns a mask.

    So it can be used as the ``where`` of ``tabiya.convert``. It is false if it matches every record.
    """

    def __init__(
        self,
        *,
        white: str | None = None,
        black: str | None = None,
        player: str | Iterable[str] | None = None,
        event: str | None = None,
        site: str | None = None,
        annotator: str | None = None,
        eco: str | None = None,
        tags: Iterable[str] = (),
        results: Iterable[str] = (),
        min_elo: int | None = None,
        max_elo: int | None = None,
        elo_of: str = "both",
        date: str | None = None,
        since: str | None = None,
        until: str | None = None,
        min_plies: int | None = None,
        max_plies: int | None = None,
        time_controls: Iterable[str] = (),
        comment: str | None = None,
        has: Iterable[str] = (),
        without: Iterable[str] = (),
        exact: bool = False,
    ) -> None:
        """Set the conditions.

        Texts may occur anywhere in a tag. Accents and case are ignored, and in names also punctuation and blanks:
        ``polgar`` finds Polgár, ``o kelly`` O'Kelly. ``/…/`` is a regular expression. A single text is accepted
        wherever several are.

        Args: white: a text or expression for the name of White. black: a text or expression for the name of Black.
        player: a text or expression for the name of either player; two texts must match different players. event: a
        text or expression for the event. site: a text or expression for the place. annotator: a text or expression for
        the annotator. eco: the prefix of an ECO code, ``B9``; a range, ``B90-B99``; several of these, separated by
        commas; or the name of an opening, ``Najdorf``, for its codes. tags: ``Name=text`` for any tag, or ``Name`` for
        records that have it. Punctuation is significant. results: the allowed results; ``*`` also includes records
        without a result. min_elo: the minimum rating. max_elo: the maximum rating. elo_of: the ratings that these two
        apply to: of ``both`` players, of ``either`` player, their ``mean``, rounded down, of ``white`` or of ``black``.
        An unknown rating never matches. date: the date of the game: ``2020``, ``2020-05`` (or ``2020.05``),
        ``2020-05-17``, or a range of these, ``2019..2020-05``, with one end optional. A game with an incomplete date is
        included if it may have been played then; a game without a year is not. since: the first date. until: the last
        date. min_plies: the minimum number of half-moves in the main line of a game. max_plies: the maximum number.
        time_controls: the allowed classes of time control: ``bullet``, ``blitz``, ``rapid``, ``classical``,
        ``correspondence``, ``unknown``. comment: a text in one of its comments. Punctuation is significant. has:
        features that it must have: ``variations``, ``comments``, ``medals`` and so on; see ``FEATURES``. without:
        features that it must not have. exact: accents and punctuation of texts are significant; only case is ignored.

        Raises:
            UsageError: A condition is invalid, or cannot be met.
        """
        texts = {"white": white, "black": black, "event": event, "site": site, "annotator": annotator}
        self._conditions: list[Condition] = [
            partial(_name_matches, (column,), Remembering(name_matcher(text, exact=exact)))
            for column, text in texts.items()
            if text is not None
        ]
        self._conditions += _player_conditions(() if player is None else _several(player), exact=exact)
        if eco is not None:
            self._conditions.append(partial(_name_matches, ("eco",), eco_matcher(eco)))
        self._conditions += [_tag_condition(condition, exact=exact) for condition in _several(tags)]
        if codes := [result_of(text) for text in _several(results)]:
            self._conditions.append(partial(_result_in, pa.array(codes, pa.uint8())))
        self._conditions += _rating_conditions(min_elo, max_elo, elo_of)
        self._conditions += _date_conditions(date, since, until)
        self._conditions += _content_conditions(min_plies, max_plies, time_controls)
        if comment is not None:
            self._conditions.append(partial(comments_match, text_matcher(comment, exact=exact)))
        self._conditions += features(_several(has))
        self._conditions += [partial(_lacks, feature) for feature in features(_several(without))]

    def __bool__(self) -> bool:
        return bool(self._conditions)

    def __call__(self, records: pa.RecordBatch) -> pa.BooleanArray:
        """Return which of these records match; their columns are those of RECORD_SCHEMA or of HEADER_SCHEMA."""
        mask = pa.array(np.ones(len(records), dtype=np.bool_))
        for condition in self._conditions:
            found = condition(records)
            mask = pc.and_(mask, pa.array(found) if isinstance(found, np.ndarray) else pc.fill_null(found, False))
        return mask


def _several(texts: Iterable[str]) -> Iterable[str]:
    """Return a single text, which type checkers accept as an iterable of letters, as the only element."""
    return [texts] if isinstance(texts, str) else texts


def _name_matches(columns: tuple[str, ...], matcher: Matcher, records: pa.RecordBatch) -> pa.BooleanArray:
    """Test each distinct name once."""
    found = [matcher(records[column].dictionary).take(records[column].indices) for column in columns]
    return found[0] if len(found) == 1 else pc.or_kleene(*found)


def _player_conditions(texts: Iterable[str], *, exact: bool) -> list[Condition]:
    matchers = [Remembering(name_matcher(text, exact=exact)) for text in texts]
    if len(matchers) > len(_PLAYERS):
        raise UsageError(f"a game has two players, but {len(matchers)} were given")
    if len(matchers) == len(_PLAYERS):
        return [partial(_are_opponents, *matchers)]
    return [partial(_name_matches, _PLAYERS, matcher) for matcher in matchers]


def _are_opponents(one: Matcher, other: Matcher, records: pa.RecordBatch) -> pa.BooleanArray:
    """Return where the two matchers match different players."""
    (first, second), (third, fourth) = (
        [pc.fill_null(_name_matches((column,), matcher, records), False) for column in _PLAYERS]
        for matcher in (one, other)
    )
    return pc.or_(pc.and_(first, fourth), pc.and_(second, third))


def _tag_condition(text: str, *, exact: bool) -> Condition:
    name, equals, value = checked_text(text).partition("=")
    if not name:
        raise UsageError(f"{text!r} is not a tag: give Name=text, or Name alone")
    return partial(_tag_matches, name, text_matcher(value, exact=exact) if equals else pc.is_valid)


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


def _result_in(codes: pa.Array, records: pa.RecordBatch) -> pa.BooleanArray:
    return pc.is_in(pc.fill_null(records["result"], Result.UNKNOWN), codes)


def _rating_conditions(least: int | None, most: int | None, elo_of: str) -> list[Condition]:
    if elo_of not in _RATINGS:
        raise UsageError(f"elo_of must be one of {', '.join(_RATINGS)}, not {elo_of!r}")
    if least is None and most is None:
        return []
    if least is not None and most is not None and least > most:
        raise UsageError(f"the lowest rating, {least}, is above the highest, {most}")
    bounds = (-1 if least is None else least, _ANY_RATING if most is None else most)
    return [partial(_RATINGS[elo_of], *(max(-1, min(bound, _ANY_RATING)) for bound in bounds))]


def _within(least: float, most: float, ratings: pa.Array) -> pa.BooleanArray:
    values = ratings.cast(pa.int64())
    return pc.and_(pc.greater_equal(values, least), pc.less_equal(values, most))


def _ratings_of(
    columns: tuple[str, ...], join: Callable[..., pa.BooleanArray], least: int, most: int, records: pa.RecordBatch
) -> pa.BooleanArray:
    return reduce(join, (_within(least, most, records[column]) for column in columns))


def _mean_rating(least: int, most: int, records: pa.RecordBatch) -> pa.BooleanArray:
    white, black = (records[column].cast(pa.int64()) for column in _ELO_COLUMNS)
    return _within(2 * least, 2 * most + 1, pc.add(white, black))


_RATINGS: Final[dict[str, Callable[..., pa.BooleanArray]]] = {
    "both": partial(_ratings_of, _ELO_COLUMNS, pc.and_),
    "either": partial(_ratings_of, _ELO_COLUMNS, pc.or_kleene),
    "mean": _mean_rating,
    "white": partial(_ratings_of, _ELO_COLUMNS[:1], pc.and_),
    "black": partial(_ratings_of, _ELO_COLUMNS[1:], pc.and_),
}
"""By ``elo_of``: a function that compares the ratings with two bounds."""


def _content_conditions(least: int | None, most: int | None, time_controls: Iterable[str]) -> list[Condition]:
    conditions: list[Condition] = []
    if least is not None and most is not None and least > most:
        raise UsageError(f"the lowest number of half-moves, {least}, is above the highest, {most}")
    if least is not None or most is not None:
        conditions.append(partial(plies_within, least or 0, sys.maxsize if most is None else most))
    names = [name.lower() for name in _several(time_controls)]
    for name in names:
        if name not in TIME_CLASSES:
            raise UsageError(f"{name!r} is not a class of time control; known: {', '.join(TIME_CLASSES)}")
    if names:
        codes = frozenset(TimeClass[name.upper()] for name in names)
        conditions.append(partial(time_class_in, codes))
    return conditions


def _lacks(feature: Callable[[pa.RecordBatch], Any], records: pa.RecordBatch) -> Any:
    return ~feature(records)


def _date_conditions(date: str | None, since: str | None, until: str | None) -> list[Condition]:
    first, last = (None, None) if date is None else _range(date)
    begins = [_date(text) for text in (since, first or None) if text is not None]
    ends = [_date(text) for text in (until, last or None) if text is not None]
    for begin, end in product(begins, ends):
        # Within a year they may be reversed: a game with only the year known matches both.
        if (begin.year or 0) > (end.year or 0):
            raise UsageError(f"no game was played in {begin.year} or later and in {end.year} or earlier")
    return [*(partial(_since, begin) for begin in begins), *(partial(_until, end) for end in ends)]


def _date(text: str) -> Date:
    """Return a date, whose month and day may be missing, but not invalid."""
    date = parse_date(text)
    given = sum("?" not in part for part in re.split("[-./]", text))
    if (
        date is None
        or date.year is None
        or sum(part is not None for part in (date.year, date.month, date.day)) != given
        or (date.month and date.day and date.day > monthrange(date.year, date.month)[1])
    ):
        raise UsageError(f"{text!r} is not a date: give a year, a month as 2020-05 or a day as 2020-05-17")
    return date


def _range(text: str) -> tuple[str, str]:
    """Return the first and the last date of a range, or a single date twice; an open end is empty."""
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
    """Return a date as a number that grows with it; unknown parts are filled in."""
    return ((date.year or 0) * 100 + (date.month or month)) * 100 + (date.day or day)


def _days(records: pa.RecordBatch, month: int, day: int) -> pa.Array:
    """Return the dates of all records as such numbers; null without a year."""
    years = pc.multiply(records["year"].cast(pa.int32()), 10_000)
    months = pc.multiply(pc.fill_null(records["month"], month).cast(pa.int32()), 100)
    return pc.add(pc.add(years, months), pc.fill_null(records["day"], day).cast(pa.int32()))
