"""Columns of evaluations and clocks: against the properties of nodes, and a second implementation of phases."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import chess
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tabiya
from tabiya.errors import UsageError
from tabiya.evaluations import MATE, UNKNOWN, MoveValues, Phase, evaluation_of, score_of
from tabiya.game import Game, GameBatch
from tabiya.game.annotations import Evaluation, EvaluationProfile
from tabiya.game.annotations.evaluations import ProfileEntry
from tests.strategies import games

SCORES = [
    (Evaluation(35), 35),
    (Evaluation(-1), -1),
    (Evaluation(3, 1), MATE - 3),
    (Evaluation(-2, 1), 2 - MATE),
    (Evaluation(0, 1), MATE),
    (Evaluation(32767), 32767),
    (Evaluation(-32768, 1), 32768 - MATE),
]


@pytest.mark.parametrize(("evaluation", "score"), SCORES)
def test_scores(evaluation: Evaluation, score: int) -> None:
    assert score_of(evaluation) == score
    assert evaluation_of(score) == evaluation


def test_other_scores() -> None:
    assert score_of(Evaluation(0, 1), black_moved=True) == -MATE
    assert score_of(Evaluation(5, 32)) == UNKNOWN
    with pytest.raises(UsageError, match="unknown score"):
        evaluation_of(UNKNOWN)


def values_of(pgn: str) -> MoveValues:
    return MoveValues.of_game(Game.from_pgn(pgn))


def test_values_of_a_game() -> None:
    values = values_of(
        '[TimeControl "60+1"]\n\n1. e4 {[%eval 0.3] [%clk 0:01:00]} e5 {[%eval 0.2] [%clk 0:00:59]} '
        "(1... c5 {[%eval 0.9]} 2. Nf3) 2. Qh5 {[%eval -0.5] [%clk 0:00:56.5]} Ke7 {[%clk 0:00:59] [%emt 0:00:04]} "
        "3. Qxe5# {[%eval #0]} *"
    )
    assert values.ends.tolist() == [0, 5]
    assert values.before.tolist() == [15, 30, 20, -50, UNKNOWN]
    assert values.scores.tolist() == [30, 20, -50, UNKNOWN, MATE]
    assert values.black.tolist() == [False, True, False, True, False]
    assert values.judgements.tolist() == [0, 0, 1, 0, 0]
    np.testing.assert_array_equal(values.clocks, [60, 59, 56.5, 59, np.nan])
    np.testing.assert_array_equal(values.times, [np.nan, np.nan, 4.5, 4, np.nan])
    assert values.phases.tolist() == [Phase.OPENING] * 5


def test_a_set_up_position_has_no_usual_evaluation() -> None:
    values = values_of('[FEN "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1"]\n\n1... Kd7 {[%eval 1.0]} 2. e4 {[%eval 1.2]} *')
    assert values.before.tolist() == [UNKNOWN, 100]
    assert values.black.tolist() == [True, False]
    assert values.phases.tolist() == [Phase.ENDGAME] * 2
    known = values_of('[FEN "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1"]\n\n{[%eval 0.9]} 1... Kd7 {[%eval 1.0]} *')
    assert known.before.tolist() == [90]


def test_a_profile_fills_what_is_missing() -> None:
    game = Game.from_pgn("1. e4 {[%eval 0.4]} e5 2. Qh5 Ke7 3. Qxe5# *")
    entries = [ProfileEntry(0, 0, 20), ProfileEntry(0, 0, 99), ProfileEntry(), ProfileEntry(1, 0, 3)]
    entries += [ProfileEntry(1, 0, -4), ProfileEntry(1, 0, 0), ProfileEntry(0, 0, 7)]
    game.root.set_values(EvaluationProfile, [EvaluationProfile(tuple(entries))])
    values = MoveValues.of_game(game)
    assert values.starts.tolist() == [20]
    assert values.scores.tolist() == [40, UNKNOWN, MATE - 2, 2 - MATE, MATE]


def test_records_without_moves() -> None:
    values = MoveValues(GameBatch.from_games([Game(), Game.from_pgn("1. e4 *"), Game()]))
    assert values.ends.tolist() == [0, 0, 1, 1]
    assert np.isnan(values.game_accuracies).all()
    assert len(MoveValues(GameBatch.from_games([])).judgements) == 0


EVALUATIONS = st.builds(Evaluation, st.integers(-(2**15), 2**15 - 1), st.sampled_from([0, 0, 0, 1, 1, 3]))


@given(st.lists(games(), max_size=3), st.data())
def test_columns_are_what_nodes_have(made: list[Game], data: st.DataObject) -> None:
    for game in made:
        for node in game.walk():
            if data.draw(st.booleans()):
                node.eval = data.draw(EVALUATIONS)
                node.clock = data.draw(st.integers(0, 10**6)) / 100
                node.time_spent = data.draw(st.integers(0, 10**5))
    values = MoveValues(GameBatch.from_games(made))
    nodes = [node for game in made for node in game.mainline()]
    assert values.games == len(made)
    assert [score_of(node.eval, black_moved=node.color == 1) if node.eval else UNKNOWN for node in nodes] == (
        values.scores.tolist()
    )
    assert [node.color == 1 for node in nodes] == values.black.tolist()
    np.testing.assert_array_equal(values.clocks, np.array([node.clock for node in nodes], np.float64))
    stored = [
        node.time_spent is None or node.time_spent == time for node, time in zip(nodes, values.times, strict=True)
    ]
    assert all(stored)


@given(st.lists(st.tuples(st.sampled_from([0x21, 0x26, 0x07, 0x16, 0x17]), st.binary(max_size=14)), max_size=8))
def test_damaged_payloads_are_ignored(payloads: list[tuple[int, bytes]]) -> None:
    from tabiya.game.annotations import Annotation

    game = Game.from_pgn("1. e4 e5 2. Nf3 *")
    nodes = [game.root, *game.mainline()]
    for number, (kind, data) in enumerate(payloads):
        nodes[number % len(nodes)].annotations.append(Annotation(kind, data))
    assert len(MoveValues.of_game(game).scores) == 3


# --- phases ----------------------------------------------------------------------------------------------------------


MIXED: dict[tuple[int, int], Callable[[int], int]] = {
    (0, 0): lambda rank: 0,
    (0, 1): lambda rank: 1 + rank,
    (0, 2): lambda rank: 2 + (6 - rank) if rank < 6 else 0,
    (0, 3): lambda rank: 3 + (7 - rank) if rank < 7 else 0,
    (0, 4): lambda rank: 3 + (7 - rank) if rank < 7 else 0,
    (1, 0): lambda rank: 1 + (8 - rank),
    (1, 1): lambda rank: 5 + abs(4 - rank),
    (1, 2): lambda rank: 4 + (7 - rank),
    (1, 3): lambda rank: 5 + (7 - rank),
    (2, 0): lambda rank: 2 + (rank - 2) if rank > 2 else 0,
    (2, 1): lambda rank: 4 + (rank - 1),
    (2, 2): lambda rank: 7,
    (3, 0): lambda rank: 3 + (rank - 1) if rank > 1 else 0,
    (3, 1): lambda rank: 5 + (rank - 1),
    (4, 0): lambda rank: 3 + (rank - 1) if rank > 1 else 0,
}
"""How mixed a square of 2 x 2 is, by its white and black pieces and its lower rank from 1 on, as Lichess counts."""


def phase_of(board: chess.Board) -> Phase:
    """The phase of a position, whatever came before it."""
    pieces = sum(len(board.pieces(kind, color)) for kind in (2, 3, 4, 5) for color in (True, False))
    mixed = 0
    for square in range(55):
        if square % 8 < 7:
            beside = [board.piece_at(square + step) for step in (0, 1, 8, 9)]
            colors = [piece.color for piece in beside if piece]
            mixed += MIXED[sum(colors), len(colors) - sum(colors)](square // 8 + 1)
    ranks = [
        sum(board.color_at(square) is color for square in range(begin, begin + 8))
        for color, begin in ((True, 0), (False, 56))
    ]
    if pieces <= 6:
        return Phase.ENDGAME
    return Phase.MIDDLEGAME if pieces <= 10 or min(ranks) < 4 or mixed > 150 else Phase.OPENING


def test_phases_are_those_of_the_second_implementation() -> None:
    with tabiya.open(Path(__file__).parent.parent.parent / "examples" / "classics.pgn") as classics:
        played = [game for game in classics if len(list(game.mainline())) > 20]
    for game in played:
        expected, phase = [], Phase.OPENING
        for node in game.mainline():
            assert node.parent is not None
            phase = max(phase, phase_of(chess.Board(node.parent.position.fen())))
            expected.append(phase)
        assert MoveValues.of_game(game).phases.tolist() == expected
    assert {phase for game in played for phase in MoveValues.of_game(game).phases.tolist()} == {0, 1, 2}
