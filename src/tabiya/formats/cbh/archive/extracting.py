"""Unpack an archive into a folder: all files or none, never outside the folder, never more than the size limit."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from tabiya.errors import CorruptError, UnsupportedError
from tabiya.files.file_errors import errors_of
from tabiya.files.folder_transaction import FolderTransaction
from tabiya.files.safe_names import is_own, safe_parts
from tabiya.formats.cbh.archive.cbv import Archive
from tabiya.formats.cbh.files.base_files import MAIN, UNREAD, files_of
from tabiya.formats.cbh.writing.base_transaction import remarks_on
from tabiya.formats.operations import whole_database
from tabiya.game.record import Problem

if TYPE_CHECKING:
    from tabiya.files.safe_names import Parts
    from tabiya.formats.cbh.archive.cbv import Member

DAMAGED_MEMBER: Final = 142
"""Problem code: a member cannot be unpacked completely."""

MOST_BYTES: Final = 256 << 20
"""Maximum unpacked size of any archive ..."""
MOST_RATIO: Final = 100
"""... or, if that is more, this multiple of its size."""


class Extracted(NamedTuple):
    """The result of unpacking an archive."""

    files: list[Path]
    remarks: tuple[str, ...]
    """Files of a replaced base that are not in the archive: removed or kept. As sentences."""


def extract(archive: Archive, folder: Path, *, overwrite: bool = False, limit: int | None = None) -> Extracted:
    """Unpack everything into a folder, which is created if it does not exist.

    Everything is first unpacked under a temporary name, and moved into place when it is complete. Files of a replaced
    base are removed, except those that tabiya cannot read.

    Args:
        archive: what to unpack.
        folder: the target folder.
        overwrite: replace existing files.
        limit: maximum size of the files in bytes, instead of 256 MB or a hundred times the size of the archive.

    Raises:
        UnsupportedError: A name leads out of the folder, or the contents exceed the limit.
        UsageError: A file exists already.
        CorruptError: The archive is damaged.
    """
    places = _places(archive, limit)
    with FolderTransaction(folder, overwrite=overwrite) as target, errors_of(folder):
        new = [target.place(parts) for _, parts in places]
        for (member, _), path in zip(places, new, strict=True):
            _unpack(archive, member, path)
        gone, kept = _outlived(folder, [parts for _, parts in places]) if overwrite else ([], [])
        remarks = remarks_on(gone=[parts[-1] for parts in gone], kept=[parts[-1] for parts in kept])
        target.commit(gone=["/".join(parts) for parts in gone])
        return Extracted(target.files, remarks)


def extract_archive(
    path: Path,
    folder: Path | None,
    /,
    *,
    overwrite: bool = False,
    password: str | None = None,
    limit: int | None = None,
) -> whole_database.Extracted:
    """Unpack an archive, or list its members if there is no folder; see ``whole_database.extract``."""
    with Archive(path, password=password) as opened:
        files, remarks = ([], ()) if folder is None else extract(opened, folder, overwrite=overwrite, limit=limit)
        return whole_database.Extracted(opened.members, files, remarks)


def _outlived(folder: Path, places: list[Parts]) -> tuple[list[Parts], list[Parts]]:
    """Return other files of replaced bases: those that would be invalid, and those that only ChessBase reads.

    An old list of annotations or a booster next to new games would be applied to these.
    """
    new = {tuple(part.casefold() for part in parts) for parts in places}
    gone: list[Parts] = []
    kept: list[Parts] = []
    for *above, name in places:
        parent = folder.joinpath(*above)
        if Path(name).suffix.lower() == MAIN and parent.is_dir():
            for suffix, path in files_of(parent, Path(name).stem).items():
                parts = (*above, path.name)
                if tuple(part.casefold() for part in parts) not in new:
                    (kept if suffix in UNREAD else gone).append(parts)
    return gone, kept


def salvage(archive: Archive, folder: Path, *, limit: int | None = None) -> list[Problem]:
    """Unpack into an empty folder what can be unpacked; a damaged file ends before the damage, and is reported."""
    problems = []
    with errors_of(folder):
        for member, parts in _places(archive, limit):
            path = folder.joinpath(*parts)
            path.parent.mkdir(parents=True, exist_ok=True)
            try:
                _unpack(archive, member, path)
            except CorruptError as error:
                problems.append(Problem(DAMAGED_MEMBER, error.offset, f"{member.name}: {error.message}"))
    return problems


def _places(archive: Archive, limit: int | None) -> list[tuple[Member, Parts]]:
    """Return the target path of each member, if the archive is not malicious."""
    most = max(MOST_BYTES, MOST_RATIO * archive.packed_size) if limit is None else limit
    if archive.size > most:
        raise UnsupportedError(
            f"claims to hold {archive.size:,} bytes in {archive.packed_size:,}, more than the limit of {most:,}",
            path=archive.path,
        )
    places = []
    files: set[Parts] = set()
    folders: set[Parts] = set()
    for member in archive.members:
        parts = safe_parts(member.name)
        if parts is None or is_own(parts):
            raise UnsupportedError(f"holds a file with a dangerous name: {member.name!r}", path=archive.path)
        folded = tuple(part.casefold() for part in parts)
        above = {folded[:length] for length in range(1, len(folded))}
        if folded in files or folded in folders or above & files:
            raise UnsupportedError(f"holds two files named {member.name!r}", path=archive.path)
        files.add(folded)
        folders |= above
        places.append((member, parts))
    return places


def _unpack(archive: Archive, member: Member, path: Path) -> None:
    with path.open("xb") as file:
        for content in archive.blocks(member):
            file.write(content)
    if member.modified is not None:
        with suppress(OSError, OverflowError, ValueError):  # years before 1970
            stamp = member.modified.timestamp()
            os.utime(path, (stamp, stamp))
