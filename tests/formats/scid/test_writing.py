"""Any games into Scid and back: what is not reported lost has arrived."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given

import tabiya
from tabiya.errors import UnsupportedError
from tabiya.formats import LossReport
from tabiya.formats.scid.base_files import target_of
from tabiya.formats.scid.index_file import SI4
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


def with_comment(size: int) -> Game:
    return Game.from_pgn(f"1. e4 {{{'x' * size}}} e5 *" if size else "1. e4 e5 *")


@each_generation
def test_games_as_long_as_can_be(suffix: str) -> None:
    """The data of a game has 131,071 bytes at most, and none crosses the border of a block of 131,072."""
    least, most = 0, 131_072  # a comment that fits, and one that does not
    while most - least > 1:
        middle = (least + most) // 2
        _, losses = there_and_back([with_comment(middle)], suffix)
        least, most = (least, middle) if losses else (middle, most)
    games = [with_comment(least), with_comment(0), with_comment(least - 1), with_comment(least)]
    found, losses = there_and_back(games, suffix)
    assert not losses
    assert [difference(*pair) for pair in zip(games, found, strict=True)] == [[]] * 4
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"base{suffix}"
        with tabiya.create(path) as writer:
            writer.write(games)
        assert [*tabiya.check(path)] == []
        assert path.with_suffix(suffix.replace("i", "g")).stat().st_size == 3 * 131_072 + 131_071
    _, losses = there_and_back([with_comment(most)], suffix)
    assert [loss.count for loss in losses] == [1]
    assert "games that Scid cannot hold, left out" in str(losses)


@pytest.mark.parametrize(
    ("limit", "sentence"),
    [
        ({"most_games": 2}, "cannot hold more than 2 games; si5 has room for more"),
        ({"most_names": (3, 9, 9, 9)}, "cannot hold more than 3 different players; si5 has room for more"),
        ({"most_data": 10}, "GB of game data; si5 has room for more"),
    ],
)
def test_bases_that_are_full(
    limit: dict[str, Any], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = replace(SI4, **limit)
    monkeypatch.setattr("tabiya.formats.scid.writer.target_of", lambda place, _: (full, target_of(place, SI4)[1]))
    games = [Game([("White", f"A{place}"), ("Black", f"B{place}")]) for place in range(3)]
    with pytest.raises(UnsupportedError, match=sentence), tabiya.create(tmp_path / "base.si4") as writer:
        writer.write(games)
    assert [*tmp_path.iterdir()] == []
