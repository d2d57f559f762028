"""Conditions on evaluations and clocks, against the values of single moves; and searches from a player's side."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tabiya
from tabiya.errors import UsageError
from tabiya.evaluations import UNKNOWN, MoveValues
from tabiya.game import Game, GameBatch
from tabiya.game.annotations import Evaluation
from tabiya.search import (
    ClockBetween,
    Condition,
    EvaluationBetween,
    Judged,
    Lasting,
    Material,
    MissedWin,
    MovePlayed,
    ResultIs,
    Swing,
    TimeSpent,
    ToMove,
)
from tabiya.search.list_query import ListQuery
from tabiya.search.listing import ListedDatabase
from tabiya.search.query_parser import query_of
from tabiya.search.scan import COUNT, FIRST, LAST, Scanner
from tests.strategies import games

BLUNDERS = """[White "Carlsen, Magnus"]
[Black "Anand"]
[Result "1-0"]
[TimeControl "60+0"]

1. e4 {[%eval 0.3] [%clk 0:00:59]} e5 {[%eval 0.2] [%clk 0:00:58]} 2. Qh5 {[%eval -0.6] [%clk 0:00:40]}
Ke7 {[%eval #1] [%clk 0:00:03]} 3. Qxe5# {[%clk 0:00:39]} 1-0

[White "Anand"]
[Black "Carlsen, Magnus"]
[Result "0-1"]

1. f3 {[%eval -0.7]} (1. e4 {[%eval 0.3]} e5 2. Ke2 {[%eval -0.9]}) e5 {[%eval -0.8]} 2. g4 {[%eval #-1]} Qh4# 0-1

[White "Euwe"]
[Black "Tal"]
[Result "0-1"]

1. e4 {[%eval 5.0]} e5 {[%eval 5.1]} 2. Nf3 {[%eval 0.5]} Nc6 {[%eval 0.5]} 0-1

[White "Tal"]
[Black "Carlsen, Magnus"]
[Result "1/2-1/2"]

1. e4 e5 1/2-1/2
"""


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("evaluated") / "games.pgn"
    path.write_text(BLUNDERS, "utf-8")
    return path


def found(path: Path, condition: Condition, **options: object) -> list[tuple[int, int]]:
    with tabiya.open(path) as games:
        return [(match.number, match.ply) for match in tabiya.search(games, condition, **options)]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("condition", "matches"),
    [
        (Judged(), [(1, 3), (2, 2), (3, 2)]),
        (Judged("inaccuracy"), [(1, 2), (2, 0), (3, 2)]),
        (Judged("blunder", "black"), [(1, 3)]),
        (MissedWin(), [(3, 2)]),
        (MissedWin("black"), []),
        (Swing(25), [(1, 3), (2, 2), (3, 0)]),
        (EvaluationBetween(4, 6), [(3, 1)]),
        (EvaluationBetween(high=-50), [(2, 3)]),
        (EvaluationBetween(50), [(1, 4)]),
        (EvaluationBetween(), [(1, 0), (2, 0), (3, 0)]),
        (EvaluationBetween(0.1, 0.6).lasting(3), [(1, 2)]),
        (EvaluationBetween(-1, -0.75).with_colors_exchanged(), []),
        (EvaluationBetween(0.75, 1).with_colors_exchanged(), [(2, 2)]),
        (ClockBetween(high=10), [(1, 3)]),
        (ClockBetween(high=10, color="white"), []),
        (TimeSpent(19), [(1, 2)]),
        (TimeSpent(20), [(1, 3)]),
        (Judged() & MovePlayed("Ke7"), [(1, 3)]),
        (~EvaluationBetween() & Judged(), []),
        (Judged("inaccuracy").then(Judged()), [(1, 3), (2, 2)]),
    ],
)
def test_conditions(database: Path, condition: Condition, matches: list[tuple[int, int]]) -> None:
    assert found(database, condition) == matches
    assert found(database, condition, threads=2) == matches
    library = database.with_name(f"library-{abs(hash(condition))}.tabiya")
    tabiya.convert(database, library)
    assert found(library, condition) == matches


def test_variations_have_no_values(database: Path) -> None:
    assert found(database, Judged(), variations=True) == [(1, 3), (2, 2), (3, 2)]
    assert found(database, EvaluationBetween(-1, -0.85), variations=True) == []


@pytest.mark.parametrize(
    ("condition", "matches"),
    [
        (Judged("inaccuracy", "white"), [(1, 2)]),
        (Judged("blunder", "black"), [(1, 3), (2, 2)]),
        (EvaluationBetween(0.5), [(1, 4), (2, 1)]),
        (ResultIs("1-0"), [(1, 0), (2, 0)]),
        (ResultIs("1/2-1/2"), [(4, 0)]),
        (ToMove("white"), [(1, 0), (2, 1), (4, 1)]),
        (MovePlayed("Qh5", "white"), [(1, 2), (2, 3)]),
        (Material("KK"), []),
    ],
)
def test_the_side_of_a_player(database: Path, condition: Condition, matches: list[tuple[int, int]]) -> None:
    assert found(database, condition, side_of="carlsen") == matches
    library = database.with_name(f"side-{abs(hash(condition))}.tabiya")
    tabiya.convert(database, library)
    assert found(library, condition, side_of="carlsen") == matches


def test_the_games_of_a_player(database: Path) -> None:
    with tabiya.open(database) as games:
        assert games.search(side_of="carlsen").count() == 3
        assert games.search(ResultIs("1-0"), side_of="tal").count() == 1
        assert games.search(side_of="nobody").count() == 0


@pytest.mark.parametrize(
    ("words", "matches"),
    [
        ({"evaluation": "4..6"}, [(3, 1)]),
        ({"evaluation": "..-50"}, [(2, 3)]),
        ({"evaluation": "5.1"}, [(3, 2)]),
        ({"judged": "blunder"}, [(1, 3), (2, 2), (3, 2)]),
        ({"judged": "black:inaccuracy"}, [(1, 3)]),
        ({"missed-win": "any"}, [(3, 2)]),
        ({"missed-win": ["black"]}, []),
        ({"swing": "50"}, [(1, 3)]),
        ({"clock": "..10"}, [(1, 3)]),
        ({"clock": "white:39..41"}, [(1, 2)]),
        ({"time-spent": "20.."}, [(1, 3)]),
        ({"for": "carlsen", "judged": "opponent:blunder"}, [(1, 3), (2, 2)]),
        ({"side_of": "carlsen", "outcome": ["won", "drawn"]}, [(1, 0), (2, 0), (4, 0)]),
        ({"query": {"for": "tal", "evaluation": "..-4"}}, [(3, 1)]),
        ({"for": "tal"}, [(3, 0), (4, 0)]),
    ],
)
def test_words(database: Path, words: dict[str, Any], matches: list[tuple[int, int]]) -> None:
    with tabiya.open(database) as games:
        assert [(match.number, match.ply) for match in games.search(query_of(words))] == matches
        listing = games_listed(games, words)
        assert listing == [number for number, _ in matches]


def games_listed(games: tabiya.Database, words: dict[str, Any]) -> list[int]:
    listing = ListedDatabase(games).list(ListQuery.of(position=words))
    listing.run()
    return [row["number"] for row in listing.rows(0, 10)]


@pytest.mark.parametrize(
    "words",
    [
        *({"evaluation": text} for text in ("", "..", "a..b", "3..1", "1..2..3", "1e5")),
        *({"judged": text} for text in ("bad", "red:blunder", "white:")),
        *({"clock": text} for text in ("10", "x:..3", "..a")[1:]),
        {"swing": "-5"},
        {"swing": "101"},
        {"missed-win": "green"},
        {"outcome": "1-0"},
        {"for": ""},
        {"for": 5},
        {"query": {"for": 5, "mate": True}},
    ],
)
def test_wrong_words(words: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        query_of(words)


def test_wrong_conditions() -> None:
    for make in (
        lambda: Judged("bad"),
        lambda: Judged("none"),
        lambda: Swing(0),
        lambda: EvaluationBetween(2, 1),
        lambda: ClockBetween(10, 5),
        lambda: TimeSpent(color="green"),
    ):
        with pytest.raises(UsageError):
            make()


# --- against single moves --------------------------------------------------------------------------------------------

CONDITIONS: list[tuple[Condition, Callable[[MoveValues, int], bool]]] = [
    (EvaluationBetween(-1, 1), lambda values, at: -100 <= values.before[at] <= 100),
    (Judged("mistake"), lambda values, at: values.judgements[at] >= 2),
    (Swing(10), lambda values, at: abs(values.lost[at]) >= 10),
    (ClockBetween(20, 60), lambda values, at: 20 <= values.clocks[at] <= 60),
    (TimeSpent(5, 40), lambda values, at: 5 <= values.times[at] <= 40),
]


@given(st.lists(games(null_moves=False), min_size=1, max_size=3), st.sampled_from(CONDITIONS), st.data())
def test_a_scan_finds_what_single_moves_have(
    made: list[Game], condition: tuple[Condition, Callable[[MoveValues, int], bool]], data: st.DataObject
) -> None:
    for game in made:
        for node in game.walk():
            if data.draw(st.integers(0, 3)):
                node.eval = Evaluation(data.draw(st.integers(-400, 400)))
                node.clock = data.draw(st.integers(0, 9000)) / 100
                node.time_spent = data.draw(st.integers(0, 60))
    batch = GameBatch.from_games(made)
    values = MoveValues(batch)
    counted = Scanner(condition[0], everything=True).scan(batch.record_batch)
    for row in range(len(batch)):
        begin, end = values.ends[row : row + 2].tolist()
        known = end > begin and values.scores[begin] != UNKNOWN
        plies = [
            at - begin
            for at in range(begin, end)
            if condition[1](values, at) and (known or at > begin or not isinstance(condition[0], EvaluationBetween))
        ]
        if isinstance(condition[0], EvaluationBetween) and end > begin and -100 <= values.scores[end - 1] <= 100:
            plies.append(end - begin)
        assert counted[row, COUNT] == len(plies)
        assert counted[row, FIRST] == (plies[0] if plies else -1)
        assert counted[row, LAST] == (plies[-1] if plies else -1)
    assert isinstance(Lasting(condition[0], 2), Condition)
    assert counted.dtype == np.int32
