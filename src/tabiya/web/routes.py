"""All routes of the HTTP API, in one table: the application and its description are derived from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from tabiya.web.answers import engines as engine_answers
from tabiya.web.answers import explorer as explored
from tabiya.web.answers import games as lists
from tabiya.web.answers import server
from tabiya.web.api import conversions, engines, explorer, games, positions, queries, sources, vocabulary

if TYPE_CHECKING:
    from tabiya.web.request import Call
    from tabiya.web.site import Site


class Parameter(NamedTuple):
    """A parameter in the address."""

    name: str
    help: str
    kind: Literal["string", "integer", "boolean"] = "string"


@dataclass(frozen=True, slots=True)
class Route:
    """One route of the API."""

    method: Literal["GET", "POST", "PUT", "DELETE"]
    path: str
    handler: Callable[[Site, Call], Any]
    """The handler: returns values for JSON, nothing, or a response."""
    summary: str
    parameters: tuple[Parameter, ...] = ()
    body: str = ""
    """A description of its JSON object; empty for no body."""
    status: int = 200
    media_type: str = "application/json"
    """Media type of the response."""
    answer: type | None = None
    """The schema of the response, if it is JSON."""
    unfinished: type | None = None
    """The schema of the response with status 202, while there is no answer yet."""

    @property
    def subject(self) -> str:
        """The part of the API it belongs to: the module of its handler."""
        return self.handler.__module__.rpartition(".")[2]


_PLACE: Final = (
    Parameter("fen", "The position, or the one from which the moves are played; the usual start if left out."),
    Parameter("play", "Moves from there, in UCI or SAN, with commas between them."),
    Parameter("chess960", "Castling rights are those of Chess960.", "boolean"),
)
_WAIT: Final = Parameter("wait", "Milliseconds to wait for a change.", "integer")
_PROFILE: Final = Parameter("profile", "“lossless”, or “plain” for other programs.")
_CONDITIONS: Final = Parameter("…", "Any condition of “headers” in the vocabulary: min_elo=2500, since=2020, player=…")

ROUTES: Final[tuple[Route, ...]] = (
    Route("GET", "/api", sources.about, "The server and its permissions.", answer=server.About),
    Route(
        "GET",
        "/api/vocabulary",
        vocabulary.show_vocabulary,
        "Conditions, columns to sort by, signs, languages.",
        answer=server.Vocabulary,
    ),
    Route("GET", "/api/sources", sources.list_sources, "All databases and books.", answer=server.Sources),
    Route(
        "GET",
        "/api/sources/{source}",
        sources.show_source,
        "Open and describe a source.",
        answer=server.SourceDetails,
    ),
    Route("DELETE", "/api/sources/{source}", sources.close_source, "Close a source; an upload is removed.", status=204),
    Route(
        "GET",
        "/api/sources/{source}/media/{name:path}",
        sources.media,
        "A picture, sound or video beside a database.",
        media_type="image/*",
    ),
    Route(
        "POST",
        "/api/uploads",
        sources.begin_upload,
        "Begin an upload of files.",
        body="nothing",
        status=201,
        answer=server.Upload,
    ),
    Route(
        "POST",
        "/api/uploads/{upload}/open",
        sources.open_upload,
        "Open the uploaded files.",
        body="nothing",
        status=201,
        answer=server.OpenedUpload,
    ),
    Route(
        "POST",
        "/api/sources/{source}/queries",
        queries.create_query,
        "Request a list of games.",
        body="text, headers, position, records, sort: all of them may be left out",
        status=201,
        answer=lists.Status,
    ),
    Route("GET", "/api/queries/{query}", queries.show_query, "The progress of a list.", (_WAIT,), answer=lists.Status),
    Route("DELETE", "/api/queries/{query}", queries.close_query, "Discard a list.", status=204),
    Route(
        "GET",
        "/api/queries/{query}/rows",
        queries.query_rows,
        "Rows of a list.",
        (
            Parameter("offset", "The first row, from 0.", "integer"),
            Parameter("cursor", "Or what an earlier answer gave as “next”."),
            Parameter("limit", "How many rows, 500 at most.", "integer"),
        ),
        answer=lists.Rows,
    ),
    Route(
        "GET",
        "/api/queries/{query}/place",
        queries.place_in_query,
        "The place of a record in a list.",
        (Parameter("number", "The number of the record.", "integer"),),
        answer=lists.Place,
    ),
    Route(
        "GET",
        "/api/queries/{query}/pgn",
        queries.download_query,
        "The games of a list as PGN.",
        (_PROFILE,),
        media_type="application/x-chess-pgn",
    ),
    Route(
        "GET",
        "/api/sources/{source}/games/{number}",
        games.show_game,
        "A game or a guiding text.",
        answer=lists.ApiGame,
    ),
    Route(
        "GET",
        "/api/sources/{source}/games/{number}/pgn",
        games.game_pgn,
        "A game as PGN.",
        (_PROFILE, Parameter("dialect", "lichess, chessbase or scid, with “plain”.")),
        media_type="application/x-chess-pgn",
    ),
    Route(
        "GET",
        "/api/sources/{source}/games/{number}/report",
        games.game_report,
        "Accuracy, losses and judgements of a game with evaluations.",
        (
            Parameter(
                "judge", "Points of win chances that inaccuracies, mistakes and blunders lose; “5,10,15” if absent."
            ),
        ),
        answer=lists.GameReport,
    ),
    Route(
        "POST",
        "/api/sources/{source}/games",
        games.append_game,
        "Save a game as a new one.",
        body="game, generation, and base: the source and number it came from",
        status=201,
        answer=lists.Saved,
    ),
    Route(
        "PUT",
        "/api/sources/{source}/games/{number}",
        games.replace_game,
        "Replace a game.",
        body="game, generation",
        answer=lists.Saved,
    ),
    Route(
        "POST",
        "/api/pgn",
        games.pgn_of_tree,
        "An edited game as PGN.",
        body="game, base, profile, dialect",
        answer=lists.Pgn,
    ),
    Route("POST", "/api/tree", games.tree_of_pgn, "The games of a PGN text.", body="pgn", answer=lists.Games),
    Route(
        "POST",
        "/api/tree/check",
        games.check_tree,
        "An edited game with positions and notation.",
        body="game, base",
        answer=lists.ApiGame,
    ),
    Route(
        "GET",
        "/api/position",
        positions.show_position,
        "A position with its legal moves.",
        _PLACE,
        answer=lists.PositionAnswer,
    ),
    Route(
        "GET",
        "/api/position/chess960",
        positions.chess960_position,
        "A start position of Chess960.",
        (Parameter("number", "0 to 959; any if left out.", "integer"),),
        answer=lists.PositionAnswer,
    ),
    Route(
        "GET",
        "/api/sources/{source}/explorer",
        explorer.explore_source,
        "What was played in a position; 202 while games are read.",
        (
            *_PLACE,
            Parameter("moves", "How many moves at most.", "integer"),
            Parameter("top_games", "How many of the games with the highest ratings.", "integer"),
            Parameter("recent_games", "How many of the latest games.", "integer"),
            Parameter("move_orders", "How many of the move orders that lead there.", "integer"),
            Parameter("any_castling", "Castling rights may differ.", "boolean"),
            _CONDITIONS,
            _WAIT,
        ),
        answer=explored.Exploration,
        unfinished=explored.Exploring,
    ),
    Route(
        "GET",
        "/api/sources/{source}/book",
        explorer.explore_book,
        "The moves of an opening book.",
        (*_PLACE, Parameter("transpositions", "Also moves that lead to a position of the book.", "boolean")),
        answer=explored.BookAnswer,
    ),
    Route("GET", "/api/engines", engines.list_engines, "Engines that may run.", answer=engine_answers.Engines),
    Route(
        "GET",
        "/api/engines/{engine}/analysis",
        engines.analyse_position,
        "Live analysis of a position as server-sent events, until the connection ends.",
        (
            *_PLACE,
            Parameter("lines", "How many lines, up to the limit of the server.", "integer"),
            Parameter("seconds", "For how long, up to the limit of the server.", "integer"),
            Parameter("viewer", "Who looks: a new analysis of the same viewer replaces the one before it."),
        ),
        media_type="text/event-stream",
        answer=engine_answers.AnalysisEvent,
    ),
    Route(
        "GET",
        "/api/formats",
        conversions.list_formats,
        "Formats, and their options for writing.",
        answer=server.Formats,
    ),
    Route(
        "POST",
        "/api/conversions",
        conversions.convert_source,
        "Convert a source, or the games of a list.",
        body="source or query, format, name, profile, options",
        status=201,
        answer=server.Job,
    ),
    Route("GET", "/api/conversions", conversions.list_conversions, "All conversions.", answer=server.Jobs),
    Route(
        "GET",
        "/api/conversions/{job}",
        conversions.show_conversion,
        "The progress of a conversion.",
        (_WAIT,),
        answer=server.Job,
    ),
    Route(
        "DELETE",
        "/api/conversions/{job}",
        conversions.remove_conversion,
        "Cancel a conversion, and remove its result.",
        status=204,
    ),
    Route(
        "GET",
        "/api/conversions/{job}/file",
        conversions.conversion_file,
        "The result of a conversion.",
        media_type="application/octet-stream",
    ),
    *(
        Route(
            "GET",
            path,
            explorer.lichess_explorer,
            "What was played in a position, in the shape of the Lichess explorer.",
            (
                *_PLACE,
                Parameter("source", "The database; the first if left out."),
                Parameter("moves", "How many moves at most.", "integer"),
                Parameter("topGames", "How many of the games with the highest ratings.", "integer"),
                Parameter("recentGames", "How many of the latest games.", "integer"),
                Parameter("variant", "standard, chess960 or fromPosition; others are refused."),
                Parameter("speeds", "bullet,blitz,rapid,classical,correspondence: by the tag TimeControl."),
                Parameter("ratings", "Rating groups that follow each other, 1600,1800: by the mean of both ratings."),
                _CONDITIONS,
            ),
            answer=explored.LichessExploration,
        )
        for path in ("/explorer", "/explorer/masters", "/explorer/lichess")
    ),
)
