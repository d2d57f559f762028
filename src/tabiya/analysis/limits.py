"""Limits of a search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tabiya.errors import UsageError

DEPTH: Final = 16
"""In plies, if no limit is given."""
_MOST: Final[dict[str, int]] = {"depth": 1000, "nodes": 10**15, "mate": 1000}
_MOST_SECONDS: Final = 10 * 24 * 3600.0
_SLACK_DEPTH: Final = 2
_SLACK_NODES: Final = 10_000_000


@dataclass(frozen=True, slots=True)
class Limit:
    """Where a search ends: at the first limit it reaches. Without any limit it runs until it is stopped."""

    depth: int | None = None
    """In plies."""
    time: float | None = None
    """In seconds."""
    nodes: int | None = None
    """Number of positions examined."""
    mate: int | None = None
    """Search for a mate in this number of moves."""

    @classmethod
    def of_position(cls, depth: int | None, time: float | None, nodes: int | None) -> Limit:
        """Return the limit for each of many positions: ``DEPTH`` if none is given."""
        return cls(DEPTH if depth is time is nodes is None else depth, time, nodes)

    def __post_init__(self) -> None:
        for name, most in _MOST.items():
            value = getattr(self, name)
            if value is not None and (type(value) is not int or not 1 <= value <= most):
                raise UsageError(f"the limit {name} must be a number from 1 to {most}, not {value!r}")
        if self.time is not None and (type(self.time) not in (int, float) or not 0 < self.time <= _MOST_SECONDS):
            raise UsageError(f"the limit time must be a number of seconds up to {_MOST_SECONDS:.0f}, not {self.time!r}")

    @property
    def is_endless(self) -> bool:
        """Whether nothing ends the search but a stop."""
        return self.depth is self.time is self.nodes is self.mate is None

    def words(self) -> str:
        """Return the limits as words of the command ``go``."""
        parts = [f"{name} {value}" for name in _MOST if (value := getattr(self, name)) is not None]
        if self.time is not None:
            parts.append(f"movetime {max(1, round(1000 * self.time))}")
        return " ".join(parts) or "infinite"

    def is_exceeded(self, depth: int, nodes: int) -> bool:
        """Return whether a search has gone far beyond its limits, so that the engine must have ignored them."""
        return (self.depth is not None and depth > self.depth + _SLACK_DEPTH) or (
            self.nodes is not None and nodes > 2 * self.nodes + _SLACK_NODES
        )
