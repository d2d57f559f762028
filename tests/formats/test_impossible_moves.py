"""Moves that are none, variations that do not open or close: no writer puts them down, none harms the games around."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import tabiya
from tabiya.errors import CorruptError
from tabiya.formats.jose.codec import encode_games
from tests.formats.corpus import batch_of, tape

E4, E5, D4 = tape("e2e4 e7e5 d2d4")
BEGIN, END = 0x8000, 0x8001
IMPOSSIBLE = [
    ([BEGIN], 0),
    ([END], 0),
    ([BEGIN, E4, END], 0),
    ([E4, E4], 1),
    ([E4, END], 1),
    ([E4, END, E5], 1),
    ([E4, BEGIN, END], 2),
    ([E4, BEGIN], 2),
    ([E4, BEGIN, D4], 3),
    ([E4, BEGIN, BEGIN, E4, END, END], 2),
    ([E4, BEGIN, D4, END, END], 4),
    ([E4, E5 | 5 << 12], 1),
    ([E4, 0x7FFF], 1),
    ([E4, 0x8002], 1),
    ([0xFFFF], 0),
    ([*tape("a2a4 b7b5 a4b5 g8f6 b5b6 f6g8 b6a7 g8f6"), *tape("a7b8")], 8),  # a pawn that does not promote
    ([*tape("a2a4 a7a5"), *tape("a1a2q")], 2),  # a rook that does
]
"""And which of the numbers makes no sense; one behind the last if something is missing there."""


def around(moves: list[int]) -> Any:
    return batch_of([{"white": "A", "moves": tape("c2c4")}, {"white": "B", "moves": moves}, {"white": "C"}])


@pytest.mark.parametrize(("moves", "place"), IMPOSSIBLE)
@pytest.mark.parametrize("profile", ["lossless", "plain"])
def test_pgn_says_which_game_and_move(moves: list[int], place: int, profile: str, tmp_path: Path) -> None:
    with (
        pytest.raises(CorruptError, match=f"game 2: this game cannot be written: token {place} of its moves"),
        tabiya.create(tmp_path / "a.pgn", profile=profile) as writer,
    ):
        writer.write(around(moves))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("moves", "place"), IMPOSSIBLE)
def test_jose_says_which_move(moves: list[int], place: int) -> None:
    assert f"(token {place} of its moves)" in encode_games(around(moves)).refused[1]


@pytest.mark.parametrize(("moves", "place"), IMPOSSIBLE)
@pytest.mark.parametrize(
    ("name", "options", "loss"),
    [
        ("a.jose", {}, "jose-game"),
        ("a.cbh", {}, "cbh-left-out-3"),
        *(("a.bcgn", {"level": level}, "bcgn-moves") for level in (0, 1, 2)),
    ],
)
def test_others_leave_the_game_out(
    moves: list[int], place: int, name: str, options: dict[str, Any], loss: str, tmp_path: Path
) -> None:
    with tabiya.create(tmp_path / name, **options) as writer:
        writer.write(around(moves))
    found = writer.losses.get(loss) or writer.losses.get("variations")  # which BCGN passes over, whatever is in them
    assert found is not None
    assert found.first_game == 2
    with tabiya.open(tmp_path / name) as database:
        games = {game.tags["White"]: [str(node.move) for node in game.mainline()] for game in database}
        assert all(not game.problems for game in database)
    assert games.pop("B", []) in ([], ["e2e4"])
    assert games == {"A": ["c2c4"], "C": []}
