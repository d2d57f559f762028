"""The columns as text, against what each single record says."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tabiya.game import Game, GameBatch
from tabiya.game.tag_texts import COLUMN_TEXTS
from tabiya.game.tags import COLUMN_TAGS, unfold_tags
from tests.strategies import records


@given(st.lists(records(), max_size=5), st.integers(0, 2))
def test_the_same_as_record_by_record(games: list[Game], start: int) -> None:
    batch = GameBatch.from_games(games)[start:]
    columns = {name: texts(batch.record_batch).to_pylist() for name, texts in COLUMN_TEXTS.items()}
    for i, row in enumerate(batch.record_batch.to_pylist()):
        tags = unfold_tags({**row, "tags": []})
        assert {name: column[i] for name, column in columns.items()} == {name: tags.get(name) for name in columns}


def test_every_tag_with_columns_is_there() -> None:
    assert {*COLUMN_TAGS, "SetUp"} == COLUMN_TEXTS.keys()
