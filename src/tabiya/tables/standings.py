"""The encounters of an event, and its standings."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from tabiya.errors import UsageError
from tabiya.tables.tie_breaks import TIE_BREAKS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tabiya.tables.events import EventGame

KINDS: Final = ("match", "round-robin", "swiss", "team")
_MOSTLY: Final = 0.75
"""A round robin in progress has fewer encounters than it will have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Encounter:
    """A game as seen by one player, or a match as seen by one team."""

    round: int | None
    opponent: int
    """Index among the entries, from 0."""
    color: str
    """``w`` or ``b``; empty for teams."""
    points: float | None
    """None without a result."""
    symbol: str
    """As shown in a crosstable: ``1``, ``½``, ``0``; ``+`` and ``-`` for a game that was not played; for a team the
    points on its boards."""
    number: int
    """Number of the record; for a team the first of the match."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A player or a team."""

    name: str
    rating: int | None
    encounters: tuple[Encounter, ...]
    board_points: float | None = None
    """Only for teams."""
    rank: int = 0
    """From 1; equal entries share a rank."""
    tie_breaks: dict[str, float | None] = field(default_factory=dict)

    @property
    def points(self) -> float:
        """Points; a team has two for each match won and one for each match drawn."""
        return sum(each.points or 0.0 for each in self.encounters)

    @property
    def games(self) -> int:
        """Number of games or matches with a result."""
        return sum(each.points is not None for each in self.encounters)


def players_of(games: Sequence[EventGame]) -> list[Entry]:
    """Return the players of an event in the order in which they appear."""
    places = _places(name for game in games for name in (game.white, game.black))
    found: list[list[Encounter]] = [[] for _ in places]
    ratings: dict[str, int] = {}
    for game in games:
        sides = ((game.white, game.black, "w", game.white_elo), (game.black, game.white, "b", game.black_elo))
        for side, (name, opponent, color, rating) in enumerate(sides):
            found[places[name]].append(
                Encounter(
                    round=game.round,
                    opponent=places[opponent],
                    color=color,
                    points=game.points[side],
                    symbol=game.symbols[side],
                    number=game.number,
                )
            )
            if rating is not None:
                ratings.setdefault(name, rating)
    return [
        Entry(name=name, rating=ratings.get(name), encounters=tuple(found[place])) for name, place in places.items()
    ]


def teams_of(games: Sequence[EventGame]) -> list[Entry]:
    """Return the teams of an event; a match is the games of two teams in one round.

    Raises:
        UsageError: A game does not state which teams play.
    """
    boards: dict[tuple[int | None, str, str], list[tuple[EventGame, bool]]] = defaultdict(list)
    for game in games:
        if game.white_team is None or game.black_team is None:
            raise UsageError("a game without WhiteTeam and BlackTeam cannot count for a team", game=game.number)
        one, two = sorted((game.white_team, game.black_team))
        boards[game.round, one, two].append((game, game.white_team == one))
    places = _places(name for _, one, two in boards for name in (one, two))
    found: list[list[Encounter]] = [[] for _ in places]
    totals: dict[str, float] = dict.fromkeys(places, 0.0)
    for (number, one, two), played in boards.items():
        own = sum(game.points[0 if first else 1] or 0.0 for game, first in played)
        other = sum(game.points[1 if first else 0] or 0.0 for game, first in played)
        finished = all(game.points[0] is not None for game, _ in played)
        for name, opponent, mine, theirs in ((one, two, own, other), (two, one, other, own)):
            totals[name] += mine
            found[places[name]].append(
                Encounter(
                    round=number,
                    opponent=places[opponent],
                    color="",
                    points=(2.0 if mine > theirs else 1.0 if mine == theirs else 0.0) if finished else None,
                    symbol=points_text(mine),
                    number=min(game.number for game, _ in played),
                )
            )
    return [
        Entry(name=name, rating=None, encounters=tuple(found[place]), board_points=totals[name])
        for name, place in places.items()
    ]


