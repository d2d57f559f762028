"""Win chances, accuracy and centipawn loss of moves and games.

All functions take scores (see :mod:`scores`) or win chances as arrays of any length, or as single numbers, and cost a
fixed number of array operations. Unknown values give NaN. Win chances are percentages from White's point of view.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tabiya.evaluations.constants import constant
from tabiya.evaluations.scores import UNKNOWN

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

_MOST: Final = int(constant("most_centipawns"))


def centipawns(scores: ArrayLike) -> NDArray[np.float64]:
    """Return scores as centipawns from -1000 to 1000, which mates have too."""
    given = np.asarray(scores, np.int64)
    return np.where(given == UNKNOWN, np.nan, np.clip(given, -_MOST, _MOST))


def win_chances(scores: ArrayLike) -> NDArray[np.float64]:
    """Return White's chances to win, in percent.

    50 + 50 · (2 / (1 + e^(−0.00368208 · centipawns)) − 1)
    """
    # There are so few values that looking them up is faster than computing them.
    known = np.arange(-_MOST, _MOST + 1)
    table = 100 / (1 + np.exp(-constant("win_slope") * known))
    given = np.asarray(scores, np.int64)
    return np.where(given == UNKNOWN, np.nan, table[np.clip(given, -_MOST, _MOST) + _MOST])


def uncapped_chances(scores: ArrayLike) -> NDArray[np.float64]:
    """Return win chances for judgements, which distinguish evaluations beyond 1000 centipawns; mates are certain."""
    given = np.asarray(scores, np.int64)
    with np.errstate(over="ignore"):
        chances = 100 / (1 + np.exp(-constant("win_slope") * given))
    return np.where(given == UNKNOWN, np.nan, chances)


def chances_lost(before: ArrayLike, after: ArrayLike, black: ArrayLike) -> NDArray[np.float64]:
    """Return the points of win chances that moves of White, or Black, have lost; below 0 if they gained."""
    change = np.asarray(before, np.float64) - np.asarray(after, np.float64)
    return np.where(np.asarray(black, np.bool_), -change, change)


def move_accuracies(lost: ArrayLike) -> NDArray[np.float64]:
    """Return the accuracy of moves from 0 to 100, given the points of win chances that they lost.

    103.1668 · e^(−0.04354 · lost) − 3.1669 + 1; 100 for a move that lost nothing.
    """
    given = np.maximum(np.asarray(lost, np.float64), 0)
    raw = constant("accuracy_scale") * np.exp(-constant("accuracy_decay") * given) - constant("accuracy_offset")
    return np.where(given == 0, 100.0, np.clip(raw + constant("accuracy_bonus"), 0, 100))


def centipawn_losses(before: ArrayLike, after: ArrayLike, black: ArrayLike) -> NDArray[np.float64]:
    """Return the centipawns that moves have lost, at least 0, given the scores before and after them."""
    change = centipawns(before) - centipawns(after)
    return np.maximum(np.where(np.asarray(black, np.bool_), -change, change), 0)


def game_accuracies(
    chances: NDArray[np.float64], ends: NDArray[Any], black_begins: NDArray[Any]
) -> NDArray[np.float64]:
    """Return the accuracy of White and of Black in each of some games, as two columns; NaN without evaluated moves.

    It is the mean of two means over the moves of a side: one weighted by the volatility around each move, which is the
    standard deviation of win chances in a window, and the harmonic mean.

    Args:
        chances: the win chances of all positions of all games, the start positions included; NaN where unknown.
        ends: the end of the positions of each game in ``chances``, after a 0.
        black_begins: whether Black makes the first move of a game.
    """
    games = len(ends) - 1
    owner = np.repeat(np.arange(games), np.diff(ends))
    ply = np.arange(len(chances)) - np.asarray(ends, np.int64)[owner]
    places = np.flatnonzero(~np.isnan(chances))
    moves = _moves_between(places, owner)
    if not len(moves):
        return np.full((games, 2), np.nan)
    weights = _weights(chances[places], owner[places], moves)
    after = places[moves + 1]
    mover = (ply[after] + 1 + np.asarray(black_begins, np.int64)[owner[after]]) % 2
    accuracy = move_accuracies(chances_lost(chances[after - 1], chances[after], mover))
    group = 2 * owner[after] + mover

    def total(values: NDArray[np.float64] | None) -> NDArray[Any]:
        return np.bincount(group, values, minlength=2 * games)

    with np.errstate(divide="ignore", invalid="ignore"):
        weighted = total(accuracy * weights) / total(weights)
        harmonic = total(None) / total(1 / np.maximum(accuracy, constant("harmonic_least")))
    found: NDArray[np.float64] = ((weighted + harmonic) / 2).reshape(games, 2)
    return found


def _moves_between(places: NDArray[np.int64], owner: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the indices among known positions of those before a move whose next position is known, too."""
    adjacent = np.diff(places) == 1
    return np.flatnonzero(adjacent & (owner[places[:-1]] == owner[places[1:]]))


def _weights(chances: NDArray[np.float64], owner: NDArray[np.int64], moves: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the volatility around moves: the deviation of a window of the known positions of their games.

    The first windows of a game are the same: a window begins at the earliest at the first position.
    """
    numbers = np.bincount(owner)
    begins = (np.cumsum(numbers) - numbers)[owner[moves]]
    evaluated = numbers[owner[moves]] - 1
    least, most = int(constant("window_least")), int(constant("window_most"))
    sizes = np.clip(evaluated // int(constant("window_share")), least, most)
    first = np.maximum(moves - sizes + 2, begins)
    mean, variance = np.zeros(len(moves)), np.zeros(len(moves))
    for step in range(most):
        inside = step < sizes
        mean += np.where(inside, chances[np.where(inside, first + step, first)], 0) / sizes
    for step in range(most):
        inside = step < sizes
        difference = np.where(inside, chances[np.where(inside, first + step, first)] - mean, 0)
        variance += difference * difference / sizes
    weights: NDArray[np.float64] = np.clip(np.sqrt(variance), constant("weight_least"), constant("weight_most"))
    return weights
