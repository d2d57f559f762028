"""The manifest of a library: the only authority on the files it consists of.

A manifest contains no file names, only kinds and numbers from which the names are derived. So it cannot refer to other
files. Its last value is a SHA-256 of all its other bytes, so that every change is detected; earlier versions of tabiya
wrote none.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Final

from tabiya.errors import CorruptError, FormatError, UnsupportedError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

MANIFEST: Final = "manifest.json"
VERSION: Final = 1
MOST_RECORDS: Final = (1 << 31) - 1
_HOLDS: Final = "tabiya library"
_MOST_BYTES: Final = 64 << 20
_MOST_SIZE: Final = 1 << 62
_MOST_CRC: Final = (1 << 32) - 1
_LEFT_OUT: Final = (("crc32", None), ("statistics", None), ("chess960", None))
_SEAL: Final = "sha256"
_SINCE_SEALS: Final = (_SEAL, "statistics")
"""Values that no manifest without a checksum has."""
_END: Final = b'"\n}\n'
"""The bytes after the checksum, which is computed with an empty value."""
_STATISTIC: Final = re.compile("texts|problems|with problems|annotation (0|[1-9][0-9]{0,4})")
_DIGEST_LETTERS: Final = 64
_DIGEST: Final = re.compile(f"[0-9a-f]{{{_DIGEST_LETTERS}}}")
_SUFFIXES: Final = {
    "games": ".parquet",
    "filter": ".arrow",
    "tapes": ".arrow",
    "names": ".parquet",
    "positions": ".parquet",
    "variations": ".parquet",
    "fences": ".arrow",
}
"""File suffixes, by kind."""
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
    """Return the number of the segment that a file of this name belongs to; None for other files."""
    match = _OWN.fullmatch(name)
    return int(next(filter(None, match.groups()))) if match else None


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file as it was written."""

    bytes: int
    sha256: str
    crc32: int | None = None
    """Checksum of files that have none of their own; compared when a file is first read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentEntry:
    """Records that were written together."""

    number: int
    """The number in the names of its files."""
    first: int
    """Number of records before its first one."""
    rows: int
    """Number of records in it."""
    numbered: bool
    """Whether its records are not consecutive: their numbers are in its filter."""
    names: int
    """Number of names it adds."""
    positions: int | None
    """Number of rows of its index; None without one."""
    variations: int | None
    chess960: int | None = None
    """Number of games of Chess960 in its index; None if that lacks them, as in libraries of earlier versions."""
    files: Mapping[str, StoredFile]
    """Files by kind."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceEntry:
    """A database whose records were added."""

    name: str
    """Its path or URL."""
    format: str
    records: int
    """Number of its records that were added."""
    files: Mapping[str, StoredFile] = field(default_factory=dict)
    """Its files by name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """All segments of a library, oldest first: a later segment replaces records of earlier ones."""

    records: int = 0
    positions: bool = True
    """Whether its segments have an index."""
    variations: bool = False
    """Whether the index includes positions in variations."""
    next: int = 1
    """The number of the next segment: numbers are never reused."""
    segments: tuple[SegmentEntry, ...] = ()
    sources: tuple[SourceEntry, ...] = ()
    statistics: Mapping[str, int] | None = None
    """Counts that do not follow from the facts; see ``statistics.py``. None in libraries of earlier versions."""

    @property
    def names(self) -> int:
        """Number of names."""
        return sum(segment.names for segment in self.segments)

    @property
    def index_kinds(self) -> set[str]:
        """The kinds of index files of this library, besides the fences."""
        return {kind for kind, there in (("positions", self.positions), ("variations", self.variations)) if there}

    def file_names(self) -> set[str]:
        """Return the names of all files except the manifest itself."""
        return {file_name(kind, segment.number) for segment in self.segments for kind in segment.files}

    def to_bytes(self) -> bytes:
        """Return the manifest as stored."""
        return sealed(self._as_dict())

    def _as_dict(self) -> dict[str, Any]:
        entry = asdict(self, dict_factory=lambda fields: {k: v for k, v in fields if (k, v) not in _LEFT_OUT})
        return {"holds": _HOLDS, "version": VERSION, **entry}

    def _is(self, entry: dict[str, Any]) -> bool:
        """Return whether it equals the manifest with these values."""
        return bool(json.loads(json.dumps(self._as_dict())) == entry)

    @classmethod
    def read(cls, folder: Path, *, repair: bool = False) -> Manifest:
        """Return the manifest of a library; with ``repair`` it may have been changed, if it is still valid.

        Raises:
            FormatError: The folder is not a library.
            UnsupportedError: It was written by a newer version of tabiya.
            CorruptError: The manifest is invalid, or has changed since it was written.
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
        return cls.from_bytes(data, folder, repair=repair)

    @classmethod
    def from_bytes(cls, data: bytes, folder: Path, *, repair: bool = False) -> Manifest:
        """Return the manifest from its bytes; see ``read``."""
        try:
            entry: Any = json.loads(data) if len(data) <= _MOST_BYTES else None
        except (ValueError, RecursionError):
            entry = None
        if not isinstance(entry, dict) or entry.get("holds") != _HOLDS:
            raise FormatError(f"is not a library: its {MANIFEST} was not written by tabiya, or is damaged", path=folder)
        version = entry.get("version")
        if isinstance(version, int) and version > VERSION:
            what = f"was written by a newer tabiya (version {version} of the layout; known: {VERSION})"
            raise UnsupportedError(what, path=folder)
        try:
            manifest = _manifest(entry)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            what = str(error) if isinstance(error, ValueError) else f"it lacks or misspells {error}"
            raise CorruptError(f"its {MANIFEST} is damaged: {what}", path=folder) from error
        has_seal = not entry.keys().isdisjoint(_SINCE_SEALS)  # else it could be removed with what it protects
        if not repair and not (_is_sealed(data) if has_seal else manifest._is(entry)):
            what = "has changed since it was written; restore it from a copy"
            raise CorruptError(f'its {MANIFEST} {what}, or repair it with "tabiya library rebuild"', path=folder)
        return manifest


