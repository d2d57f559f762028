from __future__ import annotations

import copy
import pickle
import subprocess
import sys

import pytest
from hypothesis import given

import tabiya.game
from tabiya.chess import Position
from tabiya.errors import FormatError
from tabiya.game import Date, Extra, Game, GuidingText, Problem, RecordKind, Result, Variant
from tests.strategies import STARTS, records


def test_a_new_game_is_empty() -> None:
    game = Game()
    assert (game.kind, game.number, game.deleted) == (RecordKind.GAME, None, False)
    assert (len(game.tags), game.result, game.date, game.start) == (0, None, None, None)
    assert (game.texts, game.extras, game.problems, game.annotations) == ([], [], [], [])
    assert game.variant is Variant.STANDARD
    assert game.start_position == Position()
    assert list(game.walk()) == []
    assert game.end() is game.root


def test_the_tags_are_the_truth() -> None:
    game = Game({"Result": "1/2", "Date": "2023.1.5", "Variant": "Standard"})
    assert (game.result, game.date, game.variant) == (Result.DRAW, Date(2023, 1, 5), Variant.STANDARD)
    game.result = Result.WHITE_WINS
    game.date = Date(2024)
    game.variant = Variant.CHESS960
    assert game.tags.items() == [("Result", "1-0"), ("Date", "2024.??.??"), ("Variant", "Chess960")]
    game.result = game.date = None
    game.variant = Variant.STANDARD
    assert len(game.tags) == 0
    game.tags["Result"] = "won"
    game.tags["Variant"] = "Atomic"
    assert (game.result, game.variant) == (None, Variant.STANDARD)


def test_start_positions() -> None:
    game = Game(start=STARTS[0])
    assert game.tags.items() == [("SetUp", "1"), ("FEN", STARTS[0])]
    assert game.start_position == Position.from_fen(STARTS[0])
    assert game.start_position is game.start_position
    game.start = None
    assert len(game.tags) == 0
    assert game.start_position == Position()
    with pytest.raises(FormatError):
        game.start = "nonsense"
    assert game.start is None
    game.tags["FEN"] = ""
    with pytest.raises(FormatError):
        _ = game.start_position


def test_chess960() -> None:
    start = Position.chess960_start(0)
    game = Game(start=start)
    assert game.variant is Variant.CHESS960
    assert game.start_position == start
    assert game.start_position.chess960
    usual = Game({"Variant": "Chess960"})
    assert usual.start_position.chess960
    assert usual.start_position.fen() == Position().fen()


def test_short_descriptions() -> None:
    game = Game({"White": "Carlsen", "Black": "Nepo", "Result": "1-0"})
    game.root.add_line(["e4", "e5", "Nf3"])
    assert repr(game) == "<Game: Carlsen – Nepo, 1-0, 2 moves>"
    game.number = 12
    game.end().delete()
    assert repr(game) == "<Game 12: Carlsen – Nepo, 1-0, 1 move>"
    assert repr(Game()) == "<Game: ? – ?, *, 0 moves>"
    black = Game(start=STARTS[1])
    black.root.add_line(["h5", "h4"])
    assert repr(black) == "<Game: ? – ?, *, 2 moves>"
    black.tags["FEN"] = "nonsense"
    assert repr(black) == "<Game: ? – ?, *, 1 move>"
    game.kind = RecordKind.OPAQUE
    assert repr(game) == "<Game 12: Carlsen – Nepo, not decoded>"
    game.kind = RecordKind.TEXT
    assert repr(game) == "<Game 12: text ''>"
    game.texts = [GuidingText(0, "Preface", 3, b"")]
    assert repr(game) == "<Game 12: text 'Preface'>"


def test_copies_share_nothing_that_changes() -> None:
    game = Game({"White": "A"})
    game.root.add("e4").text = "x"
    game.extras.append(Extra("pgn.x", b""))
    game.problems.append(Problem(1, None, ""))
    twin = game.copy()
    twin.tags["White"] = "B"
    twin.root.children[0].text = "y"
    twin.root.add("d4")
    twin.extras.clear()
    twin.problems.clear()
    assert game.tags["White"] == "A"
    assert [node.text for node in game.walk()] == ["x"]
    assert len(game.extras) == len(game.problems) == 1


@given(records())
def test_copies_are_equal(game: Game) -> None:
    for twin in (game.copy(), copy.copy(game), copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
        assert twin == game
        assert (twin.number, twin.problems, twin.extras) == (game.number, game.problems, game.extras)
        assert twin.tags == game.tags


def test_games_are_no_keys() -> None:
    with pytest.raises(TypeError):
        hash(Game())
    assert Game() != "a game"


def test_every_public_name_is_there() -> None:
    names = vars(tabiya.game)["__all__"]
    for name in names:
        assert getattr(tabiya.game, name) is not None
    assert set(names) <= set(dir(tabiya.game))
    with pytest.raises(AttributeError, match="no attribute 'Gamme'"):
        _ = tabiya.game.Gamme  # type: ignore[attr-defined]


@pytest.mark.parametrize("module", ["tabiya.game", "tabiya.game.annotations", "tabiya.game.tape"])
def test_imports_are_cheap(module: str) -> None:
    code = f"import sys, {module}; sys.exit(any(name in sys.modules for name in ('pyarrow', 'chess')))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
