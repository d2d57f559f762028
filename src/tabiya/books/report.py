"""What ``check`` finds in a book."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

__all__ = ["BookProblem"]


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
        """The problem for JSON."""
        return {"what": self.what, "text": self.text, "file": self.file, "offset": self.offset}
