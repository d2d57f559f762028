"""Results of the explorer: the moves of a position with their statistics, and example games."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tabiya.game.record import Result
from tabiya.search.tally import Counts, GameReference

if TYPE_CHECKING:
    import pyarrow as pa

    from tabiya.chess import Move, Position
    from tabiya.openings import Opening

_WINNERS = {Result.WHITE_WINS: "white", Result.BLACK_WINS: "black"}


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedMove(Counts):
    """A move that was played, and how the games ended."""

    move: Move
    uci: str
    """Castling is ``e1g1``; ``e1h1`` in Chess960."""
    san: str
    opening: Opening | None
    """The name of the position after the move, if it has one."""
    game: GameReference | None
    """The game, if there is only one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveOrder:
    """A move order that leads to the position."""

    moves: tuple[str, ...]
    """In standard algebraic notation, from the start of these games."""
    games: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Exploration(Counts):
    """A position and the moves played in it."""

    position: Position
    opening: Opening | None
    """The name of the position, or else the last name on the way to it."""
    ended: int
    """Number of games that end here."""
    moves: tuple[PlayedMove, ...]
    """Most frequent first."""
    top_games: tuple[GameReference, ...]
    """The games with the highest ratings."""
    recent_games: tuple[GameReference, ...]
    """The latest games, latest first."""
    move_orders: tuple[MoveOrder, ...]
    """The move orders that reached the position, most frequent first, up to the requested number."""

    def to_dict(self) -> dict[str, Any]:
        """Return the result in the shape of the Lichess explorer, for JSON and front ends written for it."""
        return {
            "white": self.white,
            "draws": self.draws,
            "black": self.black,
            "moves": [self._move(move) for move in self.moves],
            "topGames": [self._game(game) for game in self.top_games],
            "recentGames": [self._game(game) for game in self.recent_games],
            "opening": _opening(self.opening),
        }

    def to_arrow(self) -> pa.Table:
        """Return the moves as a table."""
        import pyarrow as pa  # noqa: PLC0415 - only for tables

        numbers = {name: pa.int64() for name in Counts.__dataclass_fields__}
        texts = {"uci": pa.string(), "san": pa.string()}
        columns = {
            **{name: pa.array([getattr(move, name) for move in self.moves], kind) for name, kind in texts.items()},
            **{name: pa.array([getattr(move, name) for move in self.moves], kind) for name, kind in numbers.items()},
            "eco": pa.array([move.opening and move.opening.eco for move in self.moves], pa.string()),
            "opening": pa.array([move.opening and move.opening.name for move in self.moves], pa.string()),
        }
        return pa.table(columns)

    def _repr_html_(self) -> str:
        from tabiya.search.result_tables import exploration_html  # noqa: PLC0415 - for notebooks

        return exploration_html(self)

    def _move(self, move: PlayedMove) -> dict[str, Any]:
        return {
            "uci": move.uci,
            "san": move.san,
            "averageRating": move.average_rating,
            "white": move.white,
            "draws": move.draws,
            "black": move.black,
            "game": None if move.game is None else self._game(move.game, move.uci),
            "opening": _opening(move.opening),
        }

    def _game(self, game: GameReference, uci: str | None = None) -> dict[str, Any]:
        year, month = game.date // 10_000, game.date // 100 % 100
        known = {move.move: move.uci for move in self.moves}
        played = uci or known.get(game.move) or self._uci(game.move)  # type: ignore[call-overload]  # moves are numbers
        return {
            **({} if played is None else {"uci": played}),
            "id": str(game.number),
            "winner": _WINNERS.get(game.result),  # type: ignore[call-overload]  # results are numbers
            "black": {"name": game.black or "?", "rating": game.black_rating},
            "white": {"name": game.white or "?", "rating": game.white_rating},
            "year": year or None,
            "month": f"{year:04}-{month:02}" if year and month else None,
        }

    def _uci(self, move: int) -> str | None:
        return self.position.uci(move) if move > 0 and self.position.is_legal(move) else None


def _opening(opening: Opening | None) -> dict[str, str] | None:
    return None if opening is None else {"eco": opening.eco, "name": opening.name}
