"""Opens a consistent set of files of a base, even while other programs change it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabiya.errors import UsageError
from tabiya.files.recovery import FileSet, recover, until_consistent
from tabiya.formats.cbh.files.base_files import KNOWN_SUFFIXES, MAIN, MEDIA_FOLDERS, BaseFiles, main_file

if TYPE_CHECKING:
    from pathlib import Path


def files_of_base(main: Path) -> FileSet:
    """Return the files that change together."""
    return FileSet(main, main.stem, KNOWN_SUFFIXES, frozenset(MEDIA_FOLDERS), removable=KNOWN_SUFFIXES - {MAIN})


def settled(place: Path) -> Path:
    """Return the .cbh for a place, after an interrupted change of the base has been finished."""
    if not place.is_dir():
        recover(files_of_base(place))  # which may first have to restore the .cbh
    main = main_file(place)
    recover(files_of_base(main))
    return main


def changeable(place: Path) -> Path:
    """Return the .cbh of a base that can be changed in place."""
    main = settled(place)
    if main.suffix.lower() != MAIN:
        raise UsageError("the main file of a base must end with .cbh for the base to be changed; rename it", path=main)
    return main


def open_files(place: Path, *, everything: bool = False) -> BaseFiles:
    """Return a consistent set of files of a base.

    Raises:
        UsageError: The base is changed again and again.
    """

    def opened() -> BaseFiles | None:
        files = BaseFiles(settled(place), everything=everything)
        if files.are_of_one_base():
            return files
        files.close()
        return None

    return until_consistent(opened, place)
