"""Any games into Scid and back: what is not reported lost has arrived."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given

import tabiya
from tabiya.formats import LossReport
from tabiya.game import Game, difference
from tests import strategies

each_generation = pytest.mark.parametrize("suffix", [".si4", ".si5"])


def there_and_back(games: list[Game], suffix: str) -> tuple[list[Game], LossReport]:
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"base{suffix}"
        with tabiya.create(path) as writer:
            writer.write(games)
        with tabiya.open(path) as base:
            assert len(base) == writer.written
            return list(base), writer.losses


@each_generation
@given(game=strategies.games())
def test_what_is_not_lost_has_arrived(suffix: str, game: Game) -> None:
    found, losses = there_and_back([game], suffix)
    if not losses:
        assert difference(game, found[0]) == []
        assert found[0].problems == []
