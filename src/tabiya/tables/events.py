"""Find the games of one event among the headers of a database."""

from __future__ import annotations

import re
from collections import Counter
from datetime import date
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from tabiya.errors import UsageError
from tabiya.formats.progress import Progress
from tabiya.game import RecordKind, Result
from tabiya.game.tag_values import Date
from tabiya.tables.streaming import Plan

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tabiya.formats.database import Database
    from tabiya.formats.progress import Watcher

_COLUMNS: Final = (
    *("number", "kind_code", "deleted", "event", "site", "round", "white", "black", "white_elo", "black_elo"),
    *("result_code", "year", "month", "day", "tag:WhiteTeam", "tag:BlackTeam"),
)
_MOST_EVENTS: Final = 100
"""With more events than this no games are kept: the conditions cannot be meant to select one event."""
_MOST_GAMES: Final = 200_000
_MOST_LISTED: Final = 5
_BREAK_DAYS: Final = 120
"""After a longer pause, games belong to another event of the same name; leagues pause for some weeks."""
_POINTS: Final = {
    Result.WHITE_WINS: (1.0, 0.0, "1", "0"),
    Result.BLACK_WINS: (0.0, 1.0, "0", "1"),
    Result.DRAW: (0.5, 0.5, "½", "½"),
    Result.WHITE_WINS_FORFEIT: (1.0, 0.0, "+", "-"),
    Result.BLACK_WINS_FORFEIT: (0.0, 1.0, "-", "+"),
    Result.DRAW_FORFEIT: (0.5, 0.5, "=", "="),
    Result.BOTH_LOSE: (0.0, 0.0, "0", "0"),
}
_NO_POINTS: Final = (None, None, "*", "*")


class EventGame(NamedTuple):
    """A game of an event."""

    number: int
    event: str | None
    site: str | None
    round: int | None
    white: str
    black: str
    white_elo: int | None
    black_elo: int | None
    date: Date
    white_team: str | None
    black_team: str | None
    points: tuple[float | None, float | None]
    """Points of White and Black; None if the game has no result."""
    symbols: tuple[str, str]

    @property
    def order(self) -> tuple[int, int, int, int, int]:
        """Sort key of the games of an event."""
        day = self.date
        return (self.round or 0, day.year or 0, day.month or 0, day.day or 0, self.number)


def games_of_event(
    database: Database, *, together: bool = False, threads: int = 1, progress: Watcher = None
) -> list[EventGame]:
    """Return the games of the only event in a database, in order; see ``tabiya.tournament``.

    Raises:
        UsageError: There are several events, or none.
    """
    found = _read(database, together=together, threads=threads, progress=progress)
    games = [game for batch in found for row in batch.to_pylist() if (game := _game(row)) is not None]
    if not games:
        raise UsageError("there are no games with two players among these", path=database.path)
    if not together:
        _check_dates(games, database)
    return sorted(games, key=lambda game: game.order)


def _read(database: Database, *, together: bool, threads: int, progress: Watcher) -> list[pa.RecordBatch]:
    """Return the headers of all games; counts the names of events on the way."""
    plan = Plan(_COLUMNS)
    events: Counter[str | None] = Counter()
    kept: list[pa.RecordBatch] = []
    records = 0
    for count, headers in plan.pieces(database, threads):
        games = pc.and_(pc.equal(headers["kind_code"], RecordKind.GAME), pc.invert(headers["deleted"]))
        chosen = headers.filter(games)
        for pair in chosen["event"].dictionary_decode().value_counts().to_pylist():
            events[pair["values"]] += pair["counts"]
        if len(events) <= _MOST_EVENTS or together:
            kept.append(chosen)
        records += count
        if progress is not None:
            progress(Progress(records, database.progress))
    if together and sum(events.values()) > _MOST_GAMES:
        raise UsageError(f"an event has at most {_MOST_GAMES:,} games, and these are {sum(events.values()):,}")
    if len(events) > 1 and not together:
        _refuse_several((name or "without a name", number) for name, number in events.most_common())
    return kept


def _refuse_several(events: Iterable[tuple[str, int]]) -> None:
    named = [f"{name} ({_games(number)})" for name, number in events]
    more = f" and {len(named) - _MOST_LISTED:,} more" if len(named) > _MOST_LISTED else ""
    raise UsageError(
        f"these are the games of several events: {', '.join(named[:_MOST_LISTED])}{more}; choose one with event and "
        "date, or count them together"
    )


def _games(number: int) -> str:
    return f"{number:,} game{'' if number == 1 else 's'}"


def _game(row: dict[str, Any]) -> EventGame | None:
    if row["white"] is None or row["black"] is None:
        return None
    white, black, *symbols = _POINTS.get(row["result_code"], _NO_POINTS)
    number = re.match(r"\d{1,6}", row["round"] or "")
    return EventGame(
        number=row["number"],
        event=row["event"],
        site=row["site"],
        round=int(number[0]) if number else None,
        white=row["white"],
        black=row["black"],
        white_elo=row["white_elo"],
        black_elo=row["black_elo"],
        date=Date(row["year"], row["month"], row["day"]),
        white_team=row["tag:WhiteTeam"],
        black_team=row["tag:BlackTeam"],
        points=(white, black),
        symbols=(symbols[0], symbols[1]),
    )


def _check_dates(games: list[EventGame], database: Database) -> None:
    """Raise an error if games belong to several events of one name, separated by a long break."""
    days = sorted(_day(game.date) for game in games if game.date.year is not None)
    editions: list[list[int]] = []
    for day in days:
        if editions and day - editions[-1][-1] <= _BREAK_DAYS:
            editions[-1].append(day)
        else:
            editions.append([day])
    if len(editions) > 1:
        named = [f"{date.fromordinal(each[0]).isoformat()[:7]} ({_games(len(each))})" for each in editions]
        listed = ", ".join(named[:_MOST_LISTED]) + (
            f" and {len(named) - _MOST_LISTED:,} more" if len(named) > _MOST_LISTED else ""
        )
        event = games[0].event or "this event"
        raise UsageError(
            f"{event} was played several times: {listed}; choose one by its date, or count them together",
            path=database.path,
        )


def _day(known: Date) -> int:
    """Return a day as a number; unknown parts are replaced by the middle of their range."""
    year, month, day = known.year or 1, known.month or 7, known.day or 1
    try:
        return date(year, month, day).toordinal()
    except ValueError:  # the 31st of April
        return date(year, month, 28).toordinal()
