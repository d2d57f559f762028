"""Conditions on games, with the keywords of ``RecordFilter``, tested on facts where possible.

A condition on facts becomes bounds and lists of names, which the kernel applies while it counts. All other conditions
(any tag, the annotator, a custom function) become a mask over the records.
"""

from __future__ import annotations

import re
from enum import IntEnum
from functools import partial
from inspect import signature
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabiya.errors import UsageError
from tabiya.game import RecordFilter
from tabiya.game.tag_values import parse_date
from tabiya.game.time_controls import TimeClass

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from tabiya.game.where import Where
    from tabiya.positions.name_table import NameTable

_NO_BOUND: Final = 1 << 40
_REACH: Final = 1 << 32
_NO_DAY: Final = 100_000_000
_MOST_PLIES: Final = 0xFFFF
_MOST_NAME_TESTS: Final = 16
_LAST_MONTH, _LAST_DAY = 12, 31
_ROLES: Final = ("white", "black", "player", "event", "site")
"""In the order of the numbers in the kernel."""
_MODIFIERS: Final = ("exact",)
"""Options that modify the search for texts but are no conditions."""
_DATES: Final = ("date", "since", "until")
_CASUAL: Final = r"/(^|\W)(casual|unrated)(\W|$)/"
"""In the name of an event: the game was not rated. Servers write it there: “Casual Blitz game”, “FICS unrated …”."""
_CODES: Final = pa.array([f"{letter}{number:02}" for letter in "ABCDE" for number in range(100)])
_RESULTS: Final = pa.array([*range(0xFF), None], pa.uint8())


class Ratings(IntEnum):
    """Which ratings the lowest and highest ratings apply to."""

    BOTH = 0
    EITHER = 1
    MEAN = 2
    WHITE = 3
    BLACK = 4


class GameTest(NamedTuple):
    """Conditions in the form that the kernel takes; see ``add_up``."""

    bounds: NDArray[np.int64]
    results: NDArray[np.uint8]
    codes: NDArray[np.uint8]
    roles: NDArray[np.int64]
    names: NDArray[np.uint8]