def sealed(entry: Mapping[str, Any]) -> bytes:
    """Return the values of a manifest as stored, with a checksum of all of it at the end."""
    fields = {name: value for name, value in entry.items() if name != _SEAL}
    text = json.dumps({**fields, _SEAL: ""}, indent=1).encode() + b"\n"
    return text[: -len(_END)] + hashlib.sha256(text).hexdigest().encode() + _END


def _is_sealed(data: bytes) -> bool:
    begin = len(data) - len(_END) - _DIGEST_LETTERS
    digest = data[max(0, begin) : len(data) - len(_END)]
    return data.endswith(_END) and hashlib.sha256(data[: max(0, begin)] + _END).hexdigest().encode() == digest


def _number(values: Mapping[str, Any], name: str, most: int, least: int = 0) -> int:
    value = values[name]
    if type(value) is not int or not least <= value <= most:
        raise ValueError(f"{name} is {str(value)[:40]}, not a number from {least} to {most}")
    return value


def _flag(values: Mapping[str, Any], name: str) -> bool:
    if type(values[name]) is not bool:
        raise ValueError(f"{name} is {str(values[name])[:40]}, not true or false")
    return bool(values[name])


def _manifest(entry: Mapping[str, Any]) -> Manifest:
    manifest = Manifest(
        records=_number(entry, "records", MOST_RECORDS),
        positions=_flag(entry, "positions"),
        variations=_flag(entry, "variations"),
        next=_number(entry, "next", MOST_RECORDS, 1),
        segments=tuple(_segment(each) for each in entry["segments"]),
        sources=tuple(_source(each) for each in entry["sources"]),
        statistics=_statistics(entry["statistics"]) if "statistics" in entry else None,
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


def _segment(entry: Mapping[str, Any]) -> SegmentEntry:
    files = {str(kind): _stored(each) for kind, each in entry["files"].items()}
    expected = _ALWAYS | (_INDEX if "positions" in files else set()) | ({"variations"} & files.keys())
    if files.keys() != expected:
        raise ValueError(f"a segment has the files {', '.join(sorted(files))[:200]}")
    return SegmentEntry(
        number=_number(entry, "number", MOST_RECORDS, 1),
        first=_number(entry, "first", MOST_RECORDS),
        rows=_number(entry, "rows", MOST_RECORDS, 1),
        numbered=_flag(entry, "numbered"),
        names=_number(entry, "names", MOST_RECORDS),
        positions=_number(entry, "positions", _MOST_SIZE) if "positions" in files else None,
        variations=_number(entry, "variations", _MOST_SIZE) if "variations" in files else None,
        chess960=_number(entry, "chess960", MOST_RECORDS) if "chess960" in entry and "positions" in files else None,
        files=files,
    )


def _stored(entry: Mapping[str, Any]) -> StoredFile:
    crc32 = _number(entry, "crc32", _MOST_CRC) if entry.get("crc32") is not None else None
    if not _DIGEST.fullmatch(entry["sha256"]):
        raise ValueError(f"sha256 is {str(entry['sha256'])[:40]}, not 64 hexadecimal digits")
    return StoredFile(_number(entry, "bytes", _MOST_SIZE), entry["sha256"], crc32)


def _statistics(entry: Mapping[str, Any]) -> dict[str, int]:
    if unknown := [name for name in entry if not _STATISTIC.fullmatch(name)]:
        raise ValueError(f"there are no statistics of {unknown[0][:40]!r}")
    return {name: _number(entry, name, _MOST_SIZE) for name in entry}


def _source(entry: Mapping[str, Any]) -> SourceEntry:
    files = {str(name): _stored(each) for name, each in entry["files"].items()}
    return SourceEntry(
        name=str(entry["name"]),
        format=str(entry["format"]),
        records=_number(entry, "records", MOST_RECORDS),
        files=files,
    )
