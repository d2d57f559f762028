"""Matchers that remember the names that they have seen."""

from __future__ import annotations

import pyarrow as pa
import pytest

from tabiya.game import Game, GameBatch, RecordFilter, filters
from tabiya.game.filter_texts import Remembering, name_matcher


class Counting:
    """Counts the arrays that a matcher is called with."""

    def __init__(self, text: str) -> None:
        self._matcher = name_matcher(text, exact=False)
        self.calls = 0

    def __call__(self, names: pa.Array) -> pa.BooleanArray:
        self.calls += 1
        return self._matcher(names)


def test_names_are_tested_once() -> None:
    counting = Counting("polgar")
    matcher = Remembering(counting)
    names = pa.array(["Polgár", "Anand", None])
    column = pa.DictionaryArray.from_arrays(pa.array([0, 1, 2]), names)
    for each in (names, column.dictionary, column.slice(1).dictionary):
        assert matcher(each).to_pylist() == [True, False, None]
    assert counting.calls == 1


@pytest.mark.parametrize(
    "names",
    [
        pa.array(["Anand", "Polgár"]),
        pa.array(["Polgár", "Anand", "Polgár"]).slice(1),
        pa.array(["Polgár", "Anand", "Polgár"]).slice(0, 2),
        pa.array(["Polgár", "Anand", "Polgár"], pa.large_string()),
        pa.array([], pa.string()),
        pa.nulls(3, pa.string()),
    ],
)
def test_other_names_are_tested_anew(names: pa.Array) -> None:
    whole = pa.array(["Polgár", "Anand", "Polgár"])
    matcher = Remembering(Counting("polgar"))
    for each in (whole, names, whole, whole.slice(1), whole.slice(0, 2)):
        assert matcher(each).to_pylist() == [None if name is None else name == "Polgár" for name in each.to_pylist()]


def test_batches_with_the_same_names_are_searched_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Counting] = []

    def counted(text: str, *, exact: bool) -> Counting:
        assert not exact
        made.append(Counting(text))
        return made[-1]

    monkeypatch.setattr(filters, "name_matcher", counted)
    games = GameBatch.from_games([Game({"White": "Polgár", "Black": "Anand"}), Game({"White": "Anand"})])
    where = RecordFilter(white="polgar")
    for begin, expected in ((0, [True]), (1, [False]), (0, [True])):
        assert where(games.record_batch.slice(begin, 1)).to_pylist() == expected
    assert [each.calls for each in made] == [1]
