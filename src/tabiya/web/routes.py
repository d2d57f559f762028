"""All routes of the HTTP API, in one table: the application and its description are derived from it."""

from __future__ import annotations

from typing import Final

from tabiya.web.answers import explorer as explored
from tabiya.web.answers import games as lists
from tabiya.web.answers import reports, server
from tabiya.web.api import (
    collecting,
    conversions,
    drop_in,
    explorer,
    games,
    positions,
    queries,
    sources,
    statistics,
    vocabulary,
)
from tabiya.web.engine_routes import ENGINE_ROUTES
from tabiya.web.report_routes import REPORT_ROUTES
from tabiya.web.route import PLACE, WAIT, Parameter, Route

_PROFILE: Final = Parameter("profile", "“lossless”, or “plain” for other programs.")
_CONDITIONS: Final = Parameter("…", "Any condition of “headers” in the vocabulary: min_elo=2500, since=2020, player=…")

_SPEEDS: Final = Parameter("speeds", "bullet,blitz,rapid,classical,correspondence: by the tag TimeControl.")
_GROUPS: Final = Parameter("ratings", "Rating groups that follow each other, 1600,1800: by the mean of both ratings.")
_MODES: Final = Parameter("modes", "casual: “casual” or “unrated” is in the name of the event; rated: all others.")
_FRONT_END: Final = (
    Parameter("fen", "The position, or the one from which the moves are played; the usual start if left out."),
    Parameter("play", "Moves from there, in UCI, with commas between them."),
    Parameter("variant", "standard, chess960 or fromPosition; others are refused."),
    Parameter("since", "The first year, or month: 2020-05."),
    Parameter("until", "The last year, or month."),
    Parameter("moves", "How many moves at most.", "integer"),
    Parameter("source", "The database, s2; the first if left out. Other words are ignored."),
)
_BASES: Final = ("", "/explorer/{source}")
"""Where the addresses of Lichess begin: for the first database, and for any."""
_TOP: Final = Parameter("topGames", "How many of the games with the highest ratings.", "integer")
_RECENT: Final = Parameter("recentGames", "How many of the latest games.", "integer")

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
    Route("GET", "/api/queries/{query}", queries.show_query, "The progress of a list.", (WAIT,), answer=lists.Status),
    Route(
        "GET",
        "/api/queries/{query}/statistics",
        statistics.query_statistics,
        "Games of a list by year, result, rating, opening and length.",
        answer=reports.Statistics,
    ),
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
        "PUT",
        "/api/sources/{source}/games/{number}/deleted",
        collecting.mark_game,
        "Mark a record as deleted, or remove the mark.",
        body="deleted, generation",
        answer=lists.Saved,
    ),
    Route(
        "POST",
        "/api/sources/{source}/collect",
        collecting.collect_games,
        "Add the games of a list to a database.",
        body="query, generation",
        answer=lists.Collected,
    ),
    Route(
        "POST",
        "/api/databases",
        collecting.create_database,
        "Create an empty database beside another one.",
        body="name, format, beside: the source in whose folder it is created",
        status=201,
        answer=server.Source,
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
        "POST",
        "/api/tree/report",
        games.tree_report,
        "Accuracy, losses and judgements of an edited game; status 204 if it has no evaluated moves.",
        body="game, base",
        answer=lists.GameReport,
    ),
    Route(
        "GET",
        "/api/position",
        positions.show_position,
        "A position with its legal moves.",
        PLACE,
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
            *PLACE,
            Parameter("moves", "How many moves at most.", "integer"),
            Parameter("top_games", "How many of the games with the highest ratings.", "integer"),
            Parameter("recent_games", "How many of the latest games.", "integer"),
            Parameter("move_orders", "How many of the move orders that lead there.", "integer"),
            Parameter("any_castling", "Castling rights may differ.", "boolean"),
            _CONDITIONS,
            WAIT,
        ),
        answer=explored.Exploration,
        unfinished=explored.Exploring,
    ),
    Route(
        "GET",
        "/api/sources/{source}/book",
        explorer.explore_book,
        "The moves of an opening book.",
        (*PLACE, Parameter("transpositions", "Also moves that lead to a position of the book.", "boolean")),
        answer=explored.BookAnswer,
    ),
    *REPORT_ROUTES,
    *ENGINE_ROUTES,
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
        (WAIT,),
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
                *PLACE,
                Parameter("source", "The database; the first if left out."),
                Parameter("moves", "How many moves at most.", "integer"),
                Parameter("topGames", "How many of the games with the highest ratings.", "integer"),
                Parameter("recentGames", "How many of the latest games.", "integer"),
                Parameter("variant", "standard, chess960 or fromPosition; others are refused."),
                _SPEEDS,
                _GROUPS,
                _MODES,
                _CONDITIONS,
            ),
            answer=explored.LichessExploration,
        )
        for path in ("/explorer", "/explorer/masters", "/explorer/lichess")
    ),
    *(
        Route(
            "GET",
            f"{base}/{name}",
            drop_in.masters,
            "The answer of Lichess for games of masters.",
            (*_FRONT_END, _TOP, _CONDITIONS),
            answer=explored.MastersExploration,
        )
        for base in _BASES
        for name in ("masters", "master")
    ),
    *(
        Route(
            "GET",
            f"{base}/lichess",
            drop_in.lichess,
            "The answer of Lichess for games of its players.",
            (*_FRONT_END, _SPEEDS, _GROUPS, _TOP, _RECENT, _CONDITIONS),
            answer=explored.ServerExploration,
        )
        for base in _BASES
    ),
    *(
        Route(
            "GET",
            f"{base}/{name}",
            drop_in.player,
            "The answer of Lichess for games of one player, a line of JSON.",
            (
                Parameter("player", "The name of the player, or a part of it."),
                Parameter("color", "white or black."),
                *_FRONT_END,
                _SPEEDS,
                _MODES,
                _RECENT,
                _CONDITIONS,
            ),
            media_type="application/x-ndjson",
            answer=explored.PlayerExploration,
        )
        for base in _BASES
        for name in ("player", "personal")
    ),
    *(
        Route(
            "GET",
            f"{base}/{name}/{{id}}",
            drop_in.game_pgn,
            "A game of such an answer as PGN.",
            media_type="application/x-chess-pgn",
        )
        for base in _BASES
        for name in ("masters/pgn", "master/pgn", "game/export")
    ),
)
