"""The files of a base: all in one folder, with one stem, with suffixes in any case."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tabiya.errors import FormatError, MissingFileError, UsageError
from tabiya.files.companion_files import CompanionFiles, companions, only_main_file
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
    found = only_main_file(place, (MAIN,)) if place.is_dir() else next(_main_files(place), None)
    if found is None:
        known = place.suffix.lower() in KNOWN_SUFFIXES
        what = f"{place.with_suffix(MAIN).name} is missing" if known else "there is no .cbh file"
        kind = FormatError if place.exists() else MissingFileError
        raise kind(f"{what}, without which there is no ChessBase database", path=place)
    return found


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
    """Return the files of a base by suffix in lower case."""
    return companions(folder, stem, KNOWN_SUFFIXES)


def folders_of(folder: Path, stem: str) -> dict[str, Path]:
    """Return the media folders of a base by suffix."""
    return companions(folder, stem, MEDIA_FOLDERS, folders=True)


class BaseFiles(CompanionFiles):
    """The files of one base, open for reading: required ones at once, others when they are accessed."""

    def __init__(self, main: Path, *, everything: bool = False) -> None:
        paths = files_of(main.parent, main.stem) | {MAIN: main}
        later = {MAIN} if everything else {MAIN, *_ON_DEMAND}
        super().__init__(main, paths, (MAIN, *(paths.keys() - later)))

    def are_of_one_base(self) -> bool:
        """Return whether no writer replaced any of the files while they were opened: the ``.cbh`` comes last."""
        status = self._opened[MAIN].status  # type: ignore[union-attr]  # opened first, and there is no base without it
        return not has_journal(self.main) and os.path.samestat(status, self.main.stat())

    def chunks(self, suffix: str, begin: int = 0, end: int | None = None) -> Iterator[bytes]:
        """Yield a part of a file in pieces."""
        data = self.data(suffix)
        return data.chunks(begin, end) if isinstance(data, FileBytes) else iter([data[begin:end]])
