"""One game for display and as JSON. Imported only when a game is shown."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tabiya.chess import Color
from tabiya.cli.hints import with_options
from tabiya.cli.output import plain
from tabiya.errors import TabiyaError
from tabiya.formats.operations.conversion import GameProblem
from tabiya.game import RecordKind
from tabiya.game.annotations import NAGS, SYMBOLS, TEXT_AFTER, TEXT_BEFORE, UNREADABLE, Side
from tabiya.game.movetext import label_moves

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tabiya.chess import Position
    from tabiya.game import Annotation, Game, Node

_WORDS = frozenset({TEXT_AFTER, TEXT_BEFORE, UNREADABLE})
_IN_MOVETEXT = _WORDS | {SYMBOLS, NAGS}


def game_lines(game: Game, node: Node) -> Iterator[str]:
    """Yield tags, moves with their annotations, and the board at ``node``."""
    if game.kind is RecordKind.TEXT:
        yield from _text_lines(game)
        return
    yield from str(game).splitlines()
    if game.problems:
        yield from ("", "Problems:", *(f"  {with_options(GameProblem(None, each))}" for each in game.problems))
    if game.kind is RecordKind.OPAQUE:
        yield from ("", "This record could not be decoded; --dump shows what is stored.")
        return
    yield from _other_annotations(game)
    yield ""
    try:
        position = node.position
    except TabiyaError as error:
        yield f"There is no board: {error.message}."
        return
    yield from _board(position)
    yield ""
    moved = f"after {_label(node)}" if node.ply else "at the start"
    yield f"{moved} (ply {node.ply} of {game.end().ply}), {position.turn.name.capitalize()} to move"
    yield position.fen()


def _text_lines(game: Game) -> Iterator[str]:
    """Yield tags, then the text in all languages that have content."""
    from tabiya.formats.guiding_texts import guiding_texts_of  # noqa: PLC0415 - rarely needed

    lines = [f'[{name} "{value}"]' for name, value in game.tags.items()]
    texts = guiding_texts_of(game)
    for each in texts:
        heading = f"{each.code}: {each.title}" if each.title else each.code
        lines += [*([""] if lines else []), heading, "=" * len(plain(heading)), "", *each.text.plain().split("\n")]
    if not texts:
        lines += [*([""] if lines else []), "This record is a text without words; --dump shows what is stored."]
    yield from lines


def _other_annotations(game: Game) -> Iterator[str]:
    """Yield the annotations that the movetext does not show."""
    labels = label_moves(game)
    found = [("whole game", Color.WHITE, annotation) for annotation in game.annotations]
    for label, node in zip(labels, game.walk(), strict=True):
        found += [(label, node.color, annotation) for annotation in node.annotations]
    lines = [f"  {place}: {_annotation(each, mover)}" for place, mover, each in found if each.kind not in _IN_MOVETEXT]
    if lines:
        yield from ("", "Other annotations:", *lines)


def _annotation(annotation: Annotation, mover: Color) -> str:
    from tabiya.game.annotations import name_of_kind  # noqa: PLC0415 - most games have only texts and symbols

    name = name_of_kind(annotation.kind) or "unknown"
    words = text_form(annotation, mover)
    return f"{name} {words}" if words else f"{name} (kind {annotation.kind:#04x}) {annotation.data.hex(' ')}"


def text_form(annotation: Annotation, mover: Color = Color.WHITE) -> str | None:
    """Return an annotation as the text of a PGN comment; None for symbols and for unknown bytes."""
    if annotation.kind in _WORDS:
        return annotation.data.decode("utf-8", "replace")
    from tabiya.game.annotations import format_comment  # noqa: PLC0415 - most games have only texts and symbols

    text = format_comment([replace(annotation, raw=None, side=Side.AFTER)], mover=mover).text
    return None if not text or text.startswith("[%cba") else text


def _board(position: Position) -> Iterator[str]:
    for rank, line in zip(range(8, 0, -1), str(position).splitlines(), strict=True):
        yield f"{rank}  {line}"
    yield "   a b c d e f g h"


def _label(node: Node) -> str:
    return f"{node.move_number}{'.' if node.color is Color.WHITE else '...'}{node.san}"


def game_as_dict(game: Game, node: Node) -> dict[str, Any]:
    """Return a game for JSON. Moves are a flat list in the order of PGN, each with the index of its ``parent``.

    The first moves of lines from the start have the parent -1. A flat list works for variations of any depth.
    """
    nodes = list(game.walk())
    places = {id(each): place for place, each in enumerate(nodes)}
    return {
        "number": game.number,
        **({} if game.source is None else {"source": game.source, "source_number": game.source_number}),
        "kind": game.kind.name.lower(),
        "deleted": game.deleted,
        "tags": [{"name": name, "value": value} for name, value in game.tags.items()],
        "ply": node.ply,
        "fen": _fen(node),
        "annotations": _notes(game.annotations, Color.WHITE),
        "moves": [_move(each, places) for each in nodes],
        "texts": [
            {"lang": text.lang, "title": text.title, "format": text.format, "body": text.body.hex()}
            for text in game.texts
        ],
        "extras": [{"key": extra.key, "value": extra.value.hex()} for extra in game.extras],
        "problems": [{"code": each.code, "offset": each.offset, "text": each.text} for each in game.problems],
    }


def _fen(node: Node) -> str | None:
    try:
        return node.position.fen()
    except TabiyaError:
        return None


def _move(node: Node, places: dict[int, int]) -> dict[str, Any]:
    try:
        san = node.san
    except TabiyaError:
        san = None
    return {
        "ply": node.ply,
        "parent": places.get(id(node.parent), -1),
        "uci": str(node.move),
        "san": san,
        "nags": list(node.nags),
        "text_before": node.text_before,
        "text": node.text,
        "annotations": _notes(node.annotations, node.color),
    }


def _notes(annotations: Iterable[Annotation], mover: Color) -> list[dict[str, Any]]:
    return [
        {
            "kind": each.kind,
            "side": each.side.name.lower(),
            "lang": each.lang,
            "text": text_form(each, mover),
            "data": each.data.hex(),
            "raw": None if each.raw is None else each.raw.hex(),
        }
        for each in annotations
    ]
