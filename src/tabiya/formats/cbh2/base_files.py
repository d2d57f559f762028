"""The files of a database: all in one folder, with one stem, which may contain dots, with suffixes in any case."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from tabiya.errors import FormatError, MissingFileError, UsageError
from tabiya.files.file_bytes import FileBytes

MAIN: Final = ".2cbh"
MOVES: Final = ".2cbg"
ANNOTATIONS: Final = ".2cba"
ENTITIES: Final = ".2lid"
REQUIRED: Final = (MOVES, ANNOTATIONS, ENTITIES)
DERIVED: Final = (".2lgd", ".2lcd")
"""Indexes of games by entity and of entities by name, which reading does not need."""
COMMON: Final = (".ini", ".cko", ".cpo")
"""Suffixes that databases of other kinds have, too."""
SUFFIXES: Final = (MAIN, *REQUIRED, *DERIVED, *COMMON)
OWN_SUFFIXES: Final = frozenset({MAIN, *REQUIRED, *DERIVED})


def main_file(place: Path) -> Path:
    """Return the .2cbh for a place: the file itself, a file next to it, their common stem, or its folder.

    Raises:
        FormatError: There is none.
        MissingFileError: The place does not exist.
        UsageError: The folder contains several databases.
    """
    if place.is_dir():
        found = databases_in(place)
        if len(found) > 1:
            names = ", ".join(path.name for path in found[:10])
            raise UsageError(f"the folder holds several databases, choose one: {names}", path=place)
        if not found:
            raise FormatError("there is no .2cbh file in the folder", path=place)
        return found[0]
    if place.suffix.lower() == MAIN and place.exists():
        return place
    owned = place.suffix.lower() in OWN_SUFFIXES
    for stem in [place.stem, place.name] if place.suffix.lower() in SUFFIXES else [place.name]:
        if place.parent.is_dir() and (main := files_of(place.parent, stem).get(MAIN)) is not None:
            return main
    if place.is_file() and not owned:
        return place  # a .2cbh with another name
    if place.suffix.lower() == MAIN or not place.exists():
        raise MissingFileError("no such file", path=place)
    what = f"{place.stem}{MAIN}"
    raise FormatError(f"{what} is missing, without which there is no 2CBH database", path=place)


def databases_in(folder: Path) -> list[Path]:
    """Return the .2cbh files in a folder."""
    return sorted(path for path in folder.iterdir() if path.suffix.lower() == MAIN and path.is_file())


def files_of(folder: Path, stem: str) -> dict[str, Path]:
    """Return the files of a database by suffix in lower case; an exact stem precedes one in another case."""
    found: dict[str, Path] = {}
    for path in sorted(folder.iterdir(), key=lambda path: (path.stem != stem, path.name)):
        suffix = path.suffix.lower()
        if suffix in SUFFIXES and path.stem.lower() == stem.lower() and path.is_file():
            found.setdefault(suffix, path)
    return found


class BaseFiles:
    """The files of one database, open for reading."""

    def __init__(self, main: Path) -> None:
        self.main = main
        self.paths = files_of(main.parent, main.stem) | {MAIN: main}
        self._closed = False
        self._opened: dict[str, FileBytes] = {}
        for suffix in (MAIN, *REQUIRED):
            self.data(suffix)

    def __contains__(self, suffix: str) -> bool:
        return suffix in self.paths

    def data(self, suffix: str) -> FileBytes | bytes:
        """Return the bytes of a file, read in pieces on access; empty if it is missing."""
        if self._closed:
            raise UsageError("the database is closed", path=self.main)
        if suffix not in self._opened and suffix in self.paths:
            self._opened[suffix] = FileBytes(self.paths[suffix])
        return self._opened.get(suffix, b"")

    def missing(self) -> tuple[str, ...]:
        """Return the names of the files without which the database is incomplete."""
        return tuple(f"{self.main.stem}{suffix}" for suffix in REQUIRED if suffix not in self.paths)

    def close(self) -> None:
        """Close the files."""
        for data in self._opened.values():
            data.close()
        self._opened.clear()
        self._closed = True
