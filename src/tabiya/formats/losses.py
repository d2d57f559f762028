"""The loss report: what a target could not store, how often, and in which game first."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    import numpy as np
    from numpy.typing import NDArray

_MOST_EXAMPLES = 5
MAX_EXAMPLES = _MOST_EXAMPLES + 1
"""Number of examples kept: one more than is shown, to know whether there are more."""

LAST_RANK = 1000


@dataclass(frozen=True, slots=True)
class Loss:
    """One line of the report."""

    what: str
    """A short stable name for programs, such as ``variations``."""
    text: str
    """Description for display."""
    count: int
    first_game: int
    """Number of the first affected game in its source, from 1; 0 if the loss does not concern games."""
    examples: tuple[str, ...] = ()
    """Some of the names concerned (of tags, for example), in order of appearance."""
    rank: int = LAST_RANK
    """Sort key: lines are sorted by rank, then by name."""

    def __str__(self) -> str:
        place = f" (first in game {self.first_game})" if self.first_game else ""
        return f"{self.count:,} {self.title}{place}"

    @property
    def title(self) -> str:
        """The description with examples: ``tags (Opening, Variation)``."""
        more = ["…"] if len(self.examples) > _MOST_EXAMPLES else []
        names = ", ".join([*self.examples[:_MOST_EXAMPLES], *more])
        return f"{self.text} ({names})" if names else self.text

    def merged(self, other: Loss) -> Loss:
        """Return the sum of two lines about the same loss; this one came first."""
        examples = tuple(dict.fromkeys(self.examples + other.examples))[:MAX_EXAMPLES]
        first = min(self.first_game or other.first_game, other.first_game or self.first_game)
        return replace(self, count=self.count + other.count, first_game=first, examples=examples)


@dataclass(frozen=True, slots=True)
class LossKinds:
    """What a writer may lose, as a table from which it makes the lines of its report."""

    texts: Mapping[str, str]
    """Descriptions by name."""
    rank: int = LAST_RANK
    """The rank of the first line."""
    step: int = 0
    """From one rank to the next: 1 for the order of the table, 0 for that of the names."""

    def line(self, what: str, count: int, first_game: int, examples: Iterable[str] = ()) -> Loss:
        """Return a line; see ``Loss``."""
        rank = self.rank + self.step * [*self.texts].index(what)
        return Loss(what, self.texts[what], count, int(first_game), tuple(examples)[:MAX_EXAMPLES], rank)

    def of(self, what: str, numbers: NDArray[np.int64], examples: Iterable[str] = ()) -> list[Loss]:
        """Return a line about losses in games with these numbers, one number for each loss; none if there are none."""
        return [self.line(what, len(numbers), numbers.min(), examples)] if len(numbers) else []

    def counted(self, losses: Iterable[tuple[int, int]], numbers: NDArray[np.int64]) -> list[Loss]:
        """Return the lines of a kernel, which returns the number of losses and the first row for each kind."""
        found = zip(self.texts, losses, strict=True)
        return [self.line(what, count, numbers[row]) for what, (count, row) in found if count]


@dataclass(frozen=True, slots=True)
class LossReport:
    """What was lost; if nothing was, it is empty and false.

    Reports can be added: ``a + b``. The sum of the reports of all batches, in order, does not depend on how the records
    were cut into batches nor on the number of threads.
    """

    losses: tuple[Loss, ...] = ()

    @classmethod
    def of(cls, losses: Iterable[Loss]) -> LossReport:
        """Return a report of lines in any order, merging those about the same loss."""
        merged: dict[str, Loss] = {}
        for loss in losses:
            earlier = merged.get(loss.what)
            merged[loss.what] = loss if earlier is None else earlier.merged(loss)
        return cls(tuple(sorted(merged.values(), key=lambda loss: (loss.rank, loss.what))))

    def __add__(self, other: LossReport) -> LossReport:
        return LossReport.of((*self.losses, *other.losses)) if other else self

    def __bool__(self) -> bool:
        return bool(self.losses)

    def __len__(self) -> int:
        return len(self.losses)

    def __iter__(self) -> Iterator[Loss]:
        return iter(self.losses)

    def __str__(self) -> str:
        """Return a table of plain text, or ``nothing was lost``."""
        if not self.losses:
            return "nothing was lost"
        rows = [("lost", "count", "first game" if any(loss.first_game for loss in self.losses) else "")]
        rows += [(loss.title, f"{loss.count:,}", str(loss.first_game or "")) for loss in self.losses]
        width = max(len(title) for title, _, _ in rows)
        return "\n".join(f"{title:<{width}}  {count:>9}  {first:>10}".rstrip() for title, count, first in rows)

    def get(self, what: str) -> Loss | None:
        """Return the line with this name, if there is one."""
        return next((loss for loss in self.losses if loss.what == what), None)

    def summary(self) -> str:
        """Return one line: ``3 variations (first in game 2), 5 texts after a move (first in game 7)``."""
        return ", ".join(str(loss) for loss in self.losses) or "nothing was lost"

    def as_dict(self) -> dict[str, dict[str, Any]]:
        """Return the report for JSON, in order."""
        return {
            loss.what: {
                "text": loss.text,
                "count": loss.count,
                "first_game": loss.first_game or None,
                "examples": list(loss.examples[:_MOST_EXAMPLES]),
            }
            for loss in self.losses
        }
