"""Answers of the explorer, in our own shape and in that of Lichess, and of opening books."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired, TypedDict

from tabiya.web.answers.games import Color, Opening

# Databases.


class Counts(TypedDict):
    """Games, and how they ended."""

    games: int
    white: Annotated[int, "Won by White."]
    draws: int
    black: Annotated[int, "Won by Black. Games without a result count in “games” only."]
    average_rating: NotRequired[int | None]
    performance: NotRequired[Annotated[int | None, "Of the side to move."]]
    first_year: NotRequired[int | None]
    last_year: NotRequired[int | None]


class ExplorerGame(TypedDict):
    """A game with the position."""

    number: int
    uci: NotRequired[str | None]
    san: NotRequired[str | None]
    white: NotRequired[str | None]
    white_elo: NotRequired[int | None]
    black: NotRequired[str | None]
    black_elo: NotRequired[int | None]
    result: NotRequired[str | None]
    date: NotRequired[str | None]
    event: NotRequired[str | None]


class ExplorerMove(Counts):
    """A move that was played in the position."""

    uci: str
    san: str
    fen: NotRequired[Annotated[str, "The position after it."]]
    opening: NotRequired[Opening | None]
    game: NotRequired[Annotated[ExplorerGame | None, "The game, if it is the only one."]]


class MoveOrder(TypedDict):
    """A way in which games reached the position."""

    moves: list[str]
    games: int


class Explored(TypedDict):
    """Which database was explored."""

    source: str
    generation: str


class Exploration(Counts, Explored):
    """What was played in a position."""

    complete: bool
    progress: NotRequired[float | None]
    fen: str
    opening: NotRequired[Opening | None]
    ended: NotRequired[Annotated[int, "Games that end in the position."]]
    moves: list[ExplorerMove]
    top_games: list[ExplorerGame]
    recent_games: list[ExplorerGame]
    move_orders: NotRequired[list[MoveOrder]]


class Exploring(Explored):
    """How far reading the games of a database without an index is."""

    complete: bool
    progress: float | None
    fen: str


# The shape of the Lichess explorer.


class LichessPlayer(TypedDict):
    """A player."""

    name: str
    rating: int | None


class LichessGame(TypedDict):
    """A game."""

    id: Annotated[str, "The number of the record."]
    uci: NotRequired[str]
    winner: Color | None
    white: LichessPlayer
    black: LichessPlayer
    year: int | None
    month: Annotated[str | None, "2024-05"]


class LichessMove(TypedDict):
    """A move."""

    uci: str
    san: str
    averageRating: int | None
    white: int
    draws: int
    black: int
    game: LichessGame | None
    opening: Opening | None


class LichessExploration(TypedDict):
    """What was played in a position, as the Lichess explorer answers it."""

    white: int
    draws: int
    black: int
    moves: list[LichessMove]
    topGames: list[LichessGame]
    recentGames: list[LichessGame]
    opening: Opening | None


# The answers of the explorer of Lichess, to the letter.


class FrontEndPlayer(TypedDict):
    """A player."""

    name: str
    rating: Annotated[int, "0 if unknown."]


class MastersGame(TypedDict):
    """A game."""

    id: Annotated[str, "Eight letters and digits, for /masters/pgn/{id}."]
    uci: NotRequired[Annotated[str, "Castling is “king takes rook”."]]
    winner: Color | None
    black: FrontEndPlayer
    white: FrontEndPlayer
    year: Annotated[int, "0 if unknown."]
    month: NotRequired[Annotated[str, "2024-05; left out if unknown."]]


class ServerGame(TypedDict):
    """A game with its speed."""

    id: str
    uci: NotRequired[str]
    winner: Color | None
    speed: Literal["bullet", "blitz", "rapid", "classical", "correspondence"]
    mode: Literal["rated", "casual"]
    black: FrontEndPlayer
    white: FrontEndPlayer
    year: int
    month: Annotated[str, "2024-05; the year alone if the month is unknown."]


class MastersMove(TypedDict):
    """A move."""

    uci: str
    san: str
    averageRating: Annotated[int, "0 if unknown."]
    white: int
    draws: int
    black: int
    game: MastersGame | None
    opening: Opening | None


class ServerMove(TypedDict):
    """A move."""

    uci: str
    san: str
    averageRating: int
    white: int
    draws: int
    black: int
    game: ServerGame | None
    opening: Opening | None


class PlayerMove(TypedDict):
    """A move in games of a player."""

    uci: str
    san: str
    averageOpponentRating: Annotated[int, "0 if unknown."]
    performance: Annotated[int, "Of the player; 0 if unknown."]
    white: int
    draws: int
    black: int
    game: ServerGame | None
    opening: Opening | None


class MastersExploration(TypedDict):
    """The answer of /masters."""

    white: int
    draws: int
    black: int
    moves: list[MastersMove]
    topGames: list[MastersGame]
    opening: Opening | None


class ServerExploration(TypedDict):
    """The answer of /lichess."""

    white: int
    draws: int
    black: int
    moves: list[ServerMove]
    topGames: list[ServerGame]
    recentGames: list[ServerGame]
    opening: Opening | None


class PlayerExploration(TypedDict):
    """A line of the answer of /player."""

    white: int
    draws: int
    black: int
    moves: list[PlayerMove]
    recentGames: list[ServerGame]
    opening: Opening | None
    queuePosition: Annotated[int, "Always 0."]


# Opening books.


class BookMove(TypedDict):
    """A move of an opening book."""

    uci: str
    san: str
    fen: NotRequired[Annotated[str, "The position after it."]]
    weight: NotRequired[int | None]
    share: NotRequired[Annotated[float | None, "Of the weights of all moves."]]
    games: NotRequired[int | None]
    wins: NotRequired[Annotated[int | None, "By the side that moves."]]
    draws: NotRequired[int | None]
    losses: NotRequired[int | None]
    score: NotRequired[Annotated[float | None, "Points per game, from 0 to 1."]]
    rating: NotRequired[int | None]
    performance: NotRequired[int | None]
    nag: NotRequired[int | None]
    glyph: NotRequired[Annotated[str | None, "The symbol of the move."]]
    comment: NotRequired[Annotated[int | None, "The NAG of the position after it."]]
    comment_glyph: NotRequired[str | None]
    recommendation: NotRequired[Literal["main", "avoid"] | None]
    priority: NotRequired[int | None]
    learning: NotRequired[int | None]
    transposition: NotRequired[Annotated[bool, "Whether it only leads to a position of the book."]]


class BookAnswer(TypedDict):
    """The moves of an opening book."""

    source: NotRequired[str]
    generation: NotRequired[str]
    fen: str
    opening: NotRequired[Opening | None]
    known: Annotated[bool, "Whether the book has the position."]
    moves: list[BookMove]
