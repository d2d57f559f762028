"""Which record of one database belongs to which of another, when records were inserted or left out."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from itertools import pairwise, zip_longest
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    import pyarrow as pa

    Key: TypeAlias = Hashable
    Pair: TypeAlias = tuple[int | None, int | None]

__all__ = ["align", "keys_of"]

_KEY_COLUMNS = ("kind", "white", "black", "event", "round", "year", "month", "day")
_KEY_TOKENS = 24


def keys_of(records: pa.RecordBatch) -> list[Key]:
    """What a record is recognised by: players, event and date, and how the game begins."""
    moves = records["moves"]
    tokens, ends = moves.values.to_numpy(), moves.offsets.to_numpy().tolist()
    begins = [tokens[begin : min(end, begin + _KEY_TOKENS)].tobytes() for begin, end in pairwise(ends)]
    return list(zip(*(records[name].to_pylist() for name in _KEY_COLUMNS), begins, strict=True))


def align(a: Sequence[Key], b: Sequence[Key], *, more: bool = False) -> list[Pair]:
    """Pairs of positions in order; None stands for a record that the other side lacks. O(n log n).

    Records whose key occurs once on each side, in the same order, belong together; what lies between two such pairs is
    paired from the front. With ``more`` to come on both sides, what lies behind the last of them is decided only as far
    as is needed to have dealt with half of the longer side.
    """
    pairs: list[Pair] = []
    next_a = next_b = 0
    for anchor_a, anchor_b in _anchors(a, b):
        pairs += _between(next_a, anchor_a, next_b, anchor_b)
        pairs.append((anchor_a, anchor_b))
        next_a, next_b = anchor_a + 1, anchor_b + 1
    if not more:
        pairs += _between(next_a, len(a), next_b, len(b))
    else:
        least = max(len(a), len(b)) // 2 - max(next_a, next_b)
        rest = max(0, min(least, len(a) - next_a, len(b) - next_b))
        pairs += _between(next_a, next_a + rest, next_b, next_b + rest)
    return pairs


def _between(begin_a: int, end_a: int, begin_b: int, end_b: int) -> Iterator[Pair]:
    return zip_longest(range(begin_a, end_a), range(begin_b, end_b))


def _anchors(a: Sequence[Key], b: Sequence[Key]) -> list[tuple[int, int]]:
    """The longest chain of unique keys that stand in the same order on both sides ("patience")."""
    count_a, count_b = Counter(a), Counter(b)
    place_b = {key: place for place, key in enumerate(b) if count_b[key] == 1}
    candidates = [(place, place_b[key]) for place, key in enumerate(a) if count_a[key] == 1 and key in place_b]
    ends: list[int] = []  # by length of chain, the least place in b that such a chain ends with
    chains: list[int] = []  # by length, the candidate it ends with
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
