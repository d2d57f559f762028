"""Tags of whole batches: their values as a column, and replacing them. No Python object per record.

Texts that a column can represent are stored there, all others in the list of tags, as ``fold_tags`` does for one
record.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabiya.errors import UsageError
from tabiya.game.lists import filtered, joined, members, owners, with_field
from tabiya.game.schema import NAME_COLUMNS, RECORD_SCHEMA
from tabiya.game.tag_texts import COLUMN_TEXTS
from tabiya.game.tag_values import parse_date, parse_elo, parse_result
from tabiya.game.tags import COLUMN_TAGS, Tags, fold_tags

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Mask = NDArray[np.bool_]

_OF_THE_MOVES: Final = ("FEN", "SetUp", "Variant")
"""Tags that determine how the moves are interpreted; changing them would change the moves."""

_SHAPES: Final[dict[str, tuple[Callable[[str], object], str]]] = {
    "Date": (parse_date, "like 2026.05.17, with ?? for what is not known"),
    "Result": (parse_result, "as 1-0, 0-1, 1/2-1/2 or *"),
    "WhiteElo": (parse_elo, "as a number"),
    "BlackElo": (parse_elo, "as a number"),
}
"""Parsers of typed values, and how they are written."""


def check_tag(name: str, text: str | None) -> None:
    """Raise UsageError if a tag cannot be set separately, or not to this text."""
    if name in _OF_THE_MOVES:
        raise UsageError(f"{name} belongs to the moves and cannot be set alone; edit the game instead")
    if not name or not name.isascii() or not name.replace("_", "").isalnum():
        raise UsageError(f"{name!r} is not a tag name: tag names have letters, digits and underscores only")
    if text is None:
        return
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise UsageError(f"the text of {name} is not UTF-8: {text!a}") from error
    if name in _SHAPES and _SHAPES[name][0](text) is None:
        raise UsageError(f"{text!r} is not a valid {name}, which is written {_SHAPES[name][1]}")


def tag_texts(records: pa.RecordBatch, name: str) -> pa.Array:
    """Return the first text of a tag for each record; null where it is missing."""
    texts = COLUMN_TEXTS[name](records) if name in COLUMN_TEXTS else pa.nulls(len(records), pa.string())
    tags, offsets = members(records["tags"])
    named = pc.equal(tags.field("name"), name).to_numpy(zero_copy_only=False)
    rows, first = np.unique(owners(offsets)[named], return_index=True)
    if not len(rows):
        return texts
    mask = np.zeros(len(records), np.bool_)
    mask[rows] = True
    return pc.replace_with_mask(
        texts, pa.array(mask), tags.field("value").filter(pa.array(named)).take(pa.array(first))
    )


def with_tag(records: pa.RecordBatch, name: str, texts: pa.Array, chosen: Mask) -> pa.RecordBatch:
    """Return records with this text of a tag in the chosen ones, at its former position; null removes the tag.

    A tag that occurred several times occurs once afterwards.
    """
    values = texts.filter(pa.array(chosen)).dictionary_encode()
    different = values.dictionary.to_pylist()
    codes = pc.fill_null(values.indices, len(different)).to_numpy(zero_copy_only=False)
    listed = np.array([True] * len(different) + [False], np.bool_)
    if name in COLUMN_TAGS:
        rows = [fold_tags(Tags({name: text})) for text in different] + [fold_tags(Tags())]
        listed = np.array([bool(row["tags"]) for row in rows], np.bool_)
        for column in COLUMN_TAGS[name].columns:
            found = pa.array([row[column] for row in rows], _plain_type(column)).take(pa.array(codes))
            records = _replaced(records, column, found, chosen)
    own = np.zeros(len(records), np.bool_)
    own[np.flatnonzero(chosen)[listed[codes]]] = True
    return _with_listed(records, name, texts, chosen, own)


def _plain_type(column: str) -> pa.DataType:
    return pa.string() if column in NAME_COLUMNS else RECORD_SCHEMA.field(column).type


def _replaced(records: pa.RecordBatch, column: str, values: pa.Array, chosen: Mask) -> pa.RecordBatch:
    """Return records with new values of a column in the chosen ones."""
    place = RECORD_SCHEMA.get_field_index(column)
    old = records.column(place)
    old = old.dictionary_decode() if column in NAME_COLUMNS else old
    new = pc.replace_with_mask(old, pa.array(chosen), values)
    new = new.dictionary_encode() if column in NAME_COLUMNS else new
    return records.set_column(place, RECORD_SCHEMA.field(column), new)


def _with_listed(records: pa.RecordBatch, name: str, texts: pa.Array, chosen: Mask, own: Mask) -> pa.RecordBatch:
    """Return records with the text of a tag in the list of the chosen ones, where ``own`` is set."""
    place = RECORD_SCHEMA.get_field_index("tags")
    column = records.column(place)
    tags, offsets = members(column)
    rows = owners(offsets)
    named = pc.equal(tags.field("name"), name).to_numpy(zero_copy_only=False) & chosen[rows]
    there, first = np.unique(rows[named], return_index=True)
    stay = np.flatnonzero(named)[first][own[there]]
    kept = ~named
    kept[stay] = True
    mask = np.zeros(len(rows), np.bool_)
    mask[stay] = True
    values = pc.replace_with_mask(tags.field("value"), pa.array(mask), texts.take(pa.array(rows[stay])))
    column = filtered(with_field(column, "value", values), kept)
    added = own.copy()
    added[there] = False
    new = np.flatnonzero(added)
    if len(new):
        fields: list[Any] = [pa.array([name] * len(new), pa.string()), texts.take(pa.array(new))]
        column = joined(column, pa.StructArray.from_arrays(fields, fields=list(tags.type)), new)
    return records.set_column(place, RECORD_SCHEMA.field("tags"), column)
