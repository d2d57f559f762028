"""Options for building a book from games."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from tabiya.errors import UsageError

Weights: TypeAlias = Literal["points", "games", "uniform"]
"""The basis of the weight of a move in a Polyglot book."""

WEIGHTS: tuple[str, ...] = get_args(Weights)
_MOST_PLY = 255
_LEAST_MEGABYTES, _MOST_MEGABYTES = 64, 1 << 24


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildOptions:
    """Which part of the games is used."""

    max_ply: int = 40
    """Number of half-moves of each game to use, up to 255."""
    min_games: int = 3
    """Moves that occur in fewer games are left out; CTG: positions, and the moves that lead to them."""
    weights: Weights = "points"
    """Polyglot: twice the wins and once the draws of the side that moves, the games, or 1 for every move."""
    memory_megabytes: int = 512
    """Approximate memory for adding up; further data goes to a temporary folder."""

    def __post_init__(self) -> None:
        if not 1 <= self.max_ply <= _MOST_PLY:
            raise UsageError(f"max_ply must be from 1 to {_MOST_PLY}, not {self.max_ply}")
        if self.min_games < 1:
            raise UsageError(f"min_games must be at least 1, not {self.min_games}")
        if self.weights not in WEIGHTS:
            raise UsageError(f"weights must be one of {', '.join(WEIGHTS)}, not {self.weights!r}")
        if not _LEAST_MEGABYTES <= self.memory_megabytes <= _MOST_MEGABYTES:
            limits = f"{_LEAST_MEGABYTES} to {_MOST_MEGABYTES:,} megabytes"
            raise UsageError(f"memory_megabytes must be from {limits}, not {self.memory_megabytes:,}")
