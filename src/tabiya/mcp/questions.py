"""What the tools do: they call the handlers of the HTTP API, and describe the answers in a short text."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from threading import Event
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

from starlette.datastructures import QueryParams
from starlette.responses import Response

from tabiya.errors import TabiyaError, UsageError
from tabiya.search.player_view import player
from tabiya.web.api import explorer, games, queries, sources
from tabiya.web.api.positions import position_of
from tabiya.web.request import ApiError, Call, Later

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TypeAlias

    from tabiya.formats.progress import Progress
    from tabiya.web.site import Site
    from tabiya.web.source import Opened

    Given: TypeAlias = Mapping[str, Any]
    Answer: TypeAlias = tuple[dict[str, Any], str]

_SECONDS: Final = 60.0
"""Maximum time to answer, except for analysis."""
_LONGEST_GAME: Final = 200_000
"""Maximum number of characters of a game."""
_SHOWN: Final = 12
"""Maximum number of lines of a short text."""
_TICK: Final = 0.1
_COUNTING: Final = 5.0
"""Maximum number of seconds to wait for the size of each database."""


class GivenUpError(Exception):
    """The request was cancelled."""


class Patience:
    """How long a tool may take; ends early if the request is cancelled or the server ends."""

    def __init__(self, seconds: float = _SECONDS) -> None:
        self._end = monotonic() + seconds
        self._given_up = Event()

    def give_up(self) -> None:
        """End as soon as possible."""
        self._given_up.set()

    def lasts(self) -> bool:
        """Wait for a moment, and return whether there is time left; raise ``GivenUpError`` after ``give_up``."""
        if self._given_up.wait(_TICK):
            raise GivenUpError
        return monotonic() < self._end

    def check(self) -> None:
        """Raise ``GivenUpError`` after ``give_up``."""
        if self._given_up.is_set():
            raise GivenUpError

    def note(self, _: Progress) -> None:
        """End reading when time is over."""
        self.check()
        if monotonic() >= self._end:
            raise UsageError(f"has no index, and reading it takes longer than {_SECONDS:g} seconds; {_REMEDY}")


_REMEDY: Final = "convert it to a library (tabiya convert games.pgn games.tabiya)"


def list_databases(site: Site, _: Given, patience: Patience) -> Answer:
    """Return all databases and books; those named by the user are opened, so that their sizes are known."""
    for source in site.sources.all():
        if source.origin == "argument":
            with suppress(TabiyaError), source.using() as opened:  # the answer contains the error
                _count(opened, patience)
    found = sources.list_sources(site, Call({}, QueryParams()))
    rows: list[dict[str, Any]] = [
        {
            **{name: each[name] for name in ("id", "kind", "name", "format", "complete")},
            "path": each.get("path", each["name"]),
            "records": each.get("records"),
            "indexed": each.get("indexed", False),
            "error": each.get("error"),
        }
        for each in found["sources"]
    ]
    lines = [
        f"{row['id']}: {row['name']} ({row['format']}), "
        + ("cannot be opened" if row["error"] else f"{_number(row['records'])} {_UNITS[row['kind']]}")
        + ("" if row["complete"] or row["records"] is None else " so far")
        for row in rows
    ]
    return {"databases": rows, "looking": bool(found.get("looking", False))}, _text(lines, "There are no databases.")


def _count(opened: Opened, patience: Patience) -> None:
    """Wait a while until the records of a database are counted."""
    end = monotonic() + _COUNTING
    while not opened.complete and monotonic() < end and patience.lasts():
        pass


_UNITS: Final = {"database": "games", "book": "positions"}


def search_games(site: Site, given: Given, patience: Patience) -> Answer:
    """Return a page of a list of games; a list that is still growing is returned as far as it is known."""
    body = {
        "text": given["text"] or "",
        "headers": given["conditions"] or {},
        "position": given["position"] or {},
        "sort": {"by": given["sort_by"], "descending": given["descending"]} if given["sort_by"] else None,
    }
    status = queries.create_query(site, Call({"source": given["database"]}, QueryParams(), body))
    place = {"query": status["query"]}
    end = given["offset"] + given["limit"]
    while not status["complete"] and (status["total"] < end or given["sort_by"]) and patience.lasts():
        status = queries.show_query(site, Call(place, QueryParams()))
    if status["error"]:
        raise ApiError(422, status["error"])
    page = QueryParams({"offset": str(given["offset"]), "limit": str(given["limit"])})
    found = queries.query_rows(site, Call(place, page))
    more = "" if found["complete"] else " so far; the search goes on, repeat the call for more"
    lines = [f"{_number(found['total'])} games{more}.", *map(_row, found["rows"])]
    return dict(found), _text(lines, "")


def explore(site: Site, given: Given, patience: Patience) -> Answer:
    """Return the moves of a position."""
    words = {name: given[name] for name in ("top_games", "recent_games")}
    pairs = [*_place(given), ("moves", str(given["most_moves"])), *((name, str(words[name])) for name in words)]
    pairs += [*_conditions(given["conditions"] or {}), ("wait", "20000")]
    call = Call({"source": given["database"]}, QueryParams(pairs))
    while True:
        found = _answer(explorer.explore_source(site, call), patience)
        if found["complete"]:
            break
        if not patience.lasts():
            raise ApiError(503, f"The database has no index and is still being read; repeat the call, or {_REMEDY}.")
    opening = f"{found['opening']['eco']} {found['opening']['name']}. " if found["opening"] else ""
    lines = [f"{opening}{_number(found['games'])} games: {_results(found)}."]
    lines += [f"{move['san']}: {_number(move['games'])} games, {_results(move)}" for move in found["moves"]]
    return found, _text(lines, "")


def show_game(site: Site, given: Given, _: Patience) -> Answer:
    """Return a game as PGN, or a guiding text."""
    place = {"source": given["database"], "number": str(given["number"])}
    values = games.show_game(site, Call(place, QueryParams()))
    pgn = bytes(games.plain_pgn(site.sources.get(given["database"]), given["number"]).body).decode("utf-8", "replace")
    texts = values.get("texts")
    text = None if not texts else "\n\n".join(_words(block) for each in texts for block in each["blocks"])
    result = {
        "database": given["database"],
        "number": given["number"],
        "title": values["title"],
        "pgn": pgn[:_LONGEST_GAME],
        "text": None if text is None else text[:_LONGEST_GAME],
        "shortened": max(len(pgn), len(text or "")) > _LONGEST_GAME,
    }
    return result, result["pgn"] if text is None else f"{values['title']}\n\n{result['text']}"


def _words(block: Any) -> str:
    """Return the words of a part of a guiding text, without a limit of nesting."""
    found: list[str] = []
    waiting = [block]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Mapping):
            if isinstance(part.get("text"), str):
                found.append(part["text"])
            waiting += [value for value in reversed([*part.values()]) if isinstance(value, (list, Mapping))]
        elif isinstance(part, list):
            waiting += reversed(part)
    return "".join(found)


def player_report(site: Site, given: Given, patience: Patience) -> Answer:
    """Return the statistics of a player."""
    source = site.sources.get(given["database"])
    conditions = explorer.conditions_of(Call({}, QueryParams([*_conditions(given["conditions"] or {})])))
    with source.listed_database() as (_, listed):
        view = player(
            listed.database,
            given["player"],
            opponents=given["opponents"],
            depth=given["depth"],
            threads=listed.threads,
            progress=patience.note,
            **conditions,
        )
    values = view.to_dict()
    lines = [", ".join(view.names[:5]) + (f" and {len(view.names) - 5} more names" if len(view.names) > 5 else "")]
    for side in ("total", "white", "black"):
        score = values[side]
        share = "" if score["score"] is None else f", {score['score']:.0%}"
        lines.append(f"{side}: {score['games']} games, +{score['wins']} ={score['draws']} -{score['losses']}{share}")
    for side in ("white", "black"):
        lines += [f"{side}: {each['name']}, {each['games']} games" for each in values[f"{side}Openings"][:3]]
    return values, _text(lines, "")


def book_moves(site: Site, given: Given, _: Patience) -> Answer:
    """Return the moves of a book."""
    pairs = [*_place(given), *([("transpositions", "true")] if given["transpositions"] else [])]
    found = explorer.explore_book(site, Call({"source": given["book"]}, QueryParams(pairs)))
    lines = [
        f"{move['san']}{move.get('glyph') or ''}: "
        + (f"{move['share']:.0%} of the weights" if move.get("share") is not None else "in the book")
        for move in found["moves"]
    ]
    return dict(found), _text(lines, "The book does not have this position.")


def analyse_position(site: Site, given: Given, patience: Patience) -> Answer:
    """Return what an engine finds, and stop it if the request is cancelled."""
    position, _ = position_of(Call({}, QueryParams(_place(given))))
    analyses = site.analyses
    job = analyses.begin(given["engine"] - 1, "mcp", position, given["lines"], given["seconds"])
    lines: dict[int, Any] = {}
    best = None
    try:
        while not job.is_over:
            for event in job.take():
                if event["kind"] == "error":
                    raise ApiError(503, event["sentence"])
                if event["kind"] == "line":
                    lines[event["line"]["rank"]] = event["line"]
                else:
                    best = event.get("best")
            if not job.is_over:
                patience.lasts()
    finally:
        job.stop()
    ordered = [lines[rank] for rank in sorted(lines)]
    values = {"fen": position.fen(), "engine": analyses.names()[given["engine"] - 1], "best": best, "lines": ordered}
    shown = [f"{_evaluation(line['evaluation'])} (depth {line['depth']}) {' '.join(line['san'])}" for line in ordered]
    return values, _text(shown, "The engine found nothing.")


# Requests and texts.


def _place(given: Given) -> list[tuple[str, str]]:
    """Return the parameters of a position."""
    pairs = [(name, given[key]) for name, key in (("fen", "fen"), ("play", "moves")) if given.get(key)]
    return [*pairs, *([("chess960", "true")] if given.get("chess960") else [])]


def _conditions(conditions: Given) -> Iterator[tuple[str, str]]:
    """Yield conditions as parameters of an address."""
    for name, value in conditions.items():
        for each in value if isinstance(value, list) else [value]:
            if not isinstance(each, (str, int)):
                raise UsageError(f"the condition “{name}” takes texts or numbers, not “{str(each)[:40]}”")
            yield name, str(each).lower() if isinstance(each, bool) else str(each)


def _answer(found: Any, patience: Patience) -> dict[str, Any]:
    """Return the values of an answer, which may be still to come."""
    if isinstance(found, Later):
        done = Event()
        forget = found.when_done(done.set)
        end = monotonic() + found.seconds
        try:
            while not done.is_set() and monotonic() < end and patience.lasts():
                pass
        finally:
            forget()
        found = found.answer()
    values: dict[str, Any] = json.loads(bytes(found.body)) if isinstance(found, Response) else found
    return values


def _number(value: int | None) -> str:
    return "an unknown number of" if value is None else f"{value:,}"


def _results(counts: Mapping[str, Any]) -> str:
    return f"+{counts['white']} ={counts['draws']} -{counts['black']} for White"


def _row(row: Mapping[str, Any]) -> str:
    players = f"{row.get('white') or '?'} – {row.get('black') or '?'}" if row["kind"] == "game" else row.get("title")
    facts = (row.get("result"), row.get("date"), row.get("event"), row.get("eco"))
    return ", ".join([f"{row['number']}: {players}", *(str(fact) for fact in facts if fact)])


def _evaluation(evaluation: Mapping[str, Any]) -> str:
    if evaluation.get("mate") is not None:
        return f"mate in {evaluation['mate']}"
    return f"{(evaluation.get('centipawns') or 0) / 100:+.2f}"


def _text(lines: Iterable[str], nothing: str) -> str:
    """Return the first lines, and how many follow."""
    found = [*lines]
    left = len(found) - _SHOWN
    return "\n".join([*found[:_SHOWN], *([f"… and {left} more"] if left > 0 else [])]) or nothing
