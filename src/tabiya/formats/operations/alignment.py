"""Match the records of two databases when records were inserted into or omitted from one of them."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from itertools import pairwise, zip_longest
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    import pyarrow as pa

    Key: TypeAlias = tuple[Hashable, ...]
    Pair: TypeAlias = tuple[int | None, int | None]

_KEY_COLUMNS = ("kind", "white", "black", "event", "round", "year", "month", "day")
_KEY_TOKENS = 24
_WHOLE_KEY, _PLAYERS = len(_KEY_COLUMNS) + 1, 3
"""How much of the key is compared: first all of it; then, because a format may have lost the rest, kind and players."""


def keys_of(records: pa.RecordBatch) -> list[Key]:
    """Return the keys that identify records: players, event, date and the first moves."""
    moves = records["moves"]
    tokens, ends = moves.values.to_numpy(), moves.offsets.to_numpy().tolist()
    begins = [tokens[begin : min(end, begin + _KEY_TOKENS)].tobytes() for begin, end in pairwise(ends)]
    return list(zip(*(records[name].to_pylist() for name in _KEY_COLUMNS), begins, strict=True))


def align(a: Sequence[Key], b: Sequence[Key], *, more: bool = False) -> list[Pair]:
    """Return pairs of positions in order; None marks a record that the other side lacks. O(n log n).

    Records whose key occurs once on each side, in the same order, are paired. Between two such pairs the same is tried
    with kind and players alone, and the remaining records are paired from the front. With ``more`` to come, records
    after the last of these pairs are decided only until half of the longer side has been processed.
    """
    anchors = list(_chain(a, b))
    next_a, next_b = (anchors[-1][0] + 1, anchors[-1][1] + 1) if anchors else (0, 0)
    end_a, end_b = len(a), len(b)
    if more:
        least = (max(end_a, end_b) + 1) // 2 - max(next_a, next_b)
        rest = max(0, min(least, end_a - next_a, end_b - next_b))
        end_a, end_b = next_a + rest, next_b + rest
    pairs: list[Pair] = []
    begin_a = begin_b = 0
    for anchor_a, anchor_b in [*anchors, (end_a, end_b)]:
        pairs += zip_longest(range(begin_a, anchor_a), range(begin_b, anchor_b))
        pairs.append((anchor_a, anchor_b))
        begin_a, begin_b = anchor_a + 1, anchor_b + 1
    return pairs[:-1]


def _chain(a: Sequence[Key], b: Sequence[Key]) -> Iterator[tuple[int, int]]:
    """Yield the pairs that certainly match, in order."""
    begin_a = begin_b = 0
    for end_a, end_b in [*_anchors(a, b, _WHOLE_KEY), (len(a), len(b))]:
        for place_a, place_b in _anchors(a[begin_a:end_a], b[begin_b:end_b], _PLAYERS):
            yield begin_a + place_a, begin_b + place_b
        if end_a < len(a):
            yield end_a, end_b
        begin_a, begin_b = end_a + 1, end_b + 1


def _anchors(keys_a: Sequence[Key], keys_b: Sequence[Key], length: int) -> list[tuple[int, int]]:
    """Return the longest chain of unique keys, cut to a length, in the same order on both sides ("patience")."""
    a, b = [key[:length] for key in keys_a], [key[:length] for key in keys_b]
    count_a, count_b = Counter(a), Counter(b)
    place_b = {key: place for place, key in enumerate(b) if count_b[key] == 1}
    candidates = [(place, place_b[key]) for place, key in enumerate(a) if count_a[key] == 1 and key in place_b]
    ends: list[int] = []  # by length of chain, the smallest position in b at which such a chain ends
    chains: list[int] = []  # by length, the candidate that ends it
    before: list[int | None] = []
    for index, (_, place) in enumerate(candidates):
        length = bisect_left(ends, place)
        before.append(chains[length - 1] if length else None)
        ends[length : length + 1] = [place]
        chains[length : length + 1] = [index]
    found = []
    link = chains[-1] if chains else None
    while link is not None:
        found.append(candidates[link])
        link = before[link]
    return found[::-1]
