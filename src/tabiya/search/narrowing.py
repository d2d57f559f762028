"""Narrowing a search in a library: by its index for positions, by facts, and by a scan of main lines.

The result is the set of records that may match. Uncertain records are read and tested like those of any other
database, so a search in a library returns the same as a scan of all its games.
"""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from tabiya.errors import CorruptError, UsageError
from tabiya.files.parallel import ordered_map
from tabiya.game.where import mask_of
from tabiya.positions.game_facts import Flag, MainLines, records_of
from tabiya.positions.searchable import MOST_PLY
from tabiya.search.boards import ExactPosition
from tabiya.search.conditions import ANYTHING, AllOf, AnyOf, Condition, Lasting, Sequence, SoFar, parts_of
from tabiya.search.scan import FIRST

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

    from tabiya.game.where import Where
    from tabiya.positions.searchable import Searchable, Segment
    from tabiya.search.scan import Scanner

_STRETCH: Final = 8192
"""Records whose main lines are scanned at a time."""
_STRETCHES_IN_MEMORY: Final = 64
"""Mapped main lines are dropped from memory after this many stretches, about a hundred megabytes."""
_NOWHERE: Final = np.empty(0, np.int64), np.empty(0, np.int32)


class Narrowed(NamedTuple):
    """The records that may match; all of them match if ``certain``."""

    places: NDArray[np.int64]
    """Their positions in the library from 0, ascending."""
    plies: NDArray[np.int32]
    """The plies of their first matches, if certain."""
    certain: bool


def narrowed(searchable: Searchable, scanner: Scanner, *, threads: int) -> Narrowed | None:
    """Return the records of a library that may match; None if all of them have to be read."""
    names = None if scanner.where is None else searchable.names.array()
    parts, certain = [], True
    for segment in searchable.segments:
        found = _in_segment(segment, scanner, names, threads)
        if found is None:
            return None
        parts.append(found)
        certain &= found.certain
    places, plies = (np.concatenate(each) for each in zip(_NOWHERE, *(part[:2] for part in parts), strict=True))
    order = np.argsort(places, kind="stable")
    return Narrowed(places[order], plies[order], certain)


def _in_segment(segment: Segment, scanner: Scanner, names: pa.Array | None, threads: int) -> Narrowed | None:
    if scanner.variations and not segment.has_variations:
        return None
    found = _reached(scanner.condition, segment, variations=scanner.variations)
    if found is None and scanner.variations:
        return None
    rows, plies = _all_games(segment) if found is None else found
    by_index = found is not None and _is_answered(scanner.condition) and not len(segment.cut_rows)
    if segment.hidden is not None:
        visible = ~segment.hidden[rows]
        rows, plies = rows[visible], plies[visible]
    certain = not scanner.variations and not scanner.everything and not scanner.needs_records
    if names is not None and scanner.where is not None:
        met = _met(segment, rows, scanner.where, names)
        certain &= met is not None
        rows, plies = (rows, plies) if met is None else (rows[met], plies[met])
    if not by_index and scanner.condition is not ANYTHING and not scanner.variations and not scanner.needs_records:
        rows, plies = _scanned(segment, rows, scanner, threads)
    places = rows + segment.first if segment.numbers is None else segment.numbers[rows].astype(np.int64)
    return Narrowed(places, plies.astype(np.int32), certain)


def _all_games(segment: Segment) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    rows = np.flatnonzero(segment.facts["flags"] & (Flag.GAME | Flag.DELETED) == Flag.GAME)
    return rows, np.zeros(len(rows), np.int32)


def _met(segment: Segment, rows: NDArray[np.int64], where: Where, names: pa.Array) -> NDArray[np.bool_] | None:
    """Return which rows meet a condition on headers; None if facts do not suffice."""
    try:
        return mask_of(records_of(segment.facts[rows], names), where)
    except UsageError:
        return None


