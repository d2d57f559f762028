"""A game as plain values: tags, and a flat list of nodes for programs that do not know the rules of chess."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from tabiya.chess import Color
from tabiya.errors import TabiyaError
from tabiya.game.annotations import EvaluationProfile
from tabiya.game.exchange.annotation_json import annotations_to_json
from tabiya.game.record import RecordKind, Variant
from tabiya.openings import opening_at

if TYPE_CHECKING:
    from tabiya.chess import Position
    from tabiya.game.game import Game
    from tabiya.game.node import Node
    from tabiya.openings import Opening

MOST_NODES: Final = 20_000
"""Maximum number of returned nodes, for games with a hundred thousand moves."""
_PAWNS: Final = 0
_MATE: Final = 1


def game_values(game: Game) -> dict[str, Any]:
    """Return a record: its tags, and for a game all nodes in the order of PGN, parents before their children.

    The ``path`` of a node is the number of plies along the main line, the index of the alternative at that point, the
    number of plies along it, and so on: ``23.1.4``.
    """
    values: dict[str, Any] = {
        "number": game.number,
        "kind": game.kind.name.lower(),
        "deleted": game.deleted,
        "tags": [[name, text] for name, text in game.tags.items()],
        "result": game.tags.get("Result"),
        "problems": [problem.sentence for problem in game.problems],
    }
    if game.kind is not RecordKind.GAME:
        return values
    nodes = [game.root, *islice(game.walk(), MOST_NODES + 1)]
    listed_nodes = nodes[:MOST_NODES]
    listed = _Nodes(game, listed_nodes).listed
    named = [each["opening"] for each in listed if "opening" in each and "." not in each["path"]]
    return values | {
        "chess960": game.variant is Variant.CHESS960,
        "start": game.start,
        "opening": named[-1] if named else None,
        "languages": sorted({comment["language"] for each in listed for comment in each.get("comments", ())}),
        "nodes": listed,
        "evaluations": _profile(game),
        "truncated": len(listed_nodes) < len(nodes),
    }


def opening_values(opening: Opening | None) -> dict[str, str] | None:
    """Return the code and the name of an opening."""
    return None if opening is None else {"eco": opening.eco, "name": opening.name}


class _Nodes:
    """Builds the list of nodes; every position is played from the previous one."""

    def __init__(self, game: Game, nodes: list[Node]) -> None:
        self._places = {id(node): place for place, node in enumerate(nodes)}
        self._positions: list[Position | None] = []
        self.listed: list[dict[str, Any]] = []
        try:
            start: Position | None = game.start_position
        except TabiyaError as error:
            start = None
            self._failure = error.message
        self._add(game.root, start, {"parent": None, "path": "0"})
        for node in nodes[1:]:
            self._add_move(node)

    def _add_move(self, node: Node) -> None:
        parent_node = node.parent
        assert parent_node is not None
        parent = self._places[id(parent_node)]
        before = self._positions[parent]
        move = node.move
        assert move is not None
        after = None if before is None else before.after(move)
        if before is not None and after is not None:
            text = {"san": before.san(move), "uci": before.uci(move)}
            data = {"number": before.fullmove_number, "color": before.turn.name.lower()}
        else:
            text = {"san": str(move), "uci": str(move)}
            data = {"number": (node.ply + 1) // 2, "color": Color((node.ply + 1) % 2).name.lower()}
        self._add(node, after, {"parent": parent, "path": self._path(node, parent_node, parent), **data, **text})

    def _path(self, node: Node, parent_node: Node, parent: int) -> str:
        way: str = self.listed[parent]["path"]
        if not node.begins_variation:
            head, dot, last = way.rpartition(".")
            return f"{head}{dot}{int(last) + 1}"
        alternative = next(place for place, each in enumerate(parent_node._children) if each is node)
        return f"{way}.{alternative}.1"

    def _add(self, node: Node, position: Position | None, data: dict[str, Any]) -> None:
        values = {"id": len(self.listed), "ply": node.ply, **data, "fen": None}
        if position is not None:
            values["fen"] = position.fen()
            if position.is_check():
                values["check"] = True
            if (opening := opening_at(position.key)) is not None:
                values["opening"] = opening_values(opening)
        self._positions.append(position)
        self.listed.append(values | _annotations(node))


def _annotations(node: Node) -> dict[str, Any]:
    try:
        return annotations_to_json(node)
    except TabiyaError:  # clocks need the side to move, which is unknown without a start position
        return {}


def _profile(game: Game) -> list[dict[str, float | int] | None]:
    """Return the evaluations of the main line by ply, from its profile, if it has one."""
    found = game.root.values_of(EvaluationProfile)
    entries = found[0].entries if found else ()
    kinds = {_PAWNS: lambda value: {"pawns": value / 100}, _MATE: lambda value: {"mate": value}}
    return [kinds[each.type](each.value) if each.type in kinds else None for each in entries]
