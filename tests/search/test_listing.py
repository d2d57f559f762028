"""Lists of games: the same rows for every format, whatever the catalogue knows, however it grows."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tabiya
import tabiya.search.listing as listing_module
from tabiya.formats.runs import Runs
from tabiya.formats.subset import Subset
from tabiya.game import Game, RecordKind
from tabiya.search.catalogue import Gathered
from tabiya.search.list_order import SORTABLE
from tabiya.search.list_query import ListQuery
from tabiya.search.listing import ListedDatabase, Listing
from tabiya.search.query_parser import query_of
from tests.strategies import grow

NAMES = ("Polgár, Judit", "polgar, j", "Carlsen, Magnus", "Ådams", "", "Żak", "anand")
RECORDS = 60


def made(number: int) -> Game:
    """A record with some tags missing, others odd; a few are set up, deleted or no games at all."""
    dice = random.Random(number)
    tags = {
        "Event": dice.choice(NAMES),
        "White": dice.choice(NAMES),
        "Black": dice.choice(NAMES),
        "Round": dice.choice(["1", "2", "10", "2.10", "2.9", "x"]),
        "Date": dice.choice(["2020.01.02", "2019.??.??", "1999.12.31", "????.??.??"]),
        "WhiteElo": str(dice.randrange(1000, 2900)),
        "ECO": dice.choice(["B90", "A00", "E99", "B90a", "C"]),
        "Result": dice.choice(["1-0", "0-1", "1/2-1/2", "*", "+:-"]),
        "Annotator": dice.choice(NAMES),
    }
    kept = {name: text for name, text in tags.items() if dice.random() < 0.8}
    game = Game(kept, start="4k3/P6p/8/8/8/8/p6P/4K3 b - - 12 34" if number % 11 == 0 else None)
    grow(game, [(dice.randrange(100), dice.randrange(95)) for _ in range(dice.randrange(20))])
    if number % 7 == 0:
        game.root.text = "words"
    game.deleted = number % 13 == 0
    return game


@pytest.fixture(scope="module")
def bases(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The same records in several formats; one library has segments that replace records of others."""
    folder = tmp_path_factory.mktemp("bases")
    games = [made(number) for number in range(1, RECORDS + 1)]
    for suffix in ("tabiya", "parquet", "cbh"):
        with tabiya.create(folder / f"games.{suffix}") as writer:
            writer.write(games)
    with tabiya.create(folder / "segments.tabiya") as writer:
        writer.write(games[:20])
    for part in (games[20:45], games[45:]):
        with tabiya.create(folder / "segments.tabiya", append=True) as writer:
            writer.write(made(1) for _ in part)
    with tabiya.edit(folder / "segments.tabiya") as editor:
        for number in range(21, RECORDS + 1):
            editor.replace(number, games[number - 1])
    return {path.name: path for path in folder.iterdir() if path.suffix in {".tabiya", ".parquet", ".cbh"}}


FORMATS = ("games.tabiya", "segments.tabiya", "games.parquet", "games.cbh")


@pytest.fixture(params=FORMATS)
def listed_database(request: pytest.FixtureRequest, bases: dict[str, Path]) -> Iterator[ListedDatabase]:
    listed_database = ListedDatabase(tabiya.open(bases[request.param]))
    listed_database.start()
    yield listed_database
    listed_database.close()


def listed(listed_database: ListedDatabase, **asked: Any) -> Listing:
    listing = listed_database.list(ListQuery.of(**asked))
    listing.run()
    assert listing.complete
    assert listing.error is None
    return listing


def all_rows(listing: Listing) -> list[dict[str, Any]]:
    return listing.rows(0, listing.total)


