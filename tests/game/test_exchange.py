from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabiya.chess import Position
from tabiya.errors import TabiyaError
from tabiya.game import Game, difference
from tabiya.game.annotations import Medals, Training, TrainingText, WebLink
from tabiya.game.exchange import MOST_NODES, game_of_values, game_values
from tests.strategies import games


def through_json(game: Game) -> dict[str, Any]:
    values: dict[str, Any] = json.loads(json.dumps(game_values(game)))
    return values


def bare(values: dict[str, Any]) -> dict[str, Any]:
    """What a page has to give back: neither positions nor notation."""
    result = ("parent", "uci", "comments", "nags", "squares", "arrows", "clock", "time_spent", "eval", "stored")
    nodes = [{name: node[name] for name in result if name in node} for node in values["nodes"]]
    return {"tags": values["tags"], "start": values["start"], "chess960": values["chess960"], "nodes": nodes}


@given(games())
def test_nothing_gets_lost_on_the_way(game: Game) -> None:
    back = game_of_values(bare(through_json(game)), game)
    assert difference(back, game) == []
    assert back == game


@given(games())
def test_nodes_say_what_the_game_says(game: Game) -> None:
    nodes = through_json(game)["nodes"]
    known = [game.root, *game.walk()]
    assert [node["fen"] for node in nodes] == [node.position.fen() for node in known]
    assert [node["san"] for node in nodes[1:]] == [node.san for node in known[1:]]
    assert [known[node["parent"]] for node in nodes[1:]] == [node.parent for node in known[1:]]
    assert len({node["path"] for node in nodes}) == len(nodes)


@given(games())
def test_paths_lead_to_their_nodes(game: Game) -> None:
    for values, node in zip(through_json(game)["nodes"], [game.root, *game.walk()], strict=True):
        main, *turns = map(int, values["path"].split("."))
        place = game.root
        for _ in range(main):
            place = place.children[0]
        for alternative, plies in zip(turns[::2], turns[1::2], strict=True):
            place = place.children[alternative]
            for _ in range(plies - 1):
                place = place.children[0]
        assert place is node


def test_edited_values_replace_what_they_are_about_and_nothing_else() -> None:
    game = Game.from_pgn("1. e4 $1 {[%csl Ge4] [%clk 1:00:00] good} {[%post:GER gut]} e5 (1... c5 {Sicilian}) 2. Nf3 *")
    first = game.root.children[0]
    first.set_values(Medals, [Medals(4)])
    values = through_json(game)
    move = values["nodes"][1]
    assert move["nags"] == [1]
    assert move["medals"] == ["model"]
    assert move["clock"] == 3600
    assert move["squares"] == [{"color": "green", "square": "e4"}]
    assert {comment["language"] for comment in move["comments"]} == {"", "GER"}
    move["nags"] = [2]
    move["arrows"] = [{"color": "red", "from": "e4", "to": "e5"}]
    move["comments"] = [{"text": "bad", "language": "ENG"}]
    del move["clock"]
    back = game_of_values(values, game).root.children[0]
    assert [*back.nags] == [2]
    assert [str(arrow) for arrow in back.arrows] == ["Re4e5"]
    assert [str(square) for square in back.squares] == ["Ge4"]
    assert back.text == "bad"
    assert back.clock is None
    assert back.values_of(Medals) == [Medals(4)]


def test_the_order_of_children_is_that_of_the_list() -> None:
    nodes = [{}, {"parent": 0, "uci": "e2e4"}, {"parent": 0, "san": "d4"}, {"parent": 1, "uci": "c7c5"}]
    game = game_of_values({"tags": [["White", "A"]], "nodes": nodes})
    assert [child.san for child in game.root.children] == ["e4", "d4"]
    assert [node.san for node in game.mainline()] == ["e4", "c5"]


def test_what_is_only_shown() -> None:
    game = Game()
    node = game.root.add("e4")
    question = Training(60, 5, (TrainingText(1, "Was nun?"),))
    node.set_values(Training, [question])
    node.set_values(WebLink, [WebLink("javascript:alert(1)", "click"), WebLink("https://example.org", "there")])
    shown = through_json(game)["nodes"][1]
    assert shown["training"][0]["questions"] == [{"language": "GER", "text": "Was nun?"}]
    assert shown["links"] == [{"text": "click"}, {"url": "https://example.org", "text": "there"}]


def test_chess960_and_set_up_positions() -> None:
    game = Game({"Variant": "Chess960"}, start=Position.chess960_start(0))
    values = through_json(game)
    assert values["chess960"]
    assert game_of_values(bare(values)) == game


