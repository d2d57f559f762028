"""What is closed at the end of a ``with`` block, whatever happens in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

__all__ = ["Closing"]


class Closing:
    """Something with a method ``close`` that may be called twice."""

    __slots__ = ()

    def close(self) -> None:
        """Give back what it holds."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
