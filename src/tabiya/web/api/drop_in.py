"""The explorer of Lichess under its own addresses, for front ends that were made for it.

``/masters``, ``/lichess`` and ``/player`` take the parameters of Lichess, answer in its shape and with its status
codes. What they count is that of ``/explorer``.
"""

from __future__ import annotations

import asyncio
import json
import re
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from starlette.responses import StreamingResponse

from tabiya.chess import Color, Move, Position
from tabiya.errors import TabiyaError
from tabiya.game.record import Result
from tabiya.game.time_controls import TimeClass
from tabiya.search.explorer import line_to
from tabiya.search.game_conditions import GameConditions, is_rated
from tabiya.web.api.explorer import MOST_MOVES, conditions_of, explored, first_database, found_by
from tabiya.web.api.games import plain_pgn
from tabiya.web.api.lichess import LICHESS_WORDS, lichess_conditions, source_number
from tabiya.web.api.positions import LONGEST_FEN, MOST_PLAYED, opening_answer
from tabiya.web.request import ApiError, Call, error_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from starlette.responses import Response

    from tabiya.search.explorer_results import Exploration, PlayedMove
    from tabiya.search.tally import GameReference
    from tabiya.web.answers import explorer as answers
    from tabiya.web.explorations import ExplorerJob
    from tabiya.web.request import Later
    from tabiya.web.site import Site
    from tabiya.web.source import Source

_SECONDS_OF_SILENCE: Final = 8.0
"""After them a stream sends an empty line, as Lichess does."""
_COLORS: Final = {"white": Color.WHITE, "black": Color.BLACK}
_WINNERS: Final = {Result.WHITE_WINS: "white", Result.BLACK_WINS: "black"}
_SPEEDS: Final = {
    TimeClass.BULLET: "bullet",
    TimeClass.BLITZ: "blitz",
    TimeClass.RAPID: "rapid",
    TimeClass.CORRESPONDENCE: "correspondence",
}
_OTHER_SPEED: Final = "classical"
"""The speed of all other games: over the board it is unusual to store the time control."""
_PROMOTIONS: Final = {2: "n", 3: "b", 4: "r", 5: "q"}
_LETTERS: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_ID: Final = re.compile(r"[0-9A-Za-z]{8}")
_RECORD_BITS: Final = 31
_MONTH: Final = re.compile(r"([0-9]{4})[-/.]([0-9]{1,2})")
_NUMBER: Final = re.compile(r"[0-9]{1,20}")


class _Shape(NamedTuple):
    """What one of the addresses accepts and returns."""

    words: frozenset[str]
    """The parameters of Lichess that it knows; those of the others are ignored, as Lichess does."""
    moves: int
    """How many moves, unless the request says otherwise."""
    top_games: int = 0
    """Maximum number of games, also without a parameter."""
    recent_games: int = 0
    details: bool = True
    """Whether games have a speed and a mode."""


_COMMON: Final = frozenset({"variant", "fen", "play", "since", "until", "moves"})
_MASTERS: Final = _Shape(_COMMON | {"topGames"}, 12, top_games=15, details=False)
_LICHESS: Final = _Shape(
    _COMMON | {"speeds", "ratings", "topGames", "recentGames", "history"}, 12, top_games=4, recent_games=4
)
_PLAYER: Final = _Shape(_COMMON | {"player", "color", "speeds", "modes", "recentGames"}, MOST_MOVES, recent_games=8)
_LISTS: Final = frozenset({"speeds", "ratings", "modes"})
"""Parameters that may be given several times."""
_OF_LICHESS: Final = frozenset().union(*(shape.words for shape in (_MASTERS, _LICHESS, _PLAYER)), LICHESS_WORDS)


def masters(site: Site, call: Call) -> Later | Response | answers.MastersExploration:
    """Return the moves of a position with the best games."""
    found: Later | Response | answers.MastersExploration = _answered(site, call, _MASTERS)
    return found


def lichess(site: Site, call: Call) -> Later | Response | answers.ServerExploration:
    """Return the moves of a position with the best and the latest games."""
    found: Later | Response | answers.ServerExploration = _answered(site, call, _LICHESS)
    return found


