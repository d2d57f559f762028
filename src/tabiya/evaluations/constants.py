"""All constants of the formulas in one table, each with its meaning and its source.

``docs/evaluations.md`` repeats the table; a test compares them.
"""

from __future__ import annotations

from typing import Final, NamedTuple

_ACCURACY: Final = "Lichess, https://lichess.org/page/accuracy"
_LILA: Final = "Lichess, behaviour of its game analysis"
_DIVIDER: Final = "Lichess, division of a game into phases"
_OWN: Final = "tabiya"


class Constant(NamedTuple):
    """A constant of a formula."""

    value: float
    meaning: str
    source: str


CONSTANTS: Final[dict[str, Constant]] = {
    "win_slope": Constant(0.00368208, "slope of the curve from centipawns to win chances", _ACCURACY),
    "most_centipawns": Constant(1000, "evaluations beyond it, and mates, count as this", _LILA),
    "start_centipawns": Constant(15, "evaluation of the usual start position if the game has none", _LILA),
    "accuracy_scale": Constant(103.1668100711649, "factor in the accuracy of a move", _ACCURACY),
    "accuracy_decay": Constant(0.04354415386753951, "decay of accuracy per point of win chances lost", _ACCURACY),
    "accuracy_offset": Constant(3.166924740191411, "what is subtracted from the accuracy of a move", _ACCURACY),
    "accuracy_bonus": Constant(1, "what is added, because analysis is not perfect", _LILA),
    "window_share": Constant(10, "a window of volatility is the number of evaluated moves divided by this", _LILA),
    "window_least": Constant(2, "least size of a window, in positions", _LILA),
    "window_most": Constant(8, "greatest size of a window", _LILA),
    "weight_least": Constant(0.5, "least weight of a move: standard deviation of win chances", _LILA),
    "weight_most": Constant(12, "greatest weight of a move", _LILA),
    "harmonic_least": Constant(1, "least accuracy of a move in the harmonic mean", _LILA),
    "inaccuracy": Constant(5, "points of win chances lost", _LILA),
    "mistake": Constant(10, "points of win chances lost", _LILA),
    "blunder": Constant(15, "points of win chances lost", _LILA),
    "mate_softened": Constant(700, "beyond it a mate created or lost is a mistake", _LILA),
    "mate_harmless": Constant(999, "beyond it a mate created or lost is an inaccuracy", _LILA),
    "middlegame_pieces": Constant(10, "at most this many knights, bishops, rooks, queens: no opening", _DIVIDER),
    "endgame_pieces": Constant(6, "at most this many: the endgame", _DIVIDER),
    "back_rank_pieces": Constant(4, "fewer on a side's first rank: no opening", _DIVIDER),
    "mixed_pieces": Constant(150, "pieces of both sides mixed more than this: no opening", _DIVIDER),
    "won": Constant(80, "win chances of a position that can be missed as a win", _OWN),
    "not_won": Constant(60, "win chances below which the win is gone", _OWN),
}
"""The constants by name; win chances are percentages from 0 to 100, evaluations centipawns."""


def constant(name: str) -> float:
    """Return the value of a constant."""
    return CONSTANTS[name].value
