from __future__ import annotations

import pytest

from tabiya.game import Game, GameBatch
from tabiya.game.quick_filter import QuickFilter

GAMES = GameBatch.from_games(
    Game(tags)
    for tags in (
        {"White": "Polgár, Judit", "Black": "Kasparov, Garry", "Date": "2002.09.09", "ECO": "C67", "Result": "1-0"},
        {"White": "Carlsen, Magnus", "Black": "Anand, V", "Event": "WCh 2013", "Site": "Chennai", "ECO": "A07"},
        {"Annotator": "Polgar", "Date": "2013.11.09", "Result": "1/2-1/2"},
        {},
    )
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", [0, 1, 2, 3]),
        ("polgar", [0]),
        ("POLGÁR kasparov", [0]),
        ("chennai", [1]),
        ("2013", [1, 2]),
        ("polgar 2013", []),
        ("c67", [0]),
        ("c6", [0]),
        ("1-0", [0]),
        ("½", [2]),
        ("nobody", []),
        ("polgar,judit", [0]),
        ("(", []),
        ("99999999999999", []),
        (" ".join(["polgar"] * 20), []),
    ],
)
def test_words(text: str, found: list[int]) -> None:
    chosen = QuickFilter(text)
    assert bool(chosen) == bool(text)
    records = GAMES.record_batch
    for columns in (records.schema.names, [name for name in records.schema.names if name in chosen.columns]):
        mask = chosen(records.select(columns)).to_pylist()
        assert [place for place, met in enumerate(mask) if met] == found


def test_columns_that_are_missing_are_not_looked_at() -> None:
    records = GAMES.record_batch.select(["white", "year", "result"])
    assert QuickFilter("polgar").__call__(records).to_pylist() == [True, False, False, False]