def test_a_start_position_that_is_none() -> None:
    game = Game({"FEN": "no position"})
    values = through_json(game)
    assert values["nodes"][0]["fen"] is None


def test_a_game_that_is_too_long_is_cut_and_cannot_come_back() -> None:
    game = Game()
    node = game.root
    for move in ["Nf3", "Nf6", "Ng1", "Ng8"] * (MOST_NODES // 4 + 1):
        node = node.add(move)
    values = game_values(game)
    assert values["truncated"]
    assert len(values["nodes"]) == MOST_NODES
    with pytest.raises(TabiyaError, match="only a part"):
        game_of_values(values)


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        (None, "a game is an object"),
        ({}, "list of nodes"),
        ({"nodes": [1]}, "node 0 is not an object"),
        ({"nodes": [{}, {"uci": "e2e4"}]}, "the parent of node 1"),
        ({"nodes": [{}, {"parent": 1, "uci": "e2e4"}]}, "the parent of node 1"),
        ({"nodes": [{}, {"parent": True, "uci": "e2e4"}]}, "the parent of node 1"),
        ({"nodes": [{}, {"parent": 0}]}, "node 1 has no move"),
        ({"nodes": [{}, {"parent": 0, "uci": "e2e5"}]}, "node 1: e2e5 is not a legal move"),
        ({"nodes": [{"comments": "x"}]}, "comments are a list"),
        ({"nodes": [{"comments": [{"text": 1}]}]}, "a comment is a text"),
        ({"nodes": [{"comments": [{"text": "\ud800"}]}]}, "no UTF-8 form"),
        ({"nodes": [{"comments": [{"text": "x", "language": "XXX"}]}]}, "the code of a language"),
        ({"nodes": [{"comments": [{"text": "x", "side": "above"}]}]}, "a side"),
        ({"nodes": [{"nags": [-1]}]}, "NAGs are numbers"),
        ({"nodes": [{"nags": [True]}]}, "NAGs are numbers"),
        ({"nodes": [{"squares": [{"color": "green", "square": "e9"}]}]}, "is not a square"),
        ({"nodes": [{"arrows": [{"color": "pink", "from": "e2", "to": "e4"}]}]}, "a colour is one of"),
        ({"nodes": [{"clock": "long"}]}, "a clock shows seconds"),
        ({"nodes": [{"clock": -1}]}, "a clock must be"),
        ({"nodes": [{"clock": 1e308}]}, "a clock shows seconds"),
        ({"nodes": [{"time_spent": 1.5}]}, "the time of a move"),
        ({"nodes": [{"eval": {"pawns": "x"}}]}, "an evaluation is"),
        ({"nodes": [{"eval": {"pawns": 1e9}}]}, "an evaluation is"),
        ({"nodes": [{"eval": {"mate": 1, "depth": -1}}]}, "an evaluation is"),
        ({"nodes": [{"stored": 1}]}, "must be returned unchanged"),
        ({"nodes": [{"stored": "[[]]"}]}, "must be returned unchanged"),
        ({"nodes": [{"stored": '[[1,9,0,"",null]]'}]}, "must be returned unchanged"),
        ({"nodes": [{"stored": '[[70000,0,0,"",null]]'}]}, "must be returned unchanged"),
        ({"nodes": [{"stored": '[[1,0,0,"!",null]]'}]}, "must be returned unchanged"),
        ({"nodes": [{"stored": "[" * 100_000}]}, "must be returned unchanged"),
        ({"tags": [["a"]], "nodes": [{}]}, "tags are pairs"),
        ({"tags": [["a", 1]], "nodes": [{}]}, "tags are pairs"),
        ({"tags": [["a", "\udc80"]], "nodes": [{}]}, "no UTF-8 form"),
        ({"start": 1, "nodes": [{}]}, "the start position is a FEN"),
        ({"start": "x", "nodes": [{}, {"parent": 0, "uci": "e2e4"}]}, "FEN"),
    ],
)
def test_what_makes_no_sense(values: Any, sentence: str) -> None:
    with pytest.raises(TabiyaError, match=sentence):
        game_of_values(values)


_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=5,
)
_fields = ("parent", "uci", "san", "comments", "nags", "squares", "arrows", "clock", "time_spent", "eval", "stored")


@given(st.lists(st.dictionaries(st.sampled_from(_fields), _values), max_size=4), _values, _values)
def test_only_errors_of_our_own_come_out(nodes: Any, tags: Any, start: Any) -> None:
    try:
        game = game_of_values({"nodes": nodes, "tags": tags, "start": start})
    except TabiyaError:
        return
    assert game.to_pgn()
