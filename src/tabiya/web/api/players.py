"""Players of a database: all of them, and a report on one."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final, cast, get_args

import numpy as np

from tabiya.maintenance.person_names import spellings_of
from tabiya.search.directories import PlayerOrder
from tabiya.search.listed_player import player_of
from tabiya.web.api.reporting import MOST_ROWS, directory, report, text_of
from tabiya.web.request import ApiError, Call, Later

if TYPE_CHECKING:
    from starlette.responses import Response

    from tabiya.evaluations import Performance
    from tabiya.formats.progress import Watcher
    from tabiya.search import PlayedOpening, PlayedPart, PlayerPlay, Score, TreeMove
    from tabiya.search.listing import ListedDatabase
    from tabiya.web.answers import reports
    from tabiya.web.answers.games import Performance as Played
    from tabiya.web.site import Site

_MOST_SPELLINGS: Final = 20
_LONGEST_NAME: Final = 1000


def list_players(site: Site, call: Call) -> reports.Players:
    """Return the players of a database whose names contain a text."""
    source = site.sources.get(call.path["source"])
    by = call.text("by", "games")
    if by not in get_args(PlayerOrder):
        raise ApiError(422, f"Players are sorted by {', '.join(get_args(PlayerOrder))}, not by {by!r:.60}.")
    offset = call.number("offset", 0)
    with source.listed_database() as (opened, listed_database):
        listed_database.catalogue.start()
        directories = listed_database.directories
        page = directories.players(
            text_of(call), by=cast("PlayerOrder", by), begin=offset, most=call.number("limit", 100, 0, MOST_ROWS)
        )
        players = [_player(row, listed_database) for row in page.rows]
        return {**directory(source, opened, listed_database, offset, page.total), "players": players}


def _player(row: Any, listed_database: ListedDatabase) -> reports.Player:
    figures = {name: int(row[name]) for name in row.dtype.names}
    return {
        "name": listed_database.directories.name_of(figures["name"]) or "",
        "games": figures["games"],
        "wins": figures["wins"],
        "draws": figures["draws"],
        "losses": figures["losses"],
        "rating": figures["rating"] or None,
        "first_year": figures["first"] or None,
        "last_year": figures["last"] or None,
    }


def show_player(site: Site, call: Call) -> Later | Response | reports.PlayerReport:
    """Return a report on a player, perhaps against one opponent."""
    names, opponents = _names(call, "name"), _names(call, "opponent")
    if not names:
        raise ApiError(422, "The request names no player: give “name”.")
    return report(site, call, _report, names=names, opponents=opponents)


def _names(call: Call, parameter: str) -> tuple[str, ...]:
    names = dict.fromkeys(call.texts(parameter))
    if len(names) > _MOST_SPELLINGS or sum(map(len, names)) > _LONGEST_NAME * _MOST_SPELLINGS:
        raise ApiError(422, f"A player has at most {_MOST_SPELLINGS} spellings.")
    return tuple(names)


def _report(
    listed_database: ListedDatabase, *, names: tuple[str, ...], opponents: tuple[str, ...], progress: Watcher
) -> dict[str, Any]:
    view = player_of(listed_database, names, opponents=opponents, progress=progress)
    return {
        "names": list(view.names),
        "spellings": _spellings(names, listed_database),
        "total": _score(view.total),
        "white": _score(view.white),
        "black": _score(view.black),
        "lowest_rating": view.lowest_rating,
        "highest_rating": view.highest_rating,
        "ratings": [{"date": date, "rating": rating} for date, rating in view.ratings.items()],
        "years": [{"year": year, **_score(score)} for year, score in view.years.items()],
        "opponents": [{"name": name, **_score(score)} for name, score in view.opponents.items()],
        "white_openings": [_opening(each) for each in view.white_openings],
        "black_openings": [_opening(each) for each in view.black_openings],
        "white_moves": [_moves_from(each) for each in view.white_moves],
        "black_moves": [_moves_from(each) for each in view.black_moves],
        "play": None if view.play is None or not view.play.games else _play(view.play),
    }


def _spellings(names: tuple[str, ...], listed_database: ListedDatabase) -> list[reports.Player]:
    """Return other names that may be of the same player, most games first."""
    directories = listed_database.directories
    texts = directories.player_names()
    places = {place for name in names for place in spellings_of(name, texts)}
    found = [text for place in sorted(places) if (text := texts[place].as_py()) not in names]
    rows = directories.players_named(found)
    rows = rows[np.argsort(-rows["games"].astype(np.int64), kind="stable")][:_MOST_SPELLINGS]
    return [_player(row, listed_database) for row in rows]


def _score(score: Score) -> reports.PerformedScore:
    return {
        "games": score.games,
        "wins": score.wins,
        "draws": score.draws,
        "losses": score.losses,
        "performance": score.performance,
    }


def _opening(opening: PlayedOpening) -> reports.PlayedLine:
    lines = [_opening(each) for each in opening.variations]  # names have two levels
    return {**_score(opening), "name": opening.name, "eco": opening.eco, "moves": [*opening.moves], "lines": lines}


def _moves_from(move: TreeMove, before: tuple[str, ...] = ()) -> reports.PlayedLine:
    """Return a move of a tree with its replies; a tree is as deep as was requested."""
    moves = (*before, move.uci)
    number = f"{move.ply // 2 + 1}{'.' if move.ply % 2 == 0 else '…'}"
    return {
        **_score(move),
        "name": f"{number}{move.san}",
        "eco": None if move.opening is None else move.opening.eco,
        "moves": [*moves],
        "lines": [_moves_from(each, moves) for each in move.replies],
    }


def _play(play: PlayerPlay) -> reports.Play:
    return {
        **_performance(play.play),
        "games": play.games,
        "phases": [_phase(name, part) for name, part in play.phases.items()],
        "clocks": [_phase(name, part) for name, part in play.clocks.items()],
    }


def _phase(name: str, part: PlayedPart) -> reports.PhaseScore:
    return {**_score(part.score), "name": name, "play": _performance(part.play)}


def _performance(performance: Performance) -> Played:
    return cast("Played", asdict(performance))
