"""How well a player played: accuracy and mistakes in all games, by phase, and by the time left on the clock."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tabiya.evaluations import Judgement, MoveValues, Performance, Phase
from tabiya.search.score import Score

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    from numpy.typing import NDArray

    from tabiya.game import GameBatch

    ScoreOf: TypeAlias = Callable[[NDArray[np.int64], NDArray[np.int64]], Score]

_CLOCKS: Final = (10, 30, 60, 300)
"""Upper limits of the classes of time left, in seconds."""
CLOCK_NAMES: Final = ("under 10 s", "10 to 30 s", "30 to 60 s", "1 to 5 min", "5 min and more")
_DIGITS: Final = 1


@dataclass(frozen=True, slots=True)
class PlayedPart:
    """How a player scored and played in a phase, or with little time."""

    score: Score
    """Of the games that ended in this phase, or in which the player never had more time than this."""
    play: Performance
    """The evaluated moves of the player in this phase, or with this time on the clock."""

    def to_dict(self) -> dict[str, Any]:
        """Return the part for JSON."""
        return {**self.score.to_dict(), "play": asdict(self.play)}


@dataclass(frozen=True, slots=True)
class PlayerPlay:
    """How well a player played."""

    games: int
    """Number of games with evaluated moves of the player."""
    play: Performance
    """All evaluated moves; the accuracy is the mean of those of the games."""
    phases: dict[str, PlayedPart]
    """By phase, of those in which a game ended."""
    clocks: dict[str, PlayedPart]
    """By the least time on the player's clock; empty without clocks."""

    def per_game(self, name: str) -> float | None:
        """Return how many ``inaccuracies``, ``mistakes`` or ``blunders`` there are per evaluated game."""
        count: int = getattr(self.play, name)
        return count / self.games if self.games else None

    def to_dict(self) -> dict[str, Any]:
        """Return everything for JSON."""
        per_game = {name: self.per_game(name) for name in ("inaccuracies", "mistakes", "blunders")}
        return {
            "games": self.games,
            **asdict(self.play),
            "perGame": {name: None if value is None else round(value, 2) for name, value in per_game.items()},
            "phases": [{"phase": name, **part.to_dict()} for name, part in self.phases.items()],
            "clocks": [{"clock": name, **part.to_dict()} for name, part in self.clocks.items()],
        }


def player_play(batch: GameBatch, rows: Sequence[NDArray[np.int64]], score_of: ScoreOf) -> PlayerPlay:
    """Return how well a player played.

    Args:
        batch: the games of the player.
        rows: the rows of the games with White, and of those with Black.
        score_of: returns the score of some of the games with White and some with Black, given as places in ``rows``.
    """
    values = MoveValues(batch)
    own = np.zeros((values.games, 2), np.bool_)
    own[rows[0], 0] = own[rows[1], 1] = True
    moved = own[values.owners, values.black.astype(np.int64)]
    evaluated = moved & ~np.isnan(values.lost)
    games = [_accuracies(values, evaluated, rows[side], side) for side in range(2)]
    accuracies = np.concatenate(games)
    whole = _performance(values, evaluated, float(np.mean(accuracies)) if len(accuracies) else math.nan)
    return PlayerPlay(
        len(accuracies), whole, _phases(values, evaluated, rows, score_of), _clocks(values, moved, rows, score_of)
    )


def _accuracies(
    values: MoveValues, evaluated: NDArray[np.bool_], rows: NDArray[np.int64], side: int
) -> NDArray[np.float64]:
    """Return the accuracies of the evaluated games with one colour."""
    moves = np.bincount(values.owners[evaluated & (values.black == side)], minlength=values.games)
    found: NDArray[np.float64] = values.game_accuracies[rows[moves[rows] > 0], side]
    return found


def _performance(values: MoveValues, moves: NDArray[np.bool_], accuracy: float | None = None) -> Performance:
    count = int(moves.sum())
    judged = np.bincount(values.judgements[moves], minlength=len(Judgement)).tolist()
    mean = float(np.mean(values.accuracies[moves])) if count and accuracy is None else accuracy
    return Performance(
        count,
        None if mean is None or math.isnan(mean) else round(mean, _DIGITS),
        round(float(np.mean(values.centipawns_lost[moves])), _DIGITS) if count else None,
        judged[Judgement.INACCURACY],
        judged[Judgement.MISTAKE],
        judged[Judgement.BLUNDER],
    )


def _phases(
    values: MoveValues, evaluated: NDArray[np.bool_], rows: Sequence[NDArray[np.int64]], score_of: ScoreOf
) -> dict[str, PlayedPart]:
    last = np.full(values.games, -1)
    filled = np.diff(values.ends) > 0
    last[filled] = values.phases[values.ends[1:][filled] - 1]
    found = {}
    for phase in Phase:
        score = score_of(*(np.flatnonzero(last[part] == phase) for part in rows))
        if score.games:
            play = _performance(values, evaluated & (values.phases == phase))
            found[phase.name.lower()] = PlayedPart(score, play)
    return found


def _clocks(
    values: MoveValues, moved: NDArray[np.bool_], rows: Sequence[NDArray[np.int64]], score_of: ScoreOf
) -> dict[str, PlayedPart]:
    timed = moved & ~np.isnan(values.clocks)
    if not timed.any():
        return {}
    least = np.full((values.games, 2), np.inf)
    np.minimum.at(least, (values.owners[timed], values.black[timed].astype(np.int64)), values.clocks[timed])
    classes = np.where(np.isinf(least), -1, np.searchsorted(_CLOCKS, least, side="right"))
    of_moves = np.where(timed, np.searchsorted(_CLOCKS, np.nan_to_num(values.clocks), side="right"), -1)
    known = ~np.isnan(values.lost)
    found = {}
    for number, name in enumerate(CLOCK_NAMES):
        score = score_of(*(np.flatnonzero(classes[part, side] == number) for side, part in enumerate(rows)))
        play = _performance(values, (of_moves == number) & known)
        if score.games or play.moves:
            found[name] = PlayedPart(score, play)
    return found
