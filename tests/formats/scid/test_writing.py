"""Any games into Scid and back: what is not reported lost has arrived."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given

import tabiya
from tabiya.errors import UnsupportedError, UsageError
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


@each_generation
@pytest.mark.parametrize("set_ups", [["1"], ["0"], ["0", "1"], ["1", "0"], ["1", "1"], ["0", "1", "1"]], ids="".join)
def test_set_up_beside_a_start_position(suffix: str, set_ups: list[str]) -> None:
    game = Game.from_pgn('[FEN "4k3/8/8/8/8/8/8/4K3 w - - 0 1"]\n\n*')
    del game.tags["SetUp"]
    for text in set_ups:
        game.tags.add("SetUp", text)
    (found,), losses = there_and_back([game], suffix)
    assert not losses
    assert difference(game, found) == []


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


@each_generation
@pytest.mark.parametrize(
    ("pgn", "loss", "count"),
    [
        ("1. e4 $1 $10 $140 $141 $142 $143 $144 $145 $146 *", "scid-nags", 2),
        ("1. e4 $1 $2 *", "scid-nags", 1),
        ("1. e4 $0 $256 *", "scid-nags", 2),
        ("1. e4 $10 $1 *", "scid-place", 1),
        (f'[White "{"é" * 123}"]\n\n*', "scid-names", 1),
        (f'[White "{"é" * 122}"]\n\n*', None, 0),
        (f'[Foo "{"x" * 247}"]\n\n*', "scid-tags", 1),
        (f'[Foo "{"x" * 246}"]\n\n*', None, 0),
        (f'[{"F" * 241} "x"]\n\n*', "scid-tags", 1),
        ('[ScidFlags "WQx"]\n\n*', "scid-extras", 1),
        ('[ScidWhiteRatingType "7"]\n\n*', "scid-extras", 1),
        ('[WhiteElo "1"]\n[ScidWhiteRatingType "8"]\n[ScidFoo "1"]\n\n*', "scid-extras", 2),
        ('[FEN "4k3/4R3/8/8/8/8/8/4K3 w - - 0 1"]\n\n*', "scid-start", 1),
        ('[Date "2000.01.01"]\n[EventDate "1990.05.05"]\n\n*', None, 0),
        ('[Date "2048.01.01"]\n\n*', None, 0),
    ],
)
def test_losses_are_counted(suffix: str, pgn: str, loss: str | None, count: int) -> None:
    game = Game.from_pgn(pgn)
    game.number = None
    found, losses = there_and_back([Game(), game], suffix)
    assert [(each.what, each.count, each.first_game) for each in losses] == ([(loss, count, 2)] if loss else [])
    if loss in (None, "scid-start"):
        assert difference(game, found[1]) == []


def test_signs_of_moves_come_first() -> None:
    found, _ = there_and_back([Game.from_pgn("1. e4 $10 $140 $1 $13 *")], ".si4")
    assert found[0].root.children[0].nags == [1, 10, 140]


def test_chess960_is_left_out_of_si4() -> None:
    game = Game.from_pgn(
        '[Variant "Chess960"]\n[FEN "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1"]\n\n1. e4 *'
    )
    game.number = None
    found, losses = there_and_back([Game(), game], ".si4")
    assert [(each.what, each.count, each.first_game) for each in losses] == [("chess960-games", 1, 2)]
    assert len(found) == 1
    assert not there_and_back([game], ".si5")[1]


def test_descriptions(tmp_path: Path) -> None:
    """One that does not fit is refused; that of another base is cut, which is said."""
    for text in ("x" * 108, "a\0b"):
        with pytest.raises(UsageError, match="description"):
            tabiya.create(tmp_path / "base.si4", description=text)
    assert list(tmp_path.iterdir()) == []
    tabiya.convert("examples/classics.pgn", tmp_path / "long.si5", description="é" * 60)
    report = tabiya.convert(tmp_path / "long.si5", tmp_path / "short.si4")
    assert report.remarks == ("the description was cut to at most 107 bytes: si4 cannot hold more",)
    with tabiya.open(tmp_path / "short.si4") as base:
        assert base.description == "é" * 53  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("limit", "sentence"),
    [
        ({"most_games": 2}, "cannot hold more than 2 games; si5 can hold more"),
        ({"most_names": (3, 9, 9, 9)}, "cannot hold more than 3 different players; si5 can hold more"),
        ({"most_data": 10}, "GB of game data; si5 can hold more"),
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
