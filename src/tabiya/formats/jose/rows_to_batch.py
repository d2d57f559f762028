"""From rows of jose's tables to a batch: column by column, so that a game costs no more than its moves.

Only rows with unusual data in the column Info are processed one by one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabiya.formats.jose.characters import decode_characters
from tabiya.formats.jose.codec import decode_games
from tabiya.formats.jose.dates import EVENT_SHIFT, decode_date, next_day
from tabiya.formats.jose.evaluations import add_evaluations
from tabiya.formats.jose.row import LAST_TAG, NO_VARIANT, OWN_TAGS, Row
from tabiya.formats.row_changes import change_rows
from tabiya.game import GameBatch
from tabiya.game.fields import TAGS
from tabiya.game.schema import RECORD_SCHEMA, TAG
from tabiya.game.tags import COLUMN_TAGS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

_RESULTS: Final = np.array([255, 2, 3, 1], np.uint8)
"""Our results by jose's plus one; -1 is no result, or ``*``."""
_NO_RESULT: Final = 255
_USER_FLAGS: Final = 0x170
_RESULT_DIFFERS: Final = 164
_UNKNOWN: Final = "-"
_SPECIAL: Final = pa.array(TAGS)
"""Names in the column Info with a special meaning."""

Tags = tuple["NDArray[np.int64]", pa.Array, pa.Array]
"""Rows, names and values of some tags."""


def batch_of_rows(rows: Sequence[tuple[Any, ...]], *, first_number: int = 1, shift_dates: bool = False) -> GameBatch:
    """Return the batch of some rows (see ``Row``). ``shift_dates`` adds the day that old archives have lost."""
    if not rows:
        return GameBatch.empty()
    by_column: list[Any] = list(zip(*rows, strict=True))
    columns: Any = Row(*by_column)
    body = decode_games(
        columns.codes, columns.comments, [_text(start) for start in columns.fen], first_number=first_number
    ).record_batch
    arrays = {name: body.column(name) for name in RECORD_SCHEMA.names}
    for name in ("white", "black", "event", "site", "annotator", "round", "eco"):
        arrays[name] = _texts(getattr(columns, name)).dictionary_encode()
    arrays |= _dates(columns, shift=shift_dates)
    for name in ("white_elo", "black_elo"):
        arrays[name] = _ratings(getattr(columns, name))
    row_result = _RESULTS[np.clip(np.array(columns.result, np.int64), -1, 2) + 1]
    text_result = body.column("result").fill_null(_NO_RESULT).to_numpy()
    results = np.where(row_result == _NO_RESULT, text_result, row_result)
    arrays["result"] = pa.array(results, mask=results == _NO_RESULT)
    arrays["deleted"] = pa.array(np.array(columns.deleted, np.bool_))
    arrays["tags"], special = _tags(columns, body, shift=shift_dates)
    batch = GameBatch(pa.RecordBatch.from_arrays([arrays[name] for name in RECORD_SCHEMA.names], schema=RECORD_SCHEMA))
    return _finished(batch, columns, special, (text_result != _NO_RESULT) & (text_result != results))


def _finished(batch: GameBatch, columns: Any, special: NDArray[np.bool_], differing: NDArray[np.bool_]) -> GameBatch:
    """Return the batch with the data that only few rows have."""
    flags = np.array(columns.attributes, np.int64) & _USER_FLAGS

    def change(row: dict[str, Any], index: int) -> None:
        if special[index]:
            _add_info(row, _text(columns.info[index]) or "")
        if flags[index]:
            row["extras"].append({"key": "jose.user_flags", "value": b"%d" % flags[index]})
        if differing[index]:
            row["problems"].append({"code": _RESULT_DIFFERS, "offset": None, "text": ""})

    batch = change_rows(batch, np.flatnonzero(special | (flags != 0) | differing).tolist(), change)
    return add_evaluations(batch, columns.evaluations) if any(columns.evaluations) else batch


# Columns.


def _text(data: bytes | None) -> str | None:
    return None if data is None else decode_characters(data)


def _texts(values: Sequence[bytes | None]) -> pa.Array:
    """Return texts; null for those that are empty or a dash. Each distinct one is decoded once."""
    encoded = pa.array(values, pa.binary()).dictionary_encode()
    distinct = [_text(data) or None for data in encoded.dictionary.to_pylist()]
    known = pa.array([None if text == _UNKNOWN else text for text in distinct], pa.string())
    return known.take(encoded.indices)


def _ratings(values: Sequence[int | None]) -> pa.Array:
    numbers = np.array([value or 0 for value in values], np.int64)
    known = (numbers > 0) & (numbers <= 0xFFFF)
    return pa.array(np.where(known, numbers, 0).astype(np.uint16), mask=~known)


def _day_numbers(values: Sequence[int | None], *, shift: bool) -> NDArray[np.int64]:
    return np.array([(next_day(value) if shift else value) or 0 for value in values], np.int64)


