"""Equality of games, and sentences about their differences.

Content is: the kind of record, tags (in any order where they have columns, see ``tabiya.game.tags``), moves,
annotations (order matters within one kind on one move, not between kinds), guiding texts, the deletion mark, and extras
of those formats that both games carry extras of. Number and problems are not content, nor are annotations of a record
whose moves could not be decoded if their bytes are among its extras: then the bytes are compared.
"""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

from tabiya.errors import shortened
from tabiya.game.annotations import (
    NAGS,
    SYMBOLS,
    TEXT_AFTER,
    TEXT_BEFORE,
    UNREADABLE,
    Annotation,
    decode_nags,
    decode_text,
    format_nag,
)
from tabiya.game.movetext import label_moves
from tabiya.game.nations import nation_code
from tabiya.game.tags import Tags, tag_content
from tabiya.game.tape import BEGIN
from tabiya.game.tree import fold_tree

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabiya.game.game import Game
from tabiya.game.record import RAW_ANNOTATIONS, Extra, RecordKind

_LONGEST_QUOTE = 60
_TEXT_NAMES = {TEXT_AFTER: "text", TEXT_BEFORE: "text before the move", UNREADABLE: "unreadable rest"}


def same_content(a: Game, b: Game) -> bool:
    """Return whether two games are equal; O(size)."""
    return (
        (a.kind, a.deleted, a.texts) == (b.kind, b.deleted, b.texts)
        and tag_content(a.tags) == tag_content(b.tags)
        and _shared_extras(a, b) == _shared_extras(b, a)
        and (_keep_annotations_raw(a, b) or _sorted_tree(a) == _sorted_tree(b))
    )


def difference(a: Game, b: Game) -> list[str]:
    """Return sentences about the differences; none if the games are equal. The first value in each is that of ``a``."""
    return [
        *_plain_differences(a, b),
        *_tag_differences(a.tags, b.tags),
        *(() if _keep_annotations_raw(a, b) else _tree_differences(a, b)),
        *_extra_differences(a, b),
    ]


def _keep_annotations_raw(a: Game, b: Game) -> bool:
    """Return whether both are records without known moves that keep the bytes of their annotations."""
    return all(
        game.kind is RecordKind.OPAQUE and any(extra.key.endswith(RAW_ANNOTATIONS) for extra in game.extras)
        for game in (a, b)
    )


def _sorted_tree(game: Game) -> tuple[list[int], list[tuple[int, Annotation]]]:
    tape, annotations = fold_tree(game.root)
    annotations.sort(key=lambda pair: (pair[0], pair[1].kind))
    return tape, annotations


def _shared_extras(game: Game, other: Game) -> list[Extra]:
    """Return the extras of formats that the other game has extras of, by format."""
    formats = {extra.format for extra in other.extras}
    return sorted((extra for extra in game.extras if extra.format in formats), key=lambda extra: extra.format)


def _plain_differences(a: Game, b: Game) -> Iterator[str]:
    if a.kind != b.kind:
        yield f"The kind of record differs: {a.kind.name.lower()} / {b.kind.name.lower()}."
    if a.deleted != b.deleted:
        yield f"Only the {'first' if a.deleted else 'second'} is marked as deleted."
    for number, (text, other) in enumerate(zip_longest(a.texts, b.texts), start=1):
        if text is None or other is None:
            yield f"Only the {'second' if text is None else 'first'} has guiding text {number}."
        elif text != other:
            yield f"Guiding text {number} differs: {_quote(text.title)} / {_quote(other.title)}."


def _tag_differences(a: Tags, b: Tags) -> Iterator[str]:
    (texts_a, other_a), (texts_b, other_b) = tag_content(a), tag_content(b)
    for pairs, texts in ((other_a, texts_a), (other_b, texts_b)):
        for name, text in pairs:
            texts.setdefault(name, []).append(text)
    for name in {**texts_a, **texts_b}:
        if texts_a.get(name) != texts_b.get(name):
            yield f"Tag {name} differs: {_texts(texts_a.get(name))} / {_texts(texts_b.get(name))}."
    if texts_a == texts_b and other_a != other_b:
        yield f"The order of other tags differs: {_names(other_a)} / {_names(other_b)}."


