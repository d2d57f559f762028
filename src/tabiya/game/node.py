"""A node of the tree of moves: a move, its annotations, and its continuations.

No method recurses: lines of a hundred thousand moves and variations nested as deep are fine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NoReturn

from tabiya.chess import Color, Move
from tabiya.errors import TabiyaError, UsageError
from tabiya.game.annotation_properties import Annotated
from tabiya.game.annotations import Annotation
from tabiya.game.tape import BEGIN, END

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tabiya.chess import Position
    from tabiya.game.game import Game

_CACHE_PLIES: Final = 16
"""A node caches its position if its ply is a multiple of this: a compromise between memory and replay."""


class Node(Annotated):
    """A move in a game. The root has no move; its annotations are those of the whole record.

    ``add`` and ``add_variation`` create nodes, which are equal only to themselves.
    """

    __slots__ = ("_cache", "_children", "_move", "_parent", "annotations", "game", "ply")

    def __init__(self, game: Game, parent: Node | None, move: Move) -> None:
        self.game = game
        """The game that this node was created for."""
        self.ply: int = 0 if parent is None else parent.ply + 1
        """Number of moves from the root to here; 1 is the first move."""
        self.annotations: list[Annotation] = []
        """All annotations of this move; their order within one kind is content."""
        self._parent = parent
        self._move = move
        self._children: list[Node] = []
        self._cache: tuple[Position, Position] | None = None

    @property
    def _encoding(self) -> str:
        return self.game.tags.get("TextEncoding") or ""

    @property
    def move(self) -> Move | None:
        """The move of this node; None for the root."""
        return self._move if self.ply else None

    @property
    def parent(self) -> Node | None:
        """The node before this move; None for the root."""
        return self._parent

    @property
    def children(self) -> tuple[Node, ...]:
        """The continuations; the first is the main continuation."""
        return tuple(self._children)

    @property
    def variations(self) -> tuple[Node, ...]:
        """The first moves of the variations that follow this move in print: the alternatives to it.

        They belong to the first of several moves; the alternatives themselves have none.
        """
        siblings = self._parent._children if self._parent is not None else []
        return tuple(siblings[1:]) if siblings and siblings[0] is self else ()

    @property
    def begins_variation(self) -> bool:
        """Whether this move is an alternative: not the first continuation; O(1)."""
        siblings = self._parent._children if self._parent is not None else []
        return bool(siblings) and siblings[0] is not self

    # The position.

    @property
    def position(self) -> Position:
        """The position after this move.

        O(1) for a node next to the last requested one, else O(plies from the root) the first time and O(1) then.

        Raises:
            FormatError: The start position or a move on the way is not legal.
        """
        start = self.game.start_position
        last_node, position = self.game._last_position or (None, start)
        path = []
        node: Node = self
        while node is not last_node:
            if node._cache is not None and node._cache[0] is start:
                position = node._cache[1]
                break
            if node._parent is None:
                position = start
                break
            path.append(node)
            node = node._parent
        for node in reversed(path):
            position = position.play(node._move)
            if node.ply % _CACHE_PLIES == 0:
                node._cache = (start, position)
        self.game._last_position = (self, position)
        return position

    @property
    def san(self) -> str:
        """The move in standard notation, without its number: ``Nbd7``."""
        return self._before.san(self._move)

    @property
    def uci(self) -> str:
        """The move in UCI notation: ``b8d7``, ``e7e8q``; castling is the king's two steps, except in Chess960."""
        return self._before.uci(self._move)

    @property
    def _before(self) -> Position:
        """The position before the move."""
        if self._parent is None:
            raise UsageError("the root of a game has no move")
        return self._parent.position

    @property
    def color(self) -> Color:
        """The side that made this move; for the root, the side that made the move before the start position."""
        return Color((self._half_move + 1) % 2)

    @property
    def move_number(self) -> int:
        """The number printed with this move, counted from that of the start position."""
        return (self._half_move + 1) // 2

    @property
    def _half_move(self) -> int:
        """The half-move number, counted from 1 for White's first move of a game from the usual start position."""
        start = self.game.start_position
        return 2 * (start.fullmove_number - 1) + start.turn + self.ply

    # Changing the tree.

    def add(self, move: Move | str) -> Node:
        """Add a continuation: the main one if there was none, else the last variation.

        Args:
            move: A move, or a text that ``Position.parse_san`` reads.

        Raises:
            FormatError: The move is not legal here.
        """
        position = self.position
        if isinstance(move, str):
            move = position.parse_san(move)
        after = position.play(move)
        child = self._append(Move(move))
        self.game._last_position = (child, after)
        return child

    def add_line(self, moves: Iterable[Move | str]) -> Node:
        """Add moves one after the other and return the last node. Moves before an illegal one stay."""
        node = self
        for move in moves:
            node = node.add(move)
        return node

    def add_variation(self, move: Move | str) -> Node:
        """Add an alternative to this move, after the existing ones."""
        if self._parent is None:
            raise UsageError("the root of a game has no move that could be replaced")
        return self._parent.add(move)

    def _append(self, move: Move) -> Node:
        child = Node(self.game, self, move)
        self._children.append(child)
        return child

    def promote(self) -> None:
        """Move this alternative one place up; the first of them becomes the main continuation."""
        siblings, place = self._place()
        if place:
            siblings[place - 1 : place + 1] = [self, siblings[place - 1]]

    def promote_to_main(self) -> None:
        """Make this move, and every move that leads to it, the main continuation: the line becomes the main line."""
        node = self
        while node._parent is not None:
            siblings, place = node._place()
            siblings.insert(0, siblings.pop(place))
            node = node._parent

    def demote(self) -> None:
        """Move this alternative one place down."""
        siblings, place = self._place()
        if place + 1 < len(siblings):
            siblings[place : place + 2] = [siblings[place + 1], self]

    def delete(self) -> None:
        """Remove this move and all that follows it from the game; the next alternative takes its place.

        The nodes keep their positions and texts, but no longer belong to a line.
        """
        siblings, place = self._place()
        del siblings[place]

    def _place(self) -> tuple[list[Node], int]:
        if self._parent is None:
            raise UsageError("this cannot be done with the root of a game")
        siblings = self._parent._children
        for place, node in enumerate(siblings):
            if node is self:
                return siblings, place
        raise UsageError("this move was deleted from its game")

    # Walking.

    def mainline(self) -> Iterator[Node]:
        """Yield the main continuation from here, without this node."""
        node = self
        while node._children:
            node = node._children[0]
            yield node

    def walk(self) -> Iterator[Node]:
        """Yield all nodes after this one in the order of PGN: a move, its variations, the next move."""
        return (node for token, node in tape_order(self) if token < BEGIN)

    def end(self) -> Node:
        """Return the last node of the main continuation, possibly this one."""
        node = self
        while node._children:
            node = node._children[0]
        return node

    @property
    def is_mainline(self) -> bool:
        """Whether this move is on the main line of the game; O(plies)."""
        node = self
        while node._parent is not None:
            siblings = node._parent._children
            if not siblings or siblings[0] is not node:
                return False
            node = node._parent
        return True

    def __repr__(self) -> str:
        if self.move is None:
            return "<Node: start>"
        try:
            return f"<Node {self.move_number}{'.' if self.color is Color.WHITE else '...'}{self.san}>"
        except TabiyaError:
            return f"<Node {self._move}>"

    def _repr_html_(self) -> str:
        from tabiya.game.html import node_html  # noqa: PLC0415 - only for display

        return node_html(self)

    def _repr_mimebundle_(self, **_: object) -> Any:
        """Show the game at this move as a widget in notebooks, if anywidget is installed."""
        from tabiya.game.html import widget  # noqa: PLC0415 - only for display

        return widget(self)

    def __reduce__(self) -> NoReturn:
        raise UsageError("copy or pickle the game, not a node of it")


_LINE, _VARIATION, _CLOSE = range(3)


def tape_order(root: Node) -> Iterator[tuple[int, Node]]:
    """Yield the nodes after a node as a tape of ``(token, node)``; BEGIN and END come with a variation's first node.

    O(number of moves). The tree must not change meanwhile.
    """
    todo = [(_LINE, root)]
    while todo:
        task, node = todo.pop()
        if task == _CLOSE:
            yield END, node
        elif task == _VARIATION:
            yield BEGIN, node
            yield node._move, node
            todo += [(_CLOSE, node), (_LINE, node)]
        else:
            while node._children:
                first, *alternatives = node._children
                yield first._move, first
                node = first
                if alternatives:
                    todo.append((_LINE, first))
                    todo += [(_VARIATION, other) for other in reversed(alternatives)]
                    break
