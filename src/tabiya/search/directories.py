"""The players and the events of a database, with figures, from the catalogue: tables to find a name in."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabiya.game.filter_texts import name_matcher, without_accents
from tabiya.game.record import Result
from tabiya.positions.game_facts import NO_RATING, Flag

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from tabiya.search.catalogue import Catalogue

PlayerOrder = Literal["games", "name", "rating", "last"]
EventOrder = Literal["last", "name", "games", "players", "rating"]
BREAK_DAYS: Final = 120
"""After a longer pause, games belong to another event of the same name; leagues pause for some weeks."""
_GROWN: Final = 1.25
"""While the catalogue grows, tables are made again when it has grown by this factor."""
_POINTS: Final = {
    Result.WHITE_WINS: (2, 0),
    Result.WHITE_WINS_FORFEIT: (2, 0),
    Result.BLACK_WINS: (0, 2),
    Result.BLACK_WINS_FORFEIT: (0, 2),
    Result.DRAW: (1, 1),
    Result.DRAW_FORFEIT: (1, 1),
    Result.BOTH_LOSE: (0, 0),
}
_NO_POINTS: Final = 3
_POINTS_TABLE: Final = np.full((2, 256), _NO_POINTS, np.uint8)
for _result, _sides in _POINTS.items():
    _POINTS_TABLE[:, _result] = _sides
_PLAYERS: Final = np.dtype(
    [
        ("name", np.int32),
        *((name, np.int32) for name in ("games", "losses", "draws", "wins")),
        ("rating", np.int32),  # the highest; 0 without any
        ("first", np.int32),  # year; 0 if unknown
        ("last", np.int32),
    ]
)
_EVENTS: Final = np.dtype(
    [
        ("name", np.int32),
        ("site", np.int32),  # of its first game
        ("games", np.int32),
        ("players", np.int32),
        ("rating", np.int32),  # the mean of all known ratings; 0 without any
        ("first", np.uint32),  # date as in facts; 0 if unknown
        ("last", np.uint32),
        ("begin", np.int64),  # its games, as places in ``_event_games``
        ("end", np.int64),
    ]
)


class Page(NamedTuple):
    """Some rows of a table that meet a condition."""

    total: int
    rows: NDArray[Any]


class Directories:
    """The players and the events in the records of a catalogue that are known so far."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._lock = Lock()
        self._players = np.empty(0, _PLAYERS)
        self._events = np.empty(0, _EVENTS)
        self._event_games = np.empty(0, np.int32)
        self._known = {"players": -1, "events": -1}
        """Number of records that a table is about."""

    def name_of(self, number: int) -> str | None:
        """Return the name for a number in a table."""
        return self._catalogue.names.name_of(number) if number >= 0 else None

    def players(self, text: str = "", *, by: PlayerOrder = "games", begin: int = 0, most: int = 100) -> Page:
        """Return players whose name contains a text; most games, highest rating or latest year first."""
        table = self._table("players")
        chosen = self._named(table, text)
        keys = None if by == "name" else -chosen[by].astype(np.int64)
        return Page(len(chosen), self._ordered(chosen, keys)[begin : begin + most])

    def players_named(self, names: Sequence[str]) -> NDArray[Any]:
        """Return the rows of players with exactly these names."""
        table = self._table("players")
        ids = [self._catalogue.names.id_of(name) for name in names]
        found: NDArray[Any] = table[np.isin(table["name"], [each for each in ids if each >= 0])]
        return found

    def games_of_players(self, names: Sequence[str]) -> NDArray[np.int64]:
        """Return the places of the games of players with exactly these names."""
        ids = [self._catalogue.names.id_of(name) for name in names]
        sides = [np.isin(self._catalogue.column(side), [each for each in ids if each >= 0]) for side in _SIDES]
        return np.flatnonzero(sides[0] | sides[1])

    def player_names(self) -> pa.StringArray:
        """Return the names of all players."""
        return self._catalogue.names.array().take(pa.array(self._table("players")["name"]))

    def events(self, text: str = "", *, by: EventOrder = "last", begin: int = 0, most: int = 100) -> Page:
        """Return events whose name or site contains a text; the latest, largest or strongest first."""
        table = self._table("events")
        chosen = self._named(table, text, "site")
        keys = None if by == "name" else -chosen[by].astype(np.int64)
        return Page(len(chosen), self._ordered(chosen, keys)[begin : begin + most])

    def editions_of(self, event: str) -> NDArray[Any]:
        """Return the events with exactly this name, the earliest first."""
        table = self._table("events")
        found: NDArray[Any] = table[table["name"] == self._catalogue.names.id_of(event)]
        return found[found["games"] > 0] if len(found) else found

    def games_of_event(self, row: Any) -> NDArray[np.int64]:
        """Return the places of the games of an event."""
        return np.sort(self._event_games[row["begin"] : row["end"]]).astype(np.int64)

    def _table(self, name: Literal["players", "events"]) -> NDArray[Any]:
        """Return a table; while the catalogue grows it may lack the last records."""
        catalogue = self._catalogue
        with self._lock:
            complete, count = catalogue.complete, len(catalogue)
            known = self._known[name]
            if known < 0 or (complete and known != count) or count > max(1, known) * _GROWN:
                if name == "players":
                    self._players = self._made_players(count)
                else:
                    self._events, self._event_games = self._made_events(count)
                self._known[name] = count
            return self._players if name == "players" else self._events

    def _games(self, count: int) -> NDArray[np.int64]:
        flags = self._catalogue.column("flags")[:count]
        return np.flatnonzero((flags & Flag.GAME != 0) & (flags & Flag.DELETED == 0))

    def _made_players(self, count: int) -> NDArray[Any]:
        rows = self._games(count)
        column = {name: self._catalogue.column(name)[rows] for name in (*_SIDES, *_ELOS, "result", "date")}
        ids = np.concatenate([column[side] for side in _SIDES])
        points = np.concatenate([_POINTS_TABLE[side][column["result"]] for side in range(2)])
        elos = np.concatenate([column[elo] for elo in _ELOS]).astype(np.int32)
        years = np.tile((column["date"] // 10_000).astype(np.int32), 2)
        named = ids >= 0
        ids, points, elos, years = ids[named], points[named], elos[named], years[named]
        found, places = np.unique(ids, return_inverse=True)
        table = np.zeros(len(found), _PLAYERS)
        counts = np.bincount(places * 4 + points, minlength=len(found) * 4).reshape(-1, 4)
        table["name"], table["games"] = found, counts.sum(axis=1)
        table["losses"], table["draws"], table["wins"] = counts[:, 0], counts[:, 1], counts[:, 2]
        np.maximum.at(table["rating"], places, np.where(elos == NO_RATING, 0, elos))
        np.maximum.at(table["last"], places, years)
        dated = years > 0
        first = np.full(len(found), 9999, np.int32)
        np.minimum.at(first, places[dated], years[dated])
        table["first"] = np.where(first == 9999, 0, first)
        return table

    def _made_events(self, count: int) -> tuple[NDArray[Any], NDArray[np.int32]]:
        rows = self._games(count)
        column = {name: self._catalogue.column(name)[rows] for name in (*_SIDES, *_ELOS, "event", "site", "date")}
        named = np.flatnonzero(column["event"] >= 0)
        dates = column["date"][named]
        days = _days(dates)
        order = np.lexsort((rows[named], dates, days, column["event"][named]))
        named = named[order]
        days, dates, events = days[order], dates[order], column["event"][named]
        if not len(named):
            return np.empty(0, _EVENTS), np.empty(0, np.int32)
        begins = np.flatnonzero(_begins(events, days))
        ends = np.append(begins[1:], len(named))
        table = np.zeros(len(begins), _EVENTS)
        table["name"], table["site"] = events[begins], column["site"][named[begins]]
        table["games"], table["begin"], table["end"] = ends - begins, begins, ends
        table["last"] = np.maximum.reduceat(dates, begins)
        dated = np.where(dates == 0, np.iinfo(np.uint32).max, dates)
        earliest = np.minimum.reduceat(dated, begins)
        table["first"] = np.where(table["last"] == 0, 0, earliest)
        owners = np.repeat(np.arange(len(begins)), ends - begins)
        table["players"] = _distinct_players(owners, [column[side][named] for side in _SIDES], len(begins))
        table["rating"] = _mean_ratings(owners, [column[elo][named] for elo in _ELOS], len(begins))
        return table, rows[named].astype(np.int32)

    def _named(self, table: NDArray[Any], text: str, *others: str) -> NDArray[Any]:
        """Return the rows with a name, or another text, that contains a text."""
        if not text.strip():
            return table
        names = self._catalogue.names.array()
        found = np.append(name_matcher(text, exact=False)(names).to_numpy(zero_copy_only=False), False)
        mask = np.logical_or.reduce([found[table[column]] for column in ("name", *others)])
        return table[mask]

    def _ordered(self, table: NDArray[Any], keys: NDArray[np.int64] | None) -> NDArray[Any]:
        """Return rows by keys, or without keys by name."""
        if keys is not None:
            return table[np.lexsort((table["name"], keys))]
        names = self._catalogue.names.array().take(pa.array(table["name"]))
        ordered: NDArray[Any] = table[pc.sort_indices(without_accents(names)).to_numpy()]
        return ordered


_SIDES: Final = ("white", "black")
_ELOS: Final = ("white_elo", "black_elo")


def _days(dates: NDArray[np.uint32]) -> NDArray[np.int64]:
    """Return days as numbers; unknown months and days are replaced by the middle of their range, unknown years by 0."""
    years, months, days = dates // 10_000, dates // 100 % 100, dates % 100
    begins = (years.astype(np.int64) - 1970) * 12 + np.where(months == 0, 7, months) - 1
    numbers = begins.astype("datetime64[M]").astype("datetime64[D]").astype(np.int64) + np.where(days == 0, 15, days)
    return np.where(years == 0, np.iinfo(np.int64).min // 2, numbers)


def _begins(events: NDArray[np.int32], days: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return where an event begins among games ordered by event and day; undated games join the first edition."""
    first = np.ones(len(events), np.bool_)
    undated = days[:-1] < -(1 << 40)
    first[1:] = (events[1:] != events[:-1]) | (~undated & (days[1:] - days[:-1] > BREAK_DAYS))
    return first


def _distinct_players(owners: NDArray[np.int64], sides: Sequence[NDArray[np.int32]], count: int) -> NDArray[np.int64]:
    pairs = np.concatenate([(owners << 32) | side for side in sides])
    known = np.concatenate([side >= 0 for side in sides])
    return np.bincount(np.unique(pairs[known]) >> 32, minlength=count)


def _mean_ratings(owners: NDArray[np.int64], elos: Sequence[NDArray[Any]], count: int) -> NDArray[np.int64]:
    whole, everyone = np.concatenate(list(elos)).astype(np.int64), np.tile(owners, 2)
    rated = whole != NO_RATING
    sums = np.bincount(everyone[rated], weights=whole[rated], minlength=count)
    numbers = np.bincount(everyone[rated], minlength=count)
    return np.rint(sums / np.maximum(numbers, 1)).astype(np.int64)
