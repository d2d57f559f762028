"""A filter as people type it into one field: words, all of which must be found somewhere in a header."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabiya.game.filter_texts import name_matcher
from tabiya.game.tag_values import LENIENT_RESULTS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tabiya.game.filter_texts import Matcher

__all__ = ["QuickFilter"]

_NAMES: Final = ("white", "black", "event", "site")
_MOST_WORDS: Final = 16


class QuickFilter:
    """Every word is found in a name (White, Black, event, site), begins the ECO code, or is the year or the result.

    Case, accents and punctuation do not matter. It is called with the columns of records, like ``RecordFilter``, and
    looks at those of the columns that are there. It is false if it lets everything through.
    """

    def __init__(self, text: str) -> None:
        words = text.split()
        # Who types more words than that means one text; and each word is looked for in all names.
        self._words = words if len(words) <= _MOST_WORDS else [text]

    def __bool__(self) -> bool:
        return bool(self._words)

    def __call__(self, records: pa.RecordBatch) -> pa.BooleanArray:
        """Return which of these records to take."""
        masks = (_found(word, records) for word in self._words)
        return pa.array(reduce(np.logical_and, masks, np.ones(len(records), np.bool_)))


def _found(word: str, records: pa.RecordBatch) -> NDArray[np.bool_]:
    matcher, columns = name_matcher(word, exact=False), records.schema.names
    mask = np.zeros(len(records), np.bool_)
    for column in _NAMES:
        if column in columns:
            mask |= _looked_up(matcher, records[column])
    if "eco" in columns:
        mask |= _looked_up(lambda codes: pc.starts_with(codes, word.upper()), records["eco"])
    if word.isascii() and word.isdigit() and len(word) <= len("2020"):
        mask |= _true(pc.equal(records["year"], int(word)))
    result = LENIENT_RESULTS.get(word.lower())
    if result is not None:
        mask |= _true(pc.equal(records["result"], result))
    return mask


def _looked_up(matcher: Matcher, column: pa.DictionaryArray) -> NDArray[np.bool_]:
    """Look at each name once, however often it occurs."""
    return _true(matcher(column.dictionary).take(column.indices))


def _true(found: pa.Array) -> NDArray[np.bool_]:
    mask: NDArray[np.bool_] = pc.fill_null(found, False).to_numpy(zero_copy_only=False)
    return mask
