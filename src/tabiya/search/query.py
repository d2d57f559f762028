"""A complete query: conditions on positions and headers, and the part of the found games to return."""

from __future__ import annotations

import reprlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tabiya.errors import UsageError
from tabiya.search.conditions import Condition

if TYPE_CHECKING:
    from tabiya.game.where import Where


@dataclass(frozen=True, slots=True)
class Query:
    """Conditions on positions and headers, and the part of the found games to return."""

    condition: Condition | None = None
    """The condition that must hold at some ply; None to use only the headers."""
    where: Where | None = None
    """Which records to search: a ``RecordFilter``, an expression over the columns, or a callable returning a mask."""
    variations: bool = False
    """Whether to search variations, too."""
    skip: int = 0
    """Number of found games to skip."""
    limit: int | None = None
    """Maximum number of games to return."""
    sample: int | None = None
    """Pick this many of the found games at random; ``skip`` and ``limit`` choose among these."""
    seed: int | None = None
    """A number that makes the sample reproducible."""
    side_of: str | None = None
    """A player, part of the name: only games of this player are found, and conditions on positions, evaluations and
    results are from that player's side, as if the player had White.
    """

    def __post_init__(self) -> None:
        if self.condition is not None and not isinstance(self.condition, Condition):
            raise UsageError(f"{reprlib.repr(self.condition)} is not a condition on positions")
        given: dict[str, object] = {"skip": self.skip}
        given |= {name: 0 if most is None else most for name, most in (("limit", self.limit), ("sample", self.sample))}
        for name, number in given.items():
            if isinstance(number, bool) or not isinstance(number, int) or number < 0:
                raise UsageError(f"{name} must be a number from 0 on, not {number!r}")
        if self.seed is not None and self.sample is None:
            raise UsageError("a seed needs a sample")
