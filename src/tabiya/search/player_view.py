"""The games of a player in numbers: results with both colours, openings, years, opponents."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabiya.chess import Color, Move, Position
from tabiya.errors import UsageError
from tabiya.files.parallel import ordered_map
from tabiya.formats.open_and_create import opened
from tabiya.formats.progress import watched_batches
from tabiya.game import GameBatch, RecordFilter
from tabiya.openings import all_openings, opening_at
from tabiya.positions.game_facts import NO_RATING
from tabiya.search.explorer import header_mask
from tabiya.search.game_conditions import GameConditions
from tabiya.search.move_tree import TreeMove, move_tree
from tabiya.search.parts import joined, part_of_batch, part_of_segment
from tabiya.search.player_play import PlayerPlay, player_play
from tabiya.search.score import Score
from tabiya.search.tally import choose_games, performance_of, statistics_of_games

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from tabiya.formats.database import Database
    from tabiya.formats.open_and_create import Location
    from tabiya.formats.progress import Watcher
    from tabiya.game.where import Where
    from tabiya.openings import Opening
    from tabiya.positions.searchable import Searchable
    from tabiya.search.game_conditions import GameTest
    from tabiya.search.parts import Part

_OPENING_PLIES = 40
"""No opening name is deeper than this."""
_MOST_WAYS = 8
"""Number of games whose moves are compared to find the usual way to an opening."""
_UNNAMED = "(no name)"
_SIDES = ("white", "black")
_TURNED = [0, 2, 1, 3]
"""Results from Black's point of view."""
_NO_ROWS = np.empty(0, np.int64)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedOpening(Score):
    """An opening, the player's score in it, and its variations."""

    name: str
    eco: str
    """The most frequent code."""
    moves: tuple[str, ...] = ()
    """In UCI: how these games usually got there; empty if all of them began with other positions."""
    variations: tuple[PlayedOpening, ...] = ()
    """Most frequent first."""

    def to_dict(self) -> dict[str, Any]:
        """Return the opening for JSON."""
        deeper = [each.to_dict() for each in self.variations]
        values = {"eco": self.eco, "name": self.name, "line": list(self.moves), **Score.to_dict(self)}
        return {**values, **({"variations": deeper} if deeper else {})}


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerView:
    """Statistics of a player in a database."""

    names: tuple[str, ...]
    """The spellings of the player's name in the database."""
    total: Score
    white: Score
    black: Score
    white_openings: tuple[PlayedOpening, ...]
    """The repertoire with White, most frequent first."""
    black_openings: tuple[PlayedOpening, ...]
    white_moves: tuple[TreeMove, ...]
    """The first moves of games with White as a tree, most frequent first."""
    black_moves: tuple[TreeMove, ...]
    years: dict[int, Score]
    """In ascending order; games without a year are left out."""
    opponents: dict[str, Score]
    """Most frequent first."""
    lowest_rating: int | None
    highest_rating: int | None
    ratings: dict[str, int]
    """The rating in each month, ``2013-05``, or in a year if months are unknown; in ascending order."""
    play: PlayerPlay | None = None
    """Accuracy and mistakes, results by phase and by clock."""

    def to_dict(self) -> dict[str, Any]:
        """Return everything for JSON."""
        scores = {name: getattr(self, name).to_dict() for name in ("total", "white", "black")}
        return {
            "names": list(self.names),
            **scores,
            "lowestRating": self.lowest_rating,
            "highestRating": self.highest_rating,
            "ratings": [{"date": date, "rating": rating} for date, rating in self.ratings.items()],
            "whiteOpenings": [each.to_dict() for each in self.white_openings],
            "blackOpenings": [each.to_dict() for each in self.black_openings],
            "whiteMoves": [each.to_dict() for each in self.white_moves],
            "blackMoves": [each.to_dict() for each in self.black_moves],
            "years": [{"year": year, **score.to_dict()} for year, score in self.years.items()],
            "opponents": [{"name": name, **score.to_dict()} for name, score in self.opponents.items()],
            "play": None if self.play is None else self.play.to_dict(),
        }


