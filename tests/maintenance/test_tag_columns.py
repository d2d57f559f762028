"""Tags of whole batches, against what the tags of single games do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tabiya
from tabiya.errors import UsageError
from tabiya.game import difference
from tabiya.maintenance.tag_columns import check_tag, tag_texts, with_tag
from tests.strategies import texts

NAMES = st.sampled_from(["White", "Date", "Result", "WhiteElo", "ECO", "Opening", "Source", "Round"])
TEXTS = st.sampled_from(["2020.05.17", "2020.5", "?", "2700", "02700", "1-0", "0.5-0.5", "", "Polgár"]) | texts
some_tags = st.lists(st.tuples(NAMES, TEXTS), max_size=6)
rows = st.lists(st.tuples(some_tags, st.none() | TEXTS, st.booleans()), min_size=1, max_size=6)


@given(rows, NAMES, st.integers(0, 2))
def test_every_game_has_what_it_would_have_alone(rows: list[Any], name: str, begin: int) -> None:
    games = [tabiya.Game(tags) for tags, _, _ in rows]
    batch = tabiya.GameBatch.from_games(games)[begin:]  # so that columns do not begin where their buffers do
    records = batch.record_batch
    new = pa.array([text for _, text, _ in rows[begin:]], pa.string())
    chosen = np.array([chosen for _, _, chosen in rows[begin:]], np.bool_)
    assert tag_texts(records, name).to_pylist() == [game.tags.get(name) for game in games[begin:]]
    changed = tabiya.GameBatch(with_tag(records, name, new, chosen))
    changed.record_batch.validate(full=True)
    for game, text, is_chosen in zip(games[begin:], new.to_pylist(), chosen, strict=True):
        if is_chosen and text is None:
            game.tags.discard(name)
        elif is_chosen:
            game.tags[name] = text
    assert [difference(*pair) for pair in zip(changed.games(), games[begin:], strict=True)] == [[]] * len(changed)
    same = tabiya.GameBatch.from_games(changed.games()).record_batch.drop_columns(["number"])
    assert changed.record_batch.drop_columns(["number"]).to_pylist() == same.to_pylist()  # columns as they should be


@pytest.mark.parametrize("name", ["FEN", "SetUp", "Variant", "", "My Tag", "Größe", 'A"'])
def test_tags_that_cannot_be_set(name: str) -> None:
    with pytest.raises(UsageError):
        check_tag(name, "x")
    check_tag("My_Tag2", "x")
