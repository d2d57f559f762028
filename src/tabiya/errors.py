"""The errors of tabiya: one base class, few subclasses, always with the place where it happened."""

from __future__ import annotations

import re
from os import PathLike, fspath
from typing import Final

__all__ = ["CorruptError", "FormatError", "LossError", "TabiyaError", "UnsupportedError", "UsageError", "redacted"]

_LOGIN: Final = re.compile(
    r"((?:[a-z][a-z0-9+.-]{1,30}:[/\\]+|(?:mysql|mariadb)[:;/\\]+)[^\s/\\:@]*):(?!password@host:port)[^\n]*@",
    re.IGNORECASE,
)
"""What stands before the password of a URL, also of one that went through ``Path`` or has slips of the pen."""
_OPTION: Final = re.compile(r"([?&;](?:pass\w*|pwd)=)[^&;\s]+", re.IGNORECASE)


def redacted(text: str) -> str:
    """Return a text that may be shown: the password of a URL in it becomes three stars."""
    if "@" in text:
        text = _LOGIN.sub(r"\1:***@", text)
    return _OPTION.sub(r"\1***", text) if "=" in text else text


class TabiyaError(Exception):
    """Base of everything that tabiya raises on purpose.

    ``path``, ``game`` (counted from 1, as users count) and ``offset`` (bytes) say where, as far as known. Whatever an
    error is made of, it shows no password of a URL.
    """

    def __init__(
        self,
        message: str,
        *,
        path: str | PathLike[str] | None = None,
        game: int | None = None,
        offset: int | None = None,
    ) -> None:
        message = redacted(message)
        super().__init__(message)
        self.message = message
        self.path = redacted(fspath(path)) if path is not None else None
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
