"""The errors of tabiya: one base class, few subclasses, always with the place where it happened."""

from __future__ import annotations

from os import PathLike, fspath

__all__ = ["CorruptError", "FormatError", "LossError", "TabiyaError", "UnsupportedError", "UsageError"]


class TabiyaError(Exception):
    """Base of everything that tabiya raises on purpose.

    ``path``, ``game`` (counted from 1, as users count) and ``offset`` (bytes) say where, as far as known.
    """

    def __init__(
        self,
        message: str,
        *,
        path: str | PathLike[str] | None = None,
        game: int | None = None,
        offset: int | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.path = fspath(path) if path is not None else None
        self.game = game
        self.offset = offset

    def __str__(self) -> str:
        place = [
            *([self.path] if self.path is not None else []),
            *([f"game {self.game}"] if self.game is not None else []),
            *([f"offset {self.offset}"] if self.offset is not None else []),
        ]
        return f"{', '.join(place)}: {self.message}" if place else self.message


class FormatError(TabiyaError):
    """A text or file is not of the form it should be: a FEN, a move, an unknown kind of file."""


class CorruptError(TabiyaError):
    """A file is of the right kind but damaged beyond use."""


class UnsupportedError(TabiyaError):
    """The input is sound, but tabiya or the target format cannot do this with it."""


class LossError(TabiyaError):
    """A strict conversion would have lost something; the target was left untouched."""


class UsageError(TabiyaError):
    """The call makes no sense as it stands: a target that exists, an option that does not fit."""
