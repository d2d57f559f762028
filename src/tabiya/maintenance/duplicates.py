"""Find games that a database contains twice: equal or nearly equal games.

Games are matched by a key: a hash of their moves and of everything else that must be equal. A game that is the
beginning of another is found while hashing the longer one. Matching games are compared one by one, best first, so that
each twin is a twin of the game that is kept for it, and not only of another twin. All of this takes linear time: in
very large groups, for example short draws between two engines, only games with the same names and dates count as twins.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, get_args

import numpy as np

from tabiya.errors import UsageError
from tabiya.formats.open_and_create import opened
from tabiya.maintenance.duplicate_groups import Duplicates
from tabiya.maintenance.duplicates_kernel import choose_kept, fill_table, find_prefixes, mix
from tabiya.maintenance.event_names import event_keys
from tabiya.maintenance.game_identity import NO_MOMENT, day_numbers
from tabiya.maintenance.game_rows import GameRows, read_rows
from tabiya.maintenance.person_names import packed_given, people_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from tabiya.formats import Database
    from tabiya.formats.open_and_create import Locations
    from tabiya.formats.progress import Watcher

    Rows: TypeAlias = NDArray[Any]

Likeness: TypeAlias = Literal["same", "alike", "any"]
Nearness: TypeAlias = Literal["same", "near", "any"]
Continuation: TypeAlias = Literal["same", "begin"]
_LIKENESSES: Final = {"moves": Continuation, "players": Likeness, "dates": Nearness, "events": Likeness}
SAME_FIELDS: Final = ("date", "event", "result", "round", "site")
"""Fields that can be required to be equal in addition."""
DESPITE_FIELDS: Final = ("link", "time", "result")
"""Evidence that two games are different, unless it is ignored."""
KEEP_RULES: Final = ("annotations", "longer", "rated", "first", "last")
_KEEP: Final = ("annotations", "longer", "rated", "first")
_LARGEST_GROUP: Final = 4096
_ANY_DAY: Final = 1 << 28
_DATES_AT_ONCE: Final = 1 << 16
_LEAST_MARKS: Final = 1024
_WINNERS: Final = np.array([0, 1, 2, 0, 0, 1, 2, 0, 0, 0], np.uint8)
"""By result: 1 if White won, 2 if Black did."""
_LAST_DAY: Final = np.array([0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])


@dataclass(frozen=True, slots=True, kw_only=True)
class Matching:
    """The conditions under which two games count as the same."""

    players: Likeness = "same"
    """``same``: equal names; ``alike``: equal up to initials, accents, spelling and order; ``any``: not compared."""
    dates: Nearness = "any"
    """``same``: equal dates; ``near``: at most a day apart, as far as they are known; ``any``: not compared."""
    events: Likeness = "any"
    """``same``: equal names; ``alike``: equal up to years, ordinals and spelling; ``any``: not compared."""
    moves: Continuation = "same"
    """``same``: equal moves; ``begin``: the moves of one may continue after the end of the other."""
    least_plies: int = 10
    """Minimum number of half-moves of a beginning of another game, or of an equal game of other players."""
    same: tuple[str, ...] = ()
    """What else must be equal; see SAME_FIELDS."""
    despite: tuple[str, ...] = ()
    """Differences that do not prevent a match: ``link`` (the URLs name different games), ``time`` (the UTC start times
    are more than a minute apart), ``result`` (White won one of them and Black the other)."""

    @property
    def forbids(self) -> bool:
        """Whether any difference can prevent a match of games with equal keys."""
        return len({*self.despite}) < len(DESPITE_FIELDS)

    def __post_init__(self) -> None:
        for name, known in _LIKENESSES.items():
            if getattr(self, name) not in get_args(known):
                raise UsageError(f"{name} must be one of {', '.join(get_args(known))}, not {getattr(self, name)!r}")
        for field, offered in (("same", SAME_FIELDS), ("despite", DESPITE_FIELDS)):
            for name in getattr(self, field):
                if name not in offered:
                    raise UsageError(f"{field} cannot be {name!r}; known: {', '.join(offered)}")
        if self.least_plies < 0:
            raise UsageError(f"games have 0 half-moves or more, not {self.least_plies}")


MATCHES: Final = {
    "exact": Matching(),
    "near": Matching(players="alike", dates="near", moves="begin"),
    "moves": Matching(players="any", despite=DESPITE_FIELDS),
}
"""The usual ways to compare games, by name."""


def matching(match: str = "exact", **changes: Any) -> Matching:
    """Return one of MATCHES with some fields changed; values of None change nothing."""
    if match not in MATCHES:
        raise UsageError(f"{match!r} is not a way to compare games; known: {', '.join(MATCHES)}")
    usual = {field.name: getattr(MATCHES[match], field.name) for field in fields(Matching)}
    given = {name: value for name, value in changes.items() if value is not None}
    if unknown := given.keys() - usual.keys():
        raise UsageError(f"games cannot be compared by {min(unknown)!r}; known: {', '.join(usual)}")
    for name in given.keys() & {"same", "despite"}:
        given[name] = (given[name],) if isinstance(given[name], str) else tuple(given[name])
    return Matching(**usual | given)


def find_duplicates(
    source: Locations | Database,
    *,
    match: str = "exact",
    keep: str | Iterable[str] = _KEEP,
    threads: int = 1,
    progress: Watcher = None,
    **changes: Any,
) -> Duplicates:
    """Find games that occur twice or more; nothing is changed.

    A database is read once. Memory is about 120 bytes per game; the moves go to a temporary file if they are needed
    again. Texts, records that could not be decoded and those marked as deleted are never duplicates.

    Args:
        source: what ``tabiya.open`` takes, several databases included, or an open database, which remains open.
        match: ``exact``: the same moves by the same players; ``near``: players alike, dates not more than a day apart
            as far as they are known, and one may be the beginning of the other; ``moves``: the same moves by any
            players. ``exact`` and ``near`` never match games whose URLs, UTC times or winners differ, unless
            ``despite`` names these.
        keep: which of the equal games to keep, by rules; each rule decides where the one before it does not:
            ``annotations`` (more of them), ``longer``, ``rated`` (more ratings), ``first``, ``last``.
        threads: number of threads that read.
        progress: called after every batch that was read.
        changes: fields of ``Matching`` to change: ``players="alike"``, ``same=["round"]`` and so on.

    Raises:
        UsageError: An argument is invalid.
    """
    how = matching(match, **changes)
    rules = _rules(keep)
    with opened(source) as database:
        games = read_rows(database, with_moves=how.moves == "begin", threads=threads, progress=progress)
    try:
        rows = games.rows()
        kept = _Search(games, rows, how, rules).kept()
    finally:
        games.close()
    return Duplicates(rows, kept, games.names, games.records)


def _rules(keep: str | Iterable[str]) -> tuple[str, ...]:
    rules = tuple(keep.replace(",", " ").split() if isinstance(keep, str) else keep)
    for rule in rules:
        if rule not in KEEP_RULES:
            raise UsageError(f"{rule!r} is not a rule for what to keep; known: {', '.join(KEEP_RULES)}")
    return rules


class _Search:
    """A search over the rows of all games."""

    def __init__(self, games: GameRows, rows: Rows, how: Matching, rules: tuple[str, ...]) -> None:
        self._games = games
        self._rows = rows
        self._how = how
        self._rules = rules
        self._people = people_of(games.names.names()) if how.players == "alike" else []

    def kept(self) -> NDArray[np.int64]:
        """Return for every row the row that is kept in its place; -1 for rows that are kept."""
        kept = np.full(len(self._rows), -1, np.int64)
        if not len(self._rows):
            return kept
        salts = self._salts()
        different, first, runs = self._runs(salts)
        links = self._links(different, first, salts) if self._how.moves == "begin" else np.empty(0, np.uint64)
        order, ends = self._in_groups(_components(len(different), links)[runs])
        near = self._how.dates == "near"
        hosts, ids, moments, winners = map(np.ascontiguousarray, self._identity().values())
        first_days, last_days = _days(self._rows["date"] if near else np.zeros(len(kept), np.uint32))
        choose_kept(
            order,
            ends,
            runs,
            np.ascontiguousarray(self._rows["white"]),
            np.ascontiguousarray(self._rows["black"]),
            packed_given(self._people) if self._people else np.empty((0, 0), np.uint64),
            first_days,
            last_days,
            1,
            hosts,
            ids,
            moments,
            winners,
            links,
            kept,
        )
        return kept

    def _runs(self, salts: NDArray[np.uint64]) -> tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.int32]]:
        """Return the different keys of rows, ascending, the first row of each, and for each row the place of its key.

        Rows with the same key form a run.
        """
        keys = np.empty(len(self._rows), np.uint64)
        mix(np.ascontiguousarray(self._rows["line"]), salts, keys)
        different, first, runs = np.unique(keys, return_index=True, return_inverse=True)
        return different, first, runs.astype(np.int32)

    def _identity(self) -> dict[str, NDArray[Any]]:
        """Return the URL, time and winner of each game if they can prevent a match; see ``Matching.despite``."""
        rows, despite = self._rows, self._how.despite
        columns = {"host": rows["host"], "link": rows["link"], "moment": rows["moment"]}
        columns["winner"] = _WINNERS[np.minimum(rows["result"], len(_WINNERS) - 1)]
        ignored = {"link": {"host": -1, "link": -1}, "time": {"moment": NO_MOMENT}, "result": {"winner": 0}}
        for name, unknown in (pair for each in despite for pair in ignored[each].items()):
            columns[name] = np.full_like(columns[name], unknown)
        return columns

    def _salts(self) -> NDArray[np.uint64]:
        """Return a hash of everything except the moves that must be equal."""
        how, rows = self._how, self._rows
        parts = [rows[name] for name in how.same]
        if how.players != "any":
            parts += [self._players(rows[side]) for side in ("white", "black")]
        if how.dates == "same":
            parts.append(rows["date"])
        if how.events != "any":
            events = rows["event"]
            parts.append(events if how.events == "same" else event_keys(self._games.names.names(), events))
        salts = np.zeros(len(rows), np.uint64)
        for part in parts:
            mix(salts, part.astype(np.int64).view(np.uint64), salts)
        return salts

    def _players(self, names: NDArray[np.int32]) -> NDArray[Any]:
        """Return numbers that are equal for names that may be the same."""
        if self._how.players == "same":
            return names
        families: dict[str, int] = {}
        numbers = [families.setdefault(person.family, len(families)) for person in self._people]
        return np.array([*numbers, -1], np.int64)[names]  # a missing name has the number -1

    def _links(
        self, keys: NDArray[np.uint64], first: NDArray[np.int64], salts: NDArray[np.uint64]
    ) -> NDArray[np.uint64]:
        """Return pairs of runs, ascending; the second of a pair is the beginning of the first."""
        rows = self._rows
        run_of = np.full(len(rows), -1, np.int64)
        run_of[first] = np.arange(len(first))
        size = 1 << (2 * len(keys)).bit_length()
        slots, marks = np.empty(size, np.int32), np.empty(max(size, _LEAST_MARKS), np.uint8)
        fill_table(keys, slots, marks)
        plies = np.ascontiguousarray(rows["plies"])
        size = max(1 << 16, int(plies.max()))
        lines, found = np.empty(size, np.int32), np.empty(size, np.int32)
        pairs: list[NDArray[np.uint64]] = []
        for piece in self._games.lines(plies):
            part = slice(piece.first, piece.first + len(piece.ends) - 1)
            selected = (run_of[part] >= 0).astype(np.uint8)
            seeds, place = np.ascontiguousarray(rows["seed"][part]), 0
            while place < len(selected):
                count, place = find_prefixes(
                    *(piece.moves, piece.ends, seeds, salts[part], selected, self._how.least_plies),
                    *(keys, slots, marks, lines, found, place),
                )
                longer = run_of[part][lines[:count]].astype(np.uint64)
                pairs.append(longer << np.uint64(32) | found[:count].astype(np.uint64))
        return np.sort(np.concatenate(pairs)) if pairs else np.empty(0, np.uint64)

    def _in_groups(self, components: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the rows of groups with several rows, best first in each, and where groups end."""
        sizes = np.bincount(components)
        conclusive = self._how.players != "any" or self._rows["plies"] >= self._how.least_plies
        several = np.flatnonzero((sizes[components] > 1) & conclusive)
        groups = components[several]
        large = sizes[groups] > _LARGEST_GROUP
        if large.any() and (self._people or self._how.dates == "near" or self._how.forbids):  # otherwise all are twins
            names = ("white", "black", "date", "line") if self._people or self._how.dates == "near" else ()
            columns = [*(self._rows[name] for name in names), *self._identity().values()]
            exact = [np.where(large, column[several].astype(np.int64), 0) for column in columns]
            _, groups = np.unique(np.stack([groups, *exact]), axis=1, return_inverse=True)
        order = np.lexsort((several, *reversed([self._rank(rule, several) for rule in self._rules]), groups))
        ends = np.flatnonzero(np.diff(groups[order])) + 1
        return several[order], np.array([0, *ends.tolist(), *([len(order)] if len(order) else [])], np.int64)

    def _rank(self, rule: str, chosen: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return numbers that are smaller for rows that are better to keep."""
        columns = {"annotations": "notes", "longer": "plies", "rated": "ratings"}
        if rule in columns:
            return -self._rows[columns[rule]][chosen].astype(np.int64)
        return chosen if rule == "first" else -chosen


def _components(runs: int, links: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Return for each run the smallest run connected to it, over any number of links."""
    parents = np.arange(runs)
    for link in links.tolist():
        one, other = link >> 32, link & 0xFFFFFFFF
        while parents[one] != one:
            parents[one] = one = parents[parents[one]]
        while parents[other] != other:
            parents[other] = other = parents[parents[other]]
        parents[max(one, other)] = min(one, other)
    while (parents != parents[parents]).any():
        parents = parents[parents]
    return parents


def _days(dates: NDArray[np.uint32]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the first and the last day on which each game may have been played, as numbers of days."""
    found = np.empty((2, len(dates)), np.int32)
    for begin in range(0, len(dates), _DATES_AT_ONCE):
        part = slice(begin, begin + _DATES_AT_ONCE)
        found[0, part], found[1, part] = _first_and_last(dates[part].astype(np.int64))
    return found[0], found[1]


def _first_and_last(dates: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    year, month, day = dates // 10_000, dates // 100 % 100, dates % 100
    known = month > 0
    first = day_numbers(year, np.where(known, month, 1), np.where(known & (day > 0), day, 1))
    last_month = np.where(known, month, 12)
    last = day_numbers(year, last_month, np.where(known & (day > 0), day, _LAST_DAY[last_month]))
    return np.where(year > 0, first, -_ANY_DAY), np.where(year > 0, last, _ANY_DAY)
