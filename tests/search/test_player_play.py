"""How well a player plays: against sums over single games, from a file and from a library."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import tabiya
from tabiya.evaluations import MoveValues
from tabiya.search.player_view import player

GAMES = """[White "Alice"]
[Black "Bob"]
[Result "1-0"]
[Date "2020.01.01"]

1. e4 {[%eval 0.3] [%clk 0:01:00]} e5 {[%eval 0.2] [%clk 0:00:58]} 2. Qh5 {[%eval -0.6] [%clk 0:00:40]}
Ke7 {[%eval #1] [%clk 0:00:03]} 3. Qxe5# {[%clk 0:00:25]} 1-0

[White "Bob"]
[Black "Alice"]
[Result "1-0"]
[Date "2021.01.01"]

1. e4 {[%eval 0.3] [%clk 0:10:00]} f6 {[%eval 1.2] [%clk 0:09:00]} 2. d4 {[%eval 1.2] [%clk 0:09:00]}
g5 {[%eval #1] [%clk 0:00:09]} 3. Qh5# 1-0

[White "Alice"]
[Black "Carol"]
[Result "1/2-1/2"]
[FEN "8/8/4k3/8/8/3K4/4P3/8 w - - 0 1"]

1. e4 Ke5 1/2-1/2

[White "Dora"]
[Black "Carol"]
[Result "1-0"]

1. e4 {[%eval 0.3]} e5 {[%eval 0.2]} 1-0
"""


@pytest.fixture(params=[".pgn", ".tabiya"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    source = tmp_path / "games.pgn"
    source.write_text(GAMES, "utf-8")
    target = tmp_path / f"games{request.param}"
    if target != source:
        tabiya.convert(source, target)
    return target


def test_play(path: Path) -> None:
    play = player(path, "alice").play
    assert play is not None
    games = [MoveValues.of_game(game) for game in tabiya.open(path)]
    accuracies = [games[0].game_accuracies[0, 0], games[1].game_accuracies[0, 1]]
    assert play.games == 2
    assert play.play.accuracy == round(float(np.mean(accuracies)), 1)
    assert (play.play.moves, play.play.inaccuracies, play.play.mistakes, play.play.blunders) == (4, 2, 0, 1)
    assert play.per_game("blunders") == 0.5
    assert play.play.centipawn_loss == round((0 + 80 + 90 + 880) / 4, 1)


def test_results_by_phase_and_clock(path: Path) -> None:
    play = player(path, "alice").play
    assert play is not None
    phases = {name: (part.score.games, part.score.points) for name, part in play.phases.items()}
    assert phases == {"opening": (2, 1), "endgame": (1, 0.5)}
    assert play.phases["opening"].play.moves == 4
    assert play.phases["endgame"].play.moves == 0
    clocks = {name: (part.score.games, part.score.points, part.play.moves) for name, part in play.clocks.items()}
    assert clocks == {
        "under 10 s": (1, 0, 1),
        "10 to 30 s": (1, 1, 0),
        "30 to 60 s": (0, 0, 1),
        "1 to 5 min": (0, 0, 1),
        "5 min and more": (0, 0, 1),
    }
    assert play.clocks["under 10 s"].play.blunders == 1


def test_games_without_values(path: Path) -> None:
    play = player(path, "carol").play
    assert play is not None
    assert play.games == 1
    assert play.clocks == {}
    assert play.to_dict()["perGame"]["blunders"] == 0
    dora = player(path, "dora", player="carol").to_dict()["play"]
    assert dora["moves"] == 1
