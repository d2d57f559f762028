"""Merging indexes: the same as building one in one go, row for row and byte for byte."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tabiya
from tabiya.game import Game, GameBatch
from tabiya.positions.index import PositionIndex, merge_indexes
from tests.conftest import ROOT
from tests.positions.index.naive import PATHS, build, opened, stored
from tests.strategies import games

DATA = ROOT / "tests" / "data" / "pgn"


def merged(folder: Path, indexes: list[PositionIndex], **options: object) -> Path:
    target = folder / "merged"
    target.mkdir()
    merge_indexes(indexes, *(target / name for name in PATHS), **options)  # type: ignore[arg-type]
    return target


@settings(max_examples=30)
@given(st.lists(st.lists(games(), max_size=4), max_size=5), st.lists(st.booleans(), max_size=12))
def test_merging_is_building_in_one_go(parts: list[list[Game]], dropped: list[bool]) -> None:
    batches = [GameBatch.from_games(part) for part in parts]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        first = 0
        for number, batch in enumerate(batches):
            build(folder / str(number), batch, first=first)
            first += len(batch)
        build(folder / "whole", *batches)
        indexes = [opened(folder / str(number)) for number in range(len(batches))]
        target = merged(folder, indexes, dropped=np.array(dropped, bool))
        for index in indexes:
            index.close()
        gone = {number for number, drop in enumerate(dropped) if drop}
        for file in (PATHS[0], PATHS[2]):
            assert stored(target, file) == [row for row in stored(folder / "whole", file) if row[1] not in gone]


def test_many_rows_are_merged_to_the_same_bytes(tmp_path: Path) -> None:
    batch = GameBatch.concat(list(tabiya.open(DATA / "games.pgn").batches()))
    for number in range(4):
        build(tmp_path / str(number), *[batch] * 20, first=20 * len(batch) * number)
    build(tmp_path / "whole", *[batch] * 80)
    target = merged(tmp_path, [opened(tmp_path / str(number)) for number in range(4)])
    for name in PATHS:
        assert (target / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


def test_masks_may_differ_from_index_to_index(tmp_path: Path) -> None:
    """A game that was replaced has its number in two indexes, and only the newer rows stay."""
    old, new = (GameBatch.from_games([Game.from_pgn(f"{text} *")] * 3) for text in ("1. e4", "1. d4 (1. c4)"))
    build(tmp_path / "old", old)
    build(tmp_path / "new", new[:1], first=1)
    mask = np.array([False, True])
    target = merged(tmp_path, [opened(tmp_path / "old"), opened(tmp_path / "new")], dropped=[mask, None])
    build(tmp_path / "expected", GameBatch.concat([old[:1], new[:1], old[:1]]))
    for name in PATHS:
        assert (target / name).read_bytes() == (tmp_path / "expected" / name).read_bytes()


def test_an_interrupt_leaves_nothing_behind(tmp_path: Path) -> None:
    def interrupt(_: float) -> None:
        raise KeyboardInterrupt

    build(tmp_path / "0", GameBatch.from_games([Game.from_pgn("1. e4 *")]))
    with pytest.raises(KeyboardInterrupt):
        merged(tmp_path, [opened(tmp_path / "0")], progress=interrupt)
    assert list((tmp_path / "merged").iterdir()) == []
