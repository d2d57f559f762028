"""Operations on a database as a whole, apart from reading and writing games, where its format supports them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from tabiya.errors import TabiyaError, UsageError
from tabiya.formats.description import named
from tabiya.formats.open_and_create import format_of, opened
from tabiya.formats.registry import FORMATS
from tabiya.formats.subset import Derived
from tabiya.formats.url import local_path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import datetime
    from os import PathLike
    from pathlib import Path

    from tabiya.formats.database import Database
    from tabiya.formats.editor import DatabaseEditor
    from tabiya.formats.format import Compacter, Copier, Editing, Extractor, Format, Merger, Packer, Rebuilder
    from tabiya.formats.open_and_create import Locations
    from tabiya.formats.operations.conversion import GameProblem
    from tabiya.formats.progress import Progress


class Compacted(NamedTuple):
    """The result of compacting a database."""

    removed: int
    """Records removed."""
    remarks: tuple[str, ...]
    """Other files that were removed, or kept though they may be outdated, as sentences."""


class Copied(NamedTuple):
    """The result of copying a database."""

    names: list[str]
    """Names of files and folders."""
    remarks: tuple[str, ...]
    """As in ``Compacted``, for a database that was replaced."""


class Merged(NamedTuple):
    """The result of merging segments."""

    before: int
    """Number of segments before."""
    after: int


class ArchiveMember(Protocol):
    """A file in an archive."""

    @property
    def name(self) -> str:
        """The stored name, with ``/`` between folders."""

    @property
    def packed(self) -> int:
        """Bytes in the archive."""

    @property
    def size(self) -> int:
        """Bytes of the file."""

    @property
    def modified(self) -> datetime | None:
        """Time of last change, in local time; None if the archive does not store it."""


class Extracted(NamedTuple):
    """The contents of an archive, and the files extracted from it."""

    members: Sequence[ArchiveMember]
    files: list[Path]
    """Paths of the extracted files; empty if the contents were only listed."""
    remarks: tuple[str, ...]
    """Files of a replaced database that are not in the archive: removed or kept. As sentences."""


def check(
    source: Locations | Database,
    *,
    format: str | Format | None = None,
    formats: Sequence[Format] = FORMATS,
    threads: int = 1,
    progress: Callable[[Progress], None] | None = None,
    **options: Any,
) -> Iterator[GameProblem]:
    """Check a database thoroughly, including its games, and yield all problems.

    The reader is lenient, so a database may be readable and still have faults that its own program cannot handle.
    ``Verification`` checks the games of any database.

    Args:
        source: what ``tabiya.open`` takes, or an open database, which remains open.
        format: a format or its name, instead of detecting it.
        formats: the formats to choose from.
        threads: number of threads that read.
        progress: called after every batch that was read.
        options: options for reading.

    Raises:
        UsageError: The format has nothing to check besides its games.
    """
    with opened(source, format=format, formats=formats, **options) as database:
        if isinstance(database, Derived):
            raise UsageError("is a selection of records, but only a whole database can be checked", path=database.path)
        if database.format.check is None:
            able = ", ".join(each.name for each in formats if each.check is not None)
            what = f"{database.format.name} has nothing to check besides its games; use tabiya verify"
            raise UsageError(f"{what}; formats that have more: {able}", path=database.path)
        yield from database.format.check(database, threads=threads, progress=progress)


def compact(
    place: str | PathLike[str],
    *,
    keep_deleted: bool = False,
    threads: int = 1,
    format: str | Format | None = None,
    formats: Sequence[Format] = FORMATS,
) -> Compacted:
    """Rewrite a database without gaps and, unless they are to be kept, without records marked as deleted.

    A database that cannot be rewritten without loss is not changed. Other files of it that would become invalid are
    removed, files that tabiya cannot read are kept; the result names both.

    Raises:
        LossError: Something cannot be written again.
    """
    path = local_path(place)
    tool: Compacter = _tool("compact", path, format, formats)
    return tool(path, keep_deleted=keep_deleted, threads=threads)


def copy(
    source: str | PathLike[str],
    target: str | PathLike[str],
    *,
    overwrite: bool = False,
    format: str | Format | None = None,
    formats: Sequence[Format] = FORMATS,
) -> Copied:
    """Copy all files of a database, byte by byte, even if some are missing; its media folders are copied too.

    If the target is a folder, the copy gets the same name in it.
    """
    path = local_path(source)
    tool: Copier = _tool("copy", path, format, formats)
    return tool(path, local_path(target), overwrite=overwrite)


def edit(
    place: str | PathLike[str], *, format: str | Format | None = None, formats: Sequence[Format] = FORMATS
) -> DatabaseEditor:
    """Change records of a database in place: mark them as deleted, replace them, correct names.

    All changes are made together at the end of a ``with`` block; until then, and after an error, an interrupt or a
    kill, the database on disk is unchanged.
    """
    path = local_path(place)
    tool: Editing = _tool("edit", path, format, formats)
    return tool(path)


def merge_segments(
    place: str | PathLike[str], *, format: str | Format | None = None, formats: Sequence[Format] = FORMATS
) -> Merged:
    """Merge all segments of a library into one without replaced records; deleted records and all numbers are kept.

    This makes searches slightly faster and frees the space of replaced records. Readers are not disturbed.
    """
    path = local_path(place)
    tool: Merger = _tool("merge", path, format, formats)
    return tool(path)


def rebuild(
    place: str | PathLike[str],
    *,
    threads: int = 1,
    progress: Callable[[Progress], None] | None = None,
    format: str | Format | None = None,
    formats: Sequence[Format] = FORMATS,
) -> int:
    """Rebuild everything in a library that is derived from its games; return its number of records.

    Filters, moves for searching, names and the position index may be damaged or missing; the games may not. Numbers do
    not change, replaced records are removed, and readers are not disturbed. Until the end the library is unchanged.

    Raises:
        CorruptError: The games themselves, or the manifest, are damaged.
    """
    path = local_path(place)
    tool: Rebuilder = _tool("rebuild", path, format, formats)
    return tool(path, threads=threads, progress=progress)


def pack(
    source: str | PathLike[str],
    target: str | PathLike[str],
    *,
    overwrite: bool = False,
    password: str | None = None,
    format: str | Format | None = None,
    formats: Sequence[Format] = FORMATS,
) -> list[str]:
    """Pack all files of a database into an archive, which appears when it is complete; return the names of its members.

    Args:
        source: the database.
        target: the archive.
        overwrite: replace an archive that exists.
        password: encrypts the archive; the suffix must be ``.cbz`` then.
        format: the format of the archive or its name, instead of choosing it by the suffix.
        formats: the formats to choose from.

    Raises:
        UsageError: The database does not exist, was changed in the meantime, or the target exists.
        UnsupportedError: The database is too large for an archive, or a name is too long.
    """
    path = local_path(target)
    tool: Packer = _tool("pack", path, format, formats)
    return tool(local_path(source), path, overwrite=overwrite, password=password)


def extract(
    archive: str | PathLike[str],
    folder: str | PathLike[str] | None = None,
    *,
    overwrite: bool = False,
    password: str | None = None,
    limit: int | None = None,
    format: str | Format | None = None,
    formats: Sequence[Format] = FORMATS,
) -> Extracted:
    """Unpack an archive into a folder, all files or none; without a folder only list the contents.

    Args:
        archive: the archive.
        folder: the target folder; created if it does not exist.
        overwrite: replace existing files.
        password: the password of an encrypted archive.
        limit: maximum size of the files in bytes, instead of 256 MB or a hundred times the size of the archive.
        format: the format of the archive or its name, instead of detecting it.
        formats: the formats to choose from.

    Raises:
        UnsupportedError: A name leads out of the folder, or the contents exceed the limit.
        UsageError: A file exists already, or the password is missing or wrong.
        CorruptError: The archive is damaged.
    """
    path = local_path(archive)
    target = None if folder is None else local_path(folder)
    tool: Extractor = _tool("extract", path, format, formats)
    return tool(path, target, overwrite=overwrite, password=password, limit=limit)


def _tool(name: str, path: Path, format: str | Format | None, formats: Sequence[Format]) -> Any:
    """Return the tool of the chosen format; if only one format has the tool, the tool itself reports what is wrong."""
    able = [each for each in formats if getattr(each, name) is not None]
    chosen = named(format, formats) if format is not None else able[0] if len(able) == 1 else _able(path, able, formats)
    tool = getattr(chosen, name)
    if tool is None:
        offer = ", ".join(each.name for each in able) or "none"
        raise UsageError(f"{chosen.name} cannot {name}; formats that can: {offer}", path=path)
    return tool


def _able(path: Path, able: Sequence[Format], formats: Sequence[Format]) -> Format:
    """Return the format of a database; a damaged or missing one is judged by name, so that its tool can explain.

    A folder with several databases has no format: the first tool lists them.
    """
    try:
        return format_of(path, formats)
    except TabiyaError:
        fitting = next((each for each in able if each.fits(path)), None)
        if fitting is None and not path.is_dir():
            raise
        return fitting or able[0]