def player(
    source: Location | Database,
    name: str,
    *,
    opponents: int = 10,
    depth: int = 8,
    min_share: float = 0.1,
    threads: int = 1,
    progress: Watcher = None,
    **conditions: Any,
) -> PlayerView:
    """Return the statistics of a player: with both colours, by opening, year, opponent, phase and clock; accuracy.

    Args:
        source: what ``tabiya.open`` takes, or an open database, which stays open.
        name: the player, matched as by ``RecordFilter``; all matching names count, and ``names`` lists them.
        opponents: number of most frequent opponents to return.
        depth: number of half-moves in the trees of moves.
        min_share: minimum share of the games with a colour that a line in the tree must have, from 0 to 1.
        threads: number of threads that read a database without an index.
        progress: called after every batch that was read, if there is no index.
        conditions: which games count, as for ``GameConditions``; ``player`` is the opponent then.

    Raises:
        UsageError: a condition is invalid, or the database has no such player.
    """
    games = player_games(source, name, threads=threads, progress=progress, records=True, **conditions)
    return PlayerView(
        names=games.names,
        total=games.score(*(np.arange(len(rows)) for rows in games.rows)),
        white=games.score(np.arange(len(games.rows[0])), _NO_ROWS),
        black=games.score(_NO_ROWS, np.arange(len(games.rows[1]))),
        white_openings=games.openings(Color.WHITE),
        black_openings=games.openings(Color.BLACK),
        white_moves=games.moves(Color.WHITE, depth, min_share),
        black_moves=games.moves(Color.BLACK, depth, min_share),
        years=games.by_year(),
        opponents=games.by_opponent(max(0, opponents)),
        lowest_rating=min(games.ratings(), default=None),
        highest_rating=max(games.ratings(), default=None),
        ratings=games.rating_history(),
        play=None if games.batch is None else player_play(games.batch, games.rows, games.score),
    )


def player_games(
    source: Location | Database,
    name: str,
    *,
    threads: int = 1,
    progress: Watcher = None,
    records: bool = False,
    **conditions: Any,
) -> PlayerGames:
    """Return the games of a player in a database; with ``records`` also their records."""
    opponent = conditions.pop("player", None)
    where = conditions.pop("where", None)
    if opponent is not None:
        where = _both(where, RecordFilter(player=opponent))
    if not name.strip():
        raise UsageError("give the name of a player")
    game_conditions = GameConditions(where, player=name, **conditions)
    with opened(source) as database:
        searchable = database.searchable()
        if searchable is None:
            batch = _read(database, game_conditions, threads, progress)
            part = part_of_batch(batch)
        else:
            part = _found(database, searchable, game_conditions, threads)
            batch = _records(database, part) if records else GameBatch.empty()
        if not len(part.facts):
            raise UsageError(f"no game of {name!r} meets all conditions", path=database.path)
    return PlayerGames(part, game_conditions.names_in(part.names), batch if records else None)


def _records(database: Database, part: Part) -> GameBatch:
    """Return the records of a part, in its order."""
    numbers = np.asarray(part.numbers, np.int64)
    order = np.argsort(numbers, kind="stable")
    back = np.empty_like(order)
    back[order] = np.arange(len(order))
    return GameBatch(database.take(numbers[order]).record_batch.take(pa.array(back)))


def _both(where: Where | None, more: RecordFilter) -> Where:
    if where is None:
        return more
    raise UsageError("opponent and where cannot be combined: put the opponent into where")


def _read(database: Database, game_conditions: GameConditions, threads: int, progress: Watcher) -> GameBatch:
    """Read all records and keep those of the player."""
    test, header_filters = game_conditions.by_records()

    def choose(batch: GameBatch) -> GameBatch:
        rows, _ = choose_games(part_of_batch(batch, header_filters), test)
        return GameBatch(batch.record_batch.take(rows))

    batches = watched_batches(database, threads, progress)
    chosen = [batch for batch in ordered_map(choose, batches, threads) if len(batch)]
    return GameBatch.concat(chosen) if chosen else GameBatch.empty()


def _found(database: Database, searchable: Searchable, game_conditions: GameConditions, threads: int) -> Part:
    """Find the games of the player by the facts of all games."""
    parts, unsure = _chosen(database, searchable, game_conditions.by_facts(searchable.names), threads)
    if unsure:
        parts, _ = _chosen(database, searchable, game_conditions.with_codes_of_records(searchable.names), threads)
    return joined(parts, searchable.names)


