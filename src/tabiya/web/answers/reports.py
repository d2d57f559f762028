"""Answers about players, events and whole lists."""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict

from tabiya.web.answers.games import Opening, Performance, Status


class Unfinished(TypedDict):
    """How far reading the games is."""

    source: str
    generation: str
    complete: bool
    progress: float | None


class Directory(TypedDict):
    """A part of a table of names; it grows while the games of a database are read."""

    source: str
    generation: str
    complete: bool
    progress: float | None
    total: int
    offset: int


# Players.


class PlayerScore(TypedDict):
    """The score of a player in some games."""

    games: int
    wins: int
    draws: int
    losses: Annotated[int, "Games without a decided result are counted only in “games”."]


class PerformedScore(PlayerScore):
    """The score of a player, with its performance."""

    performance: Annotated[int | None, "The rating that is expected to score this against these opponents."]


class Player(PlayerScore):
    """A player of a database."""

    name: str
    rating: Annotated[int | None, "The highest."]
    first_year: int | None
    last_year: int | None


class Players(Directory):
    """Players of a database."""

    players: list[Player]


class PlayedLine(PerformedScore):
    """An opening, or a move, of a player."""

    name: Annotated[str, "Of the opening or of the move."]
    eco: str | None
    moves: Annotated[list[str], "From the start, in UCI; empty if they are not known."]
    lines: list[PlayedLine]


class OpponentScore(PerformedScore):
    """The score against an opponent."""

    name: str


class YearScore(PerformedScore):
    """The score in a year."""

    year: int


class DatedRating(TypedDict):
    """A rating in a month or a year."""

    date: Annotated[str, "2013-05 or 2013."]
    rating: int


class PhaseScore(PerformedScore):
    """The score of the games that ended in a phase, or of those with so little time left, and how they were played."""

    name: str
    play: Performance


class Play(Performance):
    """How a player played in the games with evaluations."""

    games: Annotated[int, "With evaluations."]
    phases: list[PhaseScore]
    clocks: Annotated[list[PhaseScore], "By the least time left on the clock."]


class PlayerReport(TypedDict):
    """A player in a database."""

    source: str
    generation: str
    complete: bool
    names: Annotated[list[str], "The spellings that count."]
    spellings: Annotated[list[Player], "Other names in the database that may be of the same player."]
    total: PerformedScore
    white: PerformedScore
    black: PerformedScore
    lowest_rating: int | None
    highest_rating: int | None
    ratings: list[DatedRating]
    years: list[YearScore]
    opponents: list[OpponentScore]
    white_openings: list[PlayedLine]
    black_openings: list[PlayedLine]
    white_moves: list[PlayedLine]
    black_moves: list[PlayedLine]
    play: Play | None


# Events.


class Event(TypedDict):
    """An event in a database."""

    name: str
    site: str | None
    games: int
    players: int
    rating: Annotated[int | None, "The mean of all ratings."]
    first: Annotated[str | None, "The first date: 2013-11-09, 2013-11 or 2013."]
    last: str | None


class Events(Directory):
    """Events of a database."""

    events: list[Event]


class TableGame(TypedDict):
    """A game in a crosstable, or the match of two teams."""

    round: int | None
    opponent: Annotated[int, "Its place in the table, from 0."]
    color: Annotated[Literal["w", "b"] | None, "Null for teams."]
    points: float | None
    result: str
    number: Annotated[int, "The number of the record."]


class TableEntry(TypedDict):
    """A row of a crosstable."""

    rank: int
    name: str
    rating: int | None
    points: float
    games: int
    tie_breaks: list[float | None]
    encounters: list[TableGame]


class Crosstable(TypedDict):
    """The standings of an event."""

    kind: Literal["match", "round-robin", "swiss", "team"]
    rounds: int
    tie_breaks: list[str]
    entries: list[TableEntry]


class TournamentReport(TypedDict):
    """An event with its table."""

    source: str
    generation: str
    complete: bool
    event: Event
    others: Annotated[list[Event], "All events of this name, if there are several."]
    table: Annotated[Crosstable | None, "Null if it would be too large."]


# Lists.


class Outcomes(TypedDict):
    """Some games, and how they ended."""

    games: int
    white: int
    draws: int
    black: int


class NumberClass(Outcomes):
    """Games of a year, or of a class of ratings or lengths."""

    first: Annotated[int, "The year, the lowest rating or the lowest number of moves."]
    last: Annotated[int, "The last of the class."]


class CodeClass(Outcomes):
    """Games of an ECO code."""

    opening: Opening


class Statistics(Status):
    """The games of a list in numbers; they grow with the list."""

    games: Outcomes
    years: list[NumberClass]
    ratings: Annotated[list[NumberClass], "By the mean of both ratings."]
    codes: list[CodeClass]
    lengths: Annotated[list[NumberClass] | None, "By the number of moves; null while it is not known."]
