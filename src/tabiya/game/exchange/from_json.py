"""Creates a game from plain values, possibly edited."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tabiya.errors import FormatError
from tabiya.game.exchange.annotation_json import annotations_from_json
from tabiya.game.exchange.to_json import MOST_NODES
from tabiya.game.game import Game
from tabiya.game.record import Variant

if TYPE_CHECKING:
    from tabiya.game.node import Node


def game_of_values(values: Any, base: Game | None = None) -> Game:
    """Return the game of values in the form of ``game_values``.

    Of a node these values are used: ``parent``, its index in the list, its move as ``uci`` or ``san``, and its
    annotations. The first of several moves after a node is the main continuation.

    Args:
        values: tags, start position, and nodes with parents before their children.
        base: the original record, for data that only its format knows.

    Raises:
        FormatError: The values do not describe a game, or a move is illegal.
    """
    if not isinstance(values, Mapping):
        raise FormatError("a game is an object with tags and nodes")
    if values.get("truncated"):
        raise FormatError("only a part of this game was given, so it cannot be saved as a whole")
    game = Game(_tags(values.get("tags")))
    if values.get("chess960") and game.variant is Variant.STANDARD:
        game.variant = Variant.CHESS960
    start = values.get("start")
    if start is not None and not isinstance(start, str):
        raise FormatError("the start position is a FEN")
    if start != game.start:
        game.start = start
    if base is not None:
        game.number, game.deleted = base.number, base.deleted
        game.extras, game.texts = [*base.extras], [*base.texts]
    _grow(game, values.get("nodes"))
    return game


def _tags(tags: Any) -> list[tuple[str, str]]:
    pairs = tags if isinstance(tags, list) else [*tags.items()] if isinstance(tags, Mapping) else []
    for pair in pairs:
        if not (isinstance(pair, (list, tuple)) and len(pair) == 2 and all(isinstance(text, str) for text in pair)):
            raise FormatError("tags are pairs of a name and a text")
        try:
            "".join(pair).encode()
        except UnicodeEncodeError as error:
            raise FormatError(f"the tag {pair[0][:40]!a} has no UTF-8 form") from error
    return [(name, text) for name, text in pairs]


def _grow(game: Game, nodes: Any) -> None:
    if not isinstance(nodes, list) or not nodes:
        raise FormatError("a game has a list of nodes, the first of which is the start")
    if len(nodes) > MOST_NODES:
        raise FormatError(f"a game has at most {MOST_NODES:,} nodes")
    grown: list[Node] = []
    for place, values in enumerate(nodes):
        if not isinstance(values, Mapping):
            raise FormatError(f"node {place} is not an object")
        node = game.root if place == 0 else _child(grown, place, values)
        annotations_from_json(node, values)
        grown.append(node)


def _child(grown: list[Node], place: int, values: Mapping[str, Any]) -> Node:
    parent, move = values.get("parent"), values.get("uci") or values.get("san")
    if isinstance(parent, bool) or not isinstance(parent, int) or not 0 <= parent < place:
        raise FormatError(f"the parent of node {place} must come before it in the list")
    if not isinstance(move, str):
        raise FormatError(f"node {place} has no move")
    try:
        return grown[parent].add(move)
    except FormatError as error:
        raise FormatError(f"node {place}: {error.message}") from error
