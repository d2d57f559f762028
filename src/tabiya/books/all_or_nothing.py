"""Writers and editors of books: all changes appear at the end of a ``with`` block, or none after an error."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from tabiya.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType
    from typing import Self


class AllOrNothing(ABC):
    """Commits once. Without ``with``: ``commit()`` publishes the result, ``close()`` without a commit discards it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._done = False

    @abstractmethod
    def commit(self) -> None:
        """Publish the result."""

    def close(self) -> None:
        """Discard everything that was not committed. May be called twice."""
        self._done = True

    def _check_open(self) -> None:
        if self._done:
            raise UsageError("has already been written or was discarded", path=self._path)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None and not self._done:
            self.commit()
        else:
            self.close()