def _dates(columns: Any, *, shift: bool) -> dict[str, pa.Array]:
    days = _day_numbers(columns.game_date, shift=shift)
    flags = np.array(columns.date_flags, np.int64)
    parts = {"year": (days // 10000, 0x40), "month": (days // 100 % 100, 0x20), "day": (days % 100, 0x10)}
    arrays = {}
    for name, (values, unknown) in parts.items():
        kind = RECORD_SCHEMA.field(name).type.to_pandas_dtype()
        arrays[name] = pa.array(values.astype(kind), mask=(flags & unknown != 0) | (values == 0))
    return arrays


# Tags.


def _tags(columns: Any, body: pa.RecordBatch, *, shift: bool) -> tuple[pa.Array, NDArray[np.bool_]]:
    """Return the lists of tags, and which rows have data in Info that must be processed separately."""
    plain = body.column("tags")
    found: list[Tags] = [
        (
            np.repeat(np.arange(len(body)), np.diff(plain.offsets.to_numpy())),
            plain.flatten().field("name"),
            plain.flatten().field("value"),
        )
    ]
    info, special = _info(columns.info)
    own = [_texts(getattr(columns, name)) for name in ("white_title", "black_title", "board", "opening")]
    found += [_own_tag(name, texts, info) for name, texts in zip(OWN_TAGS, own, strict=True)]
    found += [info, _own_tag(LAST_TAG, _event_dates(columns, shift=shift), info)]
    owners = np.concatenate([rows for rows, _, _ in found])
    order = np.argsort(owners, kind="stable")
    names = pa.concat_arrays([names for _, names, _ in found]).take(pa.array(order))
    texts = pa.concat_arrays([texts for _, _, texts in found]).take(pa.array(order))
    offsets = np.searchsorted(owners[order], np.arange(len(body) + 1)).astype(np.int32)
    members = pa.StructArray.from_arrays([names, texts], fields=[TAG.field(0), TAG.field(1)])
    return pa.ListArray.from_arrays(pa.array(offsets), members, type=RECORD_SCHEMA.field("tags").type), special


def _own_tag(name: str, texts: pa.Array, info: Tags) -> Tags:
    """Return a tag with a column, except for the rows that have it in Info."""
    given = texts.is_valid().to_numpy(zero_copy_only=False)
    given[info[0][pc.equal(info[1], name).to_numpy(zero_copy_only=False)]] = False
    rows = np.flatnonzero(given)
    names = pa.array([name]).take(pa.array(np.zeros(len(rows), np.int32)))
    return rows, names, texts.take(pa.array(rows))


def _event_dates(columns: Any, *, shift: bool) -> pa.Array:
    """Return the dates of the events as texts; each distinct one is formatted once."""
    days = _day_numbers(columns.event_date, shift=shift)
    flags = np.array(columns.date_flags, np.int64) >> EVENT_SHIFT & 0xFF
    distinct, places = np.unique(days << 8 | flags, return_inverse=True)
    dates = [decode_date(each >> 8, each & 0xFF) for each in distinct.tolist()]
    return pa.array([None if date is None else str(date) for date in dates], pa.string()).take(pa.array(places))


def _info(values: Sequence[bytes | None]) -> tuple[Tags, NDArray[np.bool_]]:
    """Return the tags of the column Info, without those of special rows."""
    texts = pa.array([_text(data) or None for data in values], pa.string())
    rows = np.flatnonzero(texts.is_valid().to_numpy(zero_copy_only=False))
    parts = pc.split_pattern(texts.drop_null(), ";")
    owners = np.repeat(rows, np.diff(parts.offsets.to_numpy()))
    flat = parts.flatten()
    equals = pc.find_substring(flat, "=").to_numpy(zero_copy_only=False)
    names = pc.list_element(pc.split_pattern(flat, "=", max_splits=1), 0)
    unusual = (equals < 1) | pc.is_in(names, _SPECIAL).to_numpy(zero_copy_only=False)
    special = np.zeros(len(values), np.bool_)
    special[owners[unusual]] = True
    kept = pa.array(~special[owners])
    pairs = pc.split_pattern(flat.filter(kept), "=", max_splits=1)
    return (owners[~special[owners]], pc.list_element(pairs, 0), pc.list_element(pairs, 1)), special


def _add_info(row: dict[str, Any], info: str) -> None:
    """Add the tags of the column Info to a row; such a tag takes precedence over the column of its name."""
    pairs = [_pair(part) for part in info.split(";") if part]
    names = [name for name, _ in pairs]
    kept = [tag for tag in row["tags"] if tag["name"] not in names or tag["name"] == "FEN"]
    tags = [tag for tag in kept if tag["name"] != LAST_TAG]
    seen = set()
    for name, text in pairs:
        tag = COLUMN_TAGS.get(name)
        if name == "SetUp" and text == "1" and row["start"] is not None:
            continue
        if (name, text, row["variant"]) == ("Variant", NO_VARIANT, 1):
            row["variant"] = 0
            continue
        if tag is not None and name != "FEN":
            values = tag.parse(text)
            if name not in seen:
                seen.add(name)
                row.update(zip(tag.columns, values, strict=True))
                row["variant"] = row["variant"] or 0
            if names.count(name) == 1 and tag.format(*values) == text:
                continue
        tags.append({"name": name, "value": text})
    row["tags"] = tags + [tag for tag in kept if tag["name"] == LAST_TAG]


def _pair(part: str) -> tuple[str, str]:
    name, equals, text = part.partition("=")
    return (name, text) if equals and name else ("Info", part)