def _chosen(
    database: Database, searchable: Searchable, game_conditions: tuple[GameTest, list[Where]], threads: int
) -> tuple[list[Part], int]:
    test, header_filters = game_conditions
    mask = header_mask(database, header_filters, threads) if header_filters else None
    parts = [part_of_segment(segment, searchable.names, mask) for segment in searchable.segments]
    chosen = [choose_games(part, test) for part in parts]
    taken = [part.taken(rows) for part, (rows, _) in zip(parts, chosen, strict=True)]
    return taken, sum(unsure for _, unsure in chosen)


class PlayerGames:
    """The games of a player, by colour: the data for views and preparation."""

    def __init__(self, part: Part, chosen: NDArray[np.bool_], batch: GameBatch | None = None) -> None:
        """Take over the games and perhaps their records; ``chosen`` marks the names of the player."""
        self.batch = batch
        """The records of the games, if they were requested; ``rows`` are their places."""
        ids = [np.flatnonzero(np.isin(part.facts[side], np.flatnonzero(chosen))) for side in ("white", "black")]
        self.rows = ids
        """Rows of the games with White and with Black; a game against the same name is in both."""
        self.parts = [part.taken(rows) for rows in ids]
        """The games with White and with Black."""
        numbers = np.unique(np.concatenate([each.facts[side] for each, side in zip(self.parts, _SIDES, strict=True)]))
        names = (part.names.name_of(number) for number in numbers.tolist())
        self.names = tuple(sorted(name for name in names if name is not None))
        """The spellings of the player's name in the database."""

    def score(self, white: NDArray[np.int64], black: NDArray[np.int64]) -> Score:
        """Return the player's score in some games with White and some with Black."""
        return _sum(
            statistics_of_games(self.parts[0], white, Color.WHITE),
            statistics_of_games(self.parts[1], black, Color.BLACK),
        )

    def ratings(self) -> list[int]:
        """Return the ratings of the player, each once."""
        known = [np.unique(part.facts[f"{side}_elo"]) for part, side in zip(self.parts, _SIDES, strict=True)]
        return [int(elo) for elo in np.unique(np.concatenate(known)) if elo != NO_RATING]

    def rating_history(self) -> dict[str, int]:
        """Return the median of the ratings of each month; of a year for games whose month is unknown."""
        elos = np.concatenate([part.facts[f"{side}_elo"] for part, side in zip(self.parts, _SIDES, strict=True)])
        months = np.concatenate([part.facts["date"] // 100 for part in self.parts])
        known = (elos != NO_RATING) & (months >= 100)
        order = np.lexsort((elos[known], months[known]))
        elos, months = elos[known][order], months[known][order]
        every, begins, games = np.unique(months, return_index=True, return_counts=True)
        medians = elos[begins + (games - 1) // 2].tolist()
        return {_month(month): elo for month, elo in zip(every.tolist(), medians, strict=True)}

    def by_year(self) -> dict[int, Score]:
        """Return the score of every year."""
        years = [part.facts["date"] // 10_000 for part in self.parts]
        every = np.unique(np.concatenate(years)).tolist()
        return {year: self.score(*(np.flatnonzero(each == year) for each in years)) for year in every if year}

    def by_opponent(self, most: int) -> dict[str, Score]:
        """Return the score against the most frequent opponents."""
        opponents = [self.parts[0].facts["black"], self.parts[1].facts["white"]]
        ids, games = np.unique(np.concatenate(opponents), return_counts=True)
        names = (self.parts[0].names.name_of(number) for number in ids.tolist())
        pairs = zip(names, ids.tolist(), games.tolist(), strict=True)
        named = [(name, number, games) for name, number, games in pairs if name is not None]
        frequent = sorted(named, key=lambda each: (-each[2], each[0]))[:most]
        return {
            name: self.score(*(np.flatnonzero(each == number) for each in opponents)) for name, number, _ in frequent
        }

    def of_color(self, color: Color, rows: NDArray[np.int64]) -> Score:
        """Return the player's score in some games with one colour."""
        return self.score(rows, _NO_ROWS) if color is Color.WHITE else self.score(_NO_ROWS, rows)

    def moves(self, color: Color, depth: int, min_share: float) -> tuple[TreeMove, ...]:
        """Return the first moves of the games with a colour."""
        return move_tree(self.parts[color], partial(self.of_color, color), depth=depth, min_share=min_share)

    def openings(self, color: Color) -> tuple[PlayedOpening, ...]:
        """Return the player's openings with a colour, with their variations."""
        part = self.parts[color]
        families: dict[str, dict[str, list[int]]] = {}
        codes: dict[str, list[str]] = {}
        for row, opening in enumerate(_openings_of(part)):
            family, _, rest = (_UNNAMED if opening is None else opening.name).partition(": ")
            families.setdefault(family, {}).setdefault(rest.partition(", ")[0], []).append(row)
            for name in (family, f"{family}: {rest.partition(', ')[0]}"):
                codes.setdefault(name, []).append("" if opening is None else opening.eco)
        return _most_frequent(
            self._opening(color, family, codes, [row for rows in deeper.values() for row in rows], deeper)
            for family, deeper in families.items()
        )

    def _opening(
        self, color: Color, name: str, codes: dict[str, list[str]], rows: list[int], deeper: dict[str, list[int]]
    ) -> PlayedOpening:
        own = np.array(sorted(rows), np.int64)
        score = self.of_color(color, own)
        named = ((f"{name}: {each}", within) for each, within in deeper.items() if each)
        variations = (self._opening(color, each, codes, within, {}) for each, within in named)
        return PlayedOpening(
            **{field: getattr(score, field) for field in Score.__dataclass_fields__},
            name=name.rpartition(": ")[2],
            eco=max(sorted(set(codes[name])), key=codes[name].count),
            moves=_way_to(self.parts[color], own, name),
            variations=_most_frequent(variations),
        )


def _month(month: int) -> str:
    """Return a month given as yyyymm, where 00 is unknown."""
    return f"{month // 100:04}-{month % 100:02}" if month % 100 else f"{month // 100:04}"


def _way_to(part: Part, rows: NDArray[np.int64], name: str) -> tuple[str, ...]:
    """Return the moves by which the latest of these games usually reached the first position with this name."""
    usual = rows[pc.is_null(part.lines.starts).to_numpy(zero_copy_only=False)[rows]]
    latest = usual[np.argsort(part.facts["date"][usual], kind="stable")][-_MOST_WAYS:]
    ways = Counter(way for row in latest[::-1].tolist() if (way := _moves_to(part, row, name)))
    return ways.most_common(1)[0][0] if ways and name != _UNNAMED else ()


def _moves_to(part: Part, row: int, name: str) -> tuple[str, ...]:
    """Return the first moves of a game up to the first position with this name."""
    begin, end = part.lines.ends[row : row + 2].tolist()
    position, moves = Position(), []
    for token in part.lines.moves[begin : min(end, begin + _OPENING_PLIES)].tolist():
        moves.append(position.uci(token))
        position = position.play(Move(token))
        opening = opening_at(position.key)
        if opening is not None and _is_within(opening.name, name):
            return tuple(moves)
    return ()


def _is_within(opening: str, name: str) -> bool:
    return opening == name or opening.startswith((f"{name}: ", f"{name}, "))


def _most_frequent(openings: Iterable[PlayedOpening]) -> tuple[PlayedOpening, ...]:
    return tuple(sorted(openings, key=lambda each: (-each.games, each.name)))


def _openings_of(part: Part) -> list[Opening | None]:
    """Return the opening of each game: its last opening name."""
    named = all_openings()
    known = np.sort(np.fromiter(named, np.uint64, len(named)).view(np.int64))
    keys, rows = part.rows(_OPENING_PLIES)
    places = np.minimum(np.searchsorted(known, keys), len(known) - 1)
    found = np.flatnonzero(known[places] == keys)
    found = found[np.argsort(rows.plies[found], kind="stable")]
    last = np.full(len(part.facts), -1, np.int64)
    last[rows.games[found]] = places[found]  # if a game has several places, the last one remains
    openings = [named[int(key) & 0xFFFF_FFFF_FFFF_FFFF] for key in known]
    return [None if place < 0 else openings[place] for place in last.tolist()]


def _sum(white: NDArray[Any], black: NDArray[Any]) -> Score:
    """Return the score of one player, who had White in some games and Black in others."""
    unknown, wins, losses, draws = (white["results"].sum(axis=0) + black["results"].sum(axis=0)[_TURNED]).tolist()
    _, won, lost, drawn = (white["faced"].sum(axis=0) + black["faced"].sum(axis=0)[_TURNED]).tolist()
    opponents, faced = int(white["opponents"].sum() + black["opponents"].sum()), won + lost + drawn
    return Score(
        games=unknown + wins + losses + draws,
        wins=wins,
        draws=draws,
        losses=losses,
        performance=performance_of(opponents / faced, (won + drawn / 2) / faced) if faced else None,
    )
