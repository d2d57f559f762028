"""Games to and from python-chess (the optional extra ``chess``).

python-chess holds less. Lost on the way there: the order and repeats of NAGs (it keeps a set), annotations other than
texts and NAGs, languages and *late* places of texts, unreadable rests of lines, repeated tags, tags whose name is not
made of letters and digits, line breaks in tags, guiding texts, extras and the deletion mark. Texts before a move are
kept as ``starting_comment``, which python-chess prints only at the start of a variation; that of the first move and
texts of the whole game become the comment of the game.

Up to version 1.11 python-chess has ``comment`` and ``starting_comment`` as one text each, after that ``comments`` and
``starting_comments`` as lists; both are supported.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tabiya.errors import UnsupportedError
from tabiya.game.annotations import TEXT_AFTER, TEXT_BEFORE, Side, decode_text, encode_text
from tabiya.game.game import Game
from tabiya.game.record import Problem, RecordKind
from tabiya.game.tag_values import parse_variant

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import ModuleType

    import chess.pgn

    from tabiya.game.node import Node

__all__ = ["from_chess", "to_chess"]

_FROM_PYTHON_CHESS = 0
"""The code of problems that python-chess reported; it has no codes of its own."""


def _python_chess() -> ModuleType:
    try:
        import chess.pgn  # noqa: PLC0415 - optional
    except ImportError as error:
        raise UnsupportedError("this needs python-chess; install it with: pip install 'tabiya[chess]'") from error
    return chess


def to_chess(game: Game) -> chess.pgn.Game:
    """The game as one of python-chess; O(size).

    Raises:
        UnsupportedError: The record is not a game, or python-chess is not installed.
        FormatError: A move is not legal, or the start position is none.
    """
    python_chess = _python_chess()
    if game.kind is not RecordKind.GAME:
        raise UnsupportedError("python-chess has no form for texts and undecoded records", game=game.number)
    target: chess.pgn.Game = python_chess.pgn.Game.without_tag_roster()
    _set_headers(target, game)
    todo: list[tuple[Node, chess.pgn.GameNode]] = [(game.root, target)]
    while todo:
        node, twin = todo.pop()
        position = node.position
        for child in node.children:
            assert child.move is not None
            move = python_chess.Move.from_uci(position.uci(child.move))
            child_twin = twin.add_variation(move, nags=child.nags)
            _set_comments(child_twin, "comment", _texts(child, TEXT_AFTER))
            _set_comments(child_twin, "starting_comment", _texts(child, TEXT_BEFORE))
            todo.append((child, child_twin))
    _move_first_comment(game, target)
    return target


def _set_headers(target: chess.pgn.Game, game: Game) -> None:
    for name, text in game.tags.items():
        if name not in target.headers:
            try:
                target.headers[name] = " ".join(text.splitlines())
            except ValueError:
                continue  # a name that python-chess refuses


def _move_first_comment(game: Game, target: chess.pgn.Game) -> None:
    texts = _texts(game.root, TEXT_BEFORE) + _texts(game.root, TEXT_AFTER)
    if target.variations:
        first = target.variations[0]
        texts += _comments(first, "starting_comment")
        _set_comments(first, "starting_comment", [])
    _set_comments(target, "comment", texts)


def _texts(node: Node, kind: int) -> list[str]:
    return [decode_text(annotation) for annotation in node.annotations if annotation.kind == kind]


def from_chess(source: chess.pgn.Game) -> Game:
    """The game of python-chess as one of tabiya; O(size). NAGs come in ascending order.

    Raises:
        UnsupportedError: It is of a variant that tabiya does not know.
        FormatError: A move is not legal, or the start position is none.
    """
    game = Game(source.headers.items())
    variant = source.headers.get("Variant")
    if variant is not None and parse_variant(variant) is None:
        raise UnsupportedError(f"games of the variant {variant!r} are not supported")
    game.problems = [Problem(_FROM_PYTHON_CHESS, None, str(error)) for error in source.errors]
    todo: list[tuple[chess.pgn.GameNode, Node]] = [(source, game.root)]
    while todo:
        node, twin = todo.pop()
        position = twin.position
        for child in node.variations:
            child_twin = twin.add(position.parse_uci(child.move.uci()))
            _add_texts(child_twin, _comments(child, "starting_comment"), Side.BEFORE)
            child_twin.nags = sorted(child.nags)
            _add_texts(child_twin, _comments(child, "comment"), Side.AFTER)
            todo.append((child, child_twin))
    comments = _comments(source, "comment")
    if game.root.children:
        first = game.root.children[0]
        first.annotations[:0] = [encode_text(text, Side.BEFORE) for text in comments]
    else:
        _add_texts(game.root, comments, Side.LATE)
    return game


def _add_texts(node: Node, texts: Iterable[str], side: Side) -> None:
    node.annotations += [encode_text(text, side) for text in texts]


def _comments(node: Any, name: str) -> list[str]:
    """The comments in an attribute that is a text in older python-chess and, with an s, a list in newer."""
    if hasattr(node, f"{name}s"):
        return list(getattr(node, f"{name}s"))
    text: str = getattr(node, name)
    return [text] if text else []


def _set_comments(node: Any, name: str, texts: list[str]) -> None:
    if hasattr(node, f"{name}s"):
        setattr(node, f"{name}s", texts)
    else:
        setattr(node, name, " ".join(texts))
