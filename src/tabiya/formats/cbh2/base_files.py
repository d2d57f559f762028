"""The files of a database: all in one folder, with one stem, which may contain dots, with suffixes in any case."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from tabiya.errors import FormatError, MissingFileError
from tabiya.files.companion_files import CompanionFiles, companions, only_main_file

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
        found = only_main_file(place, (MAIN,))
        if found is None:
            raise FormatError("there is no .2cbh file in the folder", path=place)
        return found
    if place.suffix.lower() == MAIN and place.exists():
        return place
    owned = place.suffix.lower() in OWN_SUFFIXES
    for stem in [place.stem, place.name] if place.suffix.lower() in SUFFIXES else [place.name]:
        if place.parent.is_dir() and (main := companions(place.parent, stem, SUFFIXES).get(MAIN)) is not None:
            return main
    if place.is_file() and not owned:
        return place  # a .2cbh with another name
    if place.suffix.lower() == MAIN or not place.exists():
        raise MissingFileError("no such file", path=place)
    what = f"{place.stem}{MAIN}"
    raise FormatError(f"{what} is missing, without which there is no 2CBH database", path=place)


class BaseFiles(CompanionFiles):
    """The files of one database, open for reading."""

    def __init__(self, main: Path) -> None:
        paths = companions(main.parent, main.stem, SUFFIXES) | {MAIN: main}
        super().__init__(main, paths, (MAIN, *REQUIRED))

    def missing(self) -> tuple[str, ...]:
        """Return the names of the files without which the database is incomplete."""
        return tuple(f"{self.main.stem}{suffix}" for suffix in REQUIRED if suffix not in self.paths)
