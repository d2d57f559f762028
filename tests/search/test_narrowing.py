"""A search in a library finds what a scan of the same records finds, whatever is asked and however the library grew."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow.compute as pc
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tabiya
from tabiya.errors import UsageError
from tabiya.formats.library.database import LibraryDatabase
from tabiya.formats.library.segment import LibrarySegment
from tabiya.search import (
    Captured,
    Check,
    Condition,
    ExactPosition,
    LastPosition,
    Matches,
    Material,
    MovePlayed,
    Never,
    Pattern,
    Plies,
    Query,
    Sequence,
    ToMove,
    narrowing,
)
from tests.formats.corpus import long_corpus

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tabiya.formats import Database

_BEGINNINGS = ("1. e4", "1. e4 e5", "1. e4 e5 2. Nf3", "1. e4 c5", "1. d4", "1. a4", "1. Nf3 Nc6 2. e4 e5")
_PLAIN: list[Condition] = [
    *(ExactPosition(moves) for moves in _BEGINNINGS),
    ExactPosition("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"),
    ExactPosition("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", chess960=True),
    ExactPosition("1. e4", castling=False),
    Pattern("Pe4 pe5"),
    Pattern("Nf3"),
    MovePlayed("Nf3"),
    Captured("P"),
    Check(),
    LastPosition(),
    Material("KPK"),
    Plies(3, 9),
    ToMove("black"),
]
_HEADERS: list[dict[str, Any]] = [
    {},
    {"player": "anand"},
    {"white": "/^Ding/", "min_elo": 2600},
    {"since": "2005", "until": "2010-06"},
    {"eco": "B"},
    {"results": ["1-0", "0-1"]},
    {"tags": ["Round"]},
    {"event": "championship", "site": "x"},
]


@pytest.fixture(scope="module")
def databases(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Database, Database]]:
    """The same records as a Parquet file, and as a library that was made in three steps and changed afterwards."""
    folder: Path = tmp_path_factory.mktemp("indexed")
    records = long_corpus(400)
    library, plain = folder / "games.tabiya", folder / "games.parquet"
    for begin, end in ((0, 300), (300, 390), (390, 400)):
        with tabiya.create(library, append=True, variations=True) as writer:
            writer.write(records[begin:end])
    with tabiya.edit(library) as editor:
        editor.delete([7, 12, 301])
        editor.replace(20, records[40])
        editor.replace(395, records[3])
    tabiya.convert(library, plain)
    with tabiya.open(plain) as scanned, tabiya.open(library) as indexed:
        yield scanned, indexed


def _found(matches: Matches) -> list[tuple[int, int]]:
    return [(match.number, match.ply) for match in matches]


def _compare(databases: tuple[Database, Database], query: Query, *, everything: bool = False) -> None:
    scanned, indexed = (Matches(database, query, everything=everything) for database in databases)
    expected = _found(scanned)
    assert _found(indexed) == expected
    assert indexed.count() == len(expected)
    listed = [
        (number, ply)
        for headers, plies in indexed.headers()
        for number, ply in zip(headers["number"].to_pylist(), plies.tolist(), strict=True)
    ]
    assert listed == expected
    assert [game.number for game in indexed.database()] == [number for number, _ in expected]
    assert len(indexed.database()) == len(expected)


def test_the_library_has_what_the_tests_need(databases: tuple[Database, Database]) -> None:
    searchable = databases[1].searchable()
    assert isinstance(databases[1], LibraryDatabase)
    assert searchable is not None
    assert len(searchable.segments) > 1
    assert any(segment.numbers is not None for segment in searchable.segments)
    assert any(segment.hidden is not None for segment in searchable.segments)
    assert all(segment.has_positions for segment in searchable.segments)


@pytest.mark.parametrize("variations", [False, True])
@pytest.mark.parametrize("place", range(len(_PLAIN)))
def test_a_condition_finds_the_same(databases: tuple[Database, Database], place: int, *, variations: bool) -> None:
    _compare(databases, Query(_PLAIN[place], variations=variations))


@pytest.mark.parametrize("headers", _HEADERS, ids=str)
@pytest.mark.parametrize("condition", [None, ExactPosition("1. e4"), Pattern("Pe4")], ids=str)
def test_conditions_on_headers_find_the_same(
    databases: tuple[Database, Database], condition: Condition | None, headers: dict[str, Any]
) -> None:
    _compare(databases, Query(condition, where=tabiya.RecordFilter(**headers)))


def test_conditions_of_ones_own_find_the_same(databases: tuple[Database, Database]) -> None:
    for where in (pc.field("white_elo") > 2600, pc.field("annotator").is_valid(), lambda records: records["deleted"]):
        _compare(databases, Query(ExactPosition("1. e4"), where=where))


_CONDITIONS = st.recursive(
    st.sampled_from(_PLAIN),
    lambda inner: st.one_of(
        st.builds(lambda first, second: first & second, inner, inner),
        st.builds(lambda first, second: first | second, inner, inner),
        st.builds(lambda one: ~one, inner),
        st.builds(Never, inner),
        st.builds(lambda one: one.lasting(2), inner),
        st.builds(lambda one: one.with_colors_exchanged(), inner),
        st.builds(
            lambda steps, within: Sequence(tuple(steps), within),
            st.lists(inner, min_size=1, max_size=3),
            st.none() | st.integers(1, 4),
        ),
    ),
    max_leaves=5,
)


@settings(max_examples=60, deadline=None)
@given(
    condition=_CONDITIONS,
    headers=st.sampled_from(_HEADERS),
    variations=st.booleans(),
    everything=st.booleans(),
    skip=st.integers(0, 5),
    limit=st.none() | st.integers(0, 9),
)
def test_whatever_is_asked_finds_the_same(
    databases: tuple[Database, Database],
    condition: Condition,
    headers: dict[str, Any],
    *,
    variations: bool,
    everything: bool,
    skip: int,
    limit: int | None,
) -> None:
    where = tabiya.RecordFilter(**headers) or None
    _compare(databases, Query(condition, where, variations, skip, limit), everything=everything)


def test_a_library_without_positions_is_searched_all_the_same(tmp_path: Path) -> None:
    records = long_corpus(200)
    with tabiya.create(tmp_path / "a.parquet") as plain, tabiya.create(tmp_path / "b.tabiya", positions=False) as bare:
        plain.write(records)
        bare.write(records)
    with tabiya.open(tmp_path / "a.parquet") as scanned, tabiya.open(tmp_path / "b.tabiya") as indexed:
        for condition in _PLAIN:
            for variations in (False, True):
                _compare((scanned, indexed), Query(condition, variations=variations))


def test_a_scan_of_main_lines_drops_the_pages_that_it_has_read(
    databases: tuple[Database, Database], monkeypatch: pytest.MonkeyPatch
) -> None:
    library, plain = databases
    dropped: list[int] = []
    real = LibrarySegment.forget_pages
    monkeypatch.setattr(narrowing, "_STRETCH", 10)
    monkeypatch.setattr(narrowing, "_STRETCHES_IN_MEMORY", 4)

    def forget(segment: LibrarySegment) -> None:
        dropped.append(segment.entry.rows)
        real(segment)

    monkeypatch.setattr(LibrarySegment, "forget_pages", forget)
    numbers = [match.number for match in tabiya.search(plain, Material("KPK"))]
    assert [match.number for match in tabiya.search(library, Material("KPK"), threads=2)] == numbers
    assert len(dropped) >= 400 // 10 // 4 - 2


def test_records_are_taken_by_their_places(databases: tuple[Database, Database]) -> None:
    places = np.array([0, 5, 6, 19, 299, 300, 399])
    for database in databases:
        assert database.take(places).record_batch["number"].to_pylist() == (places + 1).tolist()
        assert database.take_headers(places)["number"].to_pylist() == (places + 1).tolist()
        assert len(database.take(places[:0])) == 0
        for wrong in ([3, 3], [4, 1], [-1], [400]):
            with pytest.raises(UsageError, match="ascend"):
                database.take(np.array(wrong))


@pytest.mark.parametrize("records", ["1", "5,17-40,301-", "390-", "401-500"])
@pytest.mark.parametrize("condition", [ExactPosition("1. e4"), Pattern("Nf3"), None], ids=str)
def test_some_records_find_the_same(
    databases: tuple[Database, Database], condition: Condition | None, records: str
) -> None:
    scanned, indexed = (database.excerpt(records) for database in databases)
    for headers in ({}, {"player": "anand"}, {"tags": ["Round"]}):
        where = tabiya.RecordFilter(**headers) if headers else None
        _compare((scanned, indexed), Query(condition, where=where))
        _compare((scanned, indexed), Query(condition, where=where, skip=2, limit=5))
    chosen = {game.number for game in scanned}
    everything = _found(Matches(databases[0], Query(condition)))
    assert _found(Matches(indexed, Query(condition))) == [found for found in everything if found[0] in chosen]


@pytest.mark.parametrize(
    "where", [None, tabiya.RecordFilter(player="a"), pc.field("number") > 30], ids=["all", "headers", "numbers"]
)
@pytest.mark.parametrize("condition", [ExactPosition("1. e4"), Captured("P")], ids=str)
def test_samples_are_the_same(databases: tuple[Database, Database], condition: Condition, where: Any) -> None:
    everything = _found(Matches(databases[0], Query(condition, where=where)))
    seen = set()
    for seed in range(5):
        query = Query(condition, where=where, sample=3, seed=seed)
        _compare(databases, query)
        _compare(databases, Query(condition, where=where, sample=3, seed=seed, skip=1, limit=3))
        picked = _found(Matches(databases[1], query))
        assert len(picked) == 3
        assert picked == [found for found in everything if found in picked]
        assert [game.number for game in Matches(databases[1], query).database()] == [number for number, _ in picked]
        assert (
            _found(Matches(databases[0], Query(condition, where=where, sample=3, seed=seed, skip=1, limit=3)))
            == (picked[1:4])
        )
        seen.add(tuple(picked))
    assert len(seen) > 1
    assert _found(Matches(databases[1], Query(condition, where=where, sample=10**9))) == everything
    with pytest.raises(UsageError, match="a seed needs a sample"):
        Query(condition, seed=3)
