"""The moves played in a position: from a database, also in the format of Lichess, and from an opening book."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar

from starlette.responses import JSONResponse, Response

from tabiya.books.entry import Recommendation
from tabiya.game.annotations import format_nag
from tabiya.game.condition_words import CONDITION_WORDS
from tabiya.game.tag_values import RESULTS
from tabiya.openings import opening_at
from tabiya.web.api.lichess import LICHESS_WORDS, lichess_conditions
from tabiya.web.api.positions import opening_answer, position_of
from tabiya.web.request import ApiError, Call, Later, error_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from tabiya.books.entry import Entry
    from tabiya.chess import Position
    from tabiya.search.explorer_results import Exploration
    from tabiya.search.tally import Counts, GameReference
    from tabiya.web.answers import explorer as answers
    from tabiya.web.explorations import ExplorerJob
    from tabiya.web.site import Site
    from tabiya.web.source import Source


_MOST_GAMES: Final = 100
MOST_MOVES: Final = 300
_LONG_WAIT: Final = 60.0
_T = TypeVar("_T")

_OWN: Final = frozenset(
    {"fen", "play", "chess960", "moves", "top_games", "recent_games", "move_orders", "any_castling", "wait"}
)
_LICHESS: Final = frozenset(
    {"fen", "play", "chess960", "any_castling", "source", "moves", "topGames", "recentGames", "token"}
)
"""Parameters besides conditions; all others are rejected, since an ignored condition makes every number wrong."""


def explore_source(site: Site, call: Call) -> Later | Response | answers.Exploration:
    """Return what was played in a position, or how far reading the games has come."""
    _check_names(call, _OWN)
    source = site.sources.get(call.path["source"])
    position, _ = position_of(call)
    options = {
        "fen": position,
        "most_moves": call.number("moves", 40, 0, MOST_MOVES),
        "top_games": call.number("top_games", 8, 0, _MOST_GAMES),
        "recent_games": call.number("recent_games", 8, 0, _MOST_GAMES),
        "move_orders": call.number("move_orders", 0, 0, _MOST_GAMES),
        **conditions_of(call),
    }
    with source.listed_database() as (opened, _):
        job = site.explorations.start(source, opened, options)
        about: answers.Explored = {"source": source.id, "generation": opened.generation}

    def answer() -> Response | answers.Exploration:
        found = found_by(job)
        if found is not None:
            return _values(found, about)
        unfinished: answers.Exploring = {**about, "complete": False, "progress": job.progress, "fen": position.fen()}
        return JSONResponse(unfinished, 202)

    return _when_done(site, job, call.number("wait", 5000, 0, 20_000) / 1000, answer)


def _check_names(call: Call, recommendation: frozenset[str]) -> None:
    """Raise an error for unknown parameters."""
    for name in call.query:
        if name not in recommendation and name.replace("-", "_") not in CONDITION_WORDS:
            raise ApiError(422, f"The explorer has no parameter “{name[:40]}”; see /api/docs.")


def conditions_of(call: Call) -> dict[str, Any]:
    """Return the conditions on headers among the parameters; their names may have - or _ in them."""
    options: dict[str, Any] = {name: True for name in ("any_castling", "chess960") if call.flag(name)}
    for name, word in CONDITION_WORDS.items():
        key = name if name in call.query else name.replace("_", "-")
        value: Any = call.texts(key)
        if word.kind == "flag":
            value = call.flag(key)
        elif word.kind != "texts" and value:
            value = call.number(key, 0, -1, 1 << 20) if word.kind == "number" else value[0]
        if value not in (False, []):
            options[name] = value
    return options


def found_by(job: ExplorerJob) -> Exploration | None:
    """Return the answer, if there is one by now."""
    if job.error is not None:
        raise error_of(job.error)
    answer: Exploration | None = job.answer
    return answer


def _when_done(site: Site, job: ExplorerJob, seconds: float, answer: Callable[[], _T]) -> Later | _T:
    """Return an answer, or an object that waits for it."""
    return answer() if job.is_done or not seconds else site.explorations.later(job, seconds, answer)


def _values(answer: Exploration, about: answers.Explored) -> answers.Exploration:
    position = answer.position
    return {
        **about,
        "complete": True,
        "progress": 1.0,
        "fen": position.fen(),
        "opening": opening_answer(answer.opening),
        **_counts(answer),
        "ended": answer.ended,
        "moves": [
            {
                "uci": move.uci,
                "san": move.san,
                "fen": position.play(move.move).fen(),
                **_counts(move),
                "opening": opening_answer(move.opening),
                "game": None if move.game is None else _game(move.game, position),
            }
            for move in answer.moves
        ],
        "top_games": [_game(game, position) for game in answer.top_games],
        "recent_games": [_game(game, position) for game in answer.recent_games],
        "move_orders": [{"moves": [*order.moves], "games": order.games} for order in answer.move_orders],
    }


def _counts(found: Counts) -> answers.Counts:
    return {
        "games": found.games,
        "white": found.white,
        "draws": found.draws,
        "black": found.black,
        "average_rating": found.average_rating,
        "performance": found.performance,
        "first_year": found.first_year,
        "last_year": found.last_year,
    }


def _game(game: GameReference, position: Position) -> answers.ExplorerGame:
    played = game.move >= 0 and (game.move == 0 or position.is_legal(game.move))
    parts = (game.date // 10_000, 4), (game.date // 100 % 100, 2), (game.date % 100, 2)
    return {
        "number": game.number,
        "uci": position.uci(game.move) if played else None,
        "san": position.san(game.move) if played else None,
        "white": game.white,
        "white_elo": game.white_rating,
        "black": game.black,
        "black_elo": game.black_rating,
        "result": RESULTS.get(game.result),  # type: ignore[call-overload]  # results are numbers
        "date": ".".join(f"{part:0{width}}" if part else "?" * width for part, width in parts) if game.date else None,
        "event": game.event,
    }


def lichess_explorer(site: Site, call: Call) -> Later | Response | answers.LichessExploration:
    """Return the same in the shape that the explorer of Lichess has."""
    _check_names(call, _LICHESS | LICHESS_WORDS)
    source = first_database(site, call.text("source"))
    conditions = {**conditions_of(call), **lichess_conditions(call)}
    position, _ = position_of(call, chess960=conditions.get("chess960", False))
    options = {
        "fen": position,
        "most_moves": call.number("moves", 12, 0, MOST_MOVES),
        "top_games": call.number("topGames", 4, 0, _MOST_GAMES),
        "recent_games": call.number("recentGames", 4, 0, _MOST_GAMES),
        **conditions,
    }
    with source.listed_database() as (opened, _):
        job = site.explorations.start(source, opened, options)
    found: Later | Response | answers.LichessExploration = explored(site, source, job, lambda found: found.to_dict())
    return found


def first_database(site: Site, name: str | None) -> Source:
    """Return the database of this id, by default the first one."""
    if name is not None:
        return site.sources.get(name)
    found = next((source for source in site.sources.all() if source.kind == "database"), None)
    if found is None:
        raise ApiError(404, "There is no database to explore.")
    return found


def explored(site: Site, source: Source, job: ExplorerJob, values: Callable[[Exploration], Any]) -> Any:
    """Return the answer of a job, or an object that waits for it; 503 if that takes too long."""

    def answer() -> Any:
        found = found_by(job)
        if found is not None:
            return values(found)
        sentence = f"{source.path.name} has no index and is still being read; try again, or convert it to a library."
        return JSONResponse(ApiError(503, sentence).as_dict(), 503, headers={"retry-after": "10"})

    return _when_done(site, job, _LONG_WAIT, answer)


def explore_book(site: Site, call: Call) -> answers.BookAnswer:
    """Return the moves of an opening book."""
    source = site.sources.get(call.path["source"])
    position, _ = position_of(call)
    with source.using() as opened:
        if opened.book is None:
            raise ApiError(422, f"{source.path.name} is a database, not an opening book.")
        entries = opened.book.probe(position, transpositions=call.flag("transpositions"))
        total = sum(entry.weight for entry in entries)
        return {
            "source": source.id,
            "generation": opened.generation,
            "fen": position.fen(),
            "opening": opening_answer(opening_at(position.key)),
            "known": bool(entries),
            "moves": [_book_move(entry, position, total) for entry in entries],
        }


def _book_move(entry: Entry, position: Position, total: int) -> answers.BookMove:
    advice = entry.recommendation
    recommendation: Literal["main", "avoid"] | None = None
    if advice is not None:
        recommendation = "main" if advice & Recommendation.MAIN else "avoid" if advice & Recommendation.AVOID else None
    return {
        "uci": position.uci(entry.move),
        "san": position.san(entry.move),
        "fen": position.play(entry.move).fen(),
        "weight": entry.weight,
        "share": entry.weight / total if total else None,
        "games": entry.games,
        "wins": entry.wins,
        "draws": entry.draws,
        "losses": entry.losses,
        "score": entry.score,
        "nag": entry.nag,
        "comment": entry.comment,
        "rating": _rounded(entry.rating),
        "performance": _rounded(entry.performance),
        "glyph": None if not entry.nag else format_nag(entry.nag),
        "comment_glyph": None if not entry.comment else format_nag(entry.comment),
        "recommendation": recommendation,
        "priority": entry.priority,
        "learning": entry.learning,
        "transposition": entry.transposition,
    }


def _rounded(value: float | None) -> int | None:
    return None if value is None else round(value)