def test_rows_appear_after_the_first_records(bases: dict[str, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """A list grows in stretches that become longer, and has the same rows."""
    with tabiya.open(bases["games.tabiya"]) as database:
        whole = listed(ListedDatabase(database), text="carlsen").places().tolist()
        monkeypatch.setattr(listing_module, "_FIRST", 4)
        monkeypatch.setattr(listing_module, "_STRETCH", 16)
        tested: list[tuple[int, int]] = []
        met = Listing._met

        def seen(listing: Listing, begin: int, end: int) -> Any:
            tested.append((begin, end))
            return met(listing, begin, end)

        monkeypatch.setattr(Listing, "_met", seen)
        assert listed(ListedDatabase(database), text="carlsen").places().tolist() == whole != []
    assert tested == [(0, 4), (4, 8), (8, 16), (16, 32), (32, 48), (48, RECORDS)]


COMPARED = ("number", "kind", "deleted", "white", "black", "white_elo", "black_elo", "result", "date", "event", "site")


def test_rows_say_what_the_headers_say(listed_database: ListedDatabase) -> None:
    listing = listed(listed_database)
    rows = all_rows(listing)
    for row, game in zip(rows, listed_database.database, strict=True):
        assert row["number"] == game.number
        assert row["white"] == game.tags.get("White")
        assert row["event"] == game.tags.get("Event")
        assert row["eco"] == game.tags.get("ECO")
        assert row["round"] == game.tags.get("Round")
        assert row["deleted"] == game.deleted
        assert row["plies"] == (game.end().ply if game.kind is RecordKind.GAME else None)
        assert row["start"] == game.start
        assert ("variations" in row["has"]) == any(node.begins_variation for node in game.walk())
    # One by one, far apart and after the catalogue is there, it is the same.
    backward = listed(listed_database, sort_by="number", descending=True)
    for one, other in zip(all_rows(backward)[::-1], rows, strict=True):
        assert {name: one[name] for name in COMPARED} == {name: other[name] for name in COMPARED}


KEYS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "number": lambda row: row["number"],
    "white_elo": lambda row: row["white_elo"],
    "date": lambda row: row["date"] and row["date"].replace("?", "0"),
    "result": lambda row: {"1-0": 0, "1/2-1/2": 1, "0-1": 2}.get(row["result"]),
}


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("column", KEYS)
def test_orders(listed_database: ListedDatabase, column: str, descending: bool) -> None:
    rows = all_rows(listed(listed_database))
    key = KEYS[column]
    known = sorted((row for row in rows if key(row) is not None), key=key, reverse=descending)
    if descending:  # ties stay in the order of the database
        known = sorted(known, key=lambda row: row["number"])
        known = sorted(known, key=key, reverse=True)
    expected = [*known, *(row for row in rows if key(row) is None)]
    found = all_rows(listed(listed_database, sort_by=column, descending=descending))
    assert [row["number"] for row in found] == [row["number"] for row in expected]


@pytest.mark.parametrize("column", SORTABLE)
def test_every_order_has_every_record(listed_database: ListedDatabase, column: str) -> None:
    for descending in (False, True):
        listing = listed(listed_database, sort_by=column, descending=descending)
        assert sorted(listing.places().tolist()) == [*range(RECORDS)]


def test_names_are_sorted_without_accents_and_case(listed_database: ListedDatabase) -> None:
    names = [row["white"] for row in all_rows(listed(listed_database, sort_by="white")) if row["white"]]
    order = ["Ådams", "anand", "Carlsen, Magnus", "polgar, j", "Polgár, Judit", "Żak"]
    assert [*dict.fromkeys(names)] == [name for name in order if name in names]


CONDITIONS: list[dict[str, Any]] = [
    {"white": "polgar"},
    {"player": ["polgar", "carlsen"]},
    {"results": ["1-0", "*"]},
    {"min_elo": 2000, "elo_of": "white"},
    {"date": "2019..2020"},
    {"eco": "B9"},
    {"min_plies": 5, "max_plies": 12},
    {"has": ["variations"]},
    {"has": ["deleted"]},
    {"without": ["comments"]},
    {"annotator": "polgar"},
    {"tags": ["Round=2"]},
    {"time_controls": ["unknown"]},
    {"white": "polgar", "exact": True},
]


@pytest.mark.parametrize("headers", CONDITIONS, ids=str)
@pytest.mark.parametrize("sort_by", [None, "date"])
def test_conditions_choose_what_filters_choose(
    listed_database: ListedDatabase, headers: dict[str, Any], sort_by: str | None
) -> None:
    expected = [game.number for game in listed_database.database.filter(**headers)]
    listing = listed(listed_database, headers=headers, sort_by=sort_by)
    assert sorted((listing.places() + 1).tolist()) == expected
    assert [game.number for game in listing.database()] == expected


@given(st.sampled_from(CONDITIONS), st.sampled_from(["", "polgar", "2020", "b9 polgar", "½"]), st.data())
@settings(max_examples=40)
def test_all_formats_agree(bases: dict[str, Path], headers: dict[str, Any], text: str, data: st.DataObject) -> None:
    column = data.draw(st.sampled_from([*SORTABLE, None]))
    found = []
    for name in ("games.tabiya", "segments.tabiya", "games.parquet"):
        listed_database = ListedDatabase(tabiya.open(bases[name]))
        found.append(listed(listed_database, headers=headers, text=text, sort_by=column).places().tolist())
        listed_database.close()
    assert found[0] == found[1] == found[2]


def test_positions_and_headers_together(listed_database: ListedDatabase) -> None:
    found = listed_database.database.search(query_of({"to-move": "black"}).condition, white="polgar")
    expected = [(match.number, match.ply) for match in found]
    listing = listed(listed_database, position={"to-move": ["black"]}, headers={"white": "polgar"})
    assert [(row["number"], row["ply"]) for row in all_rows(listing)] == expected
    backward = listed(
        listed_database, position={"to-move": ["black"]}, headers={"white": "polgar"}, sort_by="number", descending=True
    )
    assert [(row["number"], row["ply"]) for row in all_rows(backward)] == expected[::-1]


def test_where_a_record_stands(listed_database: ListedDatabase) -> None:
    listing = listed(listed_database, sort_by="white_elo")
    for offset, row in enumerate(all_rows(listing)):
        assert listing.offset_of(row["number"]) == offset
    assert listing.offset_of(RECORDS + 1) is None


def test_a_list_that_nobody_wants_any_more(listed_database: ListedDatabase) -> None:
    listing = listed_database.list(ListQuery.of(headers={"has": ["comments"]}))
    listing.stop()
    listing.run()
    assert listing.complete


def test_a_failure_is_told(bases: dict[str, Path]) -> None:
    listed_database = ListedDatabase(tabiya.open(bases["games.parquet"]))
    listed_database.database.close()
    listing = listed_database.list(ListQuery.of(sort_by="white"))
    listing.run()
    assert listing.complete
    assert listing.error is not None


def test_half_a_list_does_not_pass_for_a_whole_one(bases: dict[str, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    def break_down(_: Listing) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(Listing, "_look", break_down)
    with tabiya.open(bases["games.tabiya"]) as database:
        listing = ListedDatabase(database).list(ListQuery.of(text="a"))
        with pytest.raises(ZeroDivisionError):
            listing.run()
        assert listing.complete
        assert listing.error is not None


def test_a_catalogue_that_breaks_down_says_so(bases: dict[str, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    def break_down(_: Gathered) -> Iterator[Any]:
        raise ZeroDivisionError

    monkeypatch.setattr(Gathered, "_read", break_down)
    with tabiya.open(bases["games.cbh"]) as database:
        catalogue = Gathered(database)
        with pytest.raises(ZeroDivisionError):
            catalogue._gather()
        assert catalogue.complete
        assert catalogue.failure is not None


def test_what_cannot_be_asked() -> None:
    for requested in ({"sort_by": "x"}, {"headers": {"x": 1}}, {"position": {"x": 1}}, {"records": "x"}):
        with pytest.raises(tabiya.UsageError):
            ListQuery.of(**requested)


def test_chosen_records_are_a_database(bases: dict[str, Path]) -> None:
    with tabiya.open(bases["games.tabiya"]) as database:
        chosen = Subset(database, Runs.of(np.array([5, 3, 3, 50])), direct=True)
        assert len(chosen) == 3
        assert [game.number for game in chosen] == [4, 6, 51]
        assert chosen[1].number == 6
        assert [number for headers in chosen.headers() for number in headers["number"].to_pylist()] == [4, 6, 51]
        assert chosen.progress == 1
        assert len(Subset(database, Runs.of(np.empty(0, np.int64)), direct=True)) == 0
