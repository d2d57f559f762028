"""Databases compared: nothing is found that is not there, and nothing missed."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tabiya
from tabiya.formats import Comparison, RecordDifference
from tabiya.formats.operations import comparison
from tabiya.game import Game, GameBatch, difference
from tests.formats.corpus import Row, batch_of, corpus, cut, long_corpus, note, rows_of, tape
from tests.formats.memory_format import FULL
from tests.strategies import records as any_records

Numbers = tuple[int | None, int | None]


def compared(folder: Path, a: list[GameBatch], b: list[GameBatch]) -> tuple[Comparison, list[RecordDifference]]:
    for name, batches in (("a", a), ("b", b)):
        with tabiya.create(folder / f"{name}.full", format=FULL, overwrite=True) as writer:
            writer.write(batches)
    with tabiya.open(folder / "a.full", format=FULL) as x, tabiya.open(folder / "b.full", format=FULL) as y:
        run = Comparison(x, y)
        return run, list(run)


def numbers(found: list[RecordDifference]) -> list[Numbers]:
    return [(each.a, each.b) for each in found]


@pytest.mark.parametrize(("cut_a", "cut_b"), [(700, 700), (3, 700), (100, 7), (1, 1)])
def test_batches_may_be_cut_differently(tmp_path: Path, cut_a: int, cut_b: int) -> None:
    run, found = compared(tmp_path, cut(long_corpus(), cut_a), cut(long_corpus(), cut_b))
    assert found == []
    assert (run.compared, run.different, run.only_a, run.only_b) == (700, 0, 0, 0)


@pytest.mark.parametrize(
    "change",
    [
        {"deleted": True},
        {"white": "Somebody"},
        {"event": None},
        {"year": 1999},
        {"white_elo": 1},
        {"result": None},
        {"start": "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "moves": []},
        {"tags": [{"name": "A", "value": "b"}]},
        {"moves": tape("e2e4")},
        {"annotations": [note(-1, 2, b"x")]},
        {"texts": [{"lang": 0, "title": "t", "format": 0, "body": b"", "formatting": None}]},
        {"kind": 2},
    ],
)
def test_every_column_counts(tmp_path: Path, change: Row) -> None:
    rows = rows_of(long_corpus())
    rows[334] = {**rows[334], **change}
    _, found = compared(tmp_path, [long_corpus()], cut(batch_of(rows), 50))
    assert numbers(found) == [(335, 335)]
    assert found[0].differences == tuple(difference(long_corpus()[334], batch_of(rows)[334]))


def test_what_is_no_content_does_not_count(tmp_path: Path) -> None:
    notes = [note(0, 2, b"text"), note(0, 3, b"\1")]
    row = {"moves": tape("e2e4"), "annotations": notes}
    other = {**row, "annotations": notes[::-1], "problems": [{"code": 1, "offset": None, "text": "x"}]}
    run, found = compared(tmp_path, [batch_of([row])], [batch_of([other])])
    assert found == []
    assert run.compared == 1


def test_left_out_inserted_and_changed(tmp_path: Path) -> None:
    rows = [{"white": f"Player {i}", "moves": tape("e2e4")} for i in range(50)]
    other = [dict(row) for row in rows]
    other[30]["event"] = "Changed"
    other[40]["white"] = "Renamed"
    del other[10:12]
    other.insert(18, {"white": "New"})
    run, found = compared(tmp_path, cut(batch_of(rows), 9), cut(batch_of(other), 20))
    assert numbers(found) == [(11, None), (12, None), (None, 19), (31, 30), (41, 40)]
    assert (run.compared, run.different, run.only_a, run.only_b) == (48, 2, 2, 1)
    assert found[0].title == "Player 10 – ?"
    assert found[3].differences == ("Tag Event differs: missing / 'Changed'.",)


def test_one_side_is_empty_or_shorter(tmp_path: Path) -> None:
    assert numbers(compared(tmp_path, [corpus()], [])[1]) == [(i, None) for i in range(1, 12)]
    assert numbers(compared(tmp_path, [], [corpus()])[1]) == [(None, i) for i in range(1, 12)]
    assert numbers(compared(tmp_path, [corpus()[:8]], [corpus()])[1]) == [(None, 9), (None, 10), (None, 11)]
    assert compared(tmp_path, [], [])[1] == []


def test_a_window_is_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparison, "_WINDOW_RECORDS", 8)
    rows = [{"white": f"Player {i}"} for i in range(100)]
    _, found = compared(tmp_path, cut(batch_of(rows), 9), cut(batch_of(rows[:20] + rows[23:60] + rows[61:]), 4))
    assert numbers(found) == [(21, None), (22, None), (23, None), (61, None)]
    run, _ = compared(tmp_path, [batch_of(rows)], [batch_of([{"white": f"Other {i}"} for i in range(90)])])
    assert (run.different, run.only_a, run.only_b) == (90, 10, 0)


@settings(max_examples=30)
@given(a=st.lists(any_records(), max_size=5), b=st.lists(any_records(), max_size=5), same=st.booleans())
def test_nothing_is_found_between_equal_databases_only(
    tmp_path_factory: pytest.TempPathFactory, a: list[Game], b: list[Game], same: bool
) -> None:
    games = [*a, *(game.copy() for game in a)] if same else a
    others = [*games] if same else b
    for game in [*games, *others]:
        game.number = None
    folder = tmp_path_factory.mktemp("compared")
    run, found = compared(folder, [GameBatch.from_games(games)], [GameBatch.from_games(others)])
    assert len(games) == run.compared + run.only_a
    assert len(others) == run.compared + run.only_b
    if len(games) == len(others) and all(x == y for x, y in zip(games, others, strict=True)):
        assert found == []
    if not found:
        assert games == others
