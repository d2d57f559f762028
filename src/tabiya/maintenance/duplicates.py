"""Finding games that a database has twice: the same ones, or nearly the same.

Games meet by a key, a hash of their moves and of whatever else must be equal; one that is the beginning of another is
met on the other's way. Those that met are compared one by one, best first, so that each twin is one of the very game
that is kept for it, and not only of a twin of it. All of it takes linear time: of games that would meet by the
thousands, say short draws between two engines, only those count as twins of which names and dates are the same.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, get_args

import numpy as np

from tabiya.errors import UsageError
from tabiya.formats.opening import opened
from tabiya.maintenance.event_names import event_keys
from tabiya.maintenance.game_identity import NO_MOMENT, day_numbers
from tabiya.maintenance.game_rows import GameRows, read_rows
from tabiya.maintenance.person_names import packed_given, people_of
from tabiya.maintenance.twin_groups import Duplicates
from tabiya.maintenance.twins_kernel import choose_kept, fill_table, find_prefixes, mix

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from tabiya.formats import Database
    from tabiya.formats.opening import Locations
    from tabiya.formats.progress import Watcher

    Rows: TypeAlias = NDArray[Any]

__all__ = ["DESPITE_FIELDS", "KEEP_RULES", "MATCHES", "SAME_FIELDS", "Matching", "find_duplicates", "matching"]

Likeness: TypeAlias = Literal["same", "alike", "any"]
Nearness: TypeAlias = Literal["same", "near", "any"]
Continuation: TypeAlias = Literal["same", "begin"]
_LIKENESSES: Final = {"moves": Continuation, "players": Likeness, "dates": Nearness, "events": Likeness}
SAME_FIELDS: Final = ("date", "event", "result", "round", "site")
"""What may have to be the same besides."""
DESPITE_FIELDS: Final = ("link", "time", "result")
"""What shows that two games are different ones, unless it is ignored."""
KEEP_RULES: Final = ("annotations", "longer", "rated", "first", "last")
_KEEP: Final = ("annotations", "longer", "rated", "first")
_LARGEST_GROUP: Final = 4096
_ANY_DAY: Final = 1 << 28
_LEAST_MARKS: Final = 1024
_WINNERS: Final = np.array([0, 1, 2, 0, 0, 1, 2, 0, 0, 0], np.uint8)
"""By result: 1 if White won, 2 if Black did."""
_LAST_DAY: Final = np.array([0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])


@dataclass(frozen=True, slots=True, kw_only=True)
class Matching:
    """When two games count as the same."""

    players: Likeness = "same"
    """``same``: the names are; ``alike``: up to initials, accents, spelling and order; ``any``: whoever it was."""
    dates: Nearness = "any"
    """``same``: the dates are; ``near``: at most a day apart, as far as they are known; ``any``: whenever it was."""
    events: Likeness = "any"
    """``same``: the names are; ``alike``: up to years, ordinals and how they are written; ``any``: wherever it was."""
    moves: Continuation = "same"
    """``same``: the moves are; ``begin``: those of one may go on where the other ends."""
    least_plies: int = 10
    """How many half-moves must be there to be the beginning of another game, or the same as one of other players."""
    same: tuple[str, ...] = ()
    """What else must be the same; see SAME_FIELDS."""
    despite: tuple[str, ...] = ()
    """What does not forbid a match: ``link`` (the URLs name different games), ``time`` (the UTC times at which they
    began are more than a minute apart), ``result`` (White won one of them and Black the other)."""

    @property
    def forbids(self) -> bool:
        """Whether anything forbids a match of games that have met."""
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
"""By name: how games are usually compared."""


def matching(match: str = "exact", **changes: Any) -> Matching:
    """Return one of MATCHES, with changes in its fields; those that are None change nothing."""
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
    """Find games that are there twice or more; nothing is changed.

    A database is read once. Memory is about 120 bytes per game; the moves go to a temporary file if they are needed
    again. Texts, records that could not be decoded and those marked as deleted are never duplicates.

    Args:
        source: what ``tabiya.open`` takes, several databases included, or an open database, which stays open.
        match: ``exact``: the same moves by the same players; ``near``: players alike, dates not more than a day apart
            as far as they are known, and one may be the beginning of the other; ``moves``: the same moves, whoever
            played them. ``exact`` and ``near`` never match games whose URLs, UTC times or winners differ, unless
            ``despite`` names these.
        keep: which of the same games to keep, by rules of which the next one counts where the one before does not
            decide: ``annotations`` (more of them), ``longer``, ``rated`` (more ratings), ``first``, ``last``.
        threads: how many threads read.
        progress: called after every batch that was read.
        changes: fields of ``Matching`` that shall be others: ``players="alike"``, ``same=["round"]`` and so on.

    Raises:
        UsageError: One of these makes no sense.
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
    """The work on the rows of all games."""

    def __init__(self, games: GameRows, rows: Rows, how: Matching, rules: tuple[str, ...]) -> None:
        self._games = games
        self._rows = rows
        self._how = how
        self._rules = rules
        self._people = people_of(games.names.names()) if how.players == "alike" else []

    def kept(self) -> NDArray[np.int64]:
        """Return for every row the row that is kept in its place; -1 for those that are kept themselves."""
        kept = np.full(len(self._rows), -1, np.int64)
        if not len(self._rows):
            return kept
        salts = self._salts()
        keys = np.empty(len(self._rows), np.uint64)
        mix(np.ascontiguousarray(self._rows["line"]), salts, keys)
        different, first, runs = np.unique(keys, return_index=True, return_inverse=True)
        runs32: NDArray[np.int32] = runs.astype(np.int32)
        links = self._links(different, first, salts) if self._how.moves == "begin" else np.empty(0, np.uint64)
        components = _components(len(different), links)[runs]
        order, ends = self._in_groups(components)
        near = self._how.dates == "near"
        hosts, ids, moments, winners = map(np.ascontiguousarray, self._identity().values())
        first_days, last_days = _days(self._rows["date"] if near else np.zeros(len(kept), np.uint32))
        choose_kept(
            order,
            ends,
            runs32,
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

    def _identity(self) -> dict[str, NDArray[Any]]:
        """Return the URL, time and winner of each game as far as they forbid a match; see ``Matching.despite``."""
        rows, despite = self._rows, self._how.despite
        columns = {"host": rows["host"], "link": rows["link"], "moment": rows["moment"]}
        columns["winner"] = _WINNERS[np.minimum(rows["result"], len(_WINNERS) - 1)]
        ignored = {"link": {"host": -1, "link": -1}, "time": {"moment": NO_MOMENT}, "result": {"winner": 0}}
        for name, unknown in (pair for each in despite for pair in ignored[each].items()):
            columns[name] = np.full_like(columns[name], unknown)
        return columns

    def _salts(self) -> NDArray[np.uint64]:
        """Return a hash of everything but the moves that must be the same."""
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
        """Return numbers that are the same for names that may be one."""
        if self._how.players == "same":
            return names
        families: dict[str, int] = {}
        numbers = [families.setdefault(person.family, len(families)) for person in self._people]
        return np.array([*numbers, -1], np.int64)[names]  # a name that is missing has the number -1

    def _links(
        self, keys: NDArray[np.uint64], first: NDArray[np.int64], salts: NDArray[np.uint64]
    ) -> NDArray[np.uint64]:
        """Return pairs of runs of which the second is the beginning of the first, ascending."""
        rows = self._rows
        run_of = np.full(len(rows), -1, np.int64)
        run_of[first] = np.arange(len(first))
        size = 1 << (2 * len(keys)).bit_length()
        slots, marks = np.empty(size, np.int32), np.empty(max(size, _LEAST_MARKS), np.uint8)
        fill_table(keys, slots, marks)
        plies = np.ascontiguousarray(rows["plies"])
        room = max(1 << 16, int(plies.max()))
        lines, found = np.empty(room, np.int32), np.empty(room, np.int32)
        pairs: list[NDArray[np.uint64]] = []
        for piece in self._games.lines(plies):
            part = slice(piece.first, piece.first + len(piece.ends) - 1)
            wanted = (run_of[part] >= 0).astype(np.uint8)
            seeds, place = np.ascontiguousarray(rows["seed"][part]), 0
            while place < len(wanted):
                count, place = find_prefixes(
                    *(piece.moves, piece.ends, seeds, salts[part], wanted, self._how.least_plies),
                    *(keys, slots, marks, lines, found, place),
                )
                longer = run_of[part][lines[:count]].astype(np.uint64)
                pairs.append(longer << np.uint64(32) | found[:count].astype(np.uint64))
        return np.sort(np.concatenate(pairs)) if pairs else np.empty(0, np.uint64)

    def _in_groups(self, components: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the rows of which there are several, group by group and best first, and where groups end."""
        sizes = np.bincount(components)
        telling = self._how.players != "any" or self._rows["plies"] >= self._how.least_plies
        several = np.flatnonzero((sizes[components] > 1) & telling)
        groups = components[several]
        large = sizes[groups] > _LARGEST_GROUP
        if large.any() and (self._people or self._how.dates == "near" or self._how.forbids):  # else all are twins
            names = ("white", "black", "date", "line") if self._people or self._how.dates == "near" else ()
            columns = [*(self._rows[name] for name in names), *self._identity().values()]
            exact = [np.where(large, column[several].astype(np.int64), 0) for column in columns]
            _, groups = np.unique(np.stack([groups, *exact]), axis=1, return_inverse=True)
        order = np.lexsort((several, *reversed([self._rank(rule, several) for rule in self._rules]), groups))
        ends = np.flatnonzero(np.diff(groups[order])) + 1
        return several[order], np.array([0, *ends.tolist(), *([len(order)] if len(order) else [])], np.int64)

    def _rank(self, rule: str, chosen: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return numbers that are smaller for what is better to keep."""
        columns = {"annotations": "notes", "longer": "plies", "rated": "ratings"}
        if rule in columns:
            return -self._rows[columns[rule]][chosen].astype(np.int64)
        return chosen if rule == "first" else -chosen


def _components(runs: int, links: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Return for each run the smallest one that it is linked to, over any number of links."""
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
    """Return the first and the last day on which games may have been played, as numbers of days."""
    year, month, day = (part.astype(np.int64) for part in (dates // 10_000, dates // 100 % 100, dates % 100))
    known = month > 0
    first = day_numbers(year, np.where(known, month, 1), np.where(known & (day > 0), day, 1))
    last_month = np.where(known, month, 12)
    last = day_numbers(year, last_month, np.where(known & (day > 0), day, _LAST_DAY[last_month]))
    return (
        np.where(year > 0, first, -_ANY_DAY).astype(np.int32),
        np.where(year > 0, last, _ANY_DAY).astype(np.int32),
    )
