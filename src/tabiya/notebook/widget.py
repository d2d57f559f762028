"""The widget: importing this module needs anywidget. ``viewer.js`` draws it."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import anywidget
import traitlets

from tabiya.errors import UsageError
from tabiya.game import Game, Node
from tabiya.game.html import node_html
from tabiya.notebook.facts import drawing, game_facts

_FILES = files(__package__)


class GameViewer(anywidget.AnyWidget):
    """A game with its board, notation and annotations in a notebook, to step through with buttons and keys.

    ``current`` is the number of the shown move in the order of PGN, from 0 for the start; ``node`` is that node. Both
    follow what is clicked, and can be assigned. ``size`` is that of the board in pixels; ``flipped`` puts Black at the
    bottom. After the game has been changed, call ``refresh``.
    """

    _esm = (_FILES / "viewer.js").read_text("utf-8")
    _css = (_FILES / "viewer.css").read_text("utf-8")

    current = traitlets.Int(0, min=0).tag(sync=True)
    flipped = traitlets.Bool(False).tag(sync=True)
    size = traitlets.Int(400, min=100, max=2000).tag(sync=True)
    _facts = traitlets.Dict().tag(sync=True)
    _drawing = traitlets.Dict().tag(sync=True)

    def __init__(self, game: Game, *, node: Node | None = None, size: int = 400, flipped: bool = False) -> None:
        """Show a game from its start, or at one of its nodes."""
        self._game = game
        self._nodes: list[Node] = []
        super().__init__(_drawing=drawing(), size=size, flipped=flipped)
        self.refresh()
        if node is not None:
            self.node = node

    @property
    def game(self) -> Game:
        """The game that is shown."""
        return self._game

    @property
    def node(self) -> Node:
        """The move that is shown; the root for the start."""
        return self._nodes[self.current]

    @node.setter
    def node(self, node: Node) -> None:
        place = next((place for place, each in enumerate(self._nodes) if each is node), None)
        if place is None:
            raise UsageError("this move is not shown here: it belongs to another game, or needs refresh()")
        self.current = place

    def refresh(self) -> None:
        """Show the game as it is now, at the same move if it is still there."""
        shown = self._nodes[self.current] if self._nodes else None
        facts = game_facts(self._game)
        nodes = [self._game.root, *self._game.walk()]
        self._nodes = nodes[: max(1, len(facts["nodes"]))]
        place = next((place for place, each in enumerate(self._nodes) if each is shown), 0)
        with self.hold_sync():
            self._facts = facts
            self.current = place

    def _repr_html_(self) -> str:
        """Show the position where there are no widgets, as in a notebook on a page of GitHub."""
        return node_html(self.node, board_size=self.size)

    @traitlets.validate("current")
    def _in_range(self, proposal: dict[str, Any]) -> int:
        return min(int(proposal["value"]), max(0, len(self._nodes) - 1))
