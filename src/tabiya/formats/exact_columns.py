"""Impossible values of columns: they become tags, which every format stores as text or counts as lost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tabiya.formats.row_changes import change_rows
from tabiya.game.tags import COLUMN_TAGS

if TYPE_CHECKING:
    from tabiya.game import GameBatch

_RANGES: Final = {"year": (1, 9999), "month": (1, 12), "day": (1, 31), "white_elo": (1, 65535), "black_elo": (1, 65535)}
_TAGS: Final = ("Date", "WhiteElo", "BlackElo")


def exact_columns(batch: GameBatch) -> GameBatch:
    """Return the batch with impossible dates and ratings (month 14, rating 0) as tags; O(number of records).

    Readers of files never produce such columns, because they do not parse such a tag; other programs may.
    """
    records = batch.record_batch
    unusual = np.zeros(len(batch), np.bool_)
    for name, (least, most) in _RANGES.items():
        values = records.column(name).to_numpy(zero_copy_only=False)  # null is NaN, for which every comparison is false
        unusual |= (values < least) | (values > most)
    return change_rows(batch, np.flatnonzero(unusual).tolist(), _list_impossible)


def _list_impossible(row: dict[str, Any], _: int) -> None:
    for name in _TAGS:
        tag = COLUMN_TAGS[name]
        listed = [each["value"] for each in row["tags"] if each["name"] == name]
        text = listed[0] if listed else tag.format(*(row[column] for column in tag.columns))
        if text is None:
            continue
        values = tag.parse(text)
        row.update(zip(tag.columns, values, strict=True))
        if not listed and tag.format(*values) != text:
            row["tags"].append({"name": name, "value": text})
