from __future__ import annotations

import copy
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabiya.chess import Color, Move, Position
from tabiya.errors import FormatError, UsageError
from tabiya.game import Game, Node
from tabiya.game.annotations import TEXT_AFTER, encode_nags, encode_text
from tests.strategies import games


@pytest.fixture
def game() -> Game:
    """1.e4 e5 (1...c5 2.Nf3) (1...e6) 2.Nc3."""
    game = Game()
    e5 = game.root.add("e4").add("e5")
    e5.add_variation("c5").add("Nf3")
    e5.add_variation("e6")
    e5.add("Nc3")
    return game


def sans(game: Game) -> str:
    return " ".join(node.san for node in game.walk())


def find(game: Game, san: str) -> Node:
    return next(node for node in game.walk() if node.san == san)


def paths(game: Game) -> list[tuple[Move, ...]]:
    """Every line from the root to an end, as moves."""
    lines = []
    todo: list[tuple[Node, tuple[Move, ...]]] = [(game.root, ())]
    while todo:
        node, path = todo.pop()
        if not node.children:
            lines.append(path)
        todo += [(child, (*path, child.move)) for child in node.children if child.move is not None]
    return sorted(lines)


def test_the_parts_of_a_node(game: Game) -> None:
    root, e4, e5, c5 = game.root, find(game, "e4"), find(game, "e5"), find(game, "c5")
    assert (root.move, root.parent, root.ply) == (None, None, 0)
    assert str(e5.move) == "e7e5"
    assert e5.parent is e4
    assert e4.children == (e5, c5, find(game, "e6"))
    assert e5.variations == e4.children[1:]
    assert c5.variations == e4.variations == root.variations == ()
    assert [node.ply for node in game.walk()] == [1, 2, 2, 3, 2, 3]
    assert e5.game is game
    assert repr(root) == "<Node: start>"
    assert repr(e4) == "<Node 1.e4>"
    assert repr(c5) == "<Node 1...c5>"


def test_numbers_follow_the_start_position() -> None:
    game = Game(start="4k3/8/8/8/8/8/8/R3K2R b KQ - 0 31")
    node = game.root.add_line(["Kd7", "O-O"])
    assert (node.move_number, node.color) == (32, Color.WHITE)
    assert repr(node) == "<Node 32.O-O>"
    assert repr(node.parent) == "<Node 31...Kd7>"
    assert game.root.color is Color.WHITE


def test_walking(game: Game) -> None:
    assert sans(game) == "e4 e5 c5 Nf3 e6 Nc3"
    assert [node.san for node in game.mainline()] == ["e4", "e5", "Nc3"]
    assert game.end().san == "Nc3"
    c5 = find(game, "c5")
    assert [node.san for node in c5.walk()] == [node.san for node in c5.mainline()] == ["Nf3"]
    assert c5.end().san == "Nf3"
    assert [node.san for node in game.walk() if node.is_mainline] == ["e4", "e5", "Nc3"]
    assert game.root.is_mainline


@pytest.mark.parametrize("move", ["e5", "Ke2", "nonsense", "", Move.of(12, 36)])
def test_only_legal_moves_are_added(move: str | Move) -> None:
    game = Game()
    with pytest.raises(FormatError):
        game.root.add(move)
    assert game.root.children == ()


def test_moves_can_be_given_in_many_forms() -> None:
    game = Game()
    assert game.root.add_line(["e4", "e7e5", Move.NULL, "Ng8-f6", "--"]).ply == 5
    assert [node.san for node in game.mainline()] == ["e4", "e5", "--", "Nf6", "--"]


def test_the_root_has_no_move(game: Game) -> None:
    for act in (
        lambda: game.root.san,
        game.root.promote,
        game.root.demote,
        game.root.delete,
        lambda: game.root.add_variation("e4"),
    ):
        with pytest.raises(UsageError):
            act()
    game.root.promote_to_main()


def test_promoting_and_demoting(game: Game) -> None:
    find(game, "e6").promote()
    assert sans(game) == "e4 e5 e6 c5 Nf3 Nc3"
    find(game, "e6").promote()
    assert sans(game) == "e4 e6 e5 Nc3 c5 Nf3"
    find(game, "e6").promote()
    assert sans(game) == "e4 e6 e5 Nc3 c5 Nf3"
    find(game, "e6").demote()
    assert sans(game) == "e4 e5 e6 c5 Nf3 Nc3"
    find(game, "c5").demote()
    assert sans(game) == "e4 e5 e6 c5 Nf3 Nc3"
    find(game, "Nf3").promote_to_main()
    assert sans(game) == "e4 c5 e5 Nc3 e6 Nf3"
    assert find(game, "Nf3").is_mainline


def test_deleting(game: Game) -> None:
    find(game, "e5").delete()
    assert sans(game) == "e4 c5 e6 Nf3"
    gone = find(game, "c5")
    gone.delete()
    assert sans(game) == "e4 e6"
    assert gone.san == "c5"
    assert not gone.is_mainline
    with pytest.raises(UsageError, match="deleted"):
        gone.promote()
    find(game, "e4").delete()
    assert sans(game) == ""


