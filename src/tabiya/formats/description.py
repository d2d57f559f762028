"""What formats of databases and of books have in common, and how one of them is found: by content, then by name."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Any, TypeVar

from tabiya.errors import FormatError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

__all__ = ["HEAD_BYTES", "Description", "Match", "best_fit", "head_of", "known", "named", "no_suffix", "suffixed"]

HEAD_BYTES = 4096
"""How much of a file ``sniff`` gets to see."""


class Match(IntEnum):
    """How well a file fits a format, judged by its content."""

    NO = 0
    MAYBE = 1
    """Nothing speaks against it. A fitting suffix of another format weighs more."""
    LIKELY = 2
    CERTAIN = 3


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Description:
    """What a format is called, and how its files are known."""

    name: str
    """Short and lower case: ``pgn``."""
    title: str
    """For people: ``Portable Game Notation``."""
    suffixes: tuple[str, ...]
    """Lower case, with the dot, the usual one first; ``.pgn.zst`` is fine."""
    sniff: Callable[[bytes, Any], Match]
    """Judges by the first bytes and, if there is one, by the path; it never raises."""
    rules_out: Callable[[bytes], bool] | None = None
    """Returns whether a file with these first bytes is none of this format, whatever its name; for formats without a
    magic number, which would open anything."""

    def suffix_of(self, path: Path) -> str | None:
        """Return the longest of the format's suffixes that the name of ``path`` ends with."""
        name = path.name.lower()
        return max((suffix for suffix in self.suffixes if name.endswith(suffix)), key=len, default=None)

    def fits(self, path: Path) -> bool:
        """Return whether the name of a path ends as files of this format do."""
        return self.suffix_of(path) is not None

    def __repr__(self) -> str:
        """Return a short form: ``help(tabiya.open)`` and others show lists of these as defaults."""
        return f"<{type(self).__name__} {self.name}>"

    def __str__(self) -> str:
        return f"{self.name} ({' '.join(self.suffixes)})" if self.suffixes else self.name


_Known = TypeVar("_Known", bound=Description)


def head_of(path: Path) -> bytes:
    """Return the first bytes of a file, as ``sniff`` wants them."""
    with path.open("rb") as file:
        return file.read(HEAD_BYTES)


def best_fit(
    head: bytes, path: Path | None, formats: Sequence[_Known], *, by_name: bool = True
) -> tuple[_Known | None, Match]:
    """Return the format whose content fits best; a suffix decides where the content is not even likely.

    And how well its content fits. None if neither content nor name speaks for any.
    """

    def fit(format: _Known) -> tuple[int, int, Match]:
        match = format.sniff(head, path)
        suffix = len(format.suffix_of(path) or "") if path is not None and by_name else 0
        return match if match >= Match.LIKELY else 0, suffix, match

    best = max(formats, key=fit, default=None)
    if best is None or not any(fit(best)):
        return None, Match.NO
    return best, fit(best)[-1]


def suffixed(path: Path, formats: Sequence[_Known]) -> _Known | None:
    """Return the format that the name of a new file says."""
    best = max(formats, key=lambda format: len(format.suffix_of(path) or ""), default=None)
    return best if best is not None and best.fits(path) else None


def named(format: str | _Known, formats: Sequence[_Known], noun: str = "format") -> _Known:
    """Return the format of this name."""
    if not isinstance(format, str):
        return format
    for each in formats:
        if each.name == format.lower():
            return each
    raise UsageError(f"no {noun} is called {format!r}; known: {known(formats)}")


def no_suffix(path: Path, formats: Sequence[Description], noun: str = "format") -> FormatError:
    """Return the error for the name of a new file that says nothing."""
    return FormatError(f"no known {noun} has this suffix; known formats: {known(formats)}", path=path)


def known(formats: Sequence[Description]) -> str:
    """Return the formats in words."""
    return ", ".join(map(str, formats)) or "none"
