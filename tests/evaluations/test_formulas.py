"""Win chances, accuracy and centipawn loss: examples computed by hand, and a slow second implementation."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabiya.evaluations import (
    CONSTANTS,
    MATE,
    UNKNOWN,
    centipawn_losses,
    centipawns,
    game_accuracies,
    move_accuracies,
    win_chances,
)
from tests.evaluations import oracle

PAGE = (Path(__file__).parent.parent.parent / "docs" / "evaluations.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("score", "chances"),
    [
        (0, 50.0),
        (100, 59.1026),  # 100 / (1 + e^-0.368208) = 100 / 1.691973
        (-100, 40.8974),
        (300, 75.1126),  # 100 / (1 + e^-1.104624) = 100 / 1.331335
        (1000, 97.5447),  # 100 / (1 + e^-3.68208) = 100 / 1.025171
        (2500, 97.5447),
        (MATE - 3, 97.5447),
        (-MATE, 2.4553),
    ],
)
def test_win_chances(score: int, chances: float) -> None:
    assert float(win_chances(score)) == pytest.approx(chances, abs=1e-4)


@pytest.mark.parametrize(
    ("lost", "accuracy"),
    [
        (-3, 100),
        (0, 100),
        (5, 80.8138),  # 103.16681 * e^-0.2177208 - 2.16692 = 103.16681 * 0.804350 - 2.16692
        (10, 64.5803),  # 103.16681 * e^-0.4354415 - 2.16692 = 103.16681 * 0.646979 - 2.16692
        (50, 9.5278),  # 103.16681 * e^-2.1772077 - 2.16692 = 103.16681 * 0.113358 - 2.16692
        (95, 0),
    ],
)
def test_accuracy_of_a_move(lost: float, accuracy: float) -> None:
    assert float(move_accuracies(lost)) == pytest.approx(accuracy, abs=2e-3)


def test_unknown_scores_have_no_values() -> None:
    assert np.isnan(win_chances([UNKNOWN, 0])).tolist() == [True, False]
    assert np.isnan(centipawns([UNKNOWN, 0])).tolist() == [True, False]
    assert np.isnan(move_accuracies([np.nan, 1])).tolist() == [True, False]
    assert np.isnan(centipawn_losses([UNKNOWN], [5], [False])).tolist() == [True]


def test_centipawn_losses() -> None:
    before = [20, 20, 20, 20, 900, MATE - 2]
    after = [-80, -80, 50, 50, 1500, 100]
    black = [False, True, False, True, False, False]
    assert centipawn_losses(before, after, black).tolist() == [100, 0, 0, 30, 0, 900]


def accuracies(*games: list[float], black_begins: bool = False) -> list[list[float]]:
    ends = np.concatenate(([0], np.cumsum([len(game) for game in games])))
    chances = np.array([number for game in games for number in game], np.float64)
    return [list(pair) for pair in game_accuracies(chances, ends, np.full(len(games), black_begins))]


def test_accuracy_of_a_game() -> None:
    """Two moves by hand: White loses 10 points, Black nothing; both windows have the size 2."""
    ((white, black),) = accuracies([60.0, 50.0, 50.0])
    assert white == pytest.approx(64.5803, abs=1e-3)
    assert black == 100
    # Weights are the deviations 5 of (60, 50) and 0.5, the least, of (50, 50): (5 · 64.5803 + 0.5 · 100) / 5.5, and
    # the harmonic mean 2 / (1 / 64.5803 + 1 / 100).
    ((white, _),) = accuracies([60.0, 50.0, 50.0, 50.0])
    assert white == pytest.approx(((5 * 64.5803 + 0.5 * 100) / 5.5 + 2 / (1 / 64.5803 + 1 / 100)) / 2, abs=1e-3)


def test_games_without_evaluated_moves() -> None:
    assert np.isnan(accuracies([], [50.0], [50.0, np.nan, 50.0])).all()
    assert np.isnan(accuracies([], [])).all()
    (_, (white, black)) = accuracies([np.nan, np.nan], [50.0, 50.0])
    assert white == 100
    assert np.isnan(black)


POSITIONS = st.lists(st.floats(0, 100).map(lambda number: round(number, 3)), min_size=2, max_size=120)


@given(games=st.lists(POSITIONS, min_size=1, max_size=4), black_begins=st.booleans())
def test_accuracy_of_games_is_that_of_the_slow_implementation(games: list[list[float]], black_begins: bool) -> None:
    found = accuracies(*games, black_begins=black_begins)
    expected = [oracle.game_accuracy(game, black_begins=black_begins) for game in games]
    np.testing.assert_allclose(found, expected, rtol=1e-9)


@given(positions=POSITIONS, gap=st.integers(0, 120))
def test_a_gap_affects_only_the_moves_beside_it(positions: list[float], gap: int) -> None:
    """A game without its last positions is as good as one that ends earlier."""
    kept = positions[: max(2, gap)]
    found = accuracies([*kept, *[np.nan] * (len(positions) - len(kept))])
    np.testing.assert_allclose(found, [oracle.game_accuracy(kept, black_begins=False)], rtol=1e-9)


@given(st.integers(-1200, 1200), st.integers(0, 120))
def test_single_values_are_those_of_the_slow_implementation(score: int, lost: int) -> None:
    assert float(win_chances(score)) == pytest.approx(oracle.chances(score))
    assert float(move_accuracies(lost)) == pytest.approx(oracle.accuracy(lost))


def test_the_documentation_has_all_constants() -> None:
    rows = [
        f"| `{name}` | {constant.value:.15g} | {constant.meaning} | {constant.source} |"
        for name, constant in CONSTANTS.items()
    ]
    assert [row for row in rows if row not in PAGE] == []
