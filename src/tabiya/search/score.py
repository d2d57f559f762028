"""The score of a player in some games."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


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
