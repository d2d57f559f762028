"""Novelties: against a naive comparison of all positions, and the rules about dates."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import tabiya
from tabiya.game.annotations import Evaluation
from tabiya.search.new_positions import Novelty, novelties
from tests.search.in_memory import pgn_of, random_games

if TYPE_CHECKING:
    import chess.pgn

EARLIER = """[White "A"]
[Black "B"]
[Date "2000.01.01"]

1. e4 e5 2. Nf3 Nc6 *

[White "C"]
[Black "D"]
[Date "2010.??.??"]

1. Nf3 Nc6 2. e4 e5 3. Bb5 *

[White "E"]
[Black "F"]
[Date "2020.05.05"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 *

[White "G"]
[Black "H"]

1. d4 d5 *
"""


@pytest.fixture(params=["earlier.pgn", "earlier.tabiya"])
def earlier(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / "earlier.pgn"
    path.write_text(EARLIER, "utf-8")
    if request.param != path.name:
        tabiya.convert(path, tmp_path / request.param)
    return tmp_path / str(request.param)


def novelty(earlier: Path, moves: str, date: str = "2020.05.05", players: str = "XY") -> Novelty:
    games = earlier.with_name("game.pgn")
    games.write_text(f'[White "{players[0]}"]\n[Black "{players[1]}"]\n[Date "{date}"]\n\n{moves} *\n', "utf-8")
    (found,) = novelties(games, earlier)
    return found


@pytest.mark.parametrize(
    ("moves", "date", "move", "predecessors", "latest"),
    [
        ("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6", "2020.05.05", "3...a6", 1, 2),
        ("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6", "2020.05.06", None, 1, 3),
        ("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6", "2021.??.??", "4.Bxc6", 1, 3),
        ("1. e4 e5 2. Nf3 Nc6 3. Bb5", "2010.??.??", "3.Bb5", 1, 1),
        ("1. e4 e5 2. Nf3 Nc6 3. Bb5", "2010.01.01", None, 1, 2),
        ("1. e4 e5 2. Nf3 Nc6 3. Bc4", "????.??.??", "3.Bc4", 3, 3),
        ("1. Nc3 e5", "2020.05.05", "1.Nc3", 3, 2),
        ("1. e4", "1990.01.01", "1.e4", 1, 4),
        ("1. d4 d5 2. c4", "1990.01.01", "2.c4", 1, 4),
        ("", "2020.05.05", None, 3, 2),
    ],
)
def test_novelties(
    earlier: Path, moves: str, date: str, move: str | None, predecessors: int, latest: int | None
) -> None:
    found = novelty(earlier, moves, date)
    assert (found.move, found.predecessors) == (move, predecessors)
    assert (found.latest.number if found.latest else None) == latest


def test_a_game_is_not_its_own_predecessor(earlier: Path) -> None:
    assert novelty(earlier, "1. d4 d5", "????.??.??", "GH").move == "1.d4"
    assert novelty(earlier, "1. d4 d5", "????.??.??", "HG").move is None
    assert novelty(earlier, "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4", "2020.05.05", "EF").move == "3...a6"


def test_opinions_and_values(earlier: Path) -> None:
    games = earlier.with_name("games.pgn")
    games.write_text("1. e4 e5 2. Ke2 *\n\n1. e4 *\n\n1. e4 e5 2. Ke5 *\n", "utf-8")
    seen = []

    def opinion(position: tabiya.Position) -> Evaluation:
        seen.append(position.fen())
        return Evaluation(-35)

    first, second, _ = novelties(games, earlier, opinion=opinion)
    assert seen == [first.node.position.fen()] if first.node else False
    assert first.to_dict()["evaluation"] == "-0.35"
    assert first.to_dict()["latest"] == {"number": 3, "white": "E", "black": "F", "year": 2020}
    assert second.to_dict()["move"] is None


def positions_of(game: chess.pgn.Game) -> list[str]:
    board = game.board()
    found = [board.epd(en_passant="legal")]
    for move in game.mainline_moves():
        board.push(move)
        found.append(board.epd(en_passant="legal"))
    return found


def date_of(game: chess.pgn.Game) -> str:
    """As a text that sorts; without a year there is no date."""
    text = game.headers.get("Date", "????.??.??").replace("?", "0")
    return "0000.00.00" if text.startswith("0000") else text


def test_against_all_positions(tmp_path: Path) -> None:
    """Random games among themselves, with a naive search for every ply."""
    games = random_games(150, seed=5)
    path, library = tmp_path / "games.pgn", tmp_path / "games.tabiya"
    path.write_text(pgn_of(games), "utf-8")
    tabiya.convert(path, library)
    positions = [positions_of(game) for game in games]
    found = {each.game.number: each for each in novelties(path, library)}
    checked = 0
    for number, game in enumerate(games, start=1):
        date = date_of(game)
        if date <= "0000.00.00" or "Variant" in game.headers or game.headers.get("FEN"):
            continue
        earlier = [
            {*others}
            for other, others in zip(games, positions, strict=True)
            if date_of(other) < date
            and not (
                date_of(other).startswith("0000")
                and all(other.headers.get(side) == game.headers.get(side) for side in ("White", "Black"))
            )
        ]
        own = positions[number - 1]
        counts = [sum(position in each for each in earlier) for position in own]
        new = next((ply for ply, count in enumerate(counts) if not count and ply), None)
        novelty = found[number]
        assert (novelty.node.ply if novelty.node else None) == new
        assert novelty.predecessors == counts[(len(own) if new is None else new) - 1]
        checked += 1
    assert checked > 50
