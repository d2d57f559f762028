"""Comments that kernels leave to Python, in formats that store comments as text: parsed after all have been read."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabiya.chess import Color
from tabiya.game.annotations import NAGS, SYMBOLS, TEXT_AFTER, TEXT_BEFORE, UNREADABLE, Annotation, Side
from tabiya.game.annotations.comments import parse_comment
from tabiya.game.annotations.tokens import settle
from tabiya.game.record import Problem

if TYPE_CHECKING:
    from tabiya.game import Game
    from tabiya.game.node import Node

WORDS: Final = 0xFFFF
"""Annotation kind for text that may contain commands, and for comments that kernels left; see ``composing.pxd``."""
_TEXTS: Final = (TEXT_AFTER, TEXT_BEFORE)
_NAG_KINDS: Final = (SYMBOLS, NAGS)


def understand(game: Game, *, values_of_game: bool = False) -> None:
    """Parse the comments that kernels left in a game; changes the game. Linear.

    ``values_of_game``: annotations before the first move that are late or not texts belong to the game.
    """
    reader = _Reader(game, values_of_game=values_of_game)
    for node in (game.root, *game.walk()):
        node.annotations = reader.read(node)
    reader.settle()


class _Reader:
    """Parses comments, and keeps annotations that belong elsewhere until all comments have been read."""

    def __init__(self, game: Game, *, values_of_game: bool) -> None:
        self._game = game
        self._values_of_game = values_of_game
        self._about_game: list[Annotation] = []
        self._ahead: list[tuple[Node, list[Annotation]]] = []

    def read(self, node: Node) -> list[Annotation]:
        """Return the annotations of a node, with each comment replaced by the annotations its commands stand for."""
        found: list[Annotation] = []
        for annotation in node.annotations:
            if annotation.kind == WORDS:
                kind = TEXT_BEFORE if annotation.side is Side.BEFORE else TEXT_AFTER
                self._read_comment(node, replace(annotation, kind=kind), found)
            else:
                found.append(annotation)
        return sorted(found, key=is_late)

    def _read_comment(self, node: Node, annotation: Annotation, found: list[Annotation]) -> None:
        nags = found[-1] if found and found[-1].kind in _NAG_KINDS else None
        opens_game = self._values_of_game and self._stands_first(node, annotation)
        mover = Color.WHITE if opens_game else node.color
        comment = parse_comment(_text(annotation), mover=mover, side=annotation.side, nags=nags)
        self._game.problems += [Problem(0, None, sentence) for sentence in (*comment.problems, *comment.partly)]
        if not (comment.game or comment.texts or comment.nags) and _is_text(annotation, comment.annotations):
            found.append(annotation)  # no command was recognised: the text is kept as it was, with its line breaks
            return
        if comment.nags is not None:
            found[-1] = comment.nags
        self._game.texts += comment.texts
        self._about_game += comment.game
        ahead: list[Annotation] = []
        for each in comment.annotations:
            if opens_game and each.kind not in _TEXTS:
                self._about_game.append(replace(each, side=Side.LATE if each.kind == UNREADABLE else Side.AFTER))
            elif opens_game and each.side is Side.LATE:
                self._about_game.append(each)
            else:
                before_next = each.side is Side.BEFORE and annotation.side is not Side.BEFORE and node.children
                (ahead if before_next else found).append(each)
        if ahead:
            self._ahead.append((node.children[0], ahead))

    def _stands_first(self, node: Node, annotation: Annotation) -> bool:
        """Return whether a comment is before the first move, or in a game without moves."""
        if node.parent is None:
            return not node.children
        return annotation.side is Side.BEFORE and node.parent is self._game.root and not node.begins_variation

    def settle(self) -> None:
        """Attach the annotations that were kept to the nodes they belong to."""
        root = self._game.root
        root.annotations = [*self._about_game, *root.annotations]
        # Annotations found later come before those found earlier.
        fronts: dict[Node, list[Annotation]] = {}
        for node, ahead in reversed(self._ahead):
            fronts.setdefault(node, []).extend(ahead)
        for node, front in fronts.items():
            node.annotations = [*front, *node.annotations]


def is_late(annotation: Annotation) -> bool:
    """Return whether an annotation comes after the variations."""
    return annotation.side is Side.LATE


def _is_text(annotation: Annotation, found: tuple[Annotation, ...]) -> bool:
    """Return whether a comment consists of its text only."""
    return len(found) == 1 and found[0].kind == annotation.kind and found[0].data == settle(_text(annotation)).encode()


def _text(annotation: Annotation) -> str:
    return annotation.data.decode(errors="replace")