def _answered(site: Site, call: Call, shape: _Shape) -> Any:
    with _bad_requests():
        source, job = _begin(site, call, shape)
        found = explored(site, source, job, lambda answer: _values(answer, shape, source))
    if isinstance(found, dict):
        return found
    return replace(found, answer=lambda: _late(found))


def _late(later: Later) -> Any:
    with _bad_requests():
        return later.answer()


def player(site: Site, call: Call) -> StreamingResponse:
    """Return the moves of a player as a stream of lines: one, as soon as all games have been read."""
    with _bad_requests():
        name, color = call.text("player"), _COLORS.get(call.text("color") or "")
        if name is None:
            raise ApiError(400, "“player” is missing: the name of a player, or a part of it.")
        if color is None:
            raise ApiError(400, "“color” must be white or black.")
        source, job = _begin(site, call, _PLAYER, color=color, **{color.name.lower(): name})
        if job.is_done:
            found_by(job)

    def line() -> bytes:
        found = found_by(job)
        if found is None:  # it was given up for later requests
            return b""
        values = {**_values(found, _PLAYER, source), "queuePosition": 0}
        return json.dumps(values, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace") + b"\n"

    return StreamingResponse(_lines(job, line), media_type="application/x-ndjson", headers={"x-accel-buffering": "no"})


async def _lines(job: ExplorerJob, line: Any) -> AsyncIterator[bytes]:
    """Yield empty lines until there is an answer, then the answer; nothing if there is none."""
    loop, done = asyncio.get_running_loop(), asyncio.Event()

    def notify() -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(done.set)

    forget = job.when_done(notify)
    try:
        while not done.is_set():
            try:
                async with asyncio.timeout(_SECONDS_OF_SILENCE):
                    await done.wait()
            except TimeoutError:
                yield b"\n"
    finally:
        forget()
    try:
        yield line()
    except ApiError:
        return


def game_pgn(site: Site, call: Call) -> Response:
    """Send a game of an answer as PGN, by its id."""
    source, number = _game_of(call.path["id"])
    return plain_pgn(site.sources.get(source), number)


@contextmanager
def _bad_requests() -> Iterator[None]:
    """Raise errors of parameters with the status that Lichess has for them."""
    try:
        yield
    except TabiyaError as error:
        raise ApiError(400, error_of(error).sentence) from error
    except ApiError as error:
        raise ApiError(400 if error.status == 422 else error.status, error.sentence) from error


def _begin(site: Site, call: Call, shape: _Shape, **more: Any) -> tuple[Source, ExplorerJob]:
    """Check all parameters, and begin to answer."""
    call = _known_to(call, shape)
    source = first_database(site, call.path.get("source") or source_number(call))
    position, moves = _line_of(call)
    color = more.pop("color", None)
    conditions = {**conditions_of(call), **_dates(call), **lichess_conditions(call, unknown=_OTHER_SPEED)}
    if shape is _PLAYER:
        del conditions["player"]
    conditions |= more
    chess960 = conditions.pop("chess960", False)
    GameConditions(**{name: value for name, value in conditions.items() if name != "any_castling"})
    options = {
        "fen": position,
        "moves": moves,
        "most_moves": _limit(call, "moves", shape.moves, MOST_MOVES),
        "top_games": _limit(call, "topGames", shape.top_games, shape.top_games),
        "recent_games": _limit(call, "recentGames", shape.recent_games, shape.recent_games),
        "chess960": chess960,
        **({} if color is None else {"color": color}),
        **conditions,
    }
    with source.listed_database() as (opened, _):
        return source, site.explorations.start(source, opened, options)


def _known_to(call: Call, shape: _Shape) -> Call:
    """Return a request without the parameters that Lichess ignores at this address."""
    for name in call.query:
        if name in _OF_LICHESS - _LISTS and len(call.query.getlist(name)) > 1:
            raise ApiError(400, f"“{name}” is given several times.")
    ignored = _OF_LICHESS - shape.words
    pairs = [(name, value) for name, value in call.query.multi_items() if name not in ignored]
    return replace(call, query=type(call.query)(pairs))


def _line_of(call: Call) -> tuple[Position, tuple[str, ...]]:
    """Return the position of ``fen`` and the moves from there, both checked."""
    fen = call.text("fen")
    moves = tuple(filter(None, (call.text("play") or "").split(",")))
    if (fen is not None and len(fen) > LONGEST_FEN) or len(moves) > MOST_PLAYED:
        raise ApiError(400, "The position or the list of moves is too long.")
    chess960 = call.text("variant", "standard") != "standard" or call.flag("chess960")
    position = Position() if fen is None else Position.from_fen(fen.replace("_", " "), chess960=chess960)
    line_to(moves, position)
    return position, moves


def _dates(call: Call) -> dict[str, str]:
    """Return ``since`` and ``until``: a year, or a month with one or two digits."""
    found = {}
    for name in ("since", "until"):
        month = _MONTH.fullmatch(call.text(name) or "")
        if month is not None:
            found[name] = f"{month[1]}-{month[2]:0>2}"
    return found


def _limit(call: Call, name: str, default: int, most: int) -> int:
    text = call.text(name)
    if text is None:
        return default
    if not _NUMBER.fullmatch(text):
        raise ApiError(400, f"“{name}” must be a whole number from 0, not “{text[:40]}”.")
    return min(int(text), most)


# Answers.


def _values(found: Exploration, shape: _Shape, source: Source) -> Any:
    players = shape is _PLAYER
    values: dict[str, Any] = {
        "white": found.white,
        "draws": found.draws,
        "black": found.black,
        "moves": [_move(move, shape, source) for move in found.moves if not move.move.is_null],
    }
    if not players:
        values["topGames"] = _games(found, found.top_games, shape, source)
    if shape.recent_games:
        values["recentGames"] = _games(found, found.recent_games, shape, source)
    return {**values, "opening": opening_answer(found.opening)}


def _move(move: PlayedMove, shape: _Shape, source: Source) -> dict[str, Any]:
    ratings = {"averageRating": move.average_rating or 0}
    if shape is _PLAYER:
        ratings = {"averageOpponentRating": move.average_opponent or 0, "performance": move.performance or 0}
    return {
        "uci": _uci(move.move),
        "san": move.san,
        **ratings,
        "white": move.white,
        "draws": move.draws,
        "black": move.black,
        "game": None if move.game is None else _game(move.game, shape, source),
        "opening": opening_answer(move.opening),
    }


def _uci(move: Move) -> str:
    """Return a move as Lichess writes it: castling is always “king takes rook”."""
    letter = "" if move.promotion is None else _PROMOTIONS[move.promotion]
    return f"{move.from_square.text}{move.to_square.text}{letter}"


def _games(found: Exploration, games: tuple[GameReference, ...], shape: _Shape, source: Source) -> list[dict[str, Any]]:
    """Return games with the move that was played; those that end in the position have none."""
    return [
        {"uci": _uci(Move(game.move)), **_game(game, shape, source)}
        for game in games
        if game.move > 0 and found.position.is_legal(game.move)
    ]


def _game(game: GameReference, shape: _Shape, source: Source) -> dict[str, Any]:
    year, month = game.date // 10_000, game.date // 100 % 100
    winner = _WINNERS.get(game.result)  # type: ignore[call-overload]  # results are numbers
    values: dict[str, Any] = {"id": _id_of(source, game.number), "winner": winner}
    if shape.details:
        values["speed"] = _SPEEDS.get(TimeClass(game.time_class), _OTHER_SPEED)
        values["mode"] = "rated" if is_rated(game.event) else "casual"
    values["black"] = {"name": game.black or "?", "rating": game.black_rating or 0}
    values["white"] = {"name": game.white or "?", "rating": game.white_rating or 0}
    values["year"] = year
    if month:
        values["month"] = f"{year:04}-{month:02}"
    elif shape.details:
        values["month"] = f"{year:04}"
    return values


def _id_of(source: Source, number: int) -> str:
    """Return a game as eight letters and digits, as Lichess does: the number of the source and that of the record."""
    value = int(source.id[1:]) << _RECORD_BITS | number
    letters = []
    for _ in range(8):
        value, digit = divmod(value, len(_LETTERS))
        letters.append(_LETTERS[digit])
    return "".join(reversed(letters))


def _game_of(text: str) -> tuple[str, int]:
    if not _ID.fullmatch(text):
        raise ApiError(404, "There is no game with this id: it is one of an answer, of eight letters and digits.")
    value = 0
    for letter in text:
        value = value * len(_LETTERS) + _LETTERS.index(letter)
    return f"s{value >> _RECORD_BITS}", value & (1 << _RECORD_BITS) - 1
