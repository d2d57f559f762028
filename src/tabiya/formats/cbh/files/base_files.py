"""The files of a base: all in one folder, with one stem, with suffixes in any case."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tabiya.errors import FormatError, MissingFileError, UsageError
from tabiya.files.file_bytes import FileBytes
from tabiya.formats.cbh import has_journal

MAIN: Final = ".cbh"
_OWN: Final = (
    *(".ini", ".cbg", ".cba", ".cbp", ".cbt", ".cbs", ".cbc", ".cbj", ".cbe", ".cbm", ".cbtt", ".cbl", ".flags"),
)
"""Files that tabiya reads and writes, besides the ``.cbh``."""
BOOSTERS: Final = (".cit", ".cib", ".cit2", ".cib2", ".cbb", ".cbgi")
"""Files that ChessBase creates again if they are missing."""
UNREAD: Final = (
    *(".cko", ".ckn", ".cpo", ".cpn", ".ck1", ".ck2", ".ck3", ".cp1", ".cp2", ".cp3"),
    *(".rb0", ".rb1", ".rb2", ".pgi"),
)
"""Opening keys, repertoires and the like: their formats are undocumented, and they may contain the user's work. So they
are copied and packed with the base, and never removed."""
SUFFIXES: Final = (MAIN, *_OWN, *BOOSTERS, *UNREAD)
"""The suffixes of all files that may belong to a base, in the order in which ChessBase packs them as far as known."""
KNOWN_SUFFIXES: Final = frozenset(SUFFIXES)
_ON_DEMAND: Final = frozenset({*BOOSTERS, *UNREAD})
MEDIA_FOLDERS: Final = (".bmp", ".html", ".wav", ".avi")
"""Media folders next to a base, ``games.html`` next to ``games.cbh``, in the order in which ChessBase packs them."""


def main_file(place: Path) -> Path:
    """Return the .cbh for a place: the file itself, a file next to it, their common stem, or its folder.

    Raises:
        FormatError: There is none.
        MissingFileError: The place does not exist.
        UsageError: The folder contains several bases.
    """
    if place.is_dir():
        found = bases_in(place)
        if len(found) > 1:
            names = ", ".join(path.name for path in found[:10])
            raise UsageError(f"the folder holds several databases, choose one: {names}", path=place)
    else:
        found = list(_main_files(place))
    if not found:
        known = place.suffix.lower() in KNOWN_SUFFIXES
        what = f"{place.with_suffix(MAIN).name} is missing" if known else "there is no .cbh file"
        kind = FormatError if place.exists() else MissingFileError
        raise kind(f"{what}, without which there is no ChessBase database", path=place)
    return found[0]


def target_file(place: Path) -> Path:
    """Return the .cbh that writing to a place creates, or replaces: names that differ only in case are the same base.

    Raises:
        UsageError: The place is a folder.
    """
    if place.is_dir():
        raise UsageError("is a folder", path=place)
    main = place if place.suffix.lower() == MAIN else place.with_name(place.name + MAIN)
    return main if main.exists() else files_of(main.parent, main.stem).get(MAIN, main)


def companion(main: Path, suffix: str) -> Path:
    """Return the name of a new file of a base: in capitals, if that of the base is."""
    return main.with_suffix(suffix.upper() if main.suffix.isupper() else suffix) if suffix != MAIN else main


def bases_in(folder: Path) -> list[Path]:
    """Return the .cbh files in a folder."""
    return sorted(path for path in folder.iterdir() if path.suffix.lower() == MAIN and path.is_file())


def _main_files(place: Path) -> Iterator[Path]:
    if place.suffix.lower() == MAIN and place.exists():
        yield place
    stems = [place.name]
    if place.suffix.lower() in KNOWN_SUFFIXES:
        stems.insert(0, place.stem)
    for stem in stems:
        if (found := files_of(place.parent, stem).get(MAIN)) is not None:
            yield found
    if place.suffix.lower() == MAIN:
        yield place  # which does not exist: opening it reports that
    elif place.suffix.lower() not in KNOWN_SUFFIXES and place.is_file() and _begins_like_main(place):
        yield place  # a .cbh with another name


def _begins_like_main(path: Path) -> bool:
    from tabiya.formats.cbh.files.cbh import HEADER, looks_like_header  # noqa: PLC0415 - imported on use

    with path.open("rb") as file:
        return looks_like_header(file.read(HEADER.size))


def files_of(folder: Path, stem: str) -> dict[str, Path]:
    """Return the files of a base by suffix in lower case; an exact stem takes precedence over one in another case."""
    found: dict[str, Path] = {}
    for path in sorted(folder.iterdir(), key=lambda path: (path.stem != stem, path.name)):
        suffix = path.suffix.lower()
        if suffix in KNOWN_SUFFIXES and path.stem.lower() == stem.lower() and path.is_file():
            found.setdefault(suffix, path)
    return found


def folders_of(folder: Path, stem: str) -> dict[str, Path]:
    """Return the media folders of a base by suffix, found as files are."""
    found: dict[str, Path] = {}
    for path in sorted(folder.iterdir(), key=lambda path: (path.stem != stem, path.name)):
        suffix = path.suffix.lower()
        if suffix in MEDIA_FOLDERS and path.stem.lower() == stem.lower() and path.is_dir():
            found.setdefault(suffix, path)
    return found


class BaseFiles:
    """The files of one base, open for reading: required ones at once, others when they are accessed.

    A later writer does not change what is visible here.
    """

    def __init__(self, main: Path, *, everything: bool = False) -> None:
        self.main = main
        self.paths = files_of(main.parent, main.stem) | {MAIN: main}
        self._closed = False
        self._opened: dict[str, FileBytes | bytes] = {}
        later = {MAIN} if everything else {MAIN, *_ON_DEMAND}
        for suffix in (MAIN, *(self.paths.keys() - later)):
            self._open(suffix)

    def are_of_one_base(self) -> bool:
        """Return whether no writer replaced any of the files while they were opened: the ``.cbh`` comes last."""
        status = self._opened[MAIN].status  # type: ignore[union-attr]  # opened first, and there is no base without it
        return not has_journal(self.main) and os.path.samestat(status, self.main.stat())

    def __contains__(self, suffix: str) -> bool:
        return suffix in self.paths

    def data(self, suffix: str) -> FileBytes | bytes:
        """Return the bytes of a file, read in pieces on access; empty if it is missing."""
        if self._closed:
            raise UsageError("the database is closed", path=self.main)
        if suffix not in self._opened:
            self._open(suffix)
        return self._opened[suffix]

    def _open(self, suffix: str) -> None:
        path = self.paths.get(suffix)
        self._opened[suffix] = b"" if path is None else FileBytes(path)

    def chunks(self, suffix: str, begin: int = 0, end: int | None = None) -> Iterator[bytes]:
        """Yield a part of a file in pieces."""
        data = self.data(suffix)
        return data.chunks(begin, end) if isinstance(data, FileBytes) else iter([data[begin:end]])

    def close(self) -> None:
        """Close the files."""
        for data in self._opened.values():
            if isinstance(data, FileBytes):
                data.close()
        self._opened.clear()
        self._closed = True
