"""What formats of databases and of books have in common, and how one of them is found: by content, then by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property, reduce
from importlib import import_module
from inspect import Signature, signature
from operator import itemgetter
from typing import TYPE_CHECKING, Any, TypeVar, overload

from tabiya.errors import FormatError, UnsupportedError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from importlib.metadata import EntryPoint
    from pathlib import Path

__all__ = [
    "HEAD_BYTES",
    "Description",
    "Formats",
    "Lazy",
    "Match",
    "best_fit",
    "head_of",
    "known",
    "named",
    "no_suffix",
    "suffixed",
]

HEAD_BYTES = 4096
"""How much of a file ``sniff`` gets to see."""


class Match(IntEnum):
    """How well a file fits a format, judged by its content."""

    NO = 0
    MAYBE = 1
    """Nothing speaks against it. A fitting suffix of another format weighs more."""
    LIKELY = 2
    CERTAIN = 3


class Lazy:
    """A function or class that is imported when it is first used: ``Lazy("tabiya.formats.pgn.database:PgnDatabase")``.

    Descriptions name readers and writers so, because importing these is slow: they need pyarrow.
    """

    def __init__(self, name: str) -> None:
        self.name = name

    @cached_property
    def function(self) -> Any:
        """What the name stands for."""
        module, _, path = self.name.partition(":")
        try:
            return reduce(getattr, path.split("."), import_module(module))
        except Exception as error:
            if module.startswith("tabiya."):
                raise
            raise UnsupportedError(f"{self.name} cannot be loaded: {type(error).__name__}: {error}") from error

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        """Call the function."""
        return self.function(*arguments, **options)

    @property
    def __signature__(self) -> Signature:
        """What ``inspect.signature`` returns."""
        return signature(self.function)

    def __repr__(self) -> str:
        return f"Lazy({self.name!r})"


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

    def excludes(self, head: bytes, match: Match) -> bool:
        """Return whether the content of a file, which fits no better than ``match``, rules out what its name says."""
        return match < Match.LIKELY and self.rules_out is not None and self.rules_out(head)

    @property
    def claims(self) -> set[str]:
        """What no other format may have: the name, and the endings of files."""
        return {self.name, *self.suffixes}

    def __repr__(self) -> str:
        """Return a short form: ``help(tabiya.open)`` and others show lists of these as defaults."""
        return f"<{type(self).__name__} {self.name}>"

    def __str__(self) -> str:
        return f"{self.name} ({' '.join(self.suffixes)})" if self.suffixes else self.name


_Known = TypeVar("_Known", bound=Description)


class Formats(Sequence[_Known]):
    """The formats to choose from: the built-in ones, then those that installed packages add by entry points.

    Finding entry points takes about as long as starting the program, so it happens only if the built-in formats do not
    settle what was asked: no built-in format has this name or suffix, or recognises this file.
    """

    def __init__(self, *built_in: _Known, group: str) -> None:
        self.built_in = built_in
        self._group = group

    @cached_property
    def _installed(self) -> tuple[list[_Known], list[str]]:
        """The formats that packages add, and sentences about those that cannot be used."""
        from importlib.metadata import entry_points  # noqa: PLC0415 - slow, and rarely needed

        usable: list[_Known] = []
        refused = []
        for point in sorted(entry_points(group=self._group), key=lambda point: (point.name, point.value)):
            try:
                usable.append(self._checked(point.load(), (*self.built_in, *usable)))
            except Exception as error:  # noqa: BLE001 - whatever is wrong with a package, the other formats must work
                reason = str(error).replace("'", "")  # errors shorten what they quote
                refused.append(f"the format {point.name} of {_package(point)} cannot be used: {reason}")
        return usable, refused

    def _checked(self, format: object, others: Sequence[_Known]) -> _Known:
        kind = type(self.built_in[0])
        if not isinstance(format, kind):
            raise UsageError(f"its entry point is not a {kind.__name__}")
        for other in others:
            if clash := sorted(format.claims & other.claims):
                raise UsageError(f"{', '.join(clash)} already belongs to the format {other.name}")
        return format

    @property
    def loaded(self) -> Sequence[_Known]:
        """All formats that can have been used so far; entry points are not searched for this."""
        return tuple(self) if "_installed" in vars(self) else self.built_in

    @property
    def installed(self) -> Sequence[_Known]:
        """The formats that packages add."""
        return self._installed[0]

    @property
    def refused(self) -> Sequence[str]:
        """Why formats of packages cannot be used: a sentence for each, with the name of the package."""
        return self._installed[1]

    def __iter__(self) -> Iterator[_Known]:
        yield from self.built_in
        yield from self.installed

    def __len__(self) -> int:
        return len(self.built_in) + len(self.installed)

    @overload
    def __getitem__(self, index: int) -> _Known: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[_Known, ...]: ...
    def __getitem__(self, index: int | slice) -> _Known | tuple[_Known, ...]:
        return tuple(self)[index]

    def __repr__(self) -> str:
        return f"<formats {', '.join(each.name for each in self.built_in)}>"


def _package(point: EntryPoint) -> str:
    return f"the package {point.dist.name}" if point.dist is not None else point.value


def _stages(formats: Sequence[_Known]) -> Iterator[Sequence[_Known]]:
    """Yield the formats to try first, then those to try if none of these fits."""
    if not isinstance(formats, Formats):
        yield formats
        return
    yield formats.built_in
    yield formats.installed


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
        try:
            match = format.sniff(head, path)
        except Exception:
            if not isinstance(formats, Formats) or format in formats.built_in:
                raise
            match = Match.NO  # the format of a package must not get in the way of the others
        suffix = len(format.suffix_of(path) or "") if path is not None and by_name else 0
        return match if match >= Match.LIKELY else 0, suffix, match

    found: list[tuple[tuple[int, int, Match], _Known]] = []
    for stage in _stages(formats):
        found += [(fit(each), each) for each in stage]
        (likely, suffix, match), best = max(found, key=itemgetter(0), default=((0, 0, Match.NO), None))
        if likely or suffix:
            break
    return (best, match) if likely or suffix or match else (None, Match.NO)


def suffixed(path: Path, formats: Sequence[_Known]) -> _Known | None:
    """Return the format that the name of a new file says."""
    for stage in _stages(formats):
        best = max(stage, key=lambda format: len(format.suffix_of(path) or ""), default=None)
        if best is not None and best.fits(path):
            return best
    return None


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
    """Return the formats in words, and why some cannot be used."""
    refused = formats.refused if isinstance(formats, Formats) else ()
    return "; ".join([", ".join(map(str, formats)) or "none", *refused])
