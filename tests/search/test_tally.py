"""Sums over parts of a database: the same however games are divided among parts, in the memory of one."""

from __future__ import annotations

import tracemalloc

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tabiya.search.tally import STATISTICS, PartTally, Statistics, Tally, counts_of

NO_DATE = 0x7FFFFFFF
GAME = st.tuples(
    st.integers(-1, 4), st.integers(0, 3), st.one_of(st.just(0), st.integers(1000, 2800)), st.integers(0, 2030)
)


def row_of(move: int, result: int, rating: int, year: int) -> Statistics:
    """What the kernel says about one game whose opponent may have a rating."""
    row = np.zeros(1, STATISTICS)
    row["move"], row["last"], row["first"] = move, year * 10_000, year * 10_000 if year else NO_DATE
    row["results"][0, result] = 1
    row["faced"][0, result] = rating > 0
    row["opponents"], row["ratings"], row["rated"] = rating if result else 0, rating, rating > 0
    words: Statistics = row.view(np.int64).tolist()
    return words


def part_of(*rows: Statistics) -> PartTally:
    return PartTally([*rows], [], [], {}, np.empty(0, np.int64), np.empty(0, np.int16), 0)


@given(st.lists(GAME, max_size=20))
def test_parts_add_up(games: list[tuple[int, int, int, int]]) -> None:
    tally = Tally(best=0, latest=0)
    for game in games:
        tally.add(part_of(row_of(*game)))
    found = {row[0]: counts_of([row], 0) for row in tally.statistics()}
    assert found.keys() == {move for move, *_ in games}
    found |= {99: counts_of(tally.statistics(), 0)}
    for move, counts in found.items():
        chosen = [game for game in games if move in {99, game[0]}]
        ratings = [rating for _, _, rating, _ in chosen if rating]
        years = [year for *_, year in chosen if year]
        results = [result for _, result, *_ in chosen]
        assert counts["games"] == len(chosen)
        assert [counts[name] for name in ("white", "black", "draws")] == [results.count(each) for each in (1, 2, 3)]
        assert counts["average_rating"] == (round(sum(ratings) / len(ratings)) if ratings else None)
        assert (counts["first_year"], counts["last_year"]) == (min(years, default=None), max(years, default=None))


def test_memory_does_not_grow_with_the_parts() -> None:
    """A database that is read from a file has a part for every few thousand games."""
    tally = Tally(best=0, latest=0)
    tracemalloc.start()
    try:
        for _ in range(500):
            tally.add(part_of(*(row_of(move, 1, 2500, 2000) for move in range(20))))
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert sum(row[2] for row in tally.statistics()) == 500 * 20
    assert held < 1 << 18
