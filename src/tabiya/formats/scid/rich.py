"""Annotations that kernels leave to Python: quotations, payloads, unusual spellings and unusual positions.

``put_into_words`` creates whole comments for such a game, one for each position that Scid has; kernels insert them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabiya.chess import Color
from tabiya.formats.comment_fallback import WORDS
from tabiya.game.annotations import NAGS, SYMBOLS, Annotation, Side, decode_nags, encode_nags
from tabiya.game.annotations.comments import format_comment

if TYPE_CHECKING:
    from tabiya.game import Game
    from tabiya.game.node import Node

_WHOLE_COMMENT: Final = 6
"""Equal to the number in ``composing.pxd``."""
_NAG_KINDS: Final = (SYMBOLS, NAGS)


def put_into_words(game: Game) -> None:
    """Replace the annotations of a game by NAGs after moves and comments where Scid has them; changes the game."""
    root = game.root
    about = _words([each for each in root.annotations if each.side is not Side.LATE], whole_game=True)
    late = _words([each for each in root.annotations if each.side is Side.LATE])
    opening = " ".join(part for part in (about, late) if part)
    nodes = list(game.walk())
    found = {node: node.annotations for node in nodes}
    root.annotations = [] if nodes else _comment(opening, Side.AFTER)
    for node in nodes:
        before: list[Annotation] = []
        if node.parent is root or node.begins_variation:
            text = _words(_on(found[node], Side.BEFORE), node.color, side=Side.BEFORE)
            if node.parent is root and not node.begins_variation:
                text = " ".join(part for part in (opening, text) if part)
            before = _comment(text, Side.BEFORE)
        after = [*_on(found[node], Side.AFTER), *_next_before(node, found), *_on(found[node], Side.LATE)]
        node.annotations = [*before, *_nags(after), *_comment(_words(after, node.color), Side.AFTER)]


def _on(annotations: list[Annotation], side: Side) -> list[Annotation]:
    return [each for each in annotations if each.side is side]


def _next_before(node: Node, found: dict[Node, list[Annotation]]) -> list[Annotation]:
    """Return the annotations before the next move of the line: they go into the comment after this one."""
    return _on(found[node.children[0]], Side.BEFORE) if node.children else []


def _nags(annotations: list[Annotation]) -> list[Annotation]:
    """Return the NAGs after a move as one list."""
    nags = [nag for each in annotations if each.kind in _NAG_KINDS for nag in decode_nags(each)]
    return [replace(encode_nags(nags), side=Side.AFTER)] if nags else []


def _words(
    annotations: list[Annotation],
    mover: Color = Color.WHITE,
    *,
    side: Side = Side.AFTER,
    whole_game: bool = False,
) -> str:
    return format_comment(annotations, mover=mover, side=side, whole_game=whole_game).text.replace("\0", "")


def _comment(text: str, side: Side) -> list[Annotation]:
    return [Annotation(WORDS, text.encode(), _WHOLE_COMMENT, side=side)] if text else []
