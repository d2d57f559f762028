"""Annotations that kernels leave to Python: quotations, payloads, unusual spellings and unusual positions.

Before writing, ``put_into_words`` replaces such annotations by the text of their commands; kernels still know their
positions.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabiya.chess import Color
from tabiya.formats.comment_fallback import WORDS, is_late
from tabiya.game.annotations import (
    KINDS,
    NAGS,
    SYMBOLS,
    TEXT_AFTER,
    TEXT_BEFORE,
    UNREADABLE,
    Annotation,
    Side,
    Value,
    decode_nags,
    encode_nags,
)
from tabiya.game.annotations.comments import format_comment

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabiya.game import Game
    from tabiya.game.node import Node

WHOLE_COMMENT: Final = 6
"""Equal to the numbers in ``composing.pxd``."""
_OF_NAGS, _OF_TEXT = 0, 5
_TEXTS: Final = (TEXT_AFTER, TEXT_BEFORE)
_NAG_KINDS: Final = (SYMBOLS, NAGS)
_COMMAND: Final = b"[%"
_MOST_NAG: Final = 255
_REASONS: Final = 5


def put_into_words(game: Game) -> None:
    """Replace annotations that kernels cannot write by equivalent text; changes the game. Linear."""
    root = game.root
    nodes = list(game.walk())
    about = [a for a in root.annotations if a.side is not Side.LATE]
    late = [a for a in root.annotations if a.side is Side.LATE]
    for node in nodes:
        if node.annotations:
            node.annotations = [words for found in _on_move(node) for words in found]
    if nodes and late and game.result is None:  # without a result nothing follows it
        end = game.end()
        text = format_comment([a for a in late if a.kind not in _NAG_KINDS], mover=end.color).text
        end.annotations += [Annotation(WORDS, text.encode(), WHOLE_COMMENT)] if text else []
        late = []
    root.annotations = [
        *(words for a in about for words in _in_words(a, Side.AFTER, whole_game=True)),
        *(words for a in late for words in _in_words(a, Side.LATE)),
    ]


def _on_move(node: Node) -> Iterator[list[Annotation]]:
    """Yield the annotations of a move as text for the comments they go into; late ones come last."""
    parent = node.parent
    begins_line = parent is None or parent.parent is None or node.begins_variation
    has_front = begins_line or bool(parent and parent.variations)  # a comment before this move is read as such
    has_alternatives, goes_on = bool(node.variations), bool(node.children)
    for annotation in sorted(node.annotations, key=is_late):
        if annotation.side is Side.BEFORE and has_front:
            yield _in_words(annotation, Side.BEFORE, node.color)
        elif annotation.side is Side.BEFORE:
            yield _in_words(annotation, Side.AFTER, Color(1 - node.color))
        elif annotation.side is Side.LATE and has_alternatives and goes_on:
            # After the variations it would be read as preceding the next move.
            found = _in_words(annotation, Side.AFTER, node.color, always=True)
            yield [replace(words, side=Side.AFTER) for words in found]
        else:
            late = annotation.side is Side.LATE and has_alternatives
            yield _in_words(annotation, Side.LATE if late else Side.AFTER, node.color)


def _in_words(
    annotation: Annotation, side: Side, mover: Color = Color.WHITE, *, whole_game: bool = False, always: bool = False
) -> list[Annotation]:
    """Return the replacement of an annotation in a comment on this side; itself if kernels can write it."""

    def words(*annotations: Annotation) -> str:
        return format_comment(annotations, mover=mover, side=side, whole_game=whole_game).text

    text, place = words(annotation), KINDS.get(annotation.kind, Value).place + 1
    if annotation.kind in _NAG_KINDS:
        nags = [nag for nag in decode_nags(annotation) if nag <= _MOST_NAG]
        stored = [replace(encode_nags(nags), side=annotation.side)] if nags else []
        if stored == [annotation]:
            return stored
        return [*stored, Annotation(WORDS, text.encode(), _OF_NAGS, side=annotation.side)]
    if not always and _is_known(annotation, whole_game=whole_game):
        return [annotation]
    if annotation.kind in _TEXTS and not whole_game:
        more = Annotation(TEXT_BEFORE if side is Side.BEFORE else TEXT_AFTER, b"x", side=side)
        text += "\0" + words(annotation, more).removesuffix(" x")
    return [Annotation(WORDS, text.encode(), place, side=annotation.side)]


def _is_known(annotation: Annotation, *, whole_game: bool) -> bool:
    """Return whether kernels can write a text or an error at any position."""
    try:
        annotation.data.decode()
    except UnicodeDecodeError:
        return False
    if annotation.raw is not None:
        return False
    if annotation.kind in _TEXTS:
        before = annotation.side is Side.BEFORE
        fits = annotation.kind == (TEXT_BEFORE if before else TEXT_AFTER) and not (whole_game and before)
        return fits and _COMMAND not in annotation.data
    return annotation.kind == UNREADABLE and annotation.lang < _REASONS
