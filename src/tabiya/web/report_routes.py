"""The routes of the start page, of players and of tournaments: a part of the table in ``routes.py``."""

from __future__ import annotations

from typing import Final

from tabiya.web.answers import reports, server
from tabiya.web.api import home, players, tournaments
from tabiya.web.route import WAIT, Parameter, Route

_SEARCHED: Final = (
    Parameter("text", "Only names that contain this text."),
    Parameter("offset", "The first row, from 0.", "integer"),
    Parameter("limit", "How many rows, 500 at most.", "integer"),
)

REPORT_ROUTES: Final[tuple[Route, ...]] = (
    Route(
        "GET",
        "/api/sources/{source}/players",
        players.list_players,
        "The players of a database.",
        (*_SEARCHED, Parameter("by", "games, name, rating (the highest) or last (year).")),
        answer=reports.Players,
    ),
    Route(
        "GET",
        "/api/sources/{source}/player",
        players.show_player,
        "Results, openings, opponents, ratings and accuracy of a player; 202 while games are read.",
        (
            Parameter("name", "The name as the database spells it; repeat it for several spellings."),
            Parameter("opponent", "Only games against this player, spelled as in the database. Repeatable."),
            WAIT,
        ),
        answer=reports.PlayerReport,
        unfinished=reports.Unfinished,
    ),
    Route(
        "GET",
        "/api/sources/{source}/events",
        tournaments.list_events,
        "The events of a database.",
        (*_SEARCHED, Parameter("by", "last (date), name, games, players or rating (the mean).")),
        answer=reports.Events,
    ),
    Route(
        "GET",
        "/api/sources/{source}/tournament",
        tournaments.show_tournament,
        "The table of an event; 202 while games are read.",
        (
            Parameter("event", "Its name as the database spells it."),
            Parameter("date", "A day of it, if there are several events of this name: 2013-11-09, 2013-11 or 2013."),
            WAIT,
        ),
        answer=reports.TournamentReport,
        unfinished=reports.Unfinished,
    ),
    Route("GET", "/api/home", home.show_home, "Databases that were opened before.", answer=server.Home),
    Route(
        "POST",
        "/api/recent/{recent}/open",
        home.open_recent,
        "Open a database that was opened before.",
        body="nothing",
        status=201,
        answer=server.Source,
    ),
    Route("DELETE", "/api/recent/{recent}", home.forget_recent, "Forget a database.", status=204),
    Route("DELETE", "/api/recent", home.forget_all, "Forget all databases that were opened before.", status=204),
    Route(
        "POST",
        "/api/sources/{source}/library",
        home.build_library,
        "Convert a database to a library beside it, which answers faster.",
        body="nothing",
        status=201,
        answer=server.Job,
    ),
)
