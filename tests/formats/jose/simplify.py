"""How annotations are put into jose's stream, the long way by games and classes: what kernels are held against."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from tabiya.chess import Color
from tabiya.formats.comment_fallback import WORDS
from tabiya.formats.jose.rich import WHOLE_COMMENT
from tabiya.game.annotations import (
    NAGS,
    SYMBOLS,
    TEXT_AFTER,
    TEXT_BEFORE,
    UNREADABLE,
    Annotation,
    Side,
    decode_nags,
    encode_nags,
)
from tabiya.game.annotations.comments import format_comment

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tabiya.game import Game
    from tabiya.game.node import Node

_NAG_KINDS: Final = (SYMBOLS, NAGS)
_COMMAND: Final = b"[%"
_MOST_NAG: Final = 255
_ERRORS: Final = 5


def simplify(game: Game) -> None:
    """Put whatever has no place in the stream into comments, as commands; changes the game."""
    nodes = list(game.walk())
    postponed = {}
    for node in nodes:
        before = _on(node.annotations, Side.BEFORE)
        if before and not _has_front(node):
            postponed[node.parent] = before
    first = game.root.color
    for node in nodes:
        if node.annotations or node in postponed:
            mover = Color((first + node.ply) % 2)
            node.annotations = _simple(node, mover, postponed.get(node, []))
    _simplify_root(game, nodes)


def _simple(node: Node, mover: Color, postponed: list[Annotation]) -> list[Annotation]:
    """Return the annotations of a node in the form that the stream has; ``postponed`` stands before the next move."""
    before = _on(node.annotations, Side.BEFORE) if _has_front(node) else []
    after = _on(node.annotations, Side.AFTER) + postponed
    late = _on(node.annotations, Side.LATE)
    rests: list[Annotation] = []
    if not node.children:
        rests = [a for a in late if _is_rest(a)]
        late = [a for a in late if not _is_rest(a)]
    if node.children or not _has_alternatives(node):
        after, late = after + late, []
    return [
        *_plain(before, mover, Side.BEFORE, symbols=_begins_line(node)),
        *_plain(after, mover, Side.AFTER, goes_on=bool(node.children) and not _has_alternatives(node)),
        *_plain(late, mover, Side.LATE, symbols=False),
        *rests,
    ]


def _simplify_root(game: Game, nodes: list[Node]) -> None:
    root = game.root
    late = _on(root.annotations, Side.LATE)
    about = format_comment([a for a in root.annotations if a.side is not Side.LATE], whole_game=True).text
    root.annotations = []
    if nodes:
        if about:
            nodes[0].annotations.insert(0, _comment(about, Side.BEFORE))
        if late and game.result is None:  # without a result nothing stands behind it
            end = game.end()
            end.annotations += _plain(late, end.color, Side.AFTER, symbols=False)
            return
    elif about:
        root.annotations.append(_comment(about, Side.LATE))
    root.annotations += _plain(late, Color.WHITE, Side.LATE, goes_on=True)


def _plain(
    annotations: list[Annotation], mover: Color, side: Side, *, symbols: bool = True, goes_on: bool = False
) -> list[Annotation]:
    """Return the same as NAGs and one comment; untouched if they have a place as they are.

    ``symbols``: NAGs have a place here. ``goes_on``: an error may stand here, because a move follows, or the end.
    """
    if not annotations:
        return []
    nags = [nag for a in annotations if a.kind in _NAG_KINDS for nag in decode_nags(a) if nag <= _MOST_NAG]
    parted = all(a.kind not in _NAG_KINDS or b.kind not in _NAG_KINDS for a, b in pairwise(annotations))
    if parted and all(_is_plain(a, side, symbols=symbols, goes_on=goes_on) for a in annotations):
        return annotations
    stored = [encode_nags(nags)] if nags and symbols else []
    if side is not Side.AFTER:
        stored = [Annotation(a.kind, a.data, side=side) for a in stored]
    text = format_comment(
        [a for a in annotations if a.kind not in _NAG_KINDS or (symbols and nags)], mover=mover, side=side
    ).text
    return [*stored, _comment(text, side)] if text else stored


def _is_plain(annotation: Annotation, side: Side, *, symbols: bool, goes_on: bool) -> bool:
    if annotation.side is not side or annotation.raw is not None:
        return False
    if annotation.kind in _NAG_KINDS:
        nags = decode_nags(annotation)
        return symbols and bool(nags) and max(nags) <= _MOST_NAG and encode_nags(nags).data == annotation.data
    if annotation.kind == (TEXT_BEFORE if side is Side.BEFORE else TEXT_AFTER):
        return not annotation.lang and _is_storable(annotation.data) and _COMMAND not in annotation.data
    return _is_error(annotation) and (
        symbols if side is Side.BEFORE else goes_on or (side is Side.AFTER and annotation.data.startswith(b"("))
    )


def _is_error(annotation: Annotation) -> bool:
    plain = annotation.raw is None and annotation.lang < _ERRORS
    return plain and annotation.kind == UNREADABLE and _is_storable(annotation.data)


def _is_rest(annotation: Annotation) -> bool:
    """Return whether this is the rest of a line that could not be read."""
    return _is_error(annotation) and not annotation.data.startswith(b"(")


def _is_storable(text: bytes) -> bool:
    try:
        return "\0" not in text.decode()
    except UnicodeDecodeError:
        return False


def _comment(text: str, side: Side) -> Annotation:
    return Annotation(WORDS, text.replace("\0", " ").encode(), WHOLE_COMMENT, side=side)


def _on(annotations: Iterable[Annotation], side: Side) -> list[Annotation]:
    return [annotation for annotation in annotations if annotation.side is side]


def _begins_line(node: Node) -> bool:
    parent = node.parent
    return parent is None or parent.parent is None or node.begins_variation


def _has_front(node: Node) -> bool:
    """Return whether a comment just before this move belongs to it: at the start of a line, or after a variation."""
    return _begins_line(node) or (node.parent is not None and _has_alternatives(node.parent))


def _has_alternatives(node: Node) -> bool:
    """Return whether variations follow this move."""
    return bool(node.variations)
