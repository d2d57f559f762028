"""``tabiya.viewer``, and what notebooks show by themselves."""

from __future__ import annotations

import sys

import pytest

import tabiya
from tabiya.errors import FormatError, UnsupportedError, UsageError
from tests.chromium import require
from tests.game.test_html import EVIL, check


@pytest.fixture(autouse=True)
def _anywidget() -> None:
    require("anywidget")


@pytest.fixture
def game() -> tabiya.Game:
    return tabiya.Game.from_pgn("1. e4 e5 (1... c5 2. Nf3) 2. Nf3 *")


def test_a_viewer_knows_what_it_shows(game: tabiya.Game) -> None:
    viewer = tabiya.viewer(game, size=300, flipped=True)
    assert (viewer.current, viewer.size, viewer.flipped) == (0, 300, True)
    assert viewer.node is game.root
    nodes = [game.root, *game.walk()]
    viewer.current = 3
    assert viewer.node is nodes[3]
    viewer.node = nodes[5]
    assert viewer.current == 5
    viewer.current = 99
    assert viewer.node is nodes[-1]
    with pytest.raises(UsageError, match="belongs to another game"):
        viewer.node = tabiya.Game().root


def test_a_node_opens_its_game_there(game: tabiya.Game) -> None:
    node = game.end()
    viewer = tabiya.viewer(node)
    assert viewer.game is game
    assert viewer.node is node


def test_positions(game: tabiya.Game) -> None:
    fen = "8/8/1KP5/3r4/8/8/8/k7 w - - 0 1"
    for shown in (fen, tabiya.Position(fen)):
        assert tabiya.viewer(shown)._facts["nodes"][0]["fen"] == fen
    start = tabiya.Position.chess960_start(1)
    assert tabiya.viewer(start).node.position == start
    with pytest.raises(FormatError):
        tabiya.viewer("nothing")


def test_what_is_changed_is_shown_on_request(game: tabiya.Game) -> None:
    viewer = tabiya.viewer(game.end())
    game.root.children[0].add("d5")
    assert len(viewer._facts["nodes"]) == 6
    viewer.refresh()
    assert len(viewer._facts["nodes"]) == 7
    assert viewer.node is game.end()
    game.end().delete()
    viewer.refresh()
    assert viewer.node is game.root


@pytest.mark.parametrize("size", [0, 99, 2001])
def test_sizes(game: tabiya.Game, size: int) -> None:
    with pytest.raises(UsageError, match="100 to 2000 pixels"):
        tabiya.viewer(game, size=size)


def test_nothing_else_has_a_board() -> None:
    with pytest.raises(UsageError, match="a game, a node, a position or a FEN"):
        tabiya.viewer(5)  # type: ignore[arg-type]


def test_without_anywidget_there_is_a_sentence(game: tabiya.Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "anywidget", None)
    monkeypatch.delitem(sys.modules, "tabiya.notebook.widget", raising=False)
    with pytest.raises(UnsupportedError, match=r"needs anywidget; install it with: pip install 'tabiya\[notebook\]'"):
        tabiya.viewer(game)


class Shell:
    """An IPython in a kernel, or in a terminal."""

    def __init__(self, kernel: object) -> None:
        self.kernel = kernel

    def get_ipython(self) -> Shell:
        return self


WIDGET = "application/vnd.jupyter.widget-view+json"


def test_notebooks_get_a_widget(game: tabiya.Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "IPython", Shell(object()))
    for shown in (game, game.end()):
        bundle = shown._repr_mimebundle_(include=None, exclude=None)
        data = bundle[0] if isinstance(bundle, tuple) else bundle
        assert data[WIDGET]["model_id"]
    monkeypatch.setitem(sys.modules, "anywidget", None)
    monkeypatch.delitem(sys.modules, "tabiya.notebook.widget", raising=False)
    assert game._repr_mimebundle_() == {}


@pytest.mark.parametrize("module", [None, Shell(None)])
def test_nothing_else_gets_one(game: tabiya.Game, monkeypatch: pytest.MonkeyPatch, module: Shell | None) -> None:
    monkeypatch.setitem(sys.modules, "IPython", module)
    assert game._repr_mimebundle_() == {}
    assert game.end()._repr_mimebundle_() == {}


def test_a_node_without_widgets(game: tabiya.Game) -> None:
    node = game.end()
    node.text = EVIL
    node.arrows = ["Ge2e4"]
    node.squares = ["Rd5"]
    html = node._repr_html_()
    seen = check(html)
    assert "2.Nf3" in seen.text
    assert EVIL in seen.text
    assert html.count("#15781b") == 2  # shaft and head of the arrow
    assert html.count("#c62828") == 1
    assert tabiya.viewer(node)._repr_html_().count("<svg") == 1
    check(game.root._repr_html_())
