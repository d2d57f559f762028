"""Unpacking an archive into a folder: all or nothing, never outside of the folder, never more than there can be."""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from tabiya.errors import CorruptError, UnsupportedError, UsageError
from tabiya.formats.guard import errors_of
from tabiya.game.record import Problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tabiya.formats.cbh.cbv import Archive, Member

__all__ = ["DAMAGED_MEMBER", "MOST_BYTES", "MOST_RATIO", "extract", "safe_parts", "salvage"]

DAMAGED_MEMBER: Final = 142
"""Code of a problem: a member cannot be unpacked to its end."""

MOST_BYTES: Final = 256 << 20
"""What any archive may stand for ..."""
MOST_RATIO: Final = 100
"""... and if that is more, how often its own size."""

Parts: TypeAlias = tuple[str, ...]
"""Folders, and at the end a file."""

_FORBIDDEN: Final = frozenset('<>:"|?*') | {chr(code) for code in (*range(32), 127)}
_DEVICES: Final = frozenset(
    {"con", "prn", "aux", "nul"} | {f"{port}{number}" for port in ("com", "lpt") for number in range(1, 10)}
)
"""Names that Windows gives to devices, with any suffix."""


def safe_parts(name: str) -> Parts | None:
    """The folders and the file that the name of a member leads to; None if it may lead anywhere else."""
    parts = tuple(name.replace("\\", "/").split("/"))
    for part in parts:
        if not part.strip(" .") or part != part.rstrip(" .") or _FORBIDDEN & set(part):
            return None  # empty, "..", drives and streams; Windows drops blanks and dots at the end
        if part.partition(".")[0].strip().lower() in _DEVICES:
            return None
    return parts


def extract(archive: Archive, folder: Path, *, overwrite: bool = False, limit: int | None = None) -> list[Path]:
    """Unpack everything into a folder, which is made if it is not there; gives the files.

    Everything is unpacked under a temporary name first. Only when all of it is there, files are moved into place.

    Args:
        archive: what to unpack.
        folder: where to.
        overwrite: replace files that are there.
        limit: how many bytes there may be, instead of 256 MB or a hundred times the size of the archive.

    Raises:
        UnsupportedError: A name leads out of the folder, or there is far too much in such a small archive.
        UsageError: There is something in the way.
        CorruptError: The archive is damaged.
    """
    places = _places(archive, limit)
    with errors_of(folder):
        _refuse_obstacles(folder, [parts for _, parts in places], overwrite=overwrite)
        home = folder if folder.exists() else folder.parent  # on the same disk, so that moving is renaming
        with tempfile.TemporaryDirectory(prefix=".tabiya-", suffix=".tmp", dir=home) as name:
            staging = Path(name)
            for member, parts in places:
                _unpack(archive, member, staging.joinpath("new", *parts))
            return _move_in(staging, folder, [parts for _, parts in places])


def salvage(archive: Archive, folder: Path, *, limit: int | None = None) -> list[Problem]:
    """Unpack into an empty folder what can be unpacked; a damaged file ends before the damage, and is named."""
    problems = []
    with errors_of(folder):
        for member, parts in _places(archive, limit):
            try:
                _unpack(archive, member, folder.joinpath(*parts))
            except CorruptError as error:
                problems.append(Problem(DAMAGED_MEMBER, error.offset, f"{member.name}: {error.message}"))
    return problems


def _places(archive: Archive, limit: int | None) -> list[tuple[Member, Parts]]:
    """Where each member goes, if there is nothing evil in the archive."""
    most = max(MOST_BYTES, MOST_RATIO * archive.packed_size) if limit is None else limit
    if archive.size > most:
        raise UnsupportedError(
            f"claims to hold {archive.size:,} bytes in {archive.packed_size:,}: more than {most:,} are not unpacked",
            path=archive.path,
        )
    places = []
    files: set[Parts] = set()
    folders: set[Parts] = set()
    for member in archive.members:
        parts = safe_parts(member.name)
        if parts is None:
            raise UnsupportedError(f"holds a file with a dangerous name: {member.name!r}", path=archive.path)
        folded = tuple(part.casefold() for part in parts)
        above = {folded[:length] for length in range(1, len(folded))}
        if folded in files or folded in folders or above & files:
            raise UnsupportedError(f"holds two files of the name {member.name!r}", path=archive.path)
        files.add(folded)
        folders |= above
        places.append((member, parts))
    return places


def _refuse_obstacles(folder: Path, places: Iterable[Parts], *, overwrite: bool) -> None:
    if folder.exists() and not folder.is_dir():
        raise UsageError("is not a folder", path=folder)
    for parts in places:
        inner = [folder.joinpath(*parts[:length]) for length in range(1, len(parts))]
        for path in inner:
            if path.is_symlink() or (path.exists() and not path.is_dir()):
                raise UsageError("is in the way: it is no folder", path=path)
        path = folder.joinpath(*parts)
        if path.is_symlink() or path.is_dir():
            raise UsageError("is in the way: it is no file", path=path)
        if path.exists() and not overwrite:
            raise UsageError("exists already, and overwriting was not asked for", path=path)


def _unpack(archive: Archive, member: Member, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("xb") as file:
        for content in archive.blocks(member):
            file.write(content)
    if member.modified is not None:
        with suppress(OSError, OverflowError, ValueError):  # years before 1970
            stamp = member.modified.timestamp()
            os.utime(path, (stamp, stamp))


def _move_in(staging: Path, folder: Path, places: Sequence[Parts]) -> list[Path]:
    """Move files from the staging folder to their places; if one cannot be moved, all is as it was."""
    new, old = staging / "new", staging / "old"
    undo: list[tuple[Path, Path]] = []
    made: list[Path] = []
    new.mkdir(exist_ok=True)
    if not folder.exists():
        new.rename(folder)
        return [folder.joinpath(*parts) for parts in places]
    try:
        for parts in places:
            path = folder.joinpath(*parts)
            for parent in reversed(path.relative_to(folder).parents):
                if not (folder / parent).exists():
                    (folder / parent).mkdir()
                    made.append(folder / parent)
            if path.exists():
                kept = old.joinpath(*parts)
                kept.parent.mkdir(parents=True, exist_ok=True)
                path.replace(kept)
                undo.append((kept, path))
            new.joinpath(*parts).replace(path)
            undo.append((path, new.joinpath(*parts)))
    except BaseException:
        for source, target in reversed(undo):
            source.replace(target)
        for path in reversed(made):
            shutil.rmtree(path, ignore_errors=True)
        raise
    return [folder.joinpath(*parts) for parts in places]
