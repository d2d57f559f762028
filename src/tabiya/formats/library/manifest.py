"""The manifest of a library: which files it consists of. It is the only truth about them.

A manifest names no files: it has kinds and numbers, of which the names follow. So nothing in it can lead elsewhere.
"""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Final

from tabiya.errors import CorruptError, FormatError, UnsupportedError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = [
    "MANIFEST",
    "MOST_RECORDS",
    "Manifest",
    "SegmentEntry",
    "Source",
    "StoredFile",
    "file_name",
    "kind_of",
    "own_number",
]

MANIFEST: Final = "manifest.json"
VERSION: Final = 1
MOST_RECORDS: Final = (1 << 31) - 1
_HOLDS: Final = "tabiya library"
_MOST_BYTES: Final = 64 << 20
_MOST_SIZE: Final = 1 << 62
_MOST_CRC: Final = (1 << 32) - 1
_SUFFIXES: Final = {
    "games": ".parquet",
    "filter": ".arrow",
    "tapes": ".arrow",
    "names": ".parquet",
    "positions": ".parquet",
    "variations": ".parquet",
    "fences": ".arrow",
}
"""By kind of file."""
_ALWAYS: Final = frozenset({"games", "filter", "tapes", "names"})
_INDEX: Final = frozenset({"positions", "fences"})
_OWN: Final = re.compile(
    "|".join(rf"{kind}-([1-9][0-9]{{0,9}}){re.escape(suffix)}" for kind, suffix in _SUFFIXES.items())
)


def file_name(kind: str, number: int) -> str:
    """Return the name of a file of a segment."""
    return f"{kind}-{number}{_SUFFIXES[kind]}"


def kind_of(name: str) -> str:
    """Return the kind of a file of a segment."""
    return name.partition("-")[0]


