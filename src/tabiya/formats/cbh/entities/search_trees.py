"""The search trees in entity files: the order of entities in ChessBase, and balanced trees in that order."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tabiya.chessbase.strings import text_lengths

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tabiya.chessbase.header_fields import Table

NO_NODE: Final = -1
_SIGN: Final = 0x80
_WORD: Final = 8
_KEY_BYTES: Final = 32 << 20
"""Bytes of all keys in memory at a time; or eight bytes of each, whichever is more."""

Part = Callable[["Table"], "NDArray[np.uint8]"]
"""Returns some bytes of the key of each record; keys are compared as unsigned bytes."""


def _bytes(values: NDArray[Any], width: int) -> NDArray[np.uint8]:
    """Return integers as a fixed number of bytes, the highest first."""
    wide = np.ascontiguousarray(values.astype(">u8")).view(np.uint8).reshape(len(values), _WORD)
    return wide[:, _WORD - width :]


def _text(name: str, *, signed: bool) -> Part:
    """Return a text up to its NUL as a key. Letters are signed, so those beyond ASCII sort before all others."""

    def part(table: Table) -> NDArray[np.uint8]:
        matrix = table[name]
        inside = np.arange(matrix.shape[1]) < text_lengths(matrix)[:, None]
        clean = np.where(inside, matrix, np.uint8(0))
        return clean ^ np.uint8(_SIGN) if signed else clean

    return part


def _date(shift: int, mask: int) -> Part:
    """Return a part of the date of a tournament, the latest first."""
    return lambda table: _bytes(mask - (table["date"].astype(np.int64) >> shift & mask), 4)


def _number(name: str, width: int) -> Part:
    return lambda table: _bytes(table[name], width)


def _seasons_first(table: Table) -> NDArray[np.uint8]:
    return 1 - (table["season"] & 1).reshape(-1, 1).astype(np.uint8)


_PARTS: Final[dict[str, tuple[Part, ...]]] = {
    ".cbp": (_text("last", signed=False), _text("first", signed=False)),
    ".cbt": (
        _date(9, 0x7FFFFF),
        _text("title", signed=True),
        _text("place", signed=True),
        _date(5, 0xF),
        _date(0, 0x1F),
    ),
    ".cbc": (_text("name", signed=True),),
    ".cbs": (_text("title", signed=True),),
    ".cbe": (
        _text("title", signed=False),
        _number("number", 4),
        _seasons_first,
        _number("year", 4),
        _number("nation", 1),
    ),
}
"""The keys by suffix. In all sample bases an in-order walk of each tree returns its records in this order."""


def sort_key(suffix: str, table: Table) -> NDArray[np.uint8]:
    """Return the key of each record as a row of bytes."""
    parts = _PARTS.get(suffix)
    if parts is None:  # game tags: their titles, concatenated
        texts = [field.name for field in table.layout.fields if field.is_bytes]
        parts = tuple(_text(name, signed=False) for name in texts)
    return np.concatenate([part(table) for part in parts], axis=1)


def key_order(suffix: str, tables: Callable[[], Iterable[Table]], count: int) -> NDArray[np.int64]:
    """Return the positions of the records in the order of their keys; the sort is stable.

    ``tables`` returns the records in pieces, and is called repeatedly: keys are long, so they are sorted from their
    last bytes to the first, with only some bytes of each in memory.
    """
    order = np.arange(count)
    at_once = max(1, _KEY_BYTES // (_WORD * max(count, 1)))
    end = max((-(-sort_key(suffix, table).shape[1] // _WORD) for table in tables() if len(table)), default=0)
    while end > 0:
        begin = max(0, end - at_once)
        words, place = np.empty((end - begin, count), np.uint64), 0
        for table in tables():
            words[:, place : place + len(table)] = _key_words(sort_key(suffix, table), begin, end)
            place += len(table)
        order = order[np.lexsort(words[::-1, order])]  # which is stable, and sorts by the last row first
        end = begin
    return order


def _key_words(key: NDArray[np.uint8], begin: int, end: int) -> NDArray[np.uint64]:
    """Return some words of each key, a row for each position in the key."""
    part = key[:, _WORD * begin : _WORD * end]
    padded = np.zeros((len(key), _WORD * (end - begin)), np.uint8)
    padded[:, : part.shape[1]] = part
    return padded.view(">u8").astype(np.uint64).T


class Nodes:
    """The links of a tree: for each record its left and right child, and its balance."""

    def __init__(self, count: int) -> None:
        self.root = 0
        self.left = np.full(count, NO_NODE, np.int32)
        self.right = np.full(count, NO_NODE, np.int32)
        self.balance = np.zeros(count, np.int8)


def balanced_tree(order: NDArray[np.int64], count: int) -> Nodes:
    """Return a tree of minimal height over the records in this order (of ``count`` in total), built level by level."""
    nodes = Nodes(count)
    if not len(order):
        return nodes
    begins, ends = np.zeros(1, np.int64), np.full(1, len(order), np.int64)
    nodes.root = int(order[_middle(begins, ends)[0]])
    while len(begins):
        middles = _middle(begins, ends)
        parents = order[middles]
        # Halves differ by at most one record, so the height of each follows from its size alone.
        nodes.balance[parents] = _heights(ends - middles - 1) - _heights(middles - begins)
        to_left, to_right = begins < middles, middles + 1 < ends
        nodes.left[parents[to_left]] = order[_middle(begins[to_left], middles[to_left])]
        nodes.right[parents[to_right]] = order[_middle(middles[to_right] + 1, ends[to_right])]
        begins, ends = (
            np.concatenate([begins[to_left], middles[to_right] + 1]),
            np.concatenate([middles[to_left], ends[to_right]]),
        )
    return nodes


def _middle(begins: NDArray[np.int64], ends: NDArray[np.int64]) -> NDArray[np.int64]:
    return (begins + ends) // 2


def _heights(sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the minimal height of a tree: the number of binary digits of its size."""
    return np.frexp(sizes.astype(np.float64))[1].astype(np.int64)
