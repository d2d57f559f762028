"""One game in the place of another."""

from __future__ import annotations

from pathlib import Path

import pytest

import tabiya
from tabiya.errors import LossError, UsageError

PGN = '[White "A"]\n\n1. e4 *\n\n[White "B"]\n\n1. d4 *\n\n[White "C"]\n\n1. c4 *\n'
NEW = tabiya.Game.from_pgn('[White "New"]\n\n1. e4 e5 {Best.} *')


@pytest.fixture
def games(tmp_path: Path) -> Path:
    path = tmp_path / "games.pgn"
    path.write_text(PGN)
    return path


def whites(path: Path) -> list[str | None]:
    with tabiya.open(path) as database:
        return [game.tags.get("White") for game in database]


@pytest.mark.parametrize("number", [1, 2, 3])
def test_into_a_new_database(games: Path, tmp_path: Path, number: int) -> None:
    target = tmp_path / "target.pgn"
    assert tabiya.replace_game(games, number, NEW, target).changed == 1
    expected = ["A", "B", "C"]
    expected[number - 1] = "New"
    assert whites(target) == expected
    with tabiya.open(target) as database:
        assert database[number - 1] == NEW


@pytest.mark.parametrize("suffix", [".cbh", ".tabiya", ".pgn"])
def test_in_place(games: Path, tmp_path: Path, suffix: str) -> None:
    base = tmp_path / f"base{suffix}"
    tabiya.convert(games, base)
    assert tabiya.replace_game(base, 2, NEW, in_place=True, dry_run=True).changed == 1
    assert whites(base) == ["A", "B", "C"]
    assert tabiya.replace_game(base, 2, NEW, in_place=True).what == {"game": 1}
    assert whites(base) == ["A", "New", "C"]
    with tabiya.open(base) as database:
        same = database[1]
    assert tabiya.replace_game(base, 2, same, in_place=True).changed == 0


def test_what_cannot_be_done(games: Path, tmp_path: Path) -> None:
    for number in (0, -1, 4):
        with pytest.raises(UsageError, match="no record"):
            tabiya.replace_game(games, number, NEW, tmp_path / "target.pgn")
    tabiya.convert(games, tmp_path / "games.bcgn")
    with pytest.raises(UsageError, match="cannot edit"):
        tabiya.replace_game(tmp_path / "games.bcgn", 1, NEW, in_place=True)
    tabiya.convert(games, tmp_path / "base.cbh")
    odd = tabiya.Game({"White": "New", "Mood": "good"})
    with pytest.raises(LossError):
        tabiya.replace_game(tmp_path / "base.cbh", 1, odd, in_place=True, strict=True)
    assert whites(tmp_path / "base.cbh") == ["A", "B", "C"]
