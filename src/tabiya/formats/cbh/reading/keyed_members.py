"""The tags or extras of a batch by their keys, indexed once for all uses."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np
import pyarrow as pa

from tabiya.chessbase.list_columns_kernel import first_members, later_members
from tabiya.chessbase.tag_order import TAG_ORDER
from tabiya.formats.cbh.files.cbh import GAME, TEXT
from tabiya.formats.cbh.files.cbj import RECORD as CBJ
from tabiya.formats.cbh.reading.header_window import ROLES
from tabiya.game.lists import owners

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Mask = NDArray[np.bool_]

BODY_KEYS: Final = ("cbh.blob", "cbh.annotations", "cbh.text_titles", "cbh.text_original")
"""Extras that are bytes of bodies."""
TAG_KEYS: Final = TAG_ORDER
EXTRA_KEYS: Final = (
    *dict.fromkeys(each.key for layout in (GAME, TEXT, CBJ) for each in layout.carriers()),
    *("cbh.top_game", "cbh.media"),
    *(carrier.key for role in ROLES for carrier in role.carriers if not carrier.is_tag),
    *BODY_KEYS,
)
"""Tags and extras that a base can store, in the order in which it is read."""


@dataclass(frozen=True)
class Items:
    """The members of a column of tags or extras, and the positions of those with a known key."""

    keys: list[str]
    """The distinct keys of all members."""
    codes: NDArray[np.int32]
    """For each member the index of its key among these."""
    values: pa.Array
    offsets: NDArray[np.int32]
    """The first member of each record."""
    known: tuple[str, ...]
    """The keys that a base can store, in its order, as far as they occur."""
    firsts: NDArray[np.int32]
    """For each known key, and for each record, its first member with this key; -1 for none."""
    repeated: Mask
    """The members whose key is known and occurred earlier in the same record."""

    @classmethod
    def of(cls, lists: pa.Array, order: tuple[str, ...]) -> Items:
        """Return the members of a column; ``order`` contains the known keys."""
        flat = lists.flatten()
        encoded = flat.field(0).dictionary_encode()
        keys: list[str] = encoded.dictionary.to_pylist()
        present = frozenset(keys)
        known = tuple(key for key in order if key in present)
        codes = encoded.indices.to_numpy()
        offsets = lists.offsets.to_numpy()
        offsets = offsets - offsets[0] if len(offsets) else np.zeros(1, np.int32)
        firsts = np.full((len(known), len(lists)), -1, np.int32)
        repeated = np.zeros(len(codes), np.bool_)
        first_members(codes, _ranks(keys, known), offsets, firsts, repeated.view(np.uint8))
        return cls(keys, codes, flat.field(1), offsets, known, firsts, repeated)

    def __len__(self) -> int:
        return len(self.codes)

    @cached_property
    def rows(self) -> NDArray[np.int64]:
        """The record of each member."""
        return owners(self.offsets.astype(np.int64))

    @cached_property
    def of_base(self) -> Mask:
        """The members whose key is a detail of ChessBase, known or not."""
        found: Mask = np.array([*(key.startswith("cbh.") for key in self.keys), False])[self.codes]
        return found

    @cached_property
    def is_known(self) -> Mask:
        """The members whose key is known."""
        found: Mask = np.array([*(key in self.known for key in self.keys), False])[self.codes]
        return found

    def first(self, key: str) -> NDArray[np.int32]:
        """For each record the first member with a known key; -1 for none."""
        found: NDArray[np.int32] = self.firsts[self.known.index(key)]
        return found

    def column(self, key: str) -> pa.Array:
        """Return the first value under a known key of each record, null if there is none."""
        members = self.first(key)
        return self.values.take(pa.array(members, mask=members < 0))

    @cached_property
    def _value_codes(self) -> NDArray[np.int32]:
        """Return a number for the value of each member, equal for equal values; the last is -1, for no member."""
        return np.append(self.values.dictionary_encode().indices.to_numpy(), np.int32(-1))

    def value_codes(self, key: str) -> NDArray[np.int32]:
        """Return numbers for the values of ``column``, equal for equal ones; -1 for null."""
        found: NDArray[np.int32] = self._value_codes[self.first(key)]
        return found

    def columns(self) -> dict[str, pa.Array]:
        """Return the columns of all known keys that become fields of records."""
        return {key: self.column(key) for key in self.known if key not in BODY_KEYS}

    def disordered(self, lost: Mask) -> Mask:
        """Return the members with a known key that follow one that comes later in a base, except lost ones."""
        later = np.zeros(len(self.codes), np.bool_)
        later_members(
            self.codes, _ranks(self.keys, self.known), self.offsets, lost.view(np.uint8), later.view(np.uint8)
        )
        return later

    def names(self, chosen: Mask) -> list[str]:
        """Return the keys of some members, in order of appearance."""
        codes = self.codes[chosen]
        _, places = np.unique(codes, return_index=True)
        return [self.keys[code] for code in codes[np.sort(places)].tolist()]


def _ranks(keys: list[str], known: tuple[str, ...]) -> NDArray[np.int32]:
    """Return the rank of each key among the known ones, -1 for unknown keys."""
    ranks = {key: rank for rank, key in enumerate(known)}
    return np.array([ranks.get(key, -1) for key in keys], np.int32)
