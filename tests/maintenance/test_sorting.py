"""Sorting: against a naive sort in Python, with runs on disk and without; stable, and the same for any memory."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tabiya
from tabiya.errors import UsageError
from tabiya.formats import Progress
from tabiya.game import Date, Game, GameBatch
from tabiya.game.tag_values import parse_elo
from tabiya.maintenance import external_sort
from tabiya.maintenance.external_sort import ExternalSort
from tabiya.maintenance.sort_keys import FIELDS, keys_of, sort_fields
from tests import strategies
from tests.conftest import ROOT

CLASSICS = ROOT / "examples" / "classics.pgn"
NAMES = ["", "a", "A", "Ä", "ab", "a\x00b", "b", "Müller", "Muller, A", "Zoë", "zz"]
ROUNDS = ["1", "2", "10", "1.9", "1.10", "?", "-", "", "a2", "a10", "007", "7"]


def folded(text: str) -> str:
    letters = unicodedata.normalize("NFKD", text).lower()
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def natural(text: str) -> list[Any]:
    parts = re.split(r"(\d+)", folded(text))
    return [(len(part.lstrip("0")), part.lstrip("0")) if place % 2 else part for place, part in enumerate(parts)]


def value_of(game: Game, name: str) -> Any:
    """What a game is compared by, a second time; None is not known."""
    tag = {"white": "White", "event": "Event", "round": "Round", "tag:Opening": "Opening"}.get(name)
    if tag is not None:
        text = game.tags.get(tag)
        if text is None:
            return None
        return (natural(text) if name in {"round", "tag:Opening"} else folded(text)), text
    if name == "date":
        date = game.date or Date()
        return None if date.year is None else (date.year, date.month or 0, date.day or 0)
    if name == "white_elo":
        return parse_elo(game.tags.get("WhiteElo") or "")
    assert name == "ply_count"
    return len(list(game.mainline()))


def naively(games: list[Game], by: list[str]) -> list[int]:
    """Python's sort is stable, in either direction, so the least important field comes first."""
    order = list(range(len(games)))
    for field in reversed(by):
        values = {at: value_of(games[at], field.removeprefix("-")) for at in order}
        known = [at for at in order if values[at] is not None]
        known.sort(key=values.__getitem__, reverse=field.startswith("-"))
        order = known + [at for at in order if values[at] is None]
    return order


@st.composite
def listed_games(draw: st.DrawFn) -> Game:
    tags = {
        "White": draw(st.none() | st.sampled_from(NAMES)),
        "Event": draw(st.none() | st.sampled_from(NAMES)),
        "Round": draw(st.none() | st.sampled_from(ROUNDS)),
        "Opening": draw(st.none() | st.sampled_from(ROUNDS)),
        "Date": draw(st.sampled_from([None, "2020.05.17", "2020.05.??", "2020.??.??", "1999.12.31", "????.05.01"])),
        "WhiteElo": draw(st.sampled_from([None, "2700", "900", "-"])),
    }
    game = Game()
    for name, text in tags.items():
        if text is not None:
            game.tags.add(name, text)
    strategies.grow(game, draw(st.lists(st.tuples(st.integers(0, 99), st.integers(0, 90)), max_size=4)))
    return game


BY = st.lists(
    st.builds(
        lambda minus, name: minus + name,
        st.sampled_from(["", "-"]),
        st.sampled_from(["white", "event", "round", "tag:Opening", "date", "white_elo", "ply_count"]),
    ),
    min_size=1,
    max_size=3,
    unique_by=lambda field: field.removeprefix("-"),
)


