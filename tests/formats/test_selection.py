"""Some records of a database are a database, too."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pytest

import tabiya
from tabiya.errors import UsageError
from tabiya.formats.bcgn.database import BcgnDatabase
from tests.conftest import ROOT

CLASSICS = ROOT / "examples" / "classics.pgn"


@pytest.fixture
def games() -> tabiya.Database:
    return tabiya.open(CLASSICS)


def chosen(database: tabiya.Database) -> list[int | None]:
    return [game.number for game in database]


def test_conditions_choose_what_the_command_chooses(games: tabiya.Database) -> None:
    found = games.filter(player="tartakower")
    numbers = [place for place, game in enumerate(games, 1) if "Tartakower" in game.tags["White"] + game.tags["Black"]]
    assert chosen(found) == numbers != []
    assert [len(found), *(found[place].number for place in range(-1, len(numbers)))] == [
        len(numbers),
        numbers[-1],
        *numbers,
    ]
    assert [row["number"] for batch in found.headers() for row in batch.to_pylist()] == numbers
    assert found.to_arrow(["number", "moves"]).read_all()["number"].to_pylist() == numbers
    assert found[0] == games[numbers[0] - 1]


def test_slices_of_scattered_records(games: tabiya.Database) -> None:
    odd = games.filter(lambda records: pc.equal(pc.bit_wise_and(records["number"], 1), 1))
    assert chosen(odd) == [1, 3, 5, 7]
    assert [game.number for game in odd[1:3]] == [3, 5]
    assert [game.number for game in odd[::-2]] == [7, 3]
    assert odd.read(1, 99).record_batch["number"].to_pylist() == [3, 5, 7]


def test_expressions_masks_and_conditions_add_up(games: tabiya.Database) -> None:
    assert chosen(games.filter(pc.field("year") < 1900, results=["1-0"])) == chosen(
        games.filter(lambda records: pc.less(records["year"], 1900)).filter(results=["1-0"])
    )
    assert games.filter() is games
    assert chosen(games.filter(white="nobody")) == []
    assert len(games.filter(white="nobody")) == 0
    assert len(games.filter(lambda records: pa.nulls(len(records), pa.bool_()))) == 0


def test_a_selection_is_written_like_a_database(games: tabiya.Database, tmp_path: Path) -> None:
    report = tabiya.convert(games.filter(until="1900"), tmp_path / "old.pgn")
    assert report.read == report.written == len(games.filter(until="1900")) > 0
    with tabiya.open(tmp_path / "old.pgn") as old:
        assert list(old) == list(games.filter(until="1900"))


def test_what_only_a_whole_database_says_is_not_taken_over(tmp_path: Path) -> None:
    tabiya.convert(CLASSICS, tmp_path / "a.bcgn", level=1)
    with tabiya.open(tmp_path / "a.bcgn") as whole, tabiya.create(tmp_path / "b.bcgn") as writer:
        assert isinstance(whole, BcgnDatabase)
        assert writer._is_same_kind(whole)
        assert not writer._is_same_kind(whole.filter(white="a"))


def test_conditions_on_moves(games: tabiya.Database) -> None:
    def is_long(records: pa.RecordBatch) -> pa.BooleanArray:
        return pc.greater(pc.list_value_length(records["moves"]), 100)

    long = games.filter(is_long)
    assert [len(long), long[0].number] == [1, next(iter(long)).number]
    assert [row["number"] for batch in long.headers() for row in batch.to_pylist()] == chosen(long)


def test_it_says_of_itself_what_its_database_says(tmp_path: Path) -> None:
    path = tmp_path / "a.bcgn"
    tabiya.convert(CLASSICS, path)
    data = bytearray(path.read_bytes())
    data[7] = 0x41  # flags that mean nothing
    path.write_bytes(data)
    with tabiya.open(path) as whole:
        some = whole.filter(until="1900")
        assert (some.path, some.format, some.files) == (path, whole.format, (path,))
        assert some.problems == whole.problems
        assert len(some.problems) == 1
        list(some.batches())
        assert some.progress == whole.progress == 1
        with pytest.raises(UsageError, match="is also the source"):
            tabiya.convert(some, path, overwrite=True)


def test_mistakes(games: tabiya.Database) -> None:
    with pytest.raises(UsageError, match="cannot be selected"):
        list(games.filter(pc.field("elephant") > 3))
    with pytest.raises(UsageError, match="not a date"):
        games.filter(since="yesterday")
    games.close()
    with pytest.raises(UsageError, match="closed"):
        games.filter(white="a")
