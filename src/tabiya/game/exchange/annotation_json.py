"""The annotations of a move as plain values, and back.

Some of them can be edited and are created again from the values: comments, NAGs, squares, arrows, clock, time,
evaluation. All others are only displayed. ``stored`` contains the annotations themselves if creating them again would
change anything.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from tabiya.chess import Color, Square
from tabiya.errors import FormatError, TabiyaError, shortened
from tabiya.game.annotation_properties import Annotated
from tabiya.game.annotations import (
    NAGS,
    SYMBOLS,
    TEXT_AFTER,
    TEXT_BEFORE,
    Annotation,
    Arrows,
    BlackClock,
    Evaluation,
    Side,
    Squares,
    TimeSpent,
    WhiteClock,
    encode_text,
)
from tabiya.game.annotations.annotation import replace
from tabiya.game.annotations.graphics import COLOR_WORDS, Arrow, ColoredSquare
from tabiya.game.annotations.text import decode_text
from tabiya.game.exchange.display_json import display_values
from tabiya.game.nations import nation_code, nation_number

if TYPE_CHECKING:
    from tabiya.game.annotations import Raw, TextEncoding, Value

_SIDES: Final = {Side.AFTER: "after", Side.BEFORE: "before", Side.LATE: "late"}
_SIDES_BY_NAME: Final = {name: side for side, name in _SIDES.items()}
_COLORS_BY_WORD: Final = {word: color for color, word in COLOR_WORDS.items()}
_MOST_STORED: Final = 1 << 22


def annotations_to_json(node: Annotated) -> dict[str, Any]:
    """Return all annotations of a move as values; empty ones are left out."""
    if not node.annotations:
        return {}
    move = _Decoded(node)
    values = {name: value for name, (get, _) in _EDITABLE.items() if (value := get(move)) not in (None, [])}
    if not _returns(move, values):
        values["stored"] = _stored(move.annotations)
    return values | display_values(move)


def _returns(move: _Decoded, values: Mapping[str, Any]) -> bool:
    """Return whether the values create the same annotations again."""
    kinds = _EDITABLE_KINDS[move.color]
    if any(each.raw is not None or each.kind not in kinds for each in move.annotations):
        return False
    copy = _Decoded(move, [])
    try:
        _make(copy, values)
    except TabiyaError:
        return False
    return _by_kind(copy.annotations) == _by_kind(move.annotations)


def annotations_from_json(node: Annotated, values: Mapping[str, Any]) -> None:
    """Add annotations to a node without any, from the possibly edited result of ``annotations_to_json``.

    Raises:
        FormatError: A value is invalid.
    """
    stored = values.get("stored")
    if stored is None:
        _make(node, values)
        return
    node.annotations[:] = _annotations(stored)
    for name, (get, put) in _EDITABLE.items():
        value = values.get(name)
        before = get(node)
        if (None if value == [] else value) != (None if before == [] else before):
            put(node, value)


def _make(node: Annotated, values: Mapping[str, Any]) -> None:
    for name, (_, put) in _EDITABLE.items():
        if values.get(name) not in (None, []):
            put(node, values[name])


class _Decoded(Annotated):
    """Annotations of a move; typed values, side and encoding are determined only once."""

    __slots__ = ("_color", "_page", "_values", "annotations")

    def __init__(self, node: Annotated, annotations: list[Annotation] | None = None) -> None:
        self._color = node.color
        self._page = node._text_encoding()
        self.annotations = node.annotations if annotations is None else annotations
        self._values = node.values if annotations is None else []

    @property
    def color(self) -> Color:
        return self._color

    @property
    def values(self) -> list[Value | Raw]:
        return self._values

    @property
    def _encoding(self) -> str:
        return self._page.page

    def _text_encoding(self) -> TextEncoding:
        return self._page


def _by_kind(annotations: list[Annotation]) -> list[Annotation]:
    """Return annotations in an order that keeps those of one kind in sequence: no other order is content."""
    return sorted(annotations, key=lambda annotation: annotation.kind)


# Annotations stored unchanged.


def _stored(annotations: list[Annotation]) -> str:
    rows = [
        [each.kind, int(each.side), each.lang, _base64(each.data), None if each.raw is None else _base64(each.raw)]
        for each in annotations
    ]
    return json.dumps(rows, separators=(",", ":"))


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _annotations(stored: object) -> list[Annotation]:
    if not isinstance(stored, str) or len(stored) > _MOST_STORED:
        raise FormatError("the stored annotations of a move must be returned unchanged")
    try:
        rows = json.loads(stored)
        return [_annotation(*row) for row in rows]
    except (ValueError, TypeError, RecursionError, binascii.Error) as error:
        raise FormatError("the stored annotations of a move must be returned unchanged") from error


def _annotation(kind: int, side: int, lang: int, data: str, raw: str | None) -> Annotation:
    if not (_is_number(kind, 0xFFFF) and _is_number(lang, 0xFF) and _is_number(side, len(Side) - 1)):
        raise ValueError("no annotation")
    raw_bytes = None if raw is None else base64.b64decode(raw, validate=True)
    return Annotation(kind, base64.b64decode(data, validate=True), lang, raw_bytes, Side(side))


def _is_number(value: object, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= most


# Editable values: how they are read, and how they are written.


def _comments(node: Annotated) -> list[dict[str, str]]:
    return [
        {
            "text": decode_text(each),
            "language": nation_code(each.lang) if each.lang else "",
            "side": _SIDES[each.side],
        }
        for each in node.annotations
        if each.kind in (TEXT_AFTER, TEXT_BEFORE)
    ]


def _put_comments(node: Annotated, value: Any) -> None:
    texts = [_comment(each) for each in _members(value, "comments")]
    replace(node.annotations, (TEXT_AFTER, TEXT_BEFORE), [text for text in texts if text.data])


def _comment(value: Any) -> Annotation:
    value = _object(value, "a comment")
    code = value.get("language") or ""
    lang = nation_number(code) if isinstance(code, str) and code else 0
    side = _SIDES_BY_NAME.get(str(value.get("side") or "after"))
    if lang is None or side is None or not isinstance(code, str):
        raise FormatError(f"a comment has a text, the code of a language, and a side, not {_shortly(value)}")
    return encode_text(value.get("text"), side, lang)  # rejects values that are not texts


def _put_nags(node: Annotated, value: Any) -> None:
    numbers = _members(value, "NAGs") if value is not None else []
    if not all(_is_number(number, 0xFFFF) for number in numbers):
        raise FormatError(f"NAGs are numbers from 0 to 65535, not {_shortly(value)}")
    node.nags = numbers


def _color_word(color: int) -> str:
    return COLOR_WORDS.get(color) or f"#{color}"


def _color_number(word: object) -> int:
    if isinstance(word, str):
        if word in _COLORS_BY_WORD:
            return _COLORS_BY_WORD[word]
        if word.startswith("#") and word[1:].isascii() and word[1:].isdigit() and len(word) <= 4:
            return min(int(word[1:]), 0xFF)
    raise FormatError(f"a colour is one of {', '.join(_COLORS_BY_WORD)}, not {_shortly(word)}")


def _put_squares(node: Annotated, value: Any) -> None:
    marks = [_object(each, "a coloured square") for each in _members(value, "squares")]
    _put_marks(node, [ColoredSquare(_color_number(mark.get("color")), _square(mark.get("square"))) for mark in marks])


def _put_arrows(node: Annotated, value: Any) -> None:
    marks = [_object(each, "an arrow") for each in _members(value, "arrows")]
    arrows = [
        Arrow(_color_number(mark.get("color")), _square(mark.get("from")), _square(mark.get("to"))) for mark in marks
    ]
    node.set_values(Arrows, [Arrows(tuple(arrows))] if arrows else [])


def _put_marks(node: Annotated, squares: list[ColoredSquare]) -> None:
    node.set_values(Squares, [Squares(tuple(squares))] if squares else [])


def _square(text: object) -> Square:
    return Square.parse(text if isinstance(text, str) else "")


def _evaluation(node: Annotated) -> dict[str, float | int] | None:
    found = node.eval
    if found is None or found.type not in (0, 1):
        return None
    value: dict[str, float | int] = {"mate": found.value} if found.is_mate else {"pawns": found.value / 100}
    return value | ({"depth": found.depth} if found.depth else {})


def _put_evaluation(node: Annotated, value: Any) -> None:
    if value is None:
        node.eval = None
        return
    value = _object(value, "an evaluation")
    depth, mate, pawns = value.get("depth") or 0, value.get("mate"), value.get("pawns")
    number = mate if mate is not None else round(100 * pawns) if _is_real(pawns) else None
    if not (_is_number(depth, 0x7FFF) and isinstance(number, int) and _is_number(abs(number), 0x7FFF)):
        raise FormatError(f"an evaluation is a number of pawns, or of moves to mate, not {_shortly(value)}")
    node.eval = Evaluation(number, int(mate is not None), depth)


def _put_clock(node: Annotated, value: Any) -> None:
    if value is not None and not _is_real(value):
        raise FormatError(f"a clock shows seconds, not {_shortly(value)}")
    node.clock = value


def _put_time(node: Annotated, value: Any) -> None:
    if isinstance(value, bool):
        raise FormatError(f"the time of a move is a number of seconds, not {_shortly(value)}")
    node.time_spent = value


def _is_real(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 1e9


def _members(value: Any, what: str) -> list[Any]:
    if value is None:
        return []
    if not isinstance(value, list):
        raise FormatError(f"{what} are a list, not {_shortly(value)}")
    return value


def _object(value: Any, what: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise FormatError(f"{what} is an object, not {_shortly(value)}")
    return value


def _shortly(value: object) -> str:
    text = repr(value)
    return shortened(text, 60)


_EDITABLE: Final[dict[str, tuple[Callable[[Annotated], Any], Callable[[Annotated, Any], None]]]] = {
    "comments": (_comments, _put_comments),
    "nags": (lambda node: [*node.nags], _put_nags),
    "squares": (
        lambda node: [{"color": _color_word(mark.color), "square": mark.square.text} for mark in node.squares],
        _put_squares,
    ),
    "arrows": (
        lambda node: [
            {"color": _color_word(mark.color), "from": mark.source.text, "to": mark.target.text} for mark in node.arrows
        ],
        _put_arrows,
    ),
    "clock": (lambda node: node.clock, _put_clock),
    "time_spent": (lambda node: node.time_spent, _put_time),
    "eval": (_evaluation, _put_evaluation),
}
"""By name: the functions that return the value, and that create annotations from it."""

_EDITABLE_KINDS: Final = {
    color: {
        *(TEXT_AFTER, TEXT_BEFORE, SYMBOLS, NAGS),
        *(each.kind for each in (Squares, Arrows, TimeSpent, Evaluation, clock)),
    }
    for color, clock in ((Color.WHITE, WhiteClock), (Color.BLACK, BlackClock))
}
