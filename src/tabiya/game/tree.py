"""Conversion between a tree of nodes and its flat form: the tape, and annotations with the number of their move.

Several tapes may unfold to the same tree: an alternative to the first move of a variation is one more alternative to
the move that this one replaces. ``fold_tree`` writes them one after the other, ``e4 (d4) (c4)``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabiya.chess.basics import all_moves
from tabiya.errors import CorruptError
from tabiya.game.node import Node, tape_order
from tabiya.game.tape import BEGIN, check_tape

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tabiya.game.annotations import Annotation


def fold_tree(root: Node) -> tuple[list[int], list[tuple[int, Annotation]]]:
    """Return the tape below a root, and the annotations with the number of their move on it, −1 for the root.

    O(moves + annotations).
    """
    tape = []
    annotations = [(-1, annotation) for annotation in root.annotations]
    number = 0
    for token, node in tape_order(root):
        tape.append(token)
        if token < BEGIN:
            if node.annotations:
                annotations += [(number, annotation) for annotation in node.annotations]
            number += 1
    return tape, annotations


def unfold_tree(
    root: Node, tape: Sequence[int], annotations: Iterable[tuple[int, Annotation]] = (), *, number: int | None = None
) -> None:
    """Add the moves of a tape, which need not be legal, and their annotations to an empty root.

    Raises:
        CorruptError: The tape is invalid, or an annotation has no move; the error has the ``number`` of the record.
    """
    check_tape(tape, game=number)
    nodes: list[Node] = []
    replaced: list[Node] = []
    moves = all_moves()
    node = root
    for token in tape:
        if token < BEGIN:
            node = node._append(moves[token])
            nodes.append(node)
        elif token == BEGIN:
            replaced.append(node)
            node = node._parent or root
        else:
            node = replaced.pop()
    for move, annotation in annotations:
        if not -1 <= move < len(nodes):
            raise CorruptError(f"an annotation of move {move}, but there are {len(nodes)} moves", game=number)
        (root if move < 0 else nodes[move]).annotations.append(annotation)
