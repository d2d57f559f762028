"""What the widget shows: a game as plain values, for a program that does not know the rules of chess."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tabiya.chess.svg import board_colours, piece_sprite
from tabiya.evaluations import UNKNOWN, score_of, win_chances
from tabiya.evaluations.reporting import evaluation_text
from tabiya.game.annotations import Evaluation, WhiteClock
from tabiya.game.exchange import game_values
from tabiya.game.html import MARK_COLOURS, OTHER_MARK, tags_to_show
from tabiya.game.movetext import SpanKind, spans

if TYPE_CHECKING:
    from tabiya.game import Game

_HUNDREDTHS: Final = 100


def game_facts(game: Game) -> dict[str, Any]:
    """Return the tags, the nodes and the movetext of a game, all as texts ready to be shown.

    ``nodes`` are those of ``game_values``: the root, then the moves in the order of PGN. ``text`` has a list for each
    piece of movetext: kind, text, number of variations around it, and the number of its node, if it is a move.
    """
    values = game_values(game)
    listed = values.get("nodes", [])
    return {
        "title": f"{game.tags.get('White', '?')} – {game.tags.get('Black', '?')}",
        "result": game.tags.get("Result") or "",
        "tags": tags_to_show(game),
        "opening": " ".join((values.get("opening") or {}).values()),
        "nodes": [_node(each) for each in listed],
        "text": _text(game, len(listed)),
        "problems": values["problems"],
    }


def drawing() -> dict[str, Any]:
    """Return the pieces as a sprite, and the colours of the board."""
    return {"pieces": piece_sprite(), **board_colours()}


def _node(values: dict[str, Any]) -> dict[str, Any]:
    uci = values.get("uci", "")
    facts: dict[str, Any] = {"parent": values["parent"], "fen": values["fen"], "ply": values["ply"]}
    if values["parent"] is not None:
        dots = "." if values["color"] == "white" else "..."
        facts |= {"label": f"{values['number']}{dots}{values['san']}", "moved": [uci[:2], uci[2:4]]}
    if values.get("check"):
        facts["check"] = True
    if squares := values.get("squares"):
        facts["squares"] = [[mark["square"], _paint(mark["color"])] for mark in squares]
    if arrows := values.get("arrows"):
        facts["arrows"] = [[mark["from"], mark["to"], _paint(mark["color"])] for mark in arrows]
    if (seconds := values.get("clock")) is not None:
        facts["clock"] = WhiteClock(round(_HUNDREDTHS * seconds)).format()
    if evaluation := values.get("eval"):
        facts |= _evaluation(evaluation, black_moved=values.get("color") == "black")
    return facts


def _paint(word: str) -> str:
    return MARK_COLOURS.get(word, OTHER_MARK)


def _evaluation(values: dict[str, Any], *, black_moved: bool) -> dict[str, Any]:
    """Return an evaluation as text, and White's chances to win in percent."""
    mate = values.get("mate")
    number = round(_HUNDREDTHS * values["pawns"]) if mate is None else mate
    score = score_of(Evaluation(number, int(mate is not None), 0), black_moved=black_moved)
    if score == UNKNOWN:
        return {}
    depth = f", depth {values['depth']}" if values.get("depth") else ""
    chances = round(float(win_chances(score)), 1)
    return {"eval": evaluation_text(score), "depth": depth, "chances": chances}


def _text(game: Game, count: int) -> list[list[Any]]:
    """Return the movetext up to the last node that is listed."""
    pieces: list[list[Any]] = []
    node = 0
    if not count:
        return pieces
    for span in spans(game):
        move = span.kind is SpanKind.MOVE
        node += move
        if node >= count:
            return [*pieces, ["cut", "…", 0]]
        pieces.append([span.kind.value, span.text, span.depth, *[node] * move])
    return pieces
