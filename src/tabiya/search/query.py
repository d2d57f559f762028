"""A whole question: what is asked of positions and of headers, and which of the games that are found are wanted."""

from __future__ import annotations

import reprlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tabiya.errors import UsageError
from tabiya.search.conditions import Condition

if TYPE_CHECKING:
    from tabiya.game.where import Where

__all__ = ["Query"]


@dataclass(frozen=True, slots=True)
class Query:
    """What is asked of positions and of headers, and which of the games that are found are wanted."""

    condition: Condition | None = None
    """What must hold at some ply; None if only the headers are asked about."""
    where: Where | None = None
    """Which records are looked at: a ``RecordFilter``, an expression over the columns, or what gives a mask."""
    variations: bool = False
    """Whether variations are looked at as well."""
    skip: int = 0
    """How many of the games that are found to pass over."""
    limit: int | None = None
    """How many to give at most."""
    sample: int | None = None
    """So many of the games that are found, picked at random; ``skip`` and ``limit`` choose among these."""
    seed: int | None = None
    """A number, with which the same sample is picked again."""

    def __post_init__(self) -> None:
        if self.condition is not None and not isinstance(self.condition, Condition):
            raise UsageError(f"{reprlib.repr(self.condition)} is not a condition on positions")
        given: dict[str, object] = {"skip": self.skip}
        given |= {name: 0 if most is None else most for name, most in (("limit", self.limit), ("sample", self.sample))}
        for name, number in given.items():
            if isinstance(number, bool) or not isinstance(number, int) or number < 0:
                raise UsageError(f"{name} must be a number from 0 on, not {number!r}")
        if self.seed is not None and self.sample is None:
            raise UsageError("a seed needs a sample to be picked with it")
