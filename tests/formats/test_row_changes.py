"""A few rows of a batch changed, against the same with a list of games."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabiya.formats.row_changes import change_rows, replaced_rows
from tabiya.game import Game, GameBatch
from tests.strategies import records


def rows_of(games: list[Game]) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = GameBatch.from_games(games).record_batch.drop_columns(["number"]).to_pylist()
    return rows


@settings(max_examples=40)  # of several records each
@given(st.lists(records(), min_size=1, max_size=6), st.lists(records(), max_size=6), st.data())
def test_records_in_the_place_of_others(games: list[Game], others: list[Game], data: st.DataObject) -> None:
    rows = sorted(data.draw(st.sets(st.integers(0, len(games) - 1), max_size=len(others))))
    changed = others[: len(rows)]
    batch = replaced_rows(GameBatch.from_games(games), rows, GameBatch.from_games(changed))
    for row, game in zip(rows, changed, strict=True):
        games[row] = game
    assert batch.record_batch.drop_columns(["number"]).to_pylist() == rows_of(games)


@pytest.mark.parametrize("every", [2, 1], ids=["many", "all"])
def test_many_rows(every: int) -> None:
    games = [Game([("White", f"{place}")]) for place in range(200)]
    rows = range(0, 200, every)
    others = [Game([("White", f"other {row}"), ("Black", "B")]) for row in rows]
    batch = replaced_rows(GameBatch.from_games(games), rows, GameBatch.from_games(others))
    games[::every] = others
    assert batch.record_batch.drop_columns(["number"]).to_pylist() == rows_of(games)


def test_rows_as_dictionaries() -> None:
    batch = GameBatch.from_games([Game([("White", "A")]), Game([("White", "B")])])
    changed = change_rows(batch, [1], lambda row, place: row.update(black=f"{row['white']}{place}"))
    assert changed.record_batch["black"].to_pylist() == [None, "B1"]
    assert change_rows(batch, [], lambda row, _: row.clear()) is batch
