from __future__ import annotations

import json
from pathlib import Path

import pytest

import tabiya
from tests.cli.conftest import Run

TABLE = """\
B00 King's Pawn Game
2 games: White won 50.0%, drawn 0.0%, Black won 50.0%, average rating 2632

move       games   share   White   draw  Black   rating  perf.  years
c5             1   50.0%    0.0%   0.0% 100.0%   2632   3663  2020       Sicilian Defense
e5             1   50.0%  100.0%   0.0%   0.0%                1858       King's Pawn Game

Highest ratings
       3  2020-05-17  0-1  Carlsen, Magnus (2863) - Morphy Bot (2400)  c5
       1  1858        1-0  Morphy, Paul - Duke Karl / Count Isouard  e5

Latest
       3  2020-05-17  0-1  Carlsen, Magnus (2863) - Morphy Bot (2400)  c5

Reached by
       2  1.e4
"""


def test_the_table(run: Run, games: Path) -> None:
    shown = run("explore", games, "e4", "--recent-games", "1", "--orders", "1").stdout
    assert shown.splitlines() == TABLE.splitlines()


def test_games_that_end_here(run: Run, games: Path) -> None:
    lines = run("explore", games, "1.d4", "Nf6", "2.c4", "g6", "--top-games", "0", "--recent-games", "0").stdout
    assert lines.splitlines()[1:] == [
        "1 game: White won 0.0%, drawn 100.0%, Black won 0.0%, average rating 2675",
        "(end)          1  100.0%",
    ]


def test_json_is_what_the_library_says(run: Run, games: Path) -> None:
    shown = json.loads(run("explore", games, "e4", "--json", "--moves", "1", "--top-games", "2").stdout)
    assert shown == tabiya.explore(games, "e4", most_moves=1, top_games=2).to_dict()
    with tabiya.open(games) as database:
        assert database.explore("e4", most_moves=1, top_games=2).to_dict() == shown


@pytest.mark.parametrize(
    ("options", "games_left"),
    [
        (["--player", "morphy"], 2),
        (["--white", "morphy"], 1),
        (["--since", "1900"], 2),
        (["--until", "1900"], 1),
        (["--min-elo", "2600"], 1),
        (["--min-elo", "2800", "--elo-of", "either"], 1),
        (["--eco", "C41"], 1),
        (["--result", "1-0", "--result", "0-1"], 2),
        (["--time-control", "unknown"], 3),
        (["--time-control", "blitz"], 0),
        (["--min-plies", "5"], 1),
        (["--tag", "Opening=Philidor"], 1),
        (["--fen", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"], 2),
        (["--any-castling", "--chess960"], 3),
    ],
)
def test_conditions(run: Run, games: Path, options: list[str], games_left: int) -> None:
    shown = run("explore", games, *options).stdout
    assert f"{games_left} game" in shown


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (["e5"], 3, "e5 is not a legal move"),
        (["--fen", "x"], 3, "FEN"),
        (["--elo-of", "all"], 2, "both, either, mean"),
        (["--time-control", "fast"], 2, "bullet, blitz"),
        (["--top-games", "100000"], 2, "from 0 to 1,000"),
    ],
)
def test_questions_that_make_no_sense(run: Run, games: Path, words: list[str], code: int, sentence: str) -> None:
    assert sentence in run("explore", games, *words, code=code).stderr
