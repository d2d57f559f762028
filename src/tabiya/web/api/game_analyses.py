"""Analysing a whole game, as a page has it, with an engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabiya.analysis import Limit, Notation
from tabiya.web.analyses import evaluation_values
from tabiya.web.api.engines import checked_viewer
from tabiya.web.api.games import edited_game, game_answer
from tabiya.web.request import ApiError, Call, Later

if TYPE_CHECKING:
    from tabiya.web.answers import engines as answers
    from tabiya.web.game_analyses import GameJob
    from tabiya.web.site import Site

_MOST_WAIT: Final = 20_000
_MOST: Final = {"depth": 100, "nodes": 10**10}


def analyse_game(site: Site, call: Call) -> answers.GameAnalysis:
    """Begin the analysis of a game; what it contains is kept, unless evaluations are to be replaced."""
    engine = call.place("engine") - 1
    viewer = checked_viewer(call.member("viewer", str))
    notation = Notation(profile=False, redo=call.member("again", bool, default=False))
    job = site.game_analyses.begin(engine, viewer, edited_game(site, call), notation, _limit(site, call))
    return _answer(job)


def _limit(site: Site, call: Call) -> Limit:
    """Return the limit for each position: what the request wants, within the time that the server allows."""
    most = site.analyses.seconds
    seconds = call.member("seconds", (int, float))
    depth, nodes = (_bounded(call.member(name, int), most) for name, most in _MOST.items())
    if seconds is not None and not seconds > 0:
        raise ApiError(422, "“seconds” in the request must be more than 0.")
    if depth is nodes is seconds is None:
        depth = Limit.of_position(None, None, None).depth
    return Limit(depth, most if seconds is None else min(float(seconds), most), nodes)


def _bounded(value: int | None, most: int) -> int | None:
    return None if value is None else max(1, min(value, most))


def show_analysis(site: Site, call: Call) -> Later | answers.GameAnalysis:
    """Return how far an analysis is; with a wait, as soon as another position is settled, or at its end."""
    job = site.game_analyses.get(call.path["analysis"])
    seconds = call.number("wait", 0, 0, _MOST_WAIT) / 1000
    seen = call.number("settled", 0)
    if not seconds or job.state != "running" or job.analysis.settled > seen:
        return _answer(job)
    return site.game_analyses.later(job, seen, seconds, lambda: _answer(job))


def _answer(job: GameJob) -> answers.GameAnalysis:
    analysis, state = job.analysis, job.state
    answer: answers.GameAnalysis = {
        "analysis": job.name,
        "state": state,
        "positions": analysis.positions,
        "settled": analysis.settled,
        "evaluations": [None if each is None else evaluation_values(each) for each in analysis.evaluations()],
        "sentence": job.sentence,
    }
    if state == "done":
        answer["game"], answer["added"] = game_answer(analysis.game), job.added
    return answer


def remove_analysis(site: Site, call: Call) -> None:
    """Cancel an analysis, and remove its result."""
    site.game_analyses.remove(call.path["analysis"])
