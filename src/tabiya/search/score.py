"""The score of a player in some games, and the performance rating that follows from it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

_MOST_ADVANTAGE: Final = 800
"""Maximum difference between a performance and the ratings of the opponents, as in the rules of FIDE."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """The score of a player in some games."""

    games: int
    wins: int
    draws: int
    losses: int
    """Games without a decided result are counted only in ``games``."""
    performance: int | None
    """The performance rating of the score against these opponents."""

    @property
    def points(self) -> float:
        """A point for a win, half a point for a draw."""
        return self.wins + self.draws / 2

    @property
    def share(self) -> float | None:
        """The points as a share of the maximum; None if no game has a result."""
        ended = self.wins + self.draws + self.losses
        return self.points / ended if ended else None

    def to_dict(self) -> dict[str, Any]:
        """Return the score for JSON."""
        counts = {name: getattr(self, name) for name in ("games", "wins", "draws", "losses", "performance")}
        return {**counts, "score": None if self.share is None else round(self.share, 4)}


def performance_of(opponents: float, share: float) -> int:
    """Return the rating that is expected to score this share against opponents of this rating."""
    advantage = 400 * math.log10(share / (1 - share)) if 0 < share < 1 else (2 * share - 1) * _MOST_ADVANTAGE
    return round(opponents + max(-_MOST_ADVANTAGE, min(advantage, _MOST_ADVANTAGE)))
