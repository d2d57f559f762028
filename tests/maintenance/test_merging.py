"""Merging: everything once, in order, and nothing of the sources is touched."""

from __future__ import annotations

from pathlib import Path

import pytest

import tabiya
from tabiya.errors import UsageError
from tabiya.formats import Progress
from tabiya.game import Game
from tests.conftest import ROOT

CLASSICS = ROOT / "examples" / "classics.pgn"


@pytest.fixture
def parts(tmp_path: Path) -> list[Path]:
    """Two databases that share two games."""
    found = []
    for name, records in (("a.pgn", "1-5"), ("b.parquet", "4-8")):
        with tabiya.open(CLASSICS) as games:
            tabiya.convert(games.excerpt(records), tmp_path / name)
        found.append(tmp_path / name)
    return found


def games_in(path: Path) -> list[Game]:
    with tabiya.open(path) as database:
        return list(database)


def test_all_records_in_the_order_of_the_sources(parts: list[Path], tmp_path: Path) -> None:
    report = tabiya.merge(parts, tmp_path / "all.pgn")
    assert (report.written.written, report.duplicates, report.clean) == (10, None, True)
    assert games_in(tmp_path / "all.pgn") == [*games_in(parts[0]), *games_in(parts[1])]
    assert report.as_dict()["duplicates"] is None


@pytest.mark.parametrize("how", ["exact", "near", "moves"])
def test_games_that_are_there_twice_are_there_once(how: str, parts: list[Path], tmp_path: Path) -> None:
    collected: list[Progress] = []
    report = tabiya.merge(parts, tmp_path / "all.pgn", dedupe=how, by="number", threads=2, progress=collected.append)
    assert games_in(tmp_path / "all.pgn") == games_in(CLASSICS)
    assert report.as_dict()["duplicates"]["twins"] == 2
    assert collected


def test_merged_and_sorted(parts: list[Path], tmp_path: Path) -> None:
    tabiya.merge(parts, tmp_path / "all.pgn", dedupe="exact", keep="last", by="date")
    years = [game.date.year for game in games_in(tmp_path / "all.pgn") if game.date is not None]
    assert years == [1851, 1852, 1858, 1895, 1895, 1910, 1921, 1924]


def test_what_is_refused_leaves_everything(parts: list[Path], tmp_path: Path) -> None:
    before = parts[0].read_bytes()
    for target, result, sentence in (
        (parts[0], {"overwrite": True}, "is also the source"),
        (tmp_path / "a.pgn", {}, "is also the source"),
        (tmp_path / "c.pgn", {"dedupe": "x"}, "is not a way to compare games"),
        (tmp_path / "c.pgn", {"by": "x"}, "is not a field to sort or split by"),
    ):
        with pytest.raises(UsageError, match=sentence):
            tabiya.merge(parts, target, **result)
    (tmp_path / "c.pgn").write_text("mine")
    with pytest.raises(UsageError, match="already exists"):
        tabiya.merge(parts, tmp_path / "c.pgn", dedupe="exact")
    assert parts[0].read_bytes() == before


def test_a_stream_can_be_merged_but_not_deduped(tmp_path: Path) -> None:
    with CLASSICS.open("rb") as stream:
        assert tabiya.merge(stream, tmp_path / "a.pgn", by="white").written.written == 8
    with CLASSICS.open("rb") as stream, pytest.raises(UsageError, match="a stream can be read only once"):
        tabiya.merge(stream, tmp_path / "b.pgn", dedupe="exact")
    with CLASSICS.open("rb") as stream, pytest.raises(UsageError, match="a stream can be read only once"):
        tabiya.merge([stream, CLASSICS], tmp_path / "b.pgn", dedupe="exact")
    assert not (tmp_path / "b.pgn").exists()
