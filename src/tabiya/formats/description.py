"""Base of the descriptions of database and book formats, and format detection: by content, then by name."""

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

HEAD_BYTES = 4096
"""Number of first bytes of a file that ``sniff`` receives."""


class Match(IntEnum):
    """How well the content of a file matches a format."""

    NO = 0
    MAYBE = 1
    """Nothing contradicts the format. A matching suffix of another format takes precedence."""
    LIKELY = 2
    CERTAIN = 3


class Lazy:
    """A function or class that is imported when it is first used: ``Lazy("tabiya.formats.pgn.database:PgnDatabase")``.

    Descriptions refer to readers and writers this way because importing them is slow: they need pyarrow.
    """

    def __init__(self, name: str) -> None:
        self.name = name

    @cached_property
    def function(self) -> Any:
        """The function or class that the name refers to."""
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
    """The name of a format, and how its files are recognised."""

    name: str
    """Short and lower case: ``pgn``."""
    title: str
    """Name for display: ``Portable Game Notation``."""
    suffixes: tuple[str, ...]
    """Lower case, with the dot, the usual one first; may have two parts, as ``.pgn.zst``."""
    sniff: Callable[[bytes, Any], Match]
    """Judges by the first bytes and the path, if there is one; it never raises."""
    rules_out: Callable[[bytes], bool] | None = None
    """Returns whether a file with these first bytes cannot have this format, whatever its name; for formats without a
    magic number, which would otherwise open any file."""

    def suffix_of(self, path: Path) -> str | None:
        """Return the longest of the format's suffixes that the name of ``path`` ends with."""
        name = path.name.lower()
        return max((suffix for suffix in self.suffixes if name.endswith(suffix)), key=len, default=None)

    def fits(self, path: Path) -> bool:
        """Return whether a path has one of the format's suffixes."""
        return self.suffix_of(path) is not None

    def excludes(self, head: bytes, match: Match) -> bool:
        """Return whether the content of a file, which fits no better than ``match``, rules out what its name says."""
        return match < Match.LIKELY and self.rules_out is not None and self.rules_out(head)

    @property
    def claims(self) -> set[str]:
        """Identifiers that must be unique among formats: the name and the file suffixes."""
        return {self.name, *self.suffixes}

    def __repr__(self) -> str:
        """Return a short form: ``help(tabiya.open)`` and other functions show lists of formats as defaults."""
        return f"<{type(self).__name__} {self.name}>"

    def __str__(self) -> str:
        return f"{self.name} ({' '.join(self.suffixes)})" if self.suffixes else self.name


_Known = TypeVar("_Known", bound=Description)


class Formats(Sequence[_Known]):
    """The formats to choose from: the built-in ones, then those that installed packages add by entry points.

    Finding entry points takes about as long as starting the program. It is done only if no built-in format has the
    requested name or suffix, or recognises the file.
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
            except Exception as error:  # noqa: BLE001 - a faulty package must not affect other formats
                reason = str(error).replace("'", "")  # such errors shorten what they quote
                refused.append(f"the format {point.name} of {_package(point)} cannot be used: {reason}")
        return usable, refused

    def _checked(self, format: object, known: Sequence[_Known]) -> _Known:
        kind = type(self.built_in[0])
        if not isinstance(format, kind):
            raise UsageError(f"its entry point is not a {kind.__name__}")
        for other in known:
            if clash := sorted(format.claims & other.claims):
                raise UsageError(f"{', '.join(clash)} already belongs to the format {other.name}")
        return format

    @property
    def loaded(self) -> Sequence[_Known]:
        """All formats that can have been used so far; this does not search for entry points."""
        return tuple(self) if "_installed" in vars(self) else self.built_in

    @property
    def installed(self) -> Sequence[_Known]:
        """The formats that packages add."""
        return self._installed[0]

    @property
    def refused(self) -> Sequence[str]:
        """Why formats of packages cannot be used: one sentence each, with the name of the package."""
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
    """Return the first bytes of a file, for ``sniff``."""
    with path.open("rb") as file:
        return file.read(HEAD_BYTES)


def best_fit(
    head: bytes, path: Path | None, formats: Sequence[_Known], *, by_name: bool = True
) -> tuple[_Known | None, Match]:
    """Return the format whose content matches best, and how well it matches.

    The suffix decides if no format is at least likely by content. The format is None if neither content nor name
    matches.
    """

    def fit(format: _Known) -> tuple[int, int, Match]:
        try:
            match = format.sniff(head, path)
        except Exception:
            if not isinstance(formats, Formats) or format in formats.built_in:
                raise
            match = Match.NO  # a faulty format of a package must not affect other formats
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
    """Return the format that the name of a new file specifies."""
    for stage in _stages(formats):
        best = max(stage, key=lambda format: len(format.suffix_of(path) or ""), default=None)
        if best is not None and best.fits(path):
            return best
    return None


def named(format: str | _Known, formats: Sequence[_Known], noun: str = "format") -> _Known:
    """Return the format with this name."""
    if not isinstance(format, str):
        return format
    for each in formats:
        if each.name == format.lower():
            return each
    raise UsageError(f"no {noun} is called {format!r}; known: {known(formats)}")


def no_suffix(path: Path, formats: Sequence[Description], noun: str = "format") -> FormatError:
    """Return the error for the name of a new file that specifies no format."""
    return FormatError(f"no known {noun} has this suffix; known formats: {known(formats)}", path=path)


def known(formats: Sequence[Description]) -> str:
    """Return a list of the formats as text, with the reasons why some cannot be used."""
    refused = formats.refused if isinstance(formats, Formats) else ()
    return "; ".join([", ".join(map(str, formats)) or "none", *refused])
