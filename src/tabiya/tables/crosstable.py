"""Crosstables of events: as text, as HTML, as Arrow."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa

from tabiya.formats.open_and_create import opened
from tabiya.tables.events import games_of_event
from tabiya.tables.standings import entry_dict, kind_of, players_of, points_text, ranked, teams_of
from tabiya.tables.tie_breaks import TIE_BREAKS, USUAL_TIE_BREAKS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tabiya.formats import Database
    from tabiya.formats.open_and_create import Locations
    from tabiya.formats.progress import Watcher
    from tabiya.tables.standings import Encounter, Entry

_OWN: Final = "*"
_LONGEST_NAME: Final = 28
_SIGNS: Final = {0.0: "-", 0.5: "=", 1.0: "+", None: "*"}
_ENCOUNTER: Final = pa.struct(
    [
        ("round", pa.int32()),
        ("opponent", pa.string()),
        ("color", pa.string()),
        ("points", pa.float64()),
        ("result", pa.string()),
        ("number", pa.int64()),
    ]
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tournament:
    """An event and its standings."""

    name: str
    site: str | None
    kind: str
    """``match``, ``round-robin``, ``swiss`` or ``team``."""
    first_date: str | None
    last_date: str | None
    games: int
    rounds: int
    """The highest round number; 0 if games contain none."""
    entries: tuple[Entry, ...]
    """Players, or teams, the best first."""
    tie_breaks: tuple[str, ...]
    """The criteria for equal points, the most important first."""

    @property
    def title(self) -> str:
        """The heading of the table."""
        dates = [self.first_date, self.last_date] if self.first_date != self.last_date else [self.first_date]
        place = [each for each in (self.site, " to ".join(each for each in dates if each)) if each]
        what = "teams" if self.kind == "team" else "players"
        facts = [self.kind.replace("-", " "), f"{len(self.entries)} {what}"]
        facts += [f"{self.rounds} rounds"] * (self.rounds > 1 and self.kind != "match") + [
            f"{self.games:,} game{'' if self.games == 1 else 's'}"
        ]
        return ", ".join([self.name, *place]) + f" ({', '.join(facts)})"

    def cells(self) -> list[list[str]]:
        """Return the table as texts, header row first: place, name, rating, results, points, tie-breaks.

        Places identify opponents in results; entries with the same rank are in the order of names.
        """
        columns = _round_columns(self) if self.kind == "swiss" or _is_thin(self) else _opponent_columns(self)
        rated = any(entry.rating is not None for entry in self.entries)
        breaks = [name for name in self.tie_breaks if any(entry.tie_breaks[name] is not None for entry in self.entries)]
        head = ["", "", *["Elo"] * rated, *columns[0], "Points", *(TIE_BREAKS[name].title for name in breaks)]
        rows = [
            [
                str(place),
                entry.name,
                *[str(entry.rating or "")] * rated,
                *results,
                points_text(entry.points),
                *(_number(entry.tie_breaks[name]) for name in breaks),
            ]
            for place, (entry, results) in enumerate(zip(self.entries, columns[1:], strict=True), start=1)
        ]
        return [head, *rows]

    def to_text(self) -> str:
        """Return the table with aligned columns; long names are cut."""
        rows = [[row[0], _cut(row[1]), *row[2:]] for row in self.cells()]
        widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
        lines = [
            "  ".join(
                cell.ljust(width) if column == 1 else cell.rjust(width)
                for column, (cell, width) in enumerate(zip(row, widths, strict=True))
            ).rstrip()
            for row in rows
        ]
        return "\n".join([self.title, "", *lines])

    __str__ = to_text

    def to_html(self) -> str:
        """Return the table as HTML, without scripts; every text is escaped."""
        head, *rows = self.cells()
        titles = "".join(f"<th>{escape(cell)}</th>" for cell in head)
        body = "".join(f"<tr>{_html_row(row)}</tr>" for row in rows)
        caption = f"<caption>{escape(self.title)}</caption>"
        return f"<table>{caption}<thead><tr>{titles}</tr></thead><tbody>{body}</tbody></table>"

    def _repr_html_(self) -> str:
        """Show the table in a notebook; ``to_html`` is for pages with a style of their own."""
        from tabiya.game.html_tables import Column, Markup, html_table  # noqa: PLC0415 - for notebooks

        head, *rows = self.cells()
        points = head.index("Points")
        columns = [Column(title, "left" if place == 1 else "center") for place, title in enumerate(head)]
        cells = [[*row[:points], Markup(f"<strong>{escape(row[points])}</strong>"), *row[points + 1 :]] for row in rows]
        return html_table(self.title, columns, cells)

    def to_arrow(self) -> pa.Table:
        """Return a row for each player or team, with all encounters as a list."""
        rows = [entry_dict(entry, self.entries) for entry in self.entries]
        numbers = dict.fromkeys(("rank", "rating", "games", "wins", "draws", "losses"), pa.int32())
        columns: Mapping[str, pa.DataType] = {"name": pa.string(), "encounters": pa.list_(_ENCOUNTER), **numbers}
        schema = pa.schema([(name, columns.get(name, pa.float64())) for name in rows[0]])
        return pa.Table.from_pylist(rows, schema)

    def as_dict(self) -> dict[str, Any]:
        """Return the event for JSON."""
        return {
            "name": self.name,
            "site": self.site,
            "kind": self.kind,
            "first_date": self.first_date,
            "last_date": self.last_date,
            "games": self.games,
            "rounds": self.rounds,
            "tie_breaks": list(self.tie_breaks),
            "standings": [entry_dict(entry, self.entries) for entry in self.entries],
        }


def _html_row(row: Sequence[str]) -> str:
    sides = ("left" if column == 1 else "center" for column in range(len(row)))
    return "".join(f'<td style="text-align: {side}">{escape(cell)}</td>' for side, cell in zip(sides, row, strict=True))


def _opponent_columns(event: Tournament) -> list[list[str]]:
    """Return a column per opponent, in the order of the standings: titles, then a row for each entry."""
    count = len(event.entries)
    rows = [[str(place + 1) for place in range(count)]]
    for place, entry in enumerate(event.entries):
        cells: list[list[str]] = [[] for _ in range(count)]
        for each in entry.encounters:
            cells[each.opponent].append(each.symbol)
        joint = " " if event.kind == "team" else ""
        rows.append([_OWN if other == place else joint.join(cell) or "." for other, cell in enumerate(cells)])
    return rows


def _round_columns(event: Tournament) -> list[list[str]]:
    """Return a column per round, ``+12w``: won against number 12 with White; for teams ``12:2½``, the points scored."""
    rounds = event.rounds or max(len(entry.encounters) for entry in event.entries)
    rows = [[str(number + 1) for number in range(rounds)]]
    for entry in event.entries:
        cells: list[list[str]] = [[] for _ in rows[0]]
        for place, each in enumerate(entry.encounters):
            column = place if not event.rounds else (each.round or 0) - 1
            if 0 <= column < len(cells):
                cells[column].append(_met(each))
        rows.append([" ".join(cell) or "." for cell in cells])
    return rows


def _met(each: Encounter) -> str:
    if not each.color:
        return f"{each.opponent + 1}:{each.symbol}"
    return f"{_SIGNS[each.points]}{each.opponent + 1}{each.color}"


def _is_thin(event: Tournament) -> bool:
    """Return whether teams have met so few opponents that a table of opponents would be mostly empty."""
    met = sum(len({each.opponent for each in entry.encounters}) for entry in event.entries)
    return event.kind == "team" and met < len(event.entries) * (len(event.entries) - 1) / 2


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}".rstrip("0").rstrip(".")


def _cut(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"


def tournament(
    source: Locations | Database,
    *,
    kind: str | None = None,
    tie_breaks: Sequence[str] | None = None,
    together: bool = False,
    threads: int = 1,
    progress: Watcher = None,
    **conditions: Any,
) -> Tournament:
    """Return the standings of an event, computed from its games.

    Args:
        source: what ``tabiya.open`` takes, or an open database, which remains open.
        kind: ``match``, ``round-robin``, ``swiss`` or ``team``; detected from the pairings if it is not given.
        tie_breaks: the criteria for equal points, the most important first; see ``TIE_BREAKS``. By default the usual
            ones for the kind.
        together: count all games, regardless of the names and dates of their events.
        threads: number of threads that read.
        progress: called while records are read.
        conditions: those of ``RecordFilter``, to select the event: ``event="hastings"``, ``date="1895"``.

    Raises:
        UsageError: There are games of several events, or none; a game lacks its teams.
    """
    with opened(source) as database:
        chosen = database.filter(**conditions) if conditions else database
        games = games_of_event(chosen, together=together, threads=threads, progress=progress)
    found = kind_of(games, kind)
    breaks = tuple(USUAL_TIE_BREAKS[found] if tie_breaks is None else tie_breaks)
    entries = ranked(teams_of(games) if found == "team" else players_of(games), breaks)
    dates = [str(game.date) for game in games if game.date.year is not None]
    sites = {game.site for game in games}
    return Tournament(
        name=games[0].event or "Event without a name",
        site=games[0].site if len(sites) == 1 and games[0].site != games[0].event else None,
        kind=found,
        first_date=min(dates, default=None),
        last_date=max(dates, default=None),
        games=len(games),
        rounds=max(game.round or 0 for game in games) if all(game.round for game in games) else 0,
        entries=entries,
        tie_breaks=breaks,
    )