def _places(names: Iterable[str]) -> dict[str, int]:
    return {name: place for place, name in enumerate(dict.fromkeys(names))}


def points_text(points: float) -> str:
    """Return points as chess players write them: ``2½``."""
    whole, half = divmod(round(2 * points), 2)
    return (str(whole) if whole or not half else "") + ("½" if half else "")


def kind_of(games: Sequence[EventGame], kind: str | None = None) -> str:
    """Return the kind of event: the one that is given, or the one the games look like.

    Raises:
        UsageError: The kind is unknown.
    """
    if kind is not None:
        if kind not in KINDS:
            raise UsageError(f"an event is a {', '.join(KINDS[:-1])} or {KINDS[-1]}; not {kind!r}")
        return kind
    if all(game.white_team and game.black_team for game in games):
        return "team"
    players = {name for game in games for name in (game.white, game.black)}
    if len(players) <= 2:
        return "match"
    met = {frozenset((game.white, game.black)) for game in games}
    pairs = len(players) * (len(players) - 1) // 2
    return "round-robin" if len(met) >= _MOSTLY * pairs else "swiss"


def ranked(entries: Sequence[Entry], tie_breaks: Sequence[str]) -> tuple[Entry, ...]:
    """Return the entries by points, then by tie-breaks, each within those that are still equal; then by name.

    Raises:
        UsageError: A tie-break is unknown.
    """
    for name in tie_breaks:
        if name not in TIE_BREAKS:
            raise UsageError(f"{name!r} is not a tie-break; known: {', '.join(TIE_BREAKS)}")
    values: list[dict[str, float | None]] = [{} for _ in entries]
    groups = _cut([range(len(entries))], [entry.points for entry in entries])
    for name in tie_breaks:
        for group in groups:
            for place in group:
                values[place][name] = TIE_BREAKS[name].value(entries, place, group)
        groups = _cut(groups, [values[place][name] for place in range(len(entries))])
    order = [
        (place, 1 + sum(map(len, groups[:at]))) for at, group in enumerate(groups) for place in _named(entries, group)
    ]
    new = {old: place for place, (old, _) in enumerate(order)}
    return tuple(
        replace(
            entries[old],
            rank=rank,
            tie_breaks=values[old],
            encounters=tuple(replace(each, opponent=new[each.opponent]) for each in entries[old].encounters),
        )
        for old, rank in order
    )


def _cut(groups: Sequence[Sequence[int]], values: Sequence[float | None]) -> list[list[int]]:
    """Return groups of equals split into those still equal, the best first; entries without a value are last."""
    found: list[list[int]] = []
    for group in groups:
        parts: dict[float | None, list[int]] = defaultdict(list)
        for place in group:
            parts[values[place]].append(place)
        found += [parts[value] for value in sorted(parts, key=_descending)]
    return found


def _descending(value: float | None) -> tuple[bool, float]:
    return value is None, -(value or 0.0)


def _named(entries: Sequence[Entry], group: Sequence[int]) -> list[int]:
    return sorted(group, key=lambda place: (entries[place].name.casefold(), entries[place].name))


def entry_dict(entry: Entry, entries: Sequence[Entry]) -> dict[str, Any]:
    """Return an entry for JSON and Arrow."""
    symbols = [each.points for each in entry.encounters]
    best = 2.0 if entry.board_points is not None else 1.0
    return {
        "rank": entry.rank,
        "name": entry.name,
        "rating": entry.rating,
        "games": entry.games,
        "points": entry.points,
        "wins": symbols.count(best),
        "draws": symbols.count(best / 2),
        "losses": symbols.count(0.0),
        "board_points": entry.board_points,
        **{name: entry.tie_breaks.get(name) for name in entry.tie_breaks},
        "encounters": [
            {
                "round": each.round,
                "opponent": entries[each.opponent].name,
                "color": each.color or None,
                "points": each.points,
                "result": each.symbol,
                "number": each.number,
            }
            for each in entry.encounters
        ],
    }
