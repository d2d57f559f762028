"""What the widget gets: everything it shows, as texts and numbers."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from hypothesis import given

import tabiya
from tabiya.game import Game, GuidingText, RecordKind
from tabiya.notebook.facts import drawing, game_facts
from tests.conftest import ROOT
from tests.strategies import records

if TYPE_CHECKING:
    import pytest

PGN = """[White "A"]
[Black "B"]
[Event "Cup"]
[Site "?"]
[Date "2026.05.??"]
[Result "1-0"]

1. e4 {[%eval 0.35,20] [%clk 0:09:57] best by test} e5 (1... c5 $1 {[%csl Gd4] [%cal Rc5d4,Bd8a5]}) 2. Qh5 {[%eval #3]}
Ke7 3. Qxe5# 1-0"""


def test_a_game() -> None:
    facts = game_facts(Game.from_pgn(PGN))
    assert facts["title"] == "A – B"
    assert facts["result"] == "1-0"
    assert facts["tags"] == "Cup · 2026.05"
    nodes = facts["nodes"]
    assert [node.get("label") for node in nodes] == [None, "1.e4", "1...e5", "1...c5", "2.Qh5", "2...Ke7", "3.Qxe5#"]
    assert [node["parent"] for node in nodes] == [None, 0, 1, 1, 2, 4, 5]
    assert nodes[1]["moved"] == ["e2", "e4"]
    assert nodes[1]["clock"] == "0:09:57"
    assert (nodes[1]["eval"], nodes[1]["depth"]) == ("+0.35", ", depth 20")
    assert 50 < nodes[1]["chances"] < nodes[4]["chances"] < 100
    assert nodes[4]["eval"] == "#3"
    assert nodes[3]["squares"] == [["d4", "#15781b"]]
    assert nodes[3]["arrows"] == [["c5", "d4", "#c62828"], ["d8", "a5", "#1d5fb4"]]
    assert [bool(node.get("check")) for node in nodes] == [False] * 6 + [True]


def test_the_movetext_names_the_nodes() -> None:
    game = Game.from_pgn(PGN)
    text = game_facts(game)["text"]
    moves = [(words, node) for kind, words, _, *rest in text if kind == "move" for node in rest]
    assert moves == [(node.san, place) for place, node in enumerate(game.walk(), start=1)]
    assert [words for kind, words, *_ in text if kind == "text"] == ["best by test"]
    assert [depth for kind, _, depth, *_ in text if kind == "move"] == [0, 0, 1, 0, 0, 0]


def test_variations_of_a_real_game() -> None:
    with tabiya.open(ROOT / "tests" / "data" / "web" / "annotated.pgn") as games:
        for game in games:
            facts = game_facts(game)
            assert len(facts["nodes"]) == 1 + sum(1 for _ in game.walk())
            assert [piece[3] for piece in facts["text"] if piece[0] == "move"] == [*range(1, len(facts["nodes"]))]


def test_records_without_moves() -> None:
    game = Game({"White": "Tal", "FEN": "nothing"})
    assert [node["fen"] for node in game_facts(game)["nodes"]] == [None]
    game.kind = RecordKind.OPAQUE
    assert game_facts(game)["nodes"] == game_facts(game)["text"] == []
    game.kind, game.texts = RecordKind.TEXT, [GuidingText(0, "t", 3, b"")]
    assert game_facts(game)["nodes"] == []


def test_long_games_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tabiya.game.exchange.to_json.MOST_NODES", 10)
    game = Game()
    game.root.add_line(["Nf3", "Nf6", "Ng1", "Ng8"] * 10)
    facts = game_facts(game)
    assert len(facts["nodes"]) == 10
    assert facts["text"][-1] == ["cut", "…", 0]
    assert [piece[3] for piece in facts["text"] if piece[0] == "move"] == [*range(1, 10)]


@given(records())
def test_any_record(game: Game) -> None:
    json.dumps(game_facts(game))


def test_the_drawing_has_all_pieces() -> None:
    look = drawing()
    assert all(f'id="{side}{piece}"' in look["pieces"] for side in "wb" for piece in "kqrbnp")
    assert {"light", "dark", "moved", "coordinates"} < look.keys()
