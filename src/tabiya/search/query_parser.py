"""Turns keywords into a query: options of the command line, and queries in JSON over HTTP."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial, reduce
from operator import and_
from typing import Any

from tabiya.errors import UsageError
from tabiya.search.boards import ExactPosition
from tabiya.search.conditions import Condition, any_of
from tabiya.search.keyword_conditions import FLAG_MEANINGS, MEANINGS
from tabiya.search.keywords import MODIFIERS
from tabiya.search.query import Query
from tabiya.search.query_size import check_size
from tabiya.search.scoutfish import parse_query


def query_of(keywords: Mapping[str, Any]) -> Query:
    """Return the query of keywords: ``KEYWORDS`` with values, ``FLAGS``, ``MODIFIERS``, ``for``, and ``query`` in JSON.

    A query in JSON keeps its limits. Names may be spelled with ``_`` or ``-``.

    Raises:
        UsageError: A keyword is invalid, or modifies a condition that is missing.
    """
    given = {name.replace("_", "-"): value for name, value in keywords.items()}
    side_of = _side(given)
    unknown = given.keys() - {"query", *MEANINGS, *FLAG_MEANINGS, *MODIFIERS}
    if unknown:
        raise UsageError(f"there is no condition {sorted(unknown)[0]!r} on positions")
    check_size({name: value for name, value in given.items() if name != "query"})
    query = parse_query(given["query"]) if given.get("query") is not None else Query()
    query = replace(query, side_of=side_of or query.side_of)
    parts = [*_words(given), *([] if query.condition is None else [query.condition])]
    if not parts:
        needless = [name for name in MODIFIERS if given.get(name)]
        if needless:
            raise UsageError(f"{needless[0]} modifies a condition on positions: give one")
        return query
    condition = reduce(and_, parts)
    if given.get("either-color"):
        condition = condition.for_either_side()
    if given.get("mirrored"):
        condition |= condition.mirrored()
    if (lasting := given.get("lasting")) is not None:
        if isinstance(lasting, bool) or not isinstance(lasting, int) or lasting < 1:
            raise UsageError(f"a condition lasts for a number of positions from 1 on, not {lasting!r}")
        condition = condition.lasting(lasting)
    return replace(query, condition=condition)


def _side(given: dict[str, Any]) -> str | None:
    """Remove the player whose side counts, and return the name."""
    found = [name for name in (given.pop("for", None), given.pop("side-of", None)) if name is not None]
    if not all(isinstance(name, str) and name for name in found):
        raise UsageError(f"for takes the name of a player, not {found[0]!r}")
    return found[0] if found else None


def _words(given: Mapping[str, Any]) -> list[Condition]:
    """Return the conditions of the keywords; several values of one keyword are alternatives."""
    castling, chess960 = not given.get("ignore-castling"), bool(given.get("chess960"))
    exactly = partial(ExactPosition, castling=castling, chess960=chess960)
    found = []
    for word, meaning in MEANINGS.items():
        make = exactly if meaning is ExactPosition else meaning
        if texts := _texts(word, given.get(word)):
            found.append(any_of(map(make, texts)))
    return [*found, *(condition for word, condition in FLAG_MEANINGS.items() if given.get(word))]


def _texts(word: str, value: object) -> list[str]:
    texts = [] if value is None else [value] if isinstance(value, str) else value
    if not isinstance(texts, (list, tuple)) or not all(isinstance(text, str) for text in texts):
        raise UsageError(f"{word!r} takes a text, or several, not {value!r}")
    return [*texts]
