"""Filters on columns, against filters in plain Python on games."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabiya.errors import UsageError
from tabiya.formats import HEADER_SCHEMA
from tabiya.game import Game, GameBatch, RecordFilter, Result
from tests.strategies import records


def chosen(games: list[Game], **conditions: Any) -> list[int]:
    batch = GameBatch.from_games(games).record_batch
    mask = RecordFilter(**conditions)(batch)
    assert mask.equals(RecordFilter(**conditions)(batch.select(HEADER_SCHEMA.names)))
    return [i for i, taken in enumerate(mask.to_pylist()) if taken]


def expected(games: list[Game], condition: Callable[[Game], bool]) -> list[int]:
    return [i for i, game in enumerate(games) if condition(game)]


ASCII = st.text("abAB .?(", max_size=3)


@given(st.lists(records(), max_size=6), ASCII, st.sampled_from(["White", "Event", "ECO", "PlyCount", "Date", "Result"]))
def test_text_of_any_tag(games: list[Game], text: str, name: str) -> None:
    def has(game: Game) -> bool:
        return any(text.lower() in value.lower() for value in game.tags.get_all(name))

    assert chosen(games, tags=[f"{name}={text}"]) == expected(games, has)
    assert chosen(games, tags=[name]) == expected(games, lambda game: name in game.tags)


@given(st.lists(records(), max_size=6), st.sampled_from(["a|b", "^.$", "[0-9]", r"\?", "^$"]))
def test_expressions(games: list[Game], pattern: str) -> None:
    def has(game: Game) -> bool:
        names = [game.tags[name] for name in ("White", "Black") if name in game.tags]
        return any(re.search(pattern, name, re.IGNORECASE) for name in names)

    plain = [game for game in games if all(value.isascii() and value.isprintable() for value in game.tags.values())]
    assert chosen(plain, player=f"/{pattern}/") == expected(plain, has)


@given(st.lists(records(), max_size=6))
def test_results(games: list[Game]) -> None:
    for result in (Result.WHITE_WINS, Result.DRAW):
        text = {Result.WHITE_WINS: "1-0", Result.DRAW: "1/2-1/2"}[result]
        assert chosen(games, results=[text]) == expected(games, lambda game, result=result: game.result is result)  # type: ignore[misc]
    unknown = expected(games, lambda game: game.result in (None, Result.UNKNOWN))
    assert chosen(games, results=["*"]) == unknown


def played(**tags: str) -> Game:
    return Game(tags)


@pytest.mark.parametrize(
    ("date", "since", "until"),
    [
        ("2020.05.17", "2020", "2020"),
        ("2020.05.17", "2020.05.17", "2020-05-17"),
        ("2020.??.??", "2020.12.31", "2020.01.01"),
        ("2020.02.??", "2020.02.29", "2020.02.01"),
        ("0800.??.??", "0001", "9999"),
    ],
)
def test_dates_within(date: str, since: str, until: str) -> None:
    assert chosen([played(Date=date)], since=since, until=until) == [0]


@pytest.mark.parametrize(
    ("date", "condition"),
    [
        ("2020.05.17", {"since": "2020.05.18"}),
        ("2020.05.17", {"until": "2020.05.16"}),
        ("2020.??.??", {"since": "2021"}),
        ("2020.??.??", {"until": "2019"}),
        ("????.05.17", {"since": "0001"}),
        ("x", {"until": "9999"}),
    ],
)
def test_dates_outside(date: str, condition: dict[str, str]) -> None:
    assert chosen([played(Date=date)], **condition) == []


DAYS = ["2019.12.31", "2020.01.01", "2020.05.17", "2020.05.??", "2020.??.??", "2021.01.01", "????.05.17"]


@pytest.mark.parametrize(
    ("date", "expected"),
    [
        ("2020", [1, 2, 3, 4]),
        ("2020-05", [2, 3, 4]),
        ("2020.05", [2, 3, 4]),
        ("2020-05-17", [2, 3, 4]),
        ("2020-05-18", [3, 4]),
        ("2019..2020-01", [0, 1, 4]),
        ("2020-06 .. 2021", [4, 5]),
        ("2020-06..", [4, 5]),
        ("..2019", [0]),
        ("2020.05.01..2020.05.16", [3, 4]),
    ],
)
def test_dates_and_ranges_of_dates(date: str, expected: list[int]) -> None:
    assert chosen([played(Date=day) for day in DAYS], date=date) == expected


@pytest.mark.parametrize(
    "text", ["x", "", "2020-13", "2020-00", "2020-02-30", "2020-5-x", "..", "2021..2020", "2020...2021"]
)
def test_wrong_dates_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match=r"date|ends before it begins"):
        RecordFilter(date=text)


@pytest.mark.parametrize("text", ["2020-13", "2020.04.31", ""])
def test_wrong_ends_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match=r"is not a date: give a year, a month as 2020-05"):
        RecordFilter(since=text)
    with pytest.raises(UsageError, match=r"is not a date: give a year, a month as 2020-05"):
        RecordFilter(until=text)


def test_ratings_are_of_both_players() -> None:
    games = [
        played(WhiteElo="2700", BlackElo="2600"),
        played(WhiteElo="2500", BlackElo="2600"),
        played(WhiteElo="2900"),
        played(),
    ]
    assert chosen(games, min_elo=2600) == [0]
    assert chosen(games, max_elo=2600) == [1]
    assert chosen(games, min_elo=0, max_elo=70_000) == [0, 1]


def test_eco_is_a_beginning() -> None:
    games = [played(ECO="B97"), played(ECO="b90"), played(ECO="A00"), played()]
    assert chosen(games, eco="b9") == [0, 1]
    assert chosen(games, eco="") == [0, 1, 2]


def test_conditions_add_up() -> None:
    games = [played(White="Tal", Black="Spassky"), played(White="Tal"), played(Black="Tal")]
    assert chosen(games, player="tal") == [0, 1, 2]
    assert chosen(games, player="tal", white="tal") == [0, 1]
    assert chosen(games, white="tal", black="spassky") == [0]


def test_one_text_is_not_taken_for_its_letters() -> None:
    games = [played(White="Tal", Result="1-0"), played(Result="0-1")]
    assert chosen(games, results="1-0") == chosen(games, results=["1-0"]) == [0]
    assert chosen(games, tags="White=tal") == chosen(games, tags=["White=tal"]) == [0]


def test_an_empty_filter_is_false_and_takes_everything() -> None:
    assert not RecordFilter()
    assert RecordFilter(white="")
    assert chosen([played(), played()]) == [0, 1]


@pytest.mark.parametrize(
    "conditions",
    [
        {"since": "x"},
        {"until": "????"},
        {"results": ["x"]},
        {"white": "/[/"},
        {"tags": ["=x"]},
        {"tags": ["A=/(/"]},
        {"eco": "X1"},
        {"min_elo": 2, "max_elo": 1},
        {"since": "2021", "until": "2020"},
        {"since": "2021", "date": "2020"},
        {"date": "2020-05..", "until": "2019-12-31"},
    ],
)
def test_nonsense_is_refused(conditions: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        RecordFilter(**conditions)
