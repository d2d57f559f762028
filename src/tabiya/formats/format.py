"""The description of a format: one frozen object, from which everything generic follows.

Describing a format must be cheap: ``open`` and ``create`` import their reader and writer when called, because pyarrow
alone costs half of the start-up time of the command line.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, BinaryIO, Protocol, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tabiya.formats.capabilities import Keeps
    from tabiya.formats.database import Database
    from tabiya.formats.url import Url
    from tabiya.formats.writer import Writer

__all__ = ["HEAD_BYTES", "Format", "Match", "Place", "Profile"]

HEAD_BYTES = 4096
"""How much of a file ``sniff`` gets to see."""

Place: TypeAlias = "Path | BinaryIO"
"""Where a database is: a path, or a binary stream for formats with ``streams``."""


class Match(IntEnum):
    """How well a file fits a format, judged by its content."""

    NO = 0
    MAYBE = 1
    """Nothing speaks against it. A fitting suffix of another format weighs more."""
    LIKELY = 2
    CERTAIN = 3


class Opener(Protocol):
    """Opens a database. Options are keyword-only and spelled out, never ``**options``: callers are told their names."""

    def __call__(self, place: Place, /) -> Database: ...


class Creator(Protocol):
    """Creates a writer; besides ``overwrite`` and ``strict`` it may take keyword-only options, spelled out."""

    def __call__(self, place: Place, /, *, overwrite: bool = False, strict: bool = False) -> Writer: ...


class UrlOpener(Protocol):
    """Opens a database on a server."""

    def __call__(self, url: Url, /) -> Database: ...


class UrlCreator(Protocol):
    """Creates a writer into a database on a server."""

    def __call__(self, url: Url, /, *, overwrite: bool = False, strict: bool = False) -> Writer: ...


@dataclass(frozen=True, slots=True)
class Profile:
    """A way of writing a format that keeps less than its usual one; chosen with ``profile=name``."""

    name: str
    title: str
    keeps: Keeps


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """What tabiya knows about a format.

    ``sniff`` judges by the first bytes and, if there is one, by the path; the head is empty for a folder and for a path
    that does not exist (the stem of a base of many files, perhaps). It never raises.
    """

    name: str
    """Short and lower case: ``pgn``."""
    title: str
    """For people: ``Portable Game Notation``."""
    suffixes: tuple[str, ...]
    """Lower case, with the dot, the usual one first; ``.pgn.zst`` is fine."""
    keeps: Keeps
    sniff: Callable[[bytes, Path | None], Match]
    open: Opener
    create: Creator | None = None
    """None for formats that are only read."""
    profiles: tuple[Profile, ...] = ()
    streams: bool = False
    """Reads from and writes to streams (standard input, file objects), not only paths."""
    schemes: tuple[str, ...] = ()
    """URLs of these schemes, lower case, are databases of this format on a server: ``mysql``."""
    open_url: UrlOpener | None = None
    create_url: UrlCreator | None = None

    def suffix_of(self, path: Path) -> str | None:
        """The longest of the format's suffixes that the name of ``path`` ends with."""
        name = path.name.lower()
        return max((suffix for suffix in self.suffixes if name.endswith(suffix)), key=len, default=None)

    def __str__(self) -> str:
        places = [*self.suffixes, *(f"{scheme}://" for scheme in self.schemes)]
        return f"{self.name} ({' '.join(places)})" if places else self.name
