"""Columns of a batch from the entries of an index: names, dates, ratings, results, ECO codes, flags."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa

from tabiya.formats.row_changes import change_rows
from tabiya.formats.scid.codes import (
    DELETED,
    DERIVED_FLAGS,
    MONTHS,
    MOST_ECO,
    NAMELESS_RATING,
    RESULTS,
    decode_eco,
    flag_letters,
)
from tabiya.formats.scid.name_file import ROLES
from tabiya.game import GameBatch
from tabiya.game.lists import joined
from tabiya.game.schema import EXTRA
from tabiya.game.tags import COLUMN_TAGS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Rows = NDArray[np.int64]

NO_DATE: Final = "????.??.??"
"""The text of a completely unknown date, as Scid writes it."""


def date_text(date: int) -> str:
    """Return the text of a date: ``2024.05.??``."""
    year, month, day = date >> 9, date >> 5 & 15, date & 31
    return ".".join((f"{year:04}" if year else "????", *(f"{part:02}" if part else "??" for part in (month, day))))


def index_columns(entries: Any, names: Sequence[pa.Array]) -> dict[str, pa.Array]:
    """Return the columns that an index contains, except tags."""
    date = entries["date"]
    month = date >> 5 & 15
    columns = {
        "deleted": pa.array(entries["flags"] & DELETED != 0),
        "year": _or_null(date >> 9, np.uint16),
        "month": _or_null(np.where(month <= MONTHS, month, 0), np.uint8),
        "day": _or_null(date & 31, np.uint8),
        "result": pa.array(np.where(entries["result"] < RESULTS, entries["result"], np.uint8(0))),
        "eco": _interned(entries["eco"], 1 << 16, lambda used: pa.array([decode_eco(code) for code in used.tolist()])),
    }
    for side in ("white", "black"):
        elo = np.where(_is_elo(entries, side), entries[f"{side}_elo"], 0)
        columns[f"{side}_elo"] = _or_null(elo, np.uint16)
    for name, kind in ROLES.items():
        texts = names[kind]
        ids = np.where(entries[name] < len(texts), entries[name], len(texts))
        columns[name] = _interned(ids, len(texts), partial(_known, texts))
    return columns


def _is_elo(entries: Any, side: str) -> NDArray[np.bool_]:
    kinds: NDArray[np.uint8] = entries[f"{side}_type"]
    is_elo: NDArray[np.bool_] = (kinds == 0) | (kinds == NAMELESS_RATING)
    return is_elo


def _known(names: pa.Array, used: Rows) -> pa.Array:
    """Return some of the names, with null for empty ones."""
    texts = names.take(pa.array(used))
    lengths = pa.compute.binary_length(texts).to_numpy(zero_copy_only=False)
    return pa.compute.if_else(pa.array(lengths > 0), texts, None) if (lengths == 0).any() else texts


def _interned(ids: NDArray[Any], size: int, texts_of: Callable[[NDArray[np.int64]], pa.Array]) -> pa.Array:
    """Return a column of names; ids from ``size`` on, and null texts, are null."""
    present = np.zeros(size + 1, np.bool_)
    present[ids] = True
    present[size] = False
    used = np.flatnonzero(present)
    texts = texts_of(used)
    valid = texts.is_valid().to_numpy(zero_copy_only=False)
    places = np.full(size + 1, -1, np.int32)
    places[used[valid]] = np.arange(int(valid.sum()))
    found = places[ids]
    different = texts.filter(pa.array(valid)).cast(pa.string())
    return pa.DictionaryArray.from_arrays(pa.array(found, mask=found < 0), different)


def _or_null(values: NDArray[Any], kind: Any) -> pa.Array:
    return pa.array(values.astype(kind), mask=values == 0)


# --- tags and extras -------------------------------------------------------------------------------------------------


NO_INDEX: Final[NDArray[np.int32]] = np.zeros((0, 6), np.int32)
"""Replaces ``index_tags`` for game data without an index."""


def index_tags(entries: Any) -> NDArray[np.int32]:
    """Return values for tags, a row per game, for ``read_games``: kinds of ratings, ratings, event date, date."""
    columns = ("white_type", "white_elo", "black_type", "black_elo", "event_date", "date")
    return np.stack([entries[name].astype(np.int32) for name in columns], axis=1)


def with_extras(extras: pa.ListArray, entries: Any) -> pa.ListArray:
    """Return the extras with the data that only Scid has: user flags, and invalid codes."""
    flags = entries["flags"] & ~np.uint32(DERIVED_FLAGS | DELETED)
    extras = _with_extra(extras, "scid.flags", flags, flag_letters)
    extras = _with_extra(extras, "scid.eco", np.where(entries["eco"] > MOST_ECO, entries["eco"], 0), str)
    extras = _with_extra(extras, "scid.result", np.where(entries["result"] >= RESULTS, entries["result"], 0), str)
    for side in ("white", "black"):
        kinds = np.where((entries[f"{side}_elo"] > 0) & _is_elo(entries, side), entries[f"{side}_type"], 0)
        extras = _with_extra(extras, f"scid.{side}_rating_type", kinds, str)
    return extras


def _with_extra(extras: pa.ListArray, key: str, values: NDArray[Any], spell: Callable[[int], str]) -> pa.ListArray:
    """Return the extras with one added where the value is not 0."""
    rows = np.flatnonzero(values)
    if not len(rows):
        return extras
    distinct, places = np.unique(values[rows], return_inverse=True)
    texts = pa.array([spell(each).encode() for each in distinct.tolist()], pa.binary())
    keys = pa.array([key]).take(pa.array(np.zeros(len(rows), np.int32)))
    more = pa.StructArray.from_arrays([keys, texts.take(pa.array(places))], fields=list(EXTRA))
    return joined(extras, more, rows)


def settled(batch: GameBatch, rows: Rows) -> GameBatch:
    """Return the batch with tags of some rows moved to their columns, where these agree."""
    return change_rows(batch, rows.tolist(), lambda row, _: _settle(row))


def _settle(row: dict[str, Any]) -> None:
    given: dict[str, list[str]] = {}
    for tag in row["tags"]:
        given.setdefault(tag["name"], []).append(tag["value"])
    names = set()
    for name, texts in given.items():
        tag = COLUMN_TAGS.get(name)
        if tag is None or name == "FEN":
            continue
        if texts == [""] and name in ("Date", "Result"):  # it is absent
            row.update(dict.fromkeys(tag.columns))
            names.add(name)
            continue
        values = tag.parse(texts[0])
        if name != "Variant" or values[0]:
            row.update(zip(tag.columns, values, strict=True))
        if len(texts) == 1 and tag.format(*(row[column] for column in tag.columns)) == texts[0]:
            names.add(name)
    row["tags"] = [tag for tag in row["tags"] if tag["name"] not in names]