@given(st.lists(listed_games(), max_size=12), BY, st.integers(1, 4), st.sampled_from([1, 4000, 1 << 30]))
def test_against_a_naive_sort(games: list[Game], by: list[str], per_batch: int, memory: int) -> None:
    """Batches of a few records, runs of one batch, of several, or none on disk."""
    with ExternalSort(sort_fields(by), memory=memory) as sorter:
        for begin in range(0, len(games), per_batch):
            sorter.add(GameBatch.from_games(games[begin : begin + per_batch], first_number=begin + 1))
        batches = list(sorter.batches())
    found = [game for batch in batches for game in batch.games()]
    assert [game.number for game in found] == [at + 1 for at in naively(games, by)]
    assert found == [games[(game.number or 0) - 1] for game in found]


def test_blocks_of_many_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(external_sort, "_BLOCK_RECORDS", 3)
    games = [Game.from_pgn(f'[White "{number * 7919 % 100}"]\n\n1. e4 *') for number in range(100)]
    with ExternalSort(sort_fields("tag:White"), memory=1) as sorter:
        for begin in range(0, 100, 10):
            sorter.add(GameBatch.from_games(games[begin : begin + 10], first_number=begin + 1))
        assert len(sorter._runs) == 10
        batches = list(sorter.batches())
    assert [game.tags["White"] for batch in batches for game in batch.games()] == [str(number) for number in range(100)]
    assert [len(batch) for batch in batches] == [3] * 33 + [1]


def test_a_database_in_order_is_a_database() -> None:
    with tabiya.open(CLASSICS) as games:
        by_date = games.sort("date")
        numbers = [game.number for game in by_date]
        assert numbers == [1, 2, 3, 8, 5, 4, 7, 6]
        assert [by_date[place].number for place in range(8)] == numbers
        assert [game.number for game in by_date[2:5]] == numbers[2:5]
        assert len(by_date) == 8
        assert [game.number for game in games.filter(white="anderssen").sort("-date")] == [2, 1]
        assert by_date.to_arrow("number").read_all()["number"].to_pylist() == numbers


def test_sort_writes_a_database(tmp_path: Path) -> None:
    collected: list[Progress] = []
    report = tabiya.sort(CLASSICS, tmp_path / "a.pgn", "-date,white", threads=2, progress=collected.append)
    assert (report.read, report.written, report.clean) == (8, 8, True)
    with tabiya.open(CLASSICS) as games, tabiya.open(tmp_path / "a.pgn") as found:
        assert list(found) == [games[number - 1] for number in (6, 7, 4, 5, 8, 3, 2, 1)]
    fractions = [each.fraction for each in collected if each.fraction is not None]
    assert fractions == sorted(fractions)
    assert fractions[-1] == 1.0


@pytest.mark.parametrize("suffix", ["pgn", "parquet"])
def test_memory_makes_no_difference(suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = tmp_path / f"a.{suffix}", tmp_path / f"b.{suffix}"
    tabiya.sort(CLASSICS, one, "event")
    monkeypatch.setattr("tabiya.maintenance.sorting.USUAL_MEMORY", 1)
    tabiya.sort(CLASSICS, two, "event")
    assert one.read_bytes() == two.read_bytes()


@pytest.mark.parametrize("name", [name for name in FIELDS if name != "tag:NAME"])
def test_every_field_has_keys(name: str) -> None:
    with tabiya.open(CLASSICS) as games:
        batch = next(games.batches())
    assert len(keys_of(batch.record_batch, sort_fields(name))) == 8


@pytest.mark.parametrize(
    ("by", "sentence"),
    [
        ("", "give a field to sort or split by; known: white, black"),
        ([], "give a field to sort or split by"),
        ("whit", "'whit' is not a field to sort or split by; known: white"),
        ("--white", "'-white' is not a field to sort or split by"),
        ("tag:", "'tag:' is not a field to sort or split by"),
    ],
)
def test_what_makes_no_sense_is_said(by: Any, sentence: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=re.escape(sentence)):
        tabiya.sort(CLASSICS, tmp_path / "a.pgn", by)
    assert list(tmp_path.iterdir()) == []


def test_too_little_memory_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="sorting needs 16 MB"):
        tabiya.sort(CLASSICS, tmp_path / "a.pgn", "date", memory=1)