class GameConditions:
    """Conditions on games.

    In addition to the conditions of ``RecordFilter``, these cover the time control, the length, and the ratings of
    either player or their mean.
    """

    def __init__(
        self,
        where: Where | None = None,
        *,
        elo_of: str = "both",
        time_controls: Iterable[str] = (),
        min_plies: int | None = None,
        max_plies: int | None = None,
        rated: bool | None = None,
        **headers: Any,
    ) -> None:
        """Set the conditions.

        Args: where: an expression over the columns of records, or a callable that returns a mask; applied to all
        headers. elo_of: the ratings that ``min_elo`` and ``max_elo`` apply to: of ``both`` players, of ``either``
        player, their ``mean`` (rounded down), of ``white`` or ``black``. An unknown rating never matches.
        time_controls: the speed: ``bullet``, ``blitz``, ``rapid``, ``classical``, ``correspondence`` or ``unknown``;
        several are alternatives, and a single text is accepted. min_plies: the minimum number of half-moves. max_plies:
        the maximum number of half-moves. rated: False for games whose event is “casual” or “unrated”, by these words,
        True for all others. headers: the conditions of ``RecordFilter``.

        Raises:
            UsageError: A condition is invalid.
        """
        self._headers = {name: value for name, value in headers.items() if not _is_nothing(value)}
        try:
            RecordFilter(**self._headers)
        except TypeError:
            names = signature(RecordFilter).parameters
            unknown = next((name for name in self._headers if name not in names), "")
            raise UsageError(f"there is no condition {unknown!r} for games") from None
        self._where = where
        self._rated = rated
        self._how = {name: self._headers[name] for name in _MODIFIERS if name in self._headers}
        self._ratings = _one_of(Ratings, elo_of, "elo_of must be")
        classes = _texts(time_controls)
        chosen = [_one_of(TimeClass, name, "time_controls must be") for name in classes]
        self._bounds = {
            "ratings": int(self._ratings),
            "min_elo": -_NO_BOUND,
            "max_elo": _NO_BOUND,
            "since": 0,
            "until": _NO_DAY,
            "min_plies": _in_reach(min_plies or 0),
            "max_plies": _MOST_PLIES if max_plies is None else _in_reach(max_plies),
            "time_controls": sum(1 << each for each in set(chosen)) if chosen else -1,
        }

    def by_records(self) -> tuple[GameTest, list[Where]]:
        """Return the conditions on facts, and the rest for records, for databases without an index."""
        remaining = dict(self._headers)
        bounds = dict(self._bounds)
        if self._ratings is not Ratings.BOTH:
            bounds |= _rating_bounds(remaining)
        return _test(bounds), self._header_filters(remaining)

    def by_facts(self, names: NameTable) -> tuple[GameTest, list[Where]]:
        """Return the conditions on facts, and the rest for records, for libraries."""
        remaining = dict(self._headers)
        bounds = self._bounds | _rating_bounds(remaining) | _day_bounds(remaining)
        results, codes = (np.empty(0, np.uint8) for _ in range(2))
        if "results" in remaining:
            results = _mask(pa.record_batch({"result": _RESULTS}), results=remaining.pop("results"))
        if "eco" in remaining:
            codes = _mask(pa.record_batch({"eco": _names_and_null(_CODES)}), eco=remaining.pop("eco"))
        name_tests = [(role, text) for role in _ROLES if role in remaining for text in _texts(remaining[role])]
        if len(name_tests) >= _MOST_NAME_TESTS:
            name_tests = []
        else:
            remaining = {name: value for name, value in remaining.items() if name not in _ROLES}
        test = _test(bounds, results, codes, name_tests, names, self._how)
        return _with_rated(test, names, rated=self._rated), self._header_filters(remaining, by_facts=True)

    def names_in(self, names: NameTable) -> NDArray[np.bool_]:
        """Return a mask of the names that match the requested player."""
        name_tests = [("player", text) for text in _texts(self._headers.get("player", ()))]
        lists = _test(self._bounds, name_tests=name_tests, names=names, how=self._how).names
        found: NDArray[np.bool_] = np.logical_and.reduce(lists.astype(np.bool_))[: len(names)]
        return found

    def with_codes_of_records(self, names: NameTable) -> tuple[GameTest, list[Where]]:
        """Return the conditions with ECO codes tested on records: facts lack the letter of codes like ``B90a``."""
        remaining = dict(self._headers)
        eco = remaining.pop("eco", None)
        rest = GameConditions(self._where, rated=self._rated, **remaining)
        rest._bounds, rest._ratings = self._bounds, self._ratings
        test, header_filters = rest.by_facts(names)
        return test, [*header_filters, *([] if eco is None else [RecordFilter(eco=eco)])]

    def _header_filters(self, remaining: dict[str, Any], *, by_facts: bool = False) -> list[Where]:
        found: list[Where] = [] if self._where is None else [self._where]
        if self._rated is not None and not by_facts:
            found.append(partial(_are_rated, rated=self._rated))
        name_tests = remaining.keys() - {*_MODIFIERS}
        return [*found, RecordFilter(**remaining)] if name_tests else found


def _one_of(kind: type[Any], name: str, sentence: str) -> Any:
    try:
        return kind[name.upper()]
    except KeyError:
        *most, last = (each.name.lower() for each in kind)
        raise UsageError(f"{sentence} {', '.join(most)} or {last}, not {name!r}") from None


def _is_nothing(value: Any) -> bool:
    """Return whether a value is no condition; 0 is a valid rating."""
    return value is None or value is False or (isinstance(value, (list, tuple)) and not value)


def _texts(value: str | Iterable[str]) -> list[str]:
    return [value] if isinstance(value, str) else list(value)


def _rating_bounds(remaining: dict[str, Any]) -> dict[str, int]:
    """Remove the conditions on ratings from ``remaining`` and return them."""
    bounds = {name: remaining.pop(name) for name in ("min_elo", "max_elo") if name in remaining}
    return {name: _in_reach(value) for name, value in bounds.items()}


