"""Reports of checking and of writing a book."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from tabiya.formats.losses import LossReport


class Written(NamedTuple):
    """The contents of a new book, and the losses."""

    positions: int
    moves: int
    losses: LossReport = LossReport()


@dataclass(frozen=True, slots=True)
class BookProblem:
    """A problem of a book; ``offset`` counts bytes of ``file``, as far as known."""

    what: str
    """A short stable name, such as ``order``, for programs."""
    text: str
    """A sentence about the problem."""
    file: str
    """The name of the file, without its folder."""
    offset: int | None = None

    def __str__(self) -> str:
        place = self.file if self.offset is None else f"{self.file}, offset {self.offset}"
        return f"{place}: {self.text}"

    def as_dict(self) -> dict[str, Any]:
        """Return the problem for JSON."""
        return {"what": self.what, "text": self.text, "file": self.file, "offset": self.offset}
