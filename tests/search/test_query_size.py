"""Queries that are too large are refused at once, and no message repeats them."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial, reduce
from typing import Any

import pytest

import tabiya
from tabiya.errors import TabiyaError, UsageError
from tabiya.game import RecordFilter
from tabiya.search.boards import ExactPosition, position_of_text
from tabiya.search.conditions import MOST_CONDITIONS, AllOf, AnyOf, Condition, Sequence, Turned, any_of
from tabiya.search.keyword_conditions import MEANINGS
from tabiya.search.moves import MovePlayed
from tabiya.search.program import compiled
from tabiya.search.query_parser import query_of
from tabiya.search.scoutfish import parse_query

MANY = MOST_CONDITIONS + 1


@pytest.mark.parametrize(
    "query",
    [
        {"fen": ["e4"] * MANY},
        {"any": [{"move": "Nf3"}] * MANY},
        {"sequence": [{"move": "Nf3"}] * MANY},
        {"streak": [{"white-move": ["Nf3"] * 2}] * (MANY // 2)},
        {"not": {"any": [{"not": {"move": "Nf3"}}] * (MANY // 2)}},
        {f"word {number}": "" for number in range(MANY)},
    ],
    ids=lambda query: next(iter(query)),
)
def test_too_many_values_are_refused_before_anything_is_made_of_them(
    query: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def made(*_: object) -> None:
        raise AssertionError("a condition was made")

    for kind in (ExactPosition, MovePlayed, AnyOf, Sequence):
        monkeypatch.setattr(kind, "__post_init__", made)
    with pytest.raises(UsageError, match="at most 10,000 values"):
        parse_query(json.dumps(query))
    if "fen" in query:
        with pytest.raises(UsageError, match="at most 10,000 values"):
            query_of(query)


def test_as_many_as_there_may_be() -> None:
    count = MOST_CONDITIONS - 2
    assert len(compiled(query_of({"move": ["Nf3"] * count}).condition or AllOf(())).instructions) == count
    with pytest.raises(UsageError, match="looks back at more than 31"):
        compiled(parse_query({"sequence": [{"move": "Nf3"}] * 4000}).condition or AllOf(()))


def test_alternatives_are_joined_in_one_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """One by one they would take quadratic time."""
    joined = []
    monkeypatch.setattr(AnyOf, "__post_init__", lambda anyone: joined.append(len(anyone.conditions)))
    query_of({"move": ["Nf3"] * 500})
    parse_query({"white-move": ["Nf3"] * 500})
    parse_query({"fen": ["e4"] * 500})
    assert joined == [500, 500, 500]


def test_conditions_that_are_made_by_hand() -> None:
    move = MovePlayed("Nf3")
    half = any_of([move] * (MOST_CONDITIONS // 2 + 1))
    with pytest.raises(UsageError, match="at most 10,000 conditions can be joined"):
        half | half
    for large in (AllOf((move,) * 100_000), Sequence((move,) * 100_000), Sequence((half,) * 9)):
        with pytest.raises(UsageError, match="more than 32,000 instructions"):
            compiled(large)
    with pytest.raises(UsageError, match="at most 1,000,000 parts"):
        Sequence((half,) * 201)


def test_what_is_no_condition_is_not_shown_as_a_whole() -> None:
    deep: Any = {"move": "e4"}
    for _ in range(50_000):
        deep = {"not": deep}
    wide: Any = {"material": ["KRPKR"] * 50_000}
    for wrong in (deep, wide):
        refusals: list[Callable[[], object]] = [
            partial(any_of, [wrong]),
            partial(AllOf, (wrong,)),
            partial(tabiya.search, "examples/classics.pgn", wrong),
        ]
        for refused in refusals:
            with pytest.raises(UsageError, match="is not a condition on positions") as caught:
                refused()
            assert len(str(caught.value)) < 300


def test_shared_conditions_count_where_they_occur() -> None:
    """Else a few dozen objects would unfold into a program without end."""

    start: Condition = MovePlayed("Nf3")

    def doubled(condition: Condition, _: int) -> Condition:
        return AllOf((Turned(condition, colors=True), Turned(condition, files=True)))

    with pytest.raises(UsageError, match="at most 1,000,000 parts"):
        reduce(doubled, range(40), start)


LONG = ("1", "e4 ", "8/", "[Q", "K", "P=1-@a", "white:", " ", "'")


@pytest.mark.parametrize("part", LONG)
@pytest.mark.parametrize("word", MEANINGS)
def test_no_message_repeats_a_long_text(word: str, part: str) -> None:
    text = part * 30_000
    with pytest.raises(UsageError, match="at most 20,000 characters") as refused:
        query_of({word: text})
    assert len(str(refused.value)) < 200
    try:
        MEANINGS[word](text)
    except TabiyaError as error:
        assert len(str(error)) < 1000


def test_digits_without_a_dot_are_read_in_linear_time() -> None:
    """Ten times as many digits would take a hundred times as long."""
    with pytest.raises(TabiyaError):
        position_of_text("1" * 1_000_000)


@pytest.mark.parametrize("text", ["8/" * 100_000, ",".join(f"Sicilian {number}" for number in range(1001))], ids=len)
def test_openings(text: str) -> None:
    with pytest.raises(UsageError, match=r"neither an ECO code|at most 1,000 codes") as refused:
        RecordFilter(eco=text)
    assert len(str(refused.value)) < 300
