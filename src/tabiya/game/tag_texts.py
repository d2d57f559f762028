"""The tags of a batch as columns of text: ``unfold_tags`` for all records at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabiya.game.lists import members, owners
from tabiya.game.record import Variant
from tabiya.game.tag_values import RESULTS, format_variant
from tabiya.game.tags import COLUMN_TAGS

if TYPE_CHECKING:
    from collections.abc import Callable

_NO_TEXT: Final = pa.scalar(None, pa.string())
_RESULT_TEXTS: Final = pa.array(RESULTS.values(), pa.string())
_VARIANT_TEXTS: Final = pa.array([format_variant(variant) for variant in Variant], pa.string())


def _date_texts(records: pa.RecordBatch) -> pa.Array:
    parts = [records[name] for name in ("year", "month", "day")]
    texts = [
        pc.fill_null(pc.utf8_lpad(part.cast(pa.string()), width, "0"), "?" * width)
        for part, width in zip(parts, (4, 2, 2), strict=True)
    ]
    known = pc.or_(pc.or_(parts[0].is_valid(), parts[1].is_valid()), parts[2].is_valid())
    return pc.if_else(known, pc.binary_join_element_wise(*texts, "."), _NO_TEXT)


def _plain_texts(column: str) -> Callable[[pa.RecordBatch], pa.Array]:
    def texts(records: pa.RecordBatch) -> pa.Array:
        values = records[column]
        return values.dictionary_decode() if pa.types.is_dictionary(values.type) else values.cast(pa.string())

    return texts


def _setup_texts(records: pa.RecordBatch) -> pa.Array:
    return pc.if_else(records["start"].is_valid(), "1", _NO_TEXT)


COLUMN_TEXTS: Final[dict[str, Callable[[pa.RecordBatch], pa.Array]]] = {
    **{name: _plain_texts(tag.columns[0]) for name, tag in COLUMN_TAGS.items()},
    "Date": _date_texts,
    "Result": lambda records: _RESULT_TEXTS.take(records["result"]),
    "Variant": lambda records: _VARIANT_TEXTS.take(records["variant"]),
    "SetUp": _setup_texts,
}
"""For each tag with its own columns, the function that formats them: null where the tag is missing.

A tag of the same name in the list ``tags`` takes precedence.
"""

LISTED_TAGS: Final = {
    "white": "White",
    "white_elo": "WhiteElo",
    "black": "Black",
    "black_elo": "BlackElo",
    "result": "Result",
    "date": "Date",
    "eco": "ECO",
    "event": "Event",
    "site": "Site",
    "round": "Round",
    "annotator": "Annotator",
    "variant": "Variant",
    "start": "FEN",
}
"""The tags that lists of games show, by their names there, in order."""


def tag_texts(records: pa.RecordBatch, name: str) -> pa.Array:
    """Return the texts of any tag, null where it is missing; of a repeated tag the first, as ``Tags.get`` does."""
    tags, offsets = members(records["tags"])
    named = np.flatnonzero(pc.equal(tags.field("name"), name).to_numpy(zero_copy_only=False))
    places = np.full(len(records), -1, np.int64)
    places[owners(offsets)[named][::-1]] = named[::-1]
    listed = tags.field("value").take(pa.array(places, mask=places < 0))
    return pc.coalesce(listed, COLUMN_TEXTS[name](records)) if name in COLUMN_TEXTS else listed
