"""The raw view of a record: the row of its batch, token by token and byte by byte."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tabiya.chess import Move
from tabiya.cli.game_display import text_form
from tabiya.errors import TabiyaError
from tabiya.game import RecordKind, Result, Side, Variant
from tabiya.game.annotations import Annotation, name_of_kind
from tabiya.game.schema import RECORD_SCHEMA
from tabiya.game.tape import BEGIN, END

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tabiya.game import GameBatch

_BYTES_PER_LINE = 16
_ENUMS = {"kind": RecordKind, "variant": Variant, "result": Result}


def dump_lines(batch: GameBatch) -> Iterator[str]:
    """Yield the first record of a batch in lines; the record need not be valid."""
    (row,) = batch.record_batch.slice(0, 1).to_pylist()
    for name in RECORD_SCHEMA.names:
        value = row[name]
        if name not in _LISTS:
            yield f"{name}: {_scalar(name, value)}"
            continue
        yield f"{name}: {len(value)}"
        yield from (f"  {line}" for line in _LISTS[name](value))


def _scalar(name: str, value: Any) -> str:
    if value is None:
        return "null"
    if name in _ENUMS:
        meanings: dict[int, str] = {each.value: each.name.lower() for each in _ENUMS[name]}
        return f"{value} ({meanings.get(value, 'unknown')})"
    return repr(value)


def _tags(tags: list[dict[str, str]]) -> Iterator[str]:
    for tag in tags:
        yield f"{tag['name']!r}: {tag['value']!r}"


def _moves(tape: list[int]) -> Iterator[str]:
    number = 0
    for index, token in enumerate(tape):
        is_move = token < BEGIN
        place = f"move {number}" if is_move else ""
        number += is_move
        yield f"{index:>5}  {token:#06x}  {_token(token):<6} {place}".rstrip()


def _token(token: int) -> str:
    if token >= BEGIN:
        return {BEGIN: "(", END: ")"}.get(token, "?")
    try:
        return str(Move(token))
    except TabiyaError:
        return "?"


def _annotations(annotations: list[dict[str, Any]]) -> Iterator[str]:
    sides = {side.value: side.name.lower() for side in Side}
    for each in annotations:
        kind = f"kind {each['kind']:#04x} ({name_of_kind(each['kind']) or 'unknown'})"
        side = f"side {each['side']} ({sides.get(each['side'], 'unknown')})"
        yield f"move {each['move']}, {side}, {kind}, lang {each['lang']}"
        words = text_form(Annotation(each["kind"], each["data"], each["lang"]))
        if words is not None:
            yield f"  text: {words!r}"
        yield from _payload("data", each["data"])
        yield from _payload("raw", each["raw"])


def _texts(texts: list[dict[str, Any]]) -> Iterator[str]:
    for text in texts:
        yield f"{text['title']!r}, lang {text['lang']}, format {text['format']}"
        yield from _payload("body", text["body"])
        yield from _payload("formatting", text["formatting"])


def _extras(extras: list[dict[str, Any]]) -> Iterator[str]:
    for extra in extras:
        yield repr(extra["key"])
        yield from _payload("value", extra["value"])


def _problems(problems: list[dict[str, Any]]) -> Iterator[str]:
    for problem in problems:
        offset = "null" if problem["offset"] is None else problem["offset"]
        yield f"code {problem['code']}, offset {offset}: {problem['text']!r}"


def _payload(name: str, data: bytes | None) -> Iterator[str]:
    """Yield bytes in hexadecimal, and their ASCII characters; nothing for null."""
    if data is None:
        return
    yield f"  {name}: {len(data)} bytes"
    for begin in range(0, len(data), _BYTES_PER_LINE):
        piece = data[begin : begin + _BYTES_PER_LINE]
        text = "".join(chr(byte) if 0x20 <= byte < 0x7F else "." for byte in piece)
        yield f"    {begin:06x}  {piece.hex(' '):<{3 * _BYTES_PER_LINE}} {text}"


_LISTS: dict[str, Callable[[list[Any]], Iterator[str]]] = {
    "tags": _tags,
    "moves": _moves,
    "annotations": _annotations,
    "texts": _texts,
    "extras": _extras,
    "problems": _problems,
}
