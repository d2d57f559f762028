"""Queries in JSON: the language of scoutfish, extended by the keywords of tabiya.

A query is a condition, a ``sequence`` or a ``streak`` of them, with ``skip`` and ``limit``. A condition is an object
whose keywords must all hold; a list of values means *or*. Steps of a sequence may be streaks. Extensions are the
keywords of ``keyword_conditions.py``, ``not``, ``any`` (a list of conditions), ``lasting`` and, beside a sequence,
``within``.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from tabiya.errors import UsageError, shortened
from tabiya.search.boards import Pattern, ToMove
from tabiya.search.conditions import ANYTHING, AllOf, AnyOf, Condition, Not, Sequence, any_of
from tabiya.search.keyword_conditions import FLAG_MEANINGS, MEANINGS
from tabiya.search.moves import Mate, MovePlayed, ResultIs, Stalemate
from tabiya.search.query import Query
from tabiya.search.query_size import check_size

if TYPE_CHECKING:
    from collections.abc import Callable

_DEEPEST: Final = 20
_ONLY_AT_THE_TOP: Final = ("skip", "limit", "for")


def parse_query(text: str | dict[str, Any]) -> Query:
    """Return the query of a JSON text, or of an object that was parsed from one.

    Raises:
        UsageError: the text is not JSON, or contains an unknown keyword.
    """
    if isinstance(text, str):
        try:
            query = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise UsageError(f"the query is not JSON: {_shortly(error)}") from error
    else:
        query = text
    if not isinstance(query, dict):
        raise UsageError('the query is not a JSON object, as {"material": "KRPKR"}')
    check_size(query)
    fields = {name: query[name] for name in _ONLY_AT_THE_TOP if name in query}
    rest = {name: value for name, value in query.items() if name not in fields}
    # In scoutfish a limit of 0 means no limit.
    side_of = fields.get("for")
    if side_of is not None and not (isinstance(side_of, str) and side_of):
        raise UsageError(f"for is the name of a player, not {_quoted(side_of)}")
    return Query(condition_of(rest), side_of=side_of, skip=fields.get("skip", 0), limit=fields.get("limit") or None)


def _shortly(error: Exception) -> str:
    return "it is nested too deeply" if isinstance(error, RecursionError) else str(error)


def condition_of(query: Any, depth: int = 0) -> Condition:
    """Return the condition that an object of a query describes."""
    if depth > _DEEPEST:
        raise UsageError("the query is nested too deeply")
    if not isinstance(query, dict):
        raise UsageError(f"{_quoted(query)} is not a condition of a query: these are JSON objects")
    parts: list[Condition] = []
    within = query.get("within")
    if within is not None and (not isinstance(within, int) or isinstance(within, bool) or "sequence" not in query):
        raise UsageError("within is a number of plies, and belongs to a sequence")
    moves = [
        MovePlayed(text, color)
        for color in ("white", "black")
        for text in _texts(f"{color}-move", query.get(f"{color}-move", []))
    ]
    if moves:  # moves of White and of Black are alternatives: no position has both
        parts.append(any_of(moves))
    for word, value in query.items():
        if word not in {"white-move", "black-move", "within", "lasting"}:
            parts.append(_part(word, value, within, depth))
    if not parts:
        raise UsageError("the query has no condition: give at least one")
    found = parts[0] if len(parts) == 1 else AllOf(tuple(parts))
    lasting = query.get("lasting")
    if lasting is None:
        return found
    if not isinstance(lasting, int) or isinstance(lasting, bool):
        raise UsageError(f"lasting is a number of positions in a row, not {_quoted(lasting)}")
    return found.lasting(lasting)


def _part(word: str, value: Any, within: int | None, depth: int) -> Condition:
    """Return the condition of one keyword."""
    if word in {"sequence", "streak", "any"}:
        if not isinstance(value, list) or not value:
            raise UsageError(f"{word} is a list of conditions, not {_quoted(value)}")
        steps = tuple(condition_of(step, depth + 1) for step in value)
        return AnyOf(steps) if word == "any" else Sequence(steps, 1 if word == "streak" else within)
    if word == "not":
        return Not(condition_of(value, depth + 1))
    if word == "pass":
        return ANYTHING
    if word in FLAG_MEANINGS:
        if not isinstance(value, bool):
            raise UsageError(f"{word} is true or false, not {_quoted(value)}")
        return FLAG_MEANINGS[word] if value else Not(FLAG_MEANINGS[word])
    make = _SCOUTFISH.get(word) or MEANINGS.get(word)
    if make is None:
        known = ", ".join(sorted({*_SCOUTFISH, *MEANINGS, *FLAG_MEANINGS, "sequence", "streak", "any", "not", "pass"}))
        raise UsageError(f"no condition is called {word!r}; known: {known}")
    texts = _texts(word, value)
    if not texts:
        raise UsageError(f"{word} is an empty list: nothing could meet it")
    return any_of(map(make, texts))


def _texts(word: str, value: Any) -> list[str]:
    texts = value if isinstance(value, list) else [value]
    if wrong := [text for text in texts if not isinstance(text, str)]:
        raise UsageError(f"{word} takes texts, not {_quoted(wrong[0])}")
    return texts


def _quoted(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=repr)
    return shortened(text, 60)


def _result_type(text: str) -> Condition:
    kinds = {"mate": Mate(), "stalemate": Stalemate()}
    if text not in kinds:
        raise UsageError(f"{text!r} is not a type of result: mate or stalemate")
    return kinds[text]


_SCOUTFISH: Final[dict[str, Callable[[str], Condition]]] = {
    "sub-fen": Pattern,
    "result": ResultIs,
    "result-type": _result_type,
    "stm": ToMove,
}
"""Keywords of scoutfish that tabiya lacks under the same name."""
