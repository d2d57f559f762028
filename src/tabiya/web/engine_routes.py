"""The routes of engines: their list, live analysis, and the analysis of whole games."""

from __future__ import annotations

from typing import Final

from tabiya.web.answers import engines as answers
from tabiya.web.api import engines, game_analyses
from tabiya.web.route import PLACE, WAIT, Parameter, Route

ENGINE_ROUTES: Final[tuple[Route, ...]] = (
    Route("GET", "/api/engines", engines.list_engines, "Engines that may run.", answer=answers.Engines),
    Route(
        "GET",
        "/api/engines/{engine}/analysis",
        engines.analyse_position,
        "Live analysis of a position as server-sent events, until the connection ends.",
        (
            *PLACE,
            Parameter("lines", "How many lines, up to the limit of the server.", "integer"),
            Parameter("seconds", "For how long, up to the limit of the server.", "integer"),
            Parameter("viewer", "Who looks: a new analysis of the same viewer replaces the one before it."),
        ),
        media_type="text/event-stream",
        answer=answers.AnalysisEvent,
    ),
    Route(
        "POST",
        "/api/engines/{engine}/games",
        game_analyses.analyse_game,
        "Begin the analysis of an edited game; it replaces that of the same viewer.",
        body="game, base, viewer; depth, nodes or seconds for each position; again, to replace evaluations",
        status=201,
        answer=answers.GameAnalysis,
    ),
    Route(
        "GET",
        "/api/analyses/{analysis}",
        game_analyses.show_analysis,
        "The progress of the analysis of a game, and the game at its end.",
        (WAIT, Parameter("settled", "Wait until more than so many positions are settled.", "integer")),
        answer=answers.GameAnalysis,
    ),
    Route(
        "DELETE",
        "/api/analyses/{analysis}",
        game_analyses.remove_analysis,
        "Cancel the analysis of a game, and remove its result.",
        status=204,
    ),
)