def _in_reach(value: int) -> int:
    """Return a bound, limited to the range of the kernel."""
    return max(-_REACH, min(value, _REACH))


def _day_bounds(remaining: dict[str, Any]) -> dict[str, int]:
    """Remove the conditions on dates from ``remaining`` and return them; ``RecordFilter`` has validated them."""
    given = {name: remaining.pop(name) for name in _DATES if name in remaining}
    first, dots, last = (part.strip() for part in given.get("date", "").partition(".."))
    since = [_day(text, 1, 1) for text in (given.get("since"), first) if text]
    until = [_day(text, _LAST_MONTH, _LAST_DAY) for text in (given.get("until"), last if dots else first) if text]
    return {"since": max(since, default=0), "until": min(until, default=_NO_DAY)}


def _day(text: str, month: int, day: int) -> int:
    date = parse_date(text)
    if date is None:
        raise UsageError(f"{text!r} is not a date: give a year, a month as 2020-05 or a day as 2020-05-17")
    return ((date.year or 0) * 100 + (date.month or month)) * 100 + (date.day or day)


def is_rated(event: str | None) -> bool:
    """Return whether a game counts as rated, by the name of its event."""
    return event is None or not re.search(_CASUAL[1:-1], event, re.IGNORECASE | re.ASCII)


def _are_rated(records: pa.RecordBatch, *, rated: bool) -> pa.BooleanArray:
    casual = pc.fill_null(RecordFilter(event=_CASUAL)(records), False)
    return pc.invert(casual) if rated else casual


def _with_rated(test: GameTest, names: NameTable, *, rated: bool | None) -> GameTest:
    """Add the condition on rated games, as one on the names of events."""
    if rated is None:
        return test
    events = pa.record_batch({"event": _names_and_null(names.array())})
    mask = _are_rated(events, rated=rated).to_numpy(zero_copy_only=False).astype(np.uint8)
    roles = np.append(test.roles, _ROLES.index("event"))
    masks = [*test.names, mask] if len(test.roles) else [mask]
    return test._replace(roles=roles, names=np.ascontiguousarray(np.stack(masks)))


def _names_and_null(names: pa.Array) -> pa.DictionaryArray:
    """Return a column that contains each name once, and null at the end."""
    return pa.DictionaryArray.from_arrays(pa.array([*range(len(names)), None], pa.int32()), names)


def _mask(records: pa.RecordBatch, **condition: Any) -> NDArray[np.uint8]:
    """Return which of these records meet a condition."""
    chosen = pc.fill_null(RecordFilter(**condition)(records), False)
    mask: NDArray[np.uint8] = chosen.to_numpy(zero_copy_only=False).astype(np.uint8)
    return mask


def _test(
    bounds: dict[str, int],
    results: NDArray[np.uint8] | None = None,
    codes: NDArray[np.uint8] | None = None,
    name_tests: Iterable[tuple[str, str]] = (),
    names: NameTable | None = None,
    how: dict[str, Any] | None = None,
) -> GameTest:
    nothing = np.empty(0, np.uint8)
    name_tests = list(name_tests)
    masks = [nothing]
    if name_tests and names is not None:
        column = _names_and_null(names.array())
        no_names = pa.DictionaryArray.from_arrays(pa.nulls(len(column), pa.int32()), column.dictionary)
        masks = [
            _mask(pa.record_batch({"white": column, "black": no_names}), player=text, **how or {})
            if role == "player"
            else _mask(pa.record_batch({role: column}), **{role: text}, **how or {})
            for role, text in name_tests
        ]
    return GameTest(
        np.array(list(bounds.values()), np.int64),
        nothing if results is None else results,
        nothing if codes is None else codes,
        np.array([_ROLES.index(role) for role, _ in name_tests], np.int64),
        np.ascontiguousarray(np.stack(masks)) if name_tests else np.empty((0, 0), np.uint8),
    )


NO_TEST: Final = GameConditions().by_records()[0]
"""Matches every game."""
