"""What checking finds in a book, and what writing puts into one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from tabiya.formats.losses import LossReport

__all__ = ["BookProblem", "Written"]


class Written(NamedTuple):
    """What is in a new book, and what did not get there."""

    positions: int
    moves: int
    losses: LossReport = LossReport()


@dataclass(frozen=True, slots=True)
class BookProblem:
    """Something that is wrong with a book; ``offset`` counts bytes of ``file``, as far as known."""

    what: str
    """A short stable name, such as ``order``, for programs."""
    text: str
    """What is wrong, for people."""
    file: str
    """The name of the file, without its folder."""
    offset: int | None = None

    def __str__(self) -> str:
        place = self.file if self.offset is None else f"{self.file}, offset {self.offset}"
        return f"{place}: {self.text}"

    def as_dict(self) -> dict[str, Any]:
        """Return the problem for JSON."""
        return {"what": self.what, "text": self.text, "file": self.file, "offset": self.offset}
