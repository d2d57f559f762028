"""Annotations that kernels do not write: the classes convert each different one to text once.

Kernels write such a text unchanged, as an annotation of the kind WORDS, which never leaves a format.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabiya.errors import FormatError
from tabiya.game import GameBatch
from tabiya.game.annotations import (
    KINDS,
    NAGS,
    SYMBOLS,
    TEXT_AFTER,
    TEXT_BEFORE,
    UNREADABLE,
    UTF8,
    Annotation,
    BlackClock,
    Side,
    TextEncoding,
    Value,
    WhiteClock,
    format_comment,
)
from tabiya.game.annotations.compose_kernel import find_rare
from tabiya.game.annotations.vocabulary import command_table
from tabiya.game.lists import members, owners
from tabiya.game.view import view_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Positions = NDArray[np.int64]

WORDS: Final = 0xFFFF
"""Annotation kind for text that may contain commands; see ``composing.pxd``."""

_TEXTS: Final = (TEXT_AFTER, TEXT_BEFORE)
_PLACED: Final = (SYMBOLS, NAGS, UNREADABLE, WhiteClock.kind, BlackClock.kind)

Converted = TypeVar("Converted")


def is_late(annotation: Annotation) -> bool:
    """Return whether an annotation comes after the variations."""
    return annotation.side is Side.LATE


def rare_annotations(batch: GameBatch) -> NDArray[np.bool_]:
    """Return which of the annotations of a batch kernels cannot write exactly."""
    offsets = batch.record_batch.column("annotations").offsets
    begin, end = offsets[0].as_py(), offsets[-1].as_py()
    return find_rare(view_of(batch), command_table())[begin:end].astype(np.bool_)


def each_different(
    records: pa.RecordBatch, places: Positions, convert: Callable[[Annotation, bool, TextEncoding], Converted]
) -> tuple[list[Converted], Positions]:
    """Convert the annotations at these places; return the results, and for each place which of them it has.

    ``convert`` receives an annotation, whether it is about the whole game, and the encoding of ChessBase's texts.
    """
    values, offsets = members(records.column("annotations"))
    some = values.take(pa.array(places))
    of_game = (some.field("move").to_numpy() < 0) & (some.field("side").to_numpy() != Side.LATE)
    encodings = _encodings(records)
    rows = owners(offsets)[places].tolist() if encodings else []
    columns = [some.field(name).to_pylist() for name in ("kind", "data", "lang", "raw", "side")]
    texts = [encodings.get(row, UTF8) for row in rows] or [UTF8] * len(places)
    seen: dict[tuple[int, bytes, int, bytes | None, int, bool, TextEncoding], int] = {}
    keys = zip(*columns, of_game.tolist(), texts, strict=True)
    ids = np.fromiter((seen.setdefault(key, len(seen)) for key in keys), np.int64, len(places))
    found = [
        convert(Annotation(kind, data, lang, raw, Side(side)), game, encoding)
        for kind, data, lang, raw, side, game, encoding in seen
    ]
    return found, ids


def with_words(batch: GameBatch) -> GameBatch:
    """Return the batch with annotations that only classes can write as texts, for jose and Scid.

    Those whose text depends on the place stay as they are: NAGs, clocks, errors.
    """
    records = batch.record_batch
    column = records.column("annotations")
    kinds = members(column)[0].field("kind").to_numpy()
    places = np.flatnonzero(rare_annotations(batch) & ~np.isin(kinds, _PLACED))
    found, ids = each_different(records, places, _words)
    exact = np.array([text != "" for text, _ in found], np.bool_)[ids]
    column = in_words(column, places[exact], ids[exact], found)
    place = records.schema.get_field_index("annotations")
    return GameBatch(records.set_column(place, records.schema.field(place), column))


def _words(annotation: Annotation, whole_game: bool, _: TextEncoding) -> tuple[str, int]:  # noqa: FBT001 - a callback
    """Return the command and the number of its place; no text if it would not be read back unchanged.

    A text has two forms, separated by a zero: for the end of a comment, and for elsewhere.
    """
    place, side = KINDS.get(annotation.kind, Value).place + 1, annotation.side
    formatted = format_comment([annotation], side=side, whole_game=whole_game)
    text = "" if formatted.lost else formatted.text
    if text and annotation.kind in _TEXTS and not whole_game:
        more = Annotation(TEXT_BEFORE if side is Side.BEFORE else TEXT_AFTER, b"x", side=side)
        text += "\0" + format_comment([annotation, more], side=side).text.removesuffix(" x")
    return text, place


def _encodings(records: pa.RecordBatch) -> dict[int, TextEncoding]:
    """Return the encodings of ChessBase's texts that tags name, by row."""
    tags, offsets = members(records.column("tags"))
    named = np.flatnonzero(pc.equal(tags.field("name"), "TextEncoding").to_numpy(zero_copy_only=False))
    found: dict[int, TextEncoding] = {}
    for row, name in zip(owners(offsets)[named].tolist(), tags.field("value").take(named).to_pylist(), strict=True):
        try:
            found.setdefault(row, TextEncoding(name))
        except FormatError:
            found.setdefault(row, UTF8)
    return found


def in_words(column: pa.ListArray, places: Positions, ids: Positions, words: list[tuple[str, int]]) -> pa.ListArray:
    """Return the annotations with those at these places replaced by texts, of which each has a number for kernels."""
    values, offsets = members(column)
    kinds, langs = values.field("kind").to_numpy().copy(), values.field("lang").to_numpy().copy()
    kinds[places] = WORDS
    langs[places] = np.array([number for _, number in words], langs.dtype)[ids]
    sources = np.arange(len(values))
    sources[places] = len(values) + ids
    texts = pa.array([text.encode() for text, _ in words], pa.binary())
    replaced = np.zeros(len(values), np.bool_)
    replaced[places] = True
    fields = {
        "kind": pa.array(kinds),
        "lang": pa.array(langs),
        "data": pa.concat_arrays([values.field("data"), texts.cast(values.field("data").type)]).take(pa.array(sources)),
        "raw": pc.if_else(pa.array(replaced), pa.scalar(None, values.field("raw").type), values.field("raw")),
    }
    arrays = [fields.get(field.name, values.field(field.name)) for field in values.type]
    struct = pa.StructArray.from_arrays(arrays, fields=list(values.type))
    return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), struct, type=column.type)
