"""The hash tree of a book: assigns pages to its leaves and writes its directory files.

Nodes are numbered as in dbm: the root is 0, and a node of depth d with the low bits b of the hash is b + 2^d - 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from tabiya.books.ctg.tree_kernel import find_leaves

if TYPE_CHECKING:
    import numpy.typing as npt

    from tabiya.books.ctg.sorting import Part

_PAGE_BYTES: Final = 4092
_LEAST_DEEPEST: Final = 20
_MARGIN: Final = 8


@dataclass(frozen=True, slots=True)
class Leaves:
    """The leaves of a part of the tree, in the order of its records."""

    nodes: npt.NDArray[np.int64]
    stops: npt.NDArray[np.int64]
    """The end of the records of each leaf."""

    @classmethod
    def of(cls, part: Part, *, forced: int, deepest: int) -> Leaves:
        """Split the part until every leaf fits a page, and at least down to depth ``forced``."""
        ends = part.records.ends
        nodes = stops = np.empty(0, np.int64)
        for _ in range(2):  # the first round only counts
            size = find_leaves(part.records.keys, ends, part.depth, part.bits, forced, deepest, nodes, stops)
            if size <= len(nodes):
                break
            nodes, stops = np.empty(size, np.int64), np.empty(size, np.int64)
        return cls(nodes, stops)


def deepest_for(size: int) -> int:
    """Return the maximum depth of a tree for this many bytes of records: far deeper than hashes usually require.

    The table of leaves has a slot for every node, so a few records with equal hashes could make it huge.
    """
    return min(31, max(_LEAST_DEEPEST, (size // _PAGE_BYTES).bit_length() + _MARGIN))


@dataclass(frozen=True, slots=True)
class Tree:
    """A whole tree: pages of all leaves, and the two tables of its directory."""

    pages: npt.NDArray[np.int64]
    """The page of each leaf, in the order of the given leaves."""
    bitmap: bytes
    slots: bytes

    @classmethod
    def of(cls, leaves: npt.NDArray[np.int64]) -> Tree:
        """Number the pages as ChessBase does: of every split the 0-branch keeps the page, the 1-branch gets a new one.

        Splits are numbered in the order of their nodes, level by level, which is an order that can really occur.
        """
        splits = _ancestors(leaves)
        tops = leaves.copy()
        while (climbing := (tops > 0) & ~_is_one_branch(tops)).any():
            tops[climbing] = parents_of(tops[climbing])
        pages = np.where(tops > 0, np.searchsorted(splits, parents_of(tops)) + 1, 0)
        slots = np.full(int(leaves.max(initial=0)) + 1, -1, ">i4")
        slots[leaves] = pages
        return cls(pages, _bitmap_of(splits), slots.tobytes())


def _depths(nodes: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    _, exponents = np.frexp((nodes + 1).astype(np.float64))
    depths: npt.NDArray[np.int64] = exponents.astype(np.int64) - 1
    return depths


def parents_of(nodes: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return the parents; the root is its own parent."""
    masks = (np.int64(1) << _depths(nodes)) - 1
    above = masks >> 1
    parents: npt.NDArray[np.int64] = (nodes - masks & above) + above
    return parents


def children_of(nodes: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return both children of each node."""
    masks = (np.int64(1) << _depths(nodes)) - 1
    zeros = nodes + masks + 1
    return np.concatenate([zeros, zeros + masks + 1])


def _is_one_branch(nodes: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
    masks = (np.int64(1) << _depths(nodes)) - 1
    branches: npt.NDArray[np.bool_] = (nodes - masks & (masks + 1 >> 1)) != 0
    return branches


def _ancestors(nodes: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return all ancestors of these nodes, sorted."""
    found = [np.empty(0, np.int64)]
    while len(nodes := np.unique(parents_of(nodes[nodes > 0]))):
        found.append(nodes)
    return np.unique(np.concatenate(found))


def _bitmap_of(splits: npt.NDArray[np.int64]) -> bytes:
    bits = np.zeros(int(splits.max(initial=-1)) + 1, np.uint8)
    bits[splits] = 1
    return np.packbits(bits, bitorder="little").tobytes()
