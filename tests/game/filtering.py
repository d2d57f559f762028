"""What filters choose, by columns and by plain Python."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from tabiya.formats import HEADER_SCHEMA
from tabiya.game import Game, GameBatch, RecordFilter

ASCII = st.text("abAB .?(", max_size=3)
ON_CONTENT = frozenset({"min_plies", "max_plies", "comment", "has", "without"})


def chosen(games: list[Game], **conditions: Any) -> list[int]:
    batch = GameBatch.from_games(games).record_batch
    mask = RecordFilter(**conditions)(batch)
    if ON_CONTENT.isdisjoint(conditions):
        assert mask.equals(RecordFilter(**conditions)(batch.select(HEADER_SCHEMA.names)))
    # A batch that is a slice of a larger one, as after a read of some records.
    padded = GameBatch.from_games([*games[:1], *games]).record_batch.slice(len(games[:1]))
    assert mask.equals(RecordFilter(**conditions)(padded))
    return [i for i, taken in enumerate(mask.to_pylist()) if taken]


def expected(games: list[Game], condition: Callable[[Game], bool]) -> list[int]:
    return [i for i, game in enumerate(games) if condition(game)]


def plain(text: str) -> str:
    """Small letters without accents, by Python's tables instead of Arrow's."""
    letters = unicodedata.normalize("NFKD", text)
    kept = "".join(letter for letter in letters if not unicodedata.category(letter).startswith("M")).lower()
    again = "".join(letter for letter in kept if not unicodedata.category(letter).startswith("M"))
    pairs = {"ß": "ss", "æ": "ae", "œ": "oe", "þ": "th", **dict(zip("øłđðħŧıς", "olddhtiσ", strict=True))}
    return "".join(pairs.get(letter, letter) for letter in again)
