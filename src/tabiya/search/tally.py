"""Sums over the games of a position per move, over all parts of a database."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import numpy as np

from tabiya.errors import CorruptError
from tabiya.positions.game_facts import FACTS, NO_RATING
from tabiya.search.game_conditions import NO_TEST, GameTest
from tabiya.search.tally_kernel import add_up

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    from tabiya.search.parts import Part, PositionQuery

STATISTICS: Final = np.dtype(
    [
        ("move", np.int64),  # a token; -1 where games end
        ("results", np.int64, 4),  # games without a decided result, won by White, by Black, drawn
        ("faced", np.int64, 4),  # the same for games in which the opponent of the side to move has a rating
        ("opponents", np.int64),  # the sum of these ratings, of games with a result
        ("ratings", np.int64),  # the sum of all ratings
        ("rated", np.int64),  # number of these ratings
        ("first", np.int64),  # date as yyyymmdd
        ("last", np.int64),
        ("best", np.int64),  # ratings << 32 | row
        ("latest", np.int64),  # date << 32 | row
    ]
)
"""The sums of the kernel for a move."""
Statistics: TypeAlias = list[int]
"""The statistics as plain numbers in a list."""
_WORDS: Final = STATISTICS.itemsize // 8
_MOVE, _RESULTS, _FACED, _RATINGS, _FIRST, _LAST, _BEST = 0, slice(1, 5), slice(5, 9), slice(9, 12), 12, 13, 14
"""Their indices in a row of 64-bit words."""
_MOST_MOVES: Final = 400
"""No position has more than 218 legal moves; some more for null moves, ends and damage."""
_A_YEAR: Final = 10_000
_ROW: Final = 0xFFFF_FFFF
_MOST_ADVANTAGE: Final = 800
"""Maximum difference between a performance and the ratings of the opponents, as in the rules of FIDE."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """Games and how they ended."""

    games: int
    white: int
    """Won by White."""
    draws: int
    black: int
    """Won by Black. Games without a result, or not played at the board, are counted only in ``games``."""
    average_rating: int | None
    """Average over all players in these games with a rating."""
    average_opponent: int | None
    """Average rating of the opponents of the side to move."""
    performance: int | None
    """Performance of the side to move: its rating according to its score against these opponents."""
    first_year: int | None
    last_year: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class GameReference:
    """The main facts of a game, for display in a table."""

    number: int
    """In the database, from 1."""
    move: int
    """The token of the move played in the position; -1 if the game ends there."""
    result: int
    """A value of ``Result``; 255 if there is none."""
    white: str | None
    black: str | None
    white_rating: int | None
    black_rating: int | None
    date: int
    """As yyyymmdd, with zeros for unknown parts."""
    event: str | None
    time_class: int
    """A value of ``TimeClass``."""


class FoundGame(NamedTuple):
    """A game that may be returned: most games found in the segments of a library are dropped in the end."""

    number: int
    """In the database, from 1."""
    look_up: Callable[[], GameReference]


class PartTally(NamedTuple):
    """The statistics of one part of a database for a position."""

    statistics: list[Statistics]
    best: list[tuple[int, FoundGame]]
    """With their sort keys."""
    latest: list[tuple[int, FoundGame]]
    singles: dict[int, FoundGame]
    """The games of moves that were played once."""
    counted: NDArray[np.int64]
    """Rows of the counted games, if requested."""
    plies: NDArray[np.int16]
    """Number of half-moves after which each of these reached the position."""
    unsure: int
    """Number of games whose ECO code is missing in the facts, if there is a condition on codes."""


def tally_rows(
    part: Part, position_query: PositionQuery, test: GameTest, *, best: int, latest: int, listed: bool = False
) -> PartTally:
    """Find the games of a position in a part and add them up."""
    rows, base = part.find(position_query)
    words = np.empty((_MOST_MOVES, _WORDS), np.int64)
    leaders, newest = np.full(best, -1, np.int64), np.full(latest, -1, np.int64)
    counted = np.zeros(len(rows.games) if listed else 0, np.uint8)
    facts = part.facts.view(np.uint8).reshape(len(part.facts), part.facts.dtype.itemsize)
    turn = position_query.side
    moves, unknown_records, unsure = add_up(
        facts, base, rows.games, rows.moves, part.allowed, *test, turn, words, leaders, newest, counted
    )
    if unknown_records:
        raise CorruptError("the position index of the library names records that do not exist")
    # The list is short, and numpy is slow to start.
    sums: list[Statistics] = words[:moves].tolist()
    played = _Played(part, rows.games, rows.moves, base)
    chosen = np.flatnonzero(counted)
    return PartTally(
        sums,
        [(value >> 32, played.found(value & _ROW)) for value in leaders.tolist() if value >= 0],
        [(value >> 32, played.found(value & _ROW)) for value in newest.tolist() if value >= 0],
        {row[_MOVE]: played.found(row[_BEST] & _ROW) for row in sums if games_of(row) == 1},
        rows.games[chosen].astype(np.int64) - base,
        rows.plies[chosen],
        unsure,
    )


def choose_games(part: Part, test: GameTest) -> tuple[NDArray[np.int64], int]:
    """Return the rows of all games that meet the conditions, and how many of them have codes missing in the facts."""
    rows = part.games()
    counted = np.zeros(len(rows), np.uint8)
    _, unsure = _add_up_games(part, rows, test, 0, counted)
    return rows[counted != 0], unsure


def statistics_of_games(part: Part, rows: NDArray[np.int64], color: int) -> NDArray[Any]:
    """Return the sums over some games, in one row or none; opponents are those of White (0) or Black (1)."""
    return _add_up_games(part, rows, NO_TEST, color, np.zeros(0, np.uint8))[0]


def _add_up_games(
    part: Part, rows: NDArray[np.int64], test: GameTest, color: int, counted: NDArray[np.uint8]
) -> tuple[NDArray[Any], int]:
    statistics = np.zeros(1, STATISTICS)
    no_rows = np.empty(0, np.int64)
    facts = part.facts.view(np.uint8).reshape(len(part.facts), part.facts.dtype.itemsize)
    words = statistics.view(np.int64).reshape(1, -1)
    ends = np.full(len(rows), -1, np.int16)
    moves, _, unsure = add_up(
        facts, 0, rows.astype(np.int32), ends, part.allowed, *test, color, words, no_rows, no_rows.copy(), counted
    )
    return statistics[:moves], unsure


class _Played:
    """Looks up games and the moves played in them."""

    def __init__(self, part: Part, games: NDArray[np.int32], moves: NDArray[np.int16], base: int) -> None:
        self._part = part
        self._games = games
        self._moves = moves
        self._base = base

    def found(self, row: int) -> FoundGame:
        """Return a game; that of a batch is looked up immediately, so that the batch can be released."""
        if self._part.segment is not None:
            return FoundGame(self._part.number(row), partial(self.reference, row))
        reference = self.reference(row)
        return FoundGame(reference.number, lambda: reference)

    def reference(self, row: int) -> GameReference:
        facts = dict(zip(FACTS.names or (), self._part.facts[row].item(), strict=True))
        # Of the same type: numpy would convert millions of games to wider numbers for one lookup.
        place = int(self._games.searchsorted(np.int32(row + self._base)))
        name_of = self._part.names.name_of
        return GameReference(
            number=self._part.number(row),
            move=int(self._moves[place]),
            result=facts["result"],
            white=name_of(facts["white"]),
            black=name_of(facts["black"]),
            white_rating=_rating(facts["white_elo"]),
            black_rating=_rating(facts["black_elo"]),
            date=facts["date"],
            event=name_of(facts["event"]),
            time_class=facts["time_class"],
        )


def _rating(elo: int) -> int | None:
    return None if elo == NO_RATING else elo


class Tally:
    """Combines the statistics of the parts."""

    def __init__(self, *, best: int, latest: int) -> None:
        self._most_best, self._most_latest = best, latest
        self._sums: dict[int, Statistics] = {}
        self._best: list[tuple[int, FoundGame]] = []
        self._latest: list[tuple[int, FoundGame]] = []
        self._singles: dict[int, FoundGame] = {}

    def add(self, part: PartTally) -> None:
        """Add a part."""
        if part.statistics:
            for row in part.statistics:
                before = self._sums.get(row[_MOVE])
                self._sums[row[_MOVE]] = row if before is None else _together([before, row])
            self._best = _largest([*self._best, *part.best], self._most_best)
            self._latest = _largest([*self._latest, *part.latest], self._most_latest)
            self._singles |= part.singles

    @property
    def best(self) -> list[GameReference]:
        """The games with the highest ratings, highest first."""
        return [game.look_up() for _, game in self._best]

    @property
    def latest(self) -> list[GameReference]:
        """The latest games first."""
        return [game.look_up() for _, game in self._latest]

    def single(self, move: int) -> GameReference | None:
        """Return the only game in which a move was played."""
        found = self._singles.get(move)
        return None if found is None else found.look_up()

    def statistics(self) -> list[Statistics]:
        """Return the sums of all parts, a row per move."""
        return list(self._sums.values())


def _together(rows: list[Statistics]) -> Statistics:
    """Return the sum of several rows, without the best and the latest game."""
    if len(rows) == 1:
        return rows[0]
    sums = [sum(column) for column in zip([0] * _WORDS, *rows, strict=True)]
    sums[_FIRST] = min((row[_FIRST] for row in rows), default=0)
    sums[_LAST] = max((row[_LAST] for row in rows), default=0)
    sums[_MOVE] = rows[0][_MOVE] if rows else 0
    return sums


def games_of(row: Statistics) -> int:
    """Return the number of games in a row."""
    return sum(row[_RESULTS])


def _largest(games: Iterable[tuple[int, FoundGame]], most: int) -> list[tuple[int, FoundGame]]:
    return sorted(games, key=lambda each: (each[0], each[1].number), reverse=True)[:most]


def counts_of(rows: list[Statistics], turn: int) -> dict[str, Any]:
    """Return the fields of ``Counts`` for one row of statistics, or for several together."""
    row = _together(rows)
    none, white, black, draws = row[_RESULTS]
    _, *faced = row[_FACED]
    opponents, ratings, rated = row[_RATINGS]
    met, points = sum(faced), faced[1 if turn else 0] + faced[2] / 2
    return {
        "games": none + white + black + draws,
        "white": white,
        "draws": draws,
        "black": black,
        "average_rating": round(ratings / rated) if rated else None,
        "average_opponent": round(opponents / met) if met else None,
        "performance": performance_of(opponents / met, points / met) if met else None,
        "first_year": row[_FIRST] // _A_YEAR if row[_LAST] >= _A_YEAR else None,
        "last_year": row[_LAST] // _A_YEAR or None,
    }


def performance_of(opponents: float, share: float) -> int:
    """Return the rating that is expected to score this share against opponents of this rating."""
    advantage = 400 * math.log10(share / (1 - share)) if 0 < share < 1 else (2 * share - 1) * _MOST_ADVANTAGE
    return round(opponents + max(-_MOST_ADVANTAGE, min(advantage, _MOST_ADVANTAGE)))
