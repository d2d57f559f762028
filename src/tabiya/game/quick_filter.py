"""A filter from a single input field: words, all of which must occur somewhere in a header."""

from __future__ import annotations

import re
from functools import reduce
from typing import TYPE_CHECKING, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabiya.game.filter_texts import Remembering, name_matcher
from tabiya.game.tag_values import LENIENT_RESULTS

if TYPE_CHECKING:
    from numpy.typing import NDArray

_NAMES: Final = ("white", "black", "event", "site")
_MOST_WORDS: Final = 16
_CODE: Final = re.compile(r"[A-Ea-e][0-9]{1,2}[a-z]?[0-9]?")


class QuickFilter:
    """Every word must occur in a name (White, Black, event, site), be a prefix of the code (B9), or be year or result.

    Case, accents and punctuation are ignored. It is called with the columns of records, like ``RecordFilter``, and uses
    those of the columns that exist. It is false if it matches every record.
    """

    def __init__(self, text: str) -> None:
        words = text.split()
        # More words than that are searched for as one text, because each word is searched for in all names.
        self._words = words if len(words) <= _MOST_WORDS else [text]
        self._matchers: dict[str, Remembering] = {}

    def __bool__(self) -> bool:
        return bool(self._words)

    def __call__(self, records: pa.RecordBatch) -> pa.BooleanArray:
        """Return which of these records match."""
        masks = (self._found(word, records) for word in self._words)
        return pa.array(reduce(np.logical_and, masks, np.ones(len(records), np.bool_)))

    def _found(self, word: str, records: pa.RecordBatch) -> NDArray[np.bool_]:
        columns = records.schema.names
        mask = np.zeros(len(records), np.bool_)
        for column in (name for name in _NAMES if name in columns):
            mask |= _true(self._in_names(word, records[column].dictionary).take(records[column].indices))
        if _CODE.fullmatch(word) and "eco" in columns:
            codes = records["eco"]
            mask |= _true(pc.starts_with(codes.dictionary, word.capitalize()).take(codes.indices))
        if _is_year(word):
            mask |= _true(pc.equal(records["year"], int(word)))
        result = LENIENT_RESULTS.get(word.lower())
        if result is not None:
            mask |= _true(pc.equal(records["result"], result))
        return mask

    @property
    def needs_eco_codes(self) -> bool:
        """Whether one of the words looks like an ECO code."""
        return any(map(_CODE.fullmatch, self._words))

    @property
    def columns(self) -> frozenset[str]:
        """The columns that it uses."""
        further = {
            "eco": self.needs_eco_codes,
            "year": any(map(_is_year, self._words)),
            "result": any(word.lower() in LENIENT_RESULTS for word in self._words),
        }
        return frozenset((*_NAMES, *(column for column, needed in further.items() if needed)))

    def _in_names(self, word: str, names: pa.Array) -> pa.BooleanArray:
        """Return which names contain the word."""
        if word not in self._matchers:
            self._matchers[word] = Remembering(name_matcher(word, exact=False))
        return self._matchers[word](names)


def _is_year(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) <= len("2020")


def _true(found: pa.Array) -> NDArray[np.bool_]:
    mask: NDArray[np.bool_] = pc.fill_null(found, False).to_numpy(zero_copy_only=False)
    return mask
