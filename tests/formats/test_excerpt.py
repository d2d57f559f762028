"""Records chosen by their places, against lists of Python."""

from __future__ import annotations

import io
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tabiya
from tabiya.errors import UsageError
from tabiya.formats.runs import Runs, runs_of
from tests.conftest import ROOT

CLASSICS = ROOT / "examples" / "classics.pgn"


@pytest.fixture(params=["pgn", "bcgn", "many"])
def games(request: pytest.FixtureRequest, tmp_path: Path) -> tabiya.Database:
    if request.param == "pgn":
        return tabiya.open(CLASSICS)
    if request.param == "many":
        return tabiya.open([CLASSICS])
    tabiya.convert(CLASSICS, tmp_path / "a.bcgn")
    return tabiya.open(tmp_path / "a.bcgn")


def numbers(database: tabiya.Database) -> list[int | None]:
    """The numbers of its records, after a look at everything else that it can be asked."""
    found = [game.number for game in database]
    assert [row["number"] for batch in database.headers() for row in batch.to_pylist()] == found
    assert len(database) == len(found)
    assert [database[place].number for place in range(len(found))] == found
    assert [game.number for game in database[1:]] == found[1:]
    assert [database.count_up_to(limit) for limit in range(10)] == [min(limit, len(found)) for limit in range(10)]
    assert database.read(0, 99).record_batch["number"].to_pylist() == found
    for threads in (1, 2):
        assert [game.number for batch in database.batches(threads=threads) for game in batch] == found
    return found


@pytest.mark.parametrize(
    ("records", "found"),
    [
        ("5", [5]),
        ("5,2", [2, 5]),
        ("2-4,4,3-5,8", [2, 3, 4, 5, 8]),
        (" 1 - 2 , 7..8", [1, 2, 7, 8]),
        ("6-", [6, 7, 8]),
        ("7-100,1000", [7, 8]),
        ("9", []),
        ([3, 1, 3], [1, 3]),
        (range(2, 5), [2, 3, 4]),
        ([], []),
    ],
)
def test_by_number(games: tabiya.Database, records: str | list[int], found: list[int]) -> None:
    assert numbers(games.excerpt(records)) == found


@pytest.mark.parametrize("records", ["", "x", "1,", "0", "3-2", "-3", "1-2-3", "1" * 19, [0], [-1]])
def test_what_names_no_records(games: tabiya.Database, records: str | list[int]) -> None:
    with pytest.raises(UsageError):
        games.excerpt(records)


def test_limits_and_samples(games: tabiya.Database) -> None:
    assert numbers(games.excerpt(limit=3)) == [1, 2, 3]
    assert numbers(games.excerpt(limit=0)) == []
    assert numbers(games.excerpt(limit=99)) == [1, 2, 3, 4, 5, 6, 7, 8]
    some = games.excerpt(sample=4, seed=7)
    assert numbers(some) == numbers(games.excerpt(sample=4, seed=7))
    assert len({tuple(numbers(games.excerpt(sample=4, seed=seed))) for seed in range(5)}) > 1
    assert numbers(games.excerpt(sample=99)) == numbers(games)
    assert numbers(games.excerpt("2-6", sample=5, seed=1, limit=2)) == [2, 3]
    for sample, seed, limit in ((-1, None, None), (None, None, -1), (None, 3, None)):
        with pytest.raises(UsageError):
            games.excerpt(sample=sample, seed=seed, limit=limit)
    assert games.excerpt() is games


def test_with_conditions(games: tabiya.Database) -> None:
    old = [game.number for game in games.filter(until="1890")]
    assert numbers(games.filter(until="1890").excerpt(limit=2)) == old[:2]
    assert numbers(games.excerpt("2-3").filter(until="1890")) == [number for number in old if number in (2, 3)]


def test_a_sample_is_fair() -> None:
    games = tabiya.open(CLASSICS)
    picked = [game.number for seed in range(200) for game in games.excerpt(sample=2, seed=seed)]
    assert all(20 < picked.count(number) < 90 for number in range(1, 9))


def test_a_stream_is_read_only_as_far_as_needed() -> None:
    class Endless(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            return super().read(size) or (self.seek(0), super().read(size))[1]

    stream = io.BufferedReader(Endless(CLASSICS.read_bytes() + b"\n\n"))
    assert [game.number for game in tabiya.open(stream).excerpt("3,5-6")] == [3, 5, 6]


@given(st.lists(st.integers(1, 40), max_size=12))
def test_runs(places: list[int]) -> None:
    runs = runs_of(places)
    chosen = [place - 1 for place in sorted({*places})]
    assert [place for start, stop in ranges(runs) for place in range(start, stop)] == chosen
    assert all(a[1] < b[0] for a, b in pairwise(ranges(runs)))
    assert (runs.total, runs.end) == (len(chosen), max(places, default=0))
    assert runs.at(np.arange(len(chosen))).tolist() == chosen
    everywhere = np.arange(45)
    assert runs.holds(everywhere).tolist() == [place in chosen for place in range(45)]
    assert runs.rank(everywhere).tolist() == [sum(each < place for each in chosen) for place in range(45)]
    assert ranges(Runs.of(np.array(places, np.int64) - 1)) == ranges(runs)
    if places:
        assert ranges(runs_of(",".join(map(str, places)))) == ranges(runs)


def ranges(runs: Runs) -> list[tuple[int, int]]:
    return list(zip(runs.starts.tolist(), runs.stops.tolist(), strict=True))