def _texts(texts: list[str] | None) -> str:
    return ", ".join(map(_quote, texts)) if texts else "missing"


def _names(tags: list[tuple[str, str]]) -> str:
    return ", ".join(name for name, _ in tags)


def _tree_differences(a: Game, b: Game) -> Iterator[str]:
    tape_a, notes_a = _sorted_tree(a)
    tape_b, notes_b = _sorted_tree(b)
    if (tape_a, notes_a) == (tape_b, notes_b):
        return
    labels_a, labels_b = label_moves(a), label_moves(b)
    equal = next((i for i, (x, y) in enumerate(zip_longest(tape_a, tape_b)) if x != y), None)
    common = sum(token < BEGIN for token in tape_a[:equal])
    if equal is not None:
        place = f"after {labels_a[common - 1]}" if common else "from the start"
        yield f"The moves differ {place}: {_next(tape_a, equal, labels_a)} / {_next(tape_b, equal, labels_b)}."
    by_move_a, by_move_b = _by_move(notes_a), _by_move(notes_b)
    for move in range(-1, common):
        place = labels_a[move] if move >= 0 else "Whole record"
        for kind in sorted({*by_move_a.get(move, {}), *by_move_b.get(move, {})}):
            values_a, values_b = by_move_a.get(move, {}).get(kind, []), by_move_b.get(move, {}).get(kind, [])
            if values_a != values_b:
                yield f"{place}: {_kind_name(kind)} differs: {_values(values_a)} / {_values(values_b)}."


def _next(tape: list[int], index: int, labels: list[str]) -> str:
    if index >= len(tape):
        return "end"
    if tape[index] < BEGIN:
        return labels[sum(token < BEGIN for token in tape[:index])]
    return "start of a variation" if tape[index] == BEGIN else "end of the variation"


def _by_move(notes: list[tuple[int, Annotation]]) -> dict[int, dict[int, list[Annotation]]]:
    found: dict[int, dict[int, list[Annotation]]] = {}
    for move, annotation in notes:
        found.setdefault(move, {}).setdefault(annotation.kind, []).append(annotation)
    return found


def _kind_name(kind: int) -> str:
    if kind in (SYMBOLS, NAGS):
        return "symbols"
    return _TEXT_NAMES.get(kind, f"annotation {kind:#04x}")


def _values(annotations: list[Annotation]) -> str:
    return ", ".join(map(_value, annotations)) or "none"


def _value(annotation: Annotation) -> str:
    if annotation.kind in (SYMBOLS, NAGS):
        text = " ".join(map(format_nag, decode_nags(annotation)))
    elif annotation.kind in _TEXT_NAMES:
        text = _quote(decode_text(annotation))
    else:
        text = annotation.data[:_LONGEST_QUOTE].hex(" ")
    marks = [
        *([annotation.side.name.lower()] if annotation.side else []),
        *([f"language {nation_code(annotation.lang)}"] if annotation.lang else []),
        *([f"stored as {annotation.raw[:_LONGEST_QUOTE].hex(' ')}"] if annotation.raw is not None else []),
    ]
    return f"{text} ({', '.join(marks)})" if marks else text


def _extra_differences(a: Game, b: Game) -> Iterator[str]:
    extras_a, extras_b = _shared_extras(a, b), _shared_extras(b, a)
    if extras_a == extras_b:
        return
    for name in dict.fromkeys(extra.format for extra in [*extras_a, *extras_b]):
        only_a = [extra for extra in extras_a if extra.format == name]
        only_b = [extra for extra in extras_b if extra.format == name]
        if only_a != only_b:
            keys = dict.fromkeys(x.key for x, y in _pairs(only_a, only_b) if x != y)
            yield f"Details that only {name} stores differ: {', '.join(keys)}."


def _pairs(a: list[Extra], b: list[Extra]) -> Iterator[tuple[Extra, Extra | None]]:
    for x, y in zip_longest(a, b):
        if x is not None:
            yield x, y
        if y is not None:
            yield y, x


def _quote(text: str) -> str:
    return repr(shortened(text, _LONGEST_QUOTE))