def own_number(name: str) -> int | None:
    """Return the number of the segment that a file of this name belongs to; None for files of others."""
    match = _OWN.fullmatch(name)
    return int(next(filter(None, match.groups()))) if match else None


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file as it was when it was written."""

    bytes: int
    sha256: str
    crc32: int | None = None
    """Of files that have no checksums of their own, so that they are compared whenever they are read first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentEntry:
    """Records that were written together."""

    number: int
    """That in the names of its files."""
    first: int
    """How many records come before its first one."""
    rows: int
    """How many records it has."""
    numbered: bool
    """Whether its records do not simply follow each other: their numbers stand in its filter."""
    names: int
    """How many names it brings."""
    positions: int | None
    """Rows of its index; None without one."""
    variations: int | None
    files: Mapping[str, StoredFile]
    """By kind."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A database whose records were added."""

    name: str
    """Where it was."""
    format: str
    records: int
    """How many of its records were added."""
    files: Mapping[str, StoredFile] = field(default_factory=dict)
    """By name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """All segments of a library, oldest first: of two with the same record the later one counts."""

    records: int = 0
    positions: bool = True
    """Whether its segments have an index."""
    variations: bool = False
    """Whether that is one of positions in variations as well."""
    next: int = 1
    """The number of the next segment: none is ever used twice."""
    segments: tuple[SegmentEntry, ...] = ()
    sources: tuple[Source, ...] = ()

    @property
    def names(self) -> int:
        """How many names there are."""
        return sum(segment.names for segment in self.segments)

    @property
    def index_kinds(self) -> set[str]:
        """The kinds of files that an index of this library has, besides the fences."""
        return {kind for kind, there in (("positions", self.positions), ("variations", self.variations)) if there}

    def file_names(self) -> set[str]:
        """Return the names of all files but the manifest itself."""
        return {file_name(kind, segment.number) for segment in self.segments for kind in segment.files}

    def to_bytes(self) -> bytes:
        """Return the manifest as it is stored."""
        told = asdict(self, dict_factory=lambda fields: {k: v for k, v in fields if (k, v) != ("crc32", None)})
        return (json.dumps({"holds": _HOLDS, "version": VERSION, **told}, indent=1) + "\n").encode()

    @classmethod
    def read(cls, folder: Path) -> Manifest:
        """Return the manifest of a library.

        Raises:
            FormatError: The folder is no library.
            UnsupportedError: It was written by a newer tabiya.
            CorruptError: The manifest makes no sense.
        """
        path = folder / MANIFEST
        try:
            with path.open("rb") as file:
                data = file.read(_MOST_BYTES + 1)
        except NotADirectoryError:
            raise FormatError("is a file, not a library, which is a folder", path=folder) from None
        except FileNotFoundError:
            if not folder.exists():
                raise
            raise FormatError(f"is not a library: it has no {MANIFEST}", path=folder) from None
        return cls.from_bytes(data, folder)

    @classmethod
    def from_bytes(cls, data: bytes, folder: Path) -> Manifest:
        """Return the manifest that some bytes are; see ``read``."""
        try:
            told: Any = json.loads(data) if len(data) <= _MOST_BYTES else None
        except (ValueError, RecursionError):
            told = None
        if not isinstance(told, dict) or told.get("holds") != _HOLDS:
            raise FormatError(f"is not a library: its {MANIFEST} is not one that tabiya wrote, or damaged", path=folder)
        version = told.get("version")
        if isinstance(version, int) and version > VERSION:
            what = f"was written by a newer tabiya (version {version} of the layout; known: {VERSION})"
            raise UnsupportedError(what, path=folder)
        try:
            return _manifest(told)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            what = str(error) if isinstance(error, ValueError) else f"it lacks or misspells {error}"
            raise CorruptError(f"its {MANIFEST} is damaged: {what}", path=folder) from error


def _number(values: Mapping[str, Any], name: str, most: int, least: int = 0) -> int:
    value = values[name]
    if type(value) is not int or not least <= value <= most:
        raise ValueError(f"{name} is {str(value)[:40]}, not a number from {least} to {most}")
    return value


def _flag(values: Mapping[str, Any], name: str) -> bool:
    if type(values[name]) is not bool:
        raise ValueError(f"{name} is {str(values[name])[:40]}, not true or false")
    return bool(values[name])


def _manifest(told: Mapping[str, Any]) -> Manifest:
    manifest = Manifest(
        records=_number(told, "records", MOST_RECORDS),
        positions=_flag(told, "positions"),
        variations=_flag(told, "variations"),
        next=_number(told, "next", MOST_RECORDS, 1),
        segments=tuple(_segment(each) for each in told["segments"]),
        sources=tuple(_source(each) for each in told["sources"]),
    )
    numbers = [segment.number for segment in manifest.segments]
    if len(set(numbers)) != len(numbers) or max(numbers, default=0) >= manifest.next:
        raise ValueError("two segments have the same number, or one that is not yet in use")
    for segment in manifest.segments:
        if segment.first + segment.rows > manifest.records:
            raise ValueError(f"segment {segment.number} has records beyond the last one")
        if {"positions", "variations"} & segment.files.keys() != manifest.index_kinds:
            raise ValueError(f"segment {segment.number} does not have the index that the library has")
    return manifest


def _segment(told: Mapping[str, Any]) -> SegmentEntry:
    files = {str(kind): _stored(each) for kind, each in told["files"].items()}
    wanted = _ALWAYS | (_INDEX if "positions" in files else set()) | ({"variations"} & files.keys())
    if files.keys() != wanted:
        raise ValueError(f"a segment has the files {', '.join(sorted(files))[:200]}")
    return SegmentEntry(
        number=_number(told, "number", MOST_RECORDS, 1),
        first=_number(told, "first", MOST_RECORDS),
        rows=_number(told, "rows", MOST_RECORDS, 1),
        numbered=_flag(told, "numbered"),
        names=_number(told, "names", MOST_RECORDS),
        positions=_number(told, "positions", _MOST_SIZE) if "positions" in files else None,
        variations=_number(told, "variations", _MOST_SIZE) if "variations" in files else None,
        files=files,
    )


def _stored(told: Mapping[str, Any]) -> StoredFile:
    crc32 = _number(told, "crc32", _MOST_CRC) if told.get("crc32") is not None else None
    return StoredFile(_number(told, "bytes", _MOST_SIZE), str(told["sha256"]), crc32)


def _source(told: Mapping[str, Any]) -> Source:
    files = {str(name): _stored(each) for name, each in told["files"].items()}
    return Source(
        name=str(told["name"]),
        format=str(told["format"]),
        records=_number(told, "records", MOST_RECORDS),
        files=files,
    )
