from __future__ import annotations

import json
from pathlib import Path

import pytest

import tabiya
from tests.cli.conftest import Run

VIEW = """\
Morphy Bot / Morphy, Paul
rated 2400 to 2400

   games    won  drawn   lost   score  perf.
       2      2      0      0  100.0%   3663  all games
       1      1      0      0  100.0%         White
       1      1      0      0  100.0%   3663  Black

Openings with White
       1      1      0      0  100.0%         C41 Philidor Defense

Openings with Black
       1      1      0      0  100.0%   3663  B20 Sicilian Defense

Moves with White
       1      1      0      0  100.0%         1.e4 e5 2.Nf3 d6 3.d4 Bg4 4.dxe5 Bxf3

Moves with Black
       1      1      0      0  100.0%   3663  1.e4 c5

Games that ended in the
       2      2      0      0  100.0%   3663  opening

Years
       1      1      0      0  100.0%         1858
       1      1      0      0  100.0%   3663  2020

Opponents
       1      1      0      0  100.0%   3663  Carlsen, Magnus
       1      1      0      0  100.0%         Duke Karl / Count Isouard
"""


def test_the_view(run: Run, games: Path) -> None:
    assert run("player", "morphy", games).stdout.splitlines() == VIEW.splitlines()


def test_less_of_it(run: Run, games: Path) -> None:
    shown = run("player", "morphy", games, "--openings", "0", "--opponents", "1", "--white", "carlsen").stdout
    assert "Openings" not in shown
    assert shown.splitlines()[0] == "Morphy Bot"


def test_moves_of_a_tree(run: Run, tmp_path: Path) -> None:
    """Lines up to where games part, as deep and as frequent as wanted."""
    path = tmp_path / "games.pgn"
    lines = ["1. e4 e5 2. Nf3 Nc6", "1. e4 e5 2. Nf3 Nf6", "1. e4 e5 2. f4", "1. d4 d5"]
    path.write_text("".join(f'[White "A"]\n[Black "B"]\n[Result "1-0"]\n\n{line} 1-0\n\n' for line in lines))

    def told(*words: str) -> list[str]:
        shown = run("player", "a", path, *words).stdout.partition("Moves with White\n")[2]
        return [line[46:] for line in shown.partition("\n\n")[0].splitlines()]

    assert told() == ["1.e4 e5", "  2.Nf3", "    2...Nc6", "    2...Nf6", "  2.f4", "1.d4 d5"]
    assert told("--depth", "3") == ["1.e4 e5", "  2.Nf3", "  2.f4", "1.d4 d5"]
    assert told("--min-share", "50") == ["1.e4 e5", "  2.Nf3"]
    assert told("--depth", "0") == []


def test_of_many_names_only_the_first_are_told(run: Run, tmp_path: Path) -> None:
    many = tmp_path / "many.pgn"
    many.write_text("".join(f'[White "Player {number:02}"]\n\n1. e4 *\n\n' for number in range(20)))
    output = run("player", "player", many).stdout.splitlines()[0]
    assert output == " / ".join([*(f"Player {number:02}" for number in range(8)), "and 12 others"])
    assert len(json.loads(run("player", "player", many, "--json").stdout)["names"]) == 20


def test_json_is_what_the_library_says(run: Run, games: Path) -> None:
    assert json.loads(run("player", "morphy", games, "--json").stdout) == tabiya.player(games, "morphy").to_dict()


def test_preparation(run: Run, games: Path, tmp_path: Path) -> None:
    repertoire = tmp_path / "repertoire.pgn"
    repertoire.write_text("1. e4 e5 (1... c6 2. d4) (1... c5) 2. f4 exf4 *\n")
    shown = run("player", "morphy bot", games, "--prepare", repertoire).stdout
    assert shown.splitlines() == [
        "Morphy Bot",
        "1 game with Black; 1 of 3 positions of the repertoire reached",
        "",
        "1.e4  (King's Pawn Game): 1 game",
        "  c5           1  100.0%    0.0%   0.0% 100.0%  (the line ends)",
    ]
    repertoire.write_text("1. e4 e5 (1... c6 2. d4) 2. f4 exf4 *\n")
    assert "NOT IN THE REPERTOIRE" in run("player", "morphy bot", games, "--prepare", repertoire).stdout
    report = json.loads(run("player", "morphy", games, "--prepare", repertoire, "--as", "black", "--json").stdout)
    assert report == tabiya.prepare(games, "morphy", repertoire, color="black").to_dict()


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (["nobody"], 2, "no game of 'nobody' meets all conditions"),
        (["morphy", "--as", "white"], 2, "give one with --prepare"),
        (["morphy", "--prepare", "missing.pgn"], 3, "missing.pgn"),
        (["morphy", "--since", "x"], 2, "not a date"),
    ],
)
def test_questions_that_make_no_sense(run: Run, games: Path, words: list[str], code: int, sentence: str) -> None:
    name, *more = words
    assert sentence in run("player", name, games, *more, code=code).stderr
