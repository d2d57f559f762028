"""Events of a database: all of them, and the table of one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast, get_args

from tabiya.errors import TabiyaError, UsageError
from tabiya.formats.runs import Runs
from tabiya.formats.subset import Subset
from tabiya.search.directories import EventOrder
from tabiya.tables import tournament
from tabiya.tables.tie_breaks import TIE_BREAKS
from tabiya.web.api.reporting import MOST_ROWS, directory, report, text_of
from tabiya.web.request import ApiError, Call, Later

if TYPE_CHECKING:
    from starlette.responses import Response

    from tabiya.formats.progress import Watcher
    from tabiya.search.listing import ListedDatabase
    from tabiya.tables.crosstable import Tournament
    from tabiya.tables.standings import Entry
    from tabiya.web.answers import reports
    from tabiya.web.site import Site

_MOST_PLAYERS: Final = 600
_MOST_GAMES: Final = 10_000


def list_events(site: Site, call: Call) -> reports.Events:
    """Return the events of a database whose names or places contain a text."""
    source = site.sources.get(call.path["source"])
    by = call.text("by", "last")
    if by not in get_args(EventOrder):
        raise ApiError(422, f"Events are sorted by {', '.join(get_args(EventOrder))}, not by {by!r:.60}.")
    offset = call.number("offset", 0)
    with source.listed_database() as (opened, listed_database):
        listed_database.catalogue.start()
        page = listed_database.directories.events(
            text_of(call), by=cast("EventOrder", by), begin=offset, most=call.number("limit", 100, 0, MOST_ROWS)
        )
        events = [_event(row, listed_database) for row in page.rows]
        return {**directory(source, opened, listed_database, offset, page.total), "events": events}


def _event(row: Any, listed_database: ListedDatabase) -> reports.Event:
    directories = listed_database.directories
    return {
        "name": directories.name_of(int(row["name"])) or "",
        "site": directories.name_of(int(row["site"])),
        "games": int(row["games"]),
        "players": int(row["players"]),
        "rating": int(row["rating"]) or None,
        "first": _date(int(row["first"])),
        "last": _date(int(row["last"])),
    }


def _date(date: int) -> str | None:
    """Return a date as far as it is known."""
    year, month, day = date // 10_000, date // 100 % 100, date % 100
    known = [f"{year:04}", *([f"{month:02}"] if month else []), *([f"{day:02}"] if month and day else [])]
    return "-".join(known) if year else None


def show_tournament(site: Site, call: Call) -> Later | Response | reports.TournamentReport:
    """Return the table of an event."""
    event = call.text("event")
    if event is None:
        raise ApiError(422, "The request names no event: give “event”.")
    return report(site, call, _report, event=event, day=_day(call.text("date")))


def _day(text: str | None) -> int:
    """Return a date as facts have it; 0 for none."""
    parts = [] if text is None else text.replace(".", "-").split("-")
    if len(parts) > 3 or not all(part.isascii() and part.isdigit() and len(part) <= 4 for part in parts):
        raise ApiError(422, f"“date” must be a date such as 2013-11-09, not “{(text or '')[:40]}”.")
    year, month, day = (*map(int, parts), 0, 0, 0)[:3]
    return 10_000 * year + 100 * month + day


def _report(listed_database: ListedDatabase, *, event: str, day: int, progress: Watcher) -> dict[str, Any]:
    listed_database.gather(progress)
    directories = listed_database.directories
    editions = directories.editions_of(event)
    if not len(editions):
        raise UsageError(f"no game of {event[:80]!r} is here", path=listed_database.database.path)
    last = len(editions) - 1
    place = next((place for place, row in enumerate(editions) if day and day <= _end(int(row["last"]))), last)
    table = _table_of(listed_database, editions[place])
    return {
        "event": _event(editions[place], listed_database),
        "others": [_event(row, listed_database) for row in editions] if last else [],
        "table": None if table is None else _table(table),
    }


def _table_of(listed_database: ListedDatabase, event: Any) -> Tournament | None:
    """Return the standings of an event; None if it is too large, or no game has two players."""
    if event["players"] > _MOST_PLAYERS or event["games"] > _MOST_GAMES:
        return None
    places = listed_database.directories.games_of_event(event)
    try:
        return tournament(Subset(listed_database.database, Runs.of(places), direct=True), together=True)
    except TabiyaError:
        return None


def _end(date: int) -> int:
    """Return the last day that a date may be."""
    return date + (0 if date % 100 else 99) + (0 if date // 100 % 100 else 9900)


def _table(table: Tournament) -> reports.Crosstable:
    used = [name for name in table.tie_breaks if any(entry.tie_breaks[name] is not None for entry in table.entries)]
    return {
        "kind": cast("Any", table.kind),
        "rounds": table.rounds,
        "tie_breaks": [TIE_BREAKS[name].title for name in used],
        "entries": [_entry(entry, used) for entry in table.entries],
    }


def _entry(entry: Entry, tie_breaks: list[str]) -> reports.TableEntry:
    return {
        "rank": entry.rank,
        "name": entry.name,
        "rating": entry.rating,
        "points": entry.points,
        "games": entry.games,
        "tie_breaks": [entry.tie_breaks[name] for name in tie_breaks],
        "encounters": [
            {
                "round": each.round,
                "opponent": each.opponent,
                "color": cast("Any", each.color or None),
                "points": each.points,
                "result": each.symbol,
                "number": each.number,
            }
            for each in entry.encounters
        ],
    }
