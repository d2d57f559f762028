"""What is said about a move, asked for and set in the types that people use."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import numpy as np
import pytest

from tabiya.chess import Square
from tabiya.errors import UsageError
from tabiya.game import Game, Node
from tabiya.game.annotations import Arrow, BlackClock, ColoredSquare, Evaluation, Medals, WhiteClock


@pytest.fixture
def node() -> Node:
    return Game().root.add("e4")


@pytest.mark.parametrize(
    ("name", "value", "found", "nothing"),
    [
        ("clock", 59.25, 59.25, None),
        ("clock", np.int64(5), 5.0, None),
        ("clock", (2**32 - 1) // 100, (2**32 - 1) // 100, None),
        ("clock", "1:29:45", 5385.0, None),
        ("clock", "0:01:00", 60.0, None),
        ("clock", 0, 0.0, None),
        ("time_spent", 7262, 7262, None),
        ("time_spent", 0, 0, None),
        ("time_spent", 921599, 921599, None),
        ("time_spent", np.int32(1), 1, None),
        ("eval", Evaluation(-31), Evaluation(-31), None),
        ("eval", 0.35, Evaluation(35), None),
        ("eval", -1, Evaluation(-100), None),
        ("eval", np.float32(0.5), Evaluation(50), None),
        ("eval", "#-3", Evaluation(-3, 1), None),
        ("nags", (1, 14), [1, 14], []),
        ("nags", ["!", "⩲", "$146", "7"], [1, 14, 146, 7], []),
        ("nags", "!?", [5], []),
        ("squares", ["Ge4"], (ColoredSquare(2, Square.E4),), ()),
        ("arrows", iter(["Re2e4"]), (Arrow(4, Square.E2, Square.E4),), ()),
        ("text", "after", "after", ""),
        ("text_before", "before", "before", ""),
    ],
)
def test_values_are_set_and_removed(node: Node, name: str, value: Any, found: Any, nothing: Any) -> None:
    setattr(node, name, value)
    assert getattr(node, name) == found
    assert len(node.annotations) == 1
    setattr(node, name, nothing)
    assert getattr(node, name) == nothing
    assert node.annotations == []


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("clock", -1, "a clock must be from 0 to 42949672 seconds, not -1"),
        ("clock", float("nan"), "a clock must be from 0 to 42949672 seconds, not nan"),
        ("clock", timedelta(seconds=5), "a clock must be from 0 to 42949672 seconds, not datetime.timedelta"),
        ("time_spent", 5.5, "the time of a move must be from 0 to 921599 whole seconds, not 5.5"),
        ("time_spent", "5", "the time of a move must be from 0 to 921599 whole seconds, not '5'"),
        ("clock", 42949673, "a clock must be from 0 to 42949672 seconds, not 42949673"),
        ("time_spent", -1, "the time of a move must be from 0 to 921599 whole seconds, not -1"),
        ("time_spent", 921600, "the time of a move must be from 0 to 921599 whole seconds, not 921600"),
        ("time_spent", 10**9, "the time of a move must be from 0 to 921599 whole seconds, not 1000000000"),
        ("eval", Medals(1), "is not a value of Evaluation"),
        ("nags", 1, "NAGs must be a list, not 1"),
        ("squares", 1, "squares must be a list, not 1"),
        ("arrows", None, "arrows must be a list, not None"),
        ("text", None, "a comment is a text, not None"),
        ("text_before", b"bytes", "a comment is a text, not b'bytes'"),
    ],
)
def test_wrong_types_and_numbers_are_named(node: Node, name: str, value: Any, sentence: str) -> None:
    node.text = "stays"
    with pytest.raises(UsageError) as caught:
        setattr(node, name, value)
    assert sentence in str(caught.value)
    assert [node.text, len(node.annotations)] == ["stays", 1]


def test_the_clock_is_that_of_the_mover(node: Node) -> None:
    reply = node.add("e5")
    for move, own, other in ((node, WhiteClock, BlackClock), (reply, BlackClock, WhiteClock)):
        move.set_values(other, [other(500)])
        assert move.clock is None
        move.clock = 1
        assert move.values_of(own) == [own(100)]
        move.clock = None
        assert move.values == [other(500)]


def test_values_of_one_class(node: Node) -> None:
    node.set_values(WhiteClock, [WhiteClock(100), WhiteClock(200)])
    assert node.clock == 1.0
    with pytest.raises(UsageError, match="is not a value of WhiteClock"):
        node.set_values(WhiteClock, [WhiteClock(1), Evaluation(1)])
    assert node.values == [WhiteClock(100), WhiteClock(200)]
