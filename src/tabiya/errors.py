"""The errors of tabiya: one base class with a few subclasses, which report where the error happened."""

from __future__ import annotations

import re
from errno import ENOENT
from os import PathLike, fspath
from typing import Final

_LOGIN: Final = re.compile(
    r"((?:[a-z][a-z0-9+.-]{1,30}:[/\\]+|(?:mysql|mariadb)[:;/\\]+)[^\s/\\:@]*):(?!password@host:port)[^\n]*@",
    re.IGNORECASE,
)
"""What precedes the password of a URL. Accepts URLs that went through ``Path`` and common typing mistakes."""
_OPTION: Final = re.compile(r"([?&;](?:pass\w*|pwd)=)[^&;\s]+", re.IGNORECASE)

_LONGEST_QUOTATION: Final = 200
_LONGEST_MESSAGE: Final = 4000
_LONGEST_PATH: Final = 1000
_END_LENGTH: Final = 500
"""Number of characters kept from the end of a message that is too long."""
_QUOTE: Final = re.compile("['\"]")
_REST_OF_QUOTATION: Final = {
    quote: re.compile(rf"[^{quote}\\]*+(?:\\.[^{quote}\\]*+)*+{quote}", re.DOTALL) for quote in ("'", '"')
}


def redacted(text: str) -> str:
    """Return a text that is safe to show: three stars replace the password of a URL in it."""
    if "@" in text:
        text = _LOGIN.sub(r"\1:***@", text)
    return _OPTION.sub(r"\1***", text) if "=" in text else text


def shortened(text: str, most: int = 100) -> str:
    """Return a text, shortened to at most ``most`` characters."""
    return text if len(text) <= most else f"{text[:most]}…"


def presentable(message: str) -> str:
    """Return a message without passwords, with long quotations and long lists shortened. Takes linear time."""
    if len(message) > _LONGEST_QUOTATION:
        message = _with_short_quotations(message)
    if len(message) > _LONGEST_MESSAGE:
        end = redacted(message[-_LONGEST_MESSAGE:])[-_END_LENGTH:]
        message = f"{_head(message, _LONGEST_MESSAGE - _END_LENGTH)} {end}"
    return redacted(message)


def _with_short_quotations(text: str) -> str:
    """Return a text with long quotations cut. The search ends at a quotation mark that is never closed."""
    parts, done, unclosed = [], 0, set[str]()
    place = 0
    while found := _QUOTE.search(text, place):
        quote, begin = found[0], found.start()
        rest = None if quote in unclosed else _REST_OF_QUOTATION[quote].match(text, begin + 1)
        if rest is None:
            unclosed.add(quote)
            place = begin + 1
        elif rest.end() - begin - 2 < _LONGEST_QUOTATION:
            place = rest.end() - 1  # it may open the next one: the first may have been an apostrophe
        else:
            parts += [text[done:begin], f"{_head(text[begin : rest.end()])}{quote}"]
            place = done = rest.end()
    return "".join([*parts, text[done:]])


def _head(text: str, most: int = 100) -> str:
    """Return the first characters of a long text. A password that extends beyond them counts as one character."""
    return shortened(redacted(f"{text[: most + _LONGEST_QUOTATION]}@"), most)


class TabiyaError(Exception):
    """Base class of all errors that tabiya raises on purpose.

    ``path``, ``game`` (counted from 1) and ``offset`` (in bytes) locate the error as far as known. The message never
    contains the password of a URL or a long text in full.
    """

    def __init__(
        self,
        message: str,
        *,
        path: str | PathLike[str] | None = None,
        game: int | None = None,
        offset: int | None = None,
    ) -> None:
        message = presentable(message)
        super().__init__(message)
        self.message = message
        name = None if path is None else fspath(path)
        self.path = name if name is None else (redacted if len(name) <= _LONGEST_MESSAGE else presentable)(name)
        self.game = game
        self.offset = offset

    def __str__(self) -> str:
        place = [
            *([shortened(self.path, _LONGEST_PATH)] if self.path is not None else []),
            *([f"game {self.game}"] if self.game is not None else []),
            *([f"offset {self.offset}"] if self.offset is not None else []),
        ]
        return f"{', '.join(place)}: {self.message}" if place else self.message


class MissingFileError(TabiyaError, FileNotFoundError):
    """A file or folder does not exist. Also a ``FileNotFoundError``, with ``errno`` and ``filename``."""

    def __init__(
        self,
        message: str,
        *,
        path: str | PathLike[str] | None = None,
        game: int | None = None,
        offset: int | None = None,
    ) -> None:
        super().__init__(message, path=path, game=game, offset=offset)
        self.errno, self.strerror = ENOENT, self.message

    @property
    def filename(self) -> str | None:
        """The path."""
        return self.path


class FormatError(TabiyaError):
    """A text or file does not have the expected form: a FEN, a move, an unknown kind of file."""


class CorruptError(TabiyaError):
    """A file is of the right kind but too damaged to be used."""


class UnsupportedError(TabiyaError):
    """The input is valid, but tabiya or the target format does not support it."""


class EngineError(TabiyaError):
    """An engine cannot be started, has crashed, does not answer, or answers with nonsense. Its process has ended."""


class LossError(TabiyaError):
    """A strict conversion would lose content. The target is unchanged."""


class UsageError(TabiyaError):
    """The arguments of the call are invalid: the target exists, or an option does not apply."""