def _is_answered(condition: Condition) -> bool:
    """Return whether the index alone determines the found games and their first matches."""
    return isinstance(condition, ExactPosition) or (
        isinstance(condition, AnyOf) and all(isinstance(part, ExactPosition) for part in condition.conditions)
    )


def _reached(
    condition: Condition, segment: Segment, *, variations: bool
) -> tuple[NDArray[np.int64], NDArray[np.int32]] | None:
    """Return the games that reach positions required by a condition; None if it requires no position.

    The constructors of conditions limit the depth of nesting.
    """
    if isinstance(condition, ExactPosition):
        return _of_position(condition, segment, variations=variations)
    inner = [_reached(part, segment, variations=variations) for part in parts_of(condition)]
    narrower = [part for part in inner if part is not None]
    if isinstance(condition, AnyOf):
        return _united(narrower) if len(narrower) == len(inner) else None
    if isinstance(condition, (AllOf, Sequence, Lasting, SoFar)) and narrower:
        rows = reduce(np.intersect1d, (part[0] for part in narrower))
        return rows, np.zeros(len(rows), np.int32)
    return None


def _of_position(
    condition: ExactPosition, segment: Segment, *, variations: bool
) -> tuple[NDArray[np.int64], NDArray[np.int32]] | None:
    if not segment.has_positions:
        return None
    keys = condition.keys()
    if condition.has_chess960:
        others = condition.chess960_keys() if segment.has_chess960 else None
        if others is None:
            return None
        keys += others
    found = [(rows.games, rows.plies) for rows in map(segment.find, keys)]
    if variations:
        lines = map(segment.find_variations, keys)
        found += [(rows.games, np.zeros(len(rows.games), np.int16)) for rows in lines]
    long = segment.cut_rows, np.full(len(segment.cut_rows), MOST_PLY, np.int32)
    return _united([long, *((_rows_of(segment, games), plies.astype(np.int32)) for games, plies in found)])


def _rows_of(segment: Segment, games: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return the rows of games of a segment, by their numbers in the library."""
    numbers = segment.numbers
    rows = games.astype(np.int64) - segment.first if numbers is None else np.searchsorted(numbers, games)
    sound = len(rows) == 0 or (rows.min() >= 0 and rows.max() < len(segment.facts))
    if not sound or (numbers is not None and not np.array_equal(numbers[rows], games)):
        raise CorruptError("the position index of the library names records that do not exist")
    return rows


def _united(
    found: list[tuple[NDArray[np.int64], NDArray[np.int32]]],
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return the games of all lists in order, each once, with the lowest ply."""
    found = [part for part in found if len(part[0])]
    if len(found) < 2:
        return found[0] if found else _NOWHERE
    rows, plies = (np.concatenate(each) for each in zip(*found, strict=True))
    order = np.lexsort((plies, rows))
    rows, plies = rows[order], plies[order]
    first = np.concatenate(([True], rows[1:] != rows[:-1]))
    return rows[first], plies[first]


def _scanned(
    segment: Segment, rows: NDArray[np.int64], scanner: Scanner, threads: int
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return the rows whose main lines meet the condition, and the first match of each."""
    lines, facts = segment.lines, segment.facts
    selected = np.zeros(len(facts), np.bool_)
    selected[rows] = True

    def scan(begin: int) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        end = min(begin + _STRETCH, len(facts))
        part = MainLines(lines.moves, lines.ends[begin : end + 1], lines.starts[begin:end])
        first = scanner.scan_lines(part, facts[begin:end], selected[begin:end])[:, FIRST]
        hits = np.flatnonzero(first >= 0)
        return begin + hits, first[hits]

    begins = (np.unique(rows // _STRETCH) * _STRETCH).tolist()
    parts = [_NOWHERE]
    for part in ordered_map(scan, begins, threads):
        parts.append(part)
        if len(parts) % _STRETCHES_IN_MEMORY == 0:
            segment.forget_pages()
    found, plies = zip(*parts, strict=True)
    return np.concatenate(found), np.concatenate(plies)
