"""The databases in a ZIP archive, unpacked into a temporary folder that exists as long as the collection."""

from __future__ import annotations

import shutil
import tempfile
import weakref
import zipfile
import zlib
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tabiya.errors import CorruptError, TabiyaError, UnsupportedError
from tabiya.files.file_errors import errors_of
from tabiya.files.safe_names import safe_parts
from tabiya.formats.collection.database import Collection
from tabiya.formats.collection.sources import find_sources
from tabiya.formats.collection.zip_format import DAMAGED_MEMBER, ZIP
from tabiya.formats.registry import FORMATS
from tabiya.game.record import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabiya.files.safe_names import Parts
    from tabiya.formats.database import Database

MOST_BYTES: Final = 256 << 20
"""Maximum unpacked size of any archive ..."""
MOST_RATIO: Final = 100
"""... or, if that is more, this multiple of its size; PGN shrinks to a fifth, and one repeated game to a fortieth."""
MOST_MEMBERS: Final = 100_000
_ENCRYPTED: Final = 1
_DAMAGE: Final = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError)
"""Exceptions of zipfile for damage; a NotImplementedError for unknown compression."""
_OF_THE_FINDER: Final = "__MACOSX"
"""Folder in which the Finder of macOS stores metadata."""


class ZipCollection(Collection):
    """All databases in an archive, in all its folders; archives inside it are ignored."""

    def __init__(self, path: Path) -> None:
        with errors_of(path):
            folder = Path(tempfile.mkdtemp(prefix="tabiya-"))
        self._folder = folder
        self._remove = weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        try:
            with errors_of(path, *_DAMAGE):
                damaged = _unpack(path, folder)
            found = find_sources([folder], format=None, formats=FORMATS, recursive=True)
        except TabiyaError as error:
            self._remove()
            raise type(error)(error.message.partition(";")[0], path=path) from error
        sources = [source for source in found.sources if source.format is not ZIP]
        archives = [source.path for source in found.sources if source.format is ZIP and source.path is not None]
        self._damaged = damaged
        super().__init__(sources, title=str(path), path=path, format=ZIP, formats=FORMATS)
        self._skipped = tuple(path / each.relative_to(folder) for each in sorted([*found.skipped, *archives]))

    @property
    def files(self) -> tuple[Path, ...]:
        """The archive."""
        return () if self._path is None else (self._path,)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Problems of the archive, then of its databases."""
        return (*self._damaged, *super().problems)

    @contextmanager
    def _lent(self, index: int) -> Iterator[Database | None]:
        try:
            with super()._lent(index) as database:
                yield database
        except TabiyaError as error:
            error.path = self._name_of(index)  # the temporary folder means nothing to users
            raise

    def _name_of(self, index: int) -> str:
        place = self._sources[index].path
        return self.name if place is None or self._path is None else str(self._path / place.relative_to(self._folder))

    def _close(self) -> None:
        super()._close()
        self._remove()


def _unpack(path: Path, folder: Path) -> tuple[Problem, ...]:
    """Unpack what can be unpacked; a damaged file ends before the damage, and is reported."""
    problems = []
    made = {folder}
    with zipfile.ZipFile(path) as archive:
        for member, parts in _places(archive, path):
            target = folder.joinpath(*parts)
            if target.parent not in made:
                target.parent.mkdir(parents=True, exist_ok=True)
                made.add(target.parent)
            try:
                with target.open("xb") as file, archive.open(member) as packed:
                    shutil.copyfileobj(packed, file)
            except _DAMAGE as error:
                problems.append(Problem(DAMAGED_MEMBER, None, f"{member.filename}: {error}"))
    return tuple(problems)


def _places(archive: zipfile.ZipFile, path: Path) -> Iterator[tuple[zipfile.ZipInfo, Parts]]:
    """Yield the members and their target paths, if the archive is not malicious."""
    members = [each for each in archive.infolist() if not each.is_dir()]
    size, packed = sum(each.file_size for each in members), path.stat().st_size
    most = max(MOST_BYTES, MOST_RATIO * packed)
    if size > most or len(members) > MOST_MEMBERS:
        raise UnsupportedError(
            f"claims to hold {len(members):,} files with {size:,} bytes in {packed:,}, more than the limit of "
            f"{MOST_MEMBERS:,} files with {most:,} bytes",
            path=path,
        )
    if any(each.flag_bits & _ENCRYPTED for each in members):
        raise UnsupportedError("is encrypted, and tabiya cannot unpack it with a password", path=path)
    taken: set[Parts] = set()
    for member in members:
        parts = safe_parts(member.filename)
        if parts is None:
            raise UnsupportedError(f"holds a file with a dangerous name: {member.filename!r}", path=path)
        if parts[0] == _OF_THE_FINDER:
            continue
        folded = tuple(part.casefold() for part in parts)
        above = {folded[:length] for length in range(1, len(folded) + 1)}
        if above & taken:
            raise CorruptError(f"holds two files named {member.filename!r}", path=path)
        taken.add(folded)
        yield member, parts