def test_texts_and_nags() -> None:
    node = Game().root.add("e4")
    assert (node.text, node.text_before, list(node.nags)) == ("", "", [])
    node.text_before = "before"
    node.text = "after"
    node.nags = [14, 1, 1]
    assert (node.text, node.text_before) == ("after", "before")
    assert node.nags == [14, 1, 1]
    node.nags.append(3)
    node.nags += [4]
    assert node.nags == [14, 1, 1, 3, 4]
    node.annotations.append(encode_text("nachher", lang=53))
    assert node.text == "after nachher"
    node.text = "one"
    assert [a.data for a in node.annotations if a.kind == TEXT_AFTER] == [b"one"]
    node.nags = []
    node.text = node.text_before = ""
    assert node.annotations == []
    node.nags = (1,)
    assert node.annotations == [encode_nags([1])]


def test_nodes_are_not_copied_alone(game: Game) -> None:
    with pytest.raises(UsageError, match="copy or pickle the game"):
        copy.copy(game.root)


def test_positions_follow_a_new_start_position() -> None:
    game = Game()
    node = game.root.add_line(["Nf3", "Nf6"] + ["Ng1", "Ng8", "Nf3", "Nf6"] * 10)
    before = node.position
    game.start = Position().fen().replace("KQkq", "-")
    assert node.position != before
    assert node.position.fen().split()[2] == "-"
    game.start = None
    assert node.position == before
    game.start = "4k3/8/8/8/8/8/8/4K3 w - - 0 1"
    with pytest.raises(FormatError):
        _ = node.position
    assert repr(node) == "<Node g8f6>"
    game.tags["FEN"] = "nonsense"
    with pytest.raises(FormatError):
        _ = node.position
    assert repr(node) == "<Node g8f6>"


@given(games(), st.randoms(use_true_random=False))
def test_positions_in_any_order(game: Game, random) -> None:
    expected = {game.root: game.start_position}
    for node in game.walk():
        assert node.parent is not None
        assert node.move is not None
        expected[node] = expected[node.parent].play(node.move)
    for node in random.choices(list(expected), k=20):
        assert node.position == expected[node]
        assert node.game.copy() == game


ACTIONS: list[Callable[[Node], None]] = [Node.promote, Node.demote, Node.promote_to_main]


@given(games(), st.integers(0, 99), st.sampled_from(ACTIONS))
def test_reordering_keeps_every_line(game: Game, which: int, action: Callable[[Node], None]) -> None:
    nodes = list(game.walk())
    before = paths(game)
    notes = {id(node): list(node.annotations) for node in nodes}
    if nodes:
        node = nodes[which % len(nodes)]
        action(node)
        if action is Node.promote_to_main:
            assert node.is_mainline
    assert paths(game) == before
    assert {id(node): node.annotations for node in game.walk()} == notes


@given(games(), st.integers(0, 99))
def test_promoting_undoes_demoting(game: Game, which: int) -> None:
    nodes = list(game.walk())
    before = game.copy()
    if nodes:
        node = nodes[which % len(nodes)]
        assert node.parent is not None
        if node.parent.children[-1] is not node:
            node.demote()
            assert game.root.children != before.root.children
            node.promote()
    assert game == before
    assert list(game.walk()) == nodes


@given(games(), st.integers(0, 99))
def test_deleting_keeps_all_other_nodes(game: Game, which: int) -> None:
    nodes = list(game.walk())
    if nodes:
        node = nodes[which % len(nodes)]
        gone = {node, *node.walk()}
        node.delete()
        assert set(game.walk()) == set(nodes) - gone
        assert [n for n in nodes if n not in gone and n not in set(game.walk())] == []


def test_moves_as_engines_write_them() -> None:
    game = Game()
    game.root.add_line(["e4", "d5", "exd5", "c6", "dxc6", "a6", "Nf3", "a5", "Bc4", "a4", "O-O", "a3", "c7", "b6"])
    game.end().add("cxd8=Q")
    assert [node.uci for node in game.mainline()][-5:] == ["e1g1", "a4a3", "c6c7", "b7b6", "c7d8q"]
    with pytest.raises(UsageError):
        _ = game.root.uci


def test_positions_from_one_that_is_remembered() -> None:
    """Every sixteenth position is; from there to any other, whatever was asked for last."""
    game = Game()
    game.root.add_line(["Nf3", "Nf6", "Ng1", "Ng8"] * 10)
    nodes = [game.root, *game.mainline()]
    expected = [game.start_position]
    for node in nodes[1:]:
        assert node.move is not None
        expected.append(expected[-1].play(node.move))
    assert nodes[-1].position == expected[-1]
    for last in (0, 1, 15, 16, 17, 31, 33, 40):
        for place in range(41):
            assert nodes[last].position == expected[last]
            assert nodes[place].position == expected[place]
