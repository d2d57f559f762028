"""Scores: evaluations as single integers that compare as the positions do, from White's point of view.

A score is a number of centipawns; ``MATE - n`` is a mate in n moves by White, ``n - MATE`` one by Black. On the board,
a mate has ``n`` = 0. Columns of scores are arrays of int32.
"""

from __future__ import annotations

from typing import Final

from tabiya.errors import UsageError
from tabiya.game.annotations import Evaluation

MATE: Final = 1 << 20
"""Score of a position in which White has mated."""
UNKNOWN: Final = -(1 << 31)
"""Stands for a missing evaluation in columns."""
MATES: Final = MATE - (1 << 16)
"""Scores from here on, and from its negative down, are mates: payloads have 16 bits."""
_CENTIPAWNS, _MOVES_TO_MATE = 0, 1


def score_of(evaluation: Evaluation, *, black_moved: bool = False) -> int:
    """Return the score of an evaluation; ``UNKNOWN`` for types that ChessBase does not describe.

    ``black_moved``: whether Black made the last move, which decides who has mated if the mate is on the board.
    """
    if evaluation.type == _CENTIPAWNS:
        return evaluation.value
    if evaluation.type != _MOVES_TO_MATE:
        return UNKNOWN
    if evaluation.value == 0:
        return -MATE if black_moved else MATE
    return MATE - evaluation.value if evaluation.value > 0 else -MATE - evaluation.value


def evaluation_of(score: int, depth: int = 0) -> Evaluation:
    """Return the evaluation of a score; the inverse of ``score_of``.

    Raises:
        UsageError: The score is unknown.
    """
    if score == UNKNOWN:
        raise UsageError("an unknown score has no evaluation")
    if abs(score) < MATES:
        return Evaluation(score, _CENTIPAWNS, depth)
    return Evaluation(MATE - score if score > 0 else -MATE - score, _MOVES_TO_MATE, depth)
