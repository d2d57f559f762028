"""The files of a base change together, by means of a journal: see ``files.swapping``."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Final

from tabiya.errors import UsageError
from tabiya.files import swapping
from tabiya.formats.cbh.files.base_files import (
    KNOWN_SUFFIXES,
    MAIN,
    MEDIA_FOLDERS,
    UNREAD,
    BaseFiles,
    folders_of,
    main_file,
    sister,
)

_TRIES: Final = 100


def _files(main: Path) -> swapping.FileSet:
    known = frozenset(KNOWN_SUFFIXES)
    return swapping.FileSet(main, main.stem, known, frozenset(MEDIA_FOLDERS), removable=known - {MAIN})


def finish_swap(main: Path) -> None:
    """Finish an interrupted change of the base, or discard one that was not decided.

    Raises:
        UsageError: Another program is changing the base, and does not finish.
    """
    swapping.finish_swap(_files(main))


def settled(place: Path) -> Path:
    """Return the .cbh for a place, after an interrupted change of the base has been finished."""
    if not place.is_dir():
        finish_swap(place)  # which may first have to restore the .cbh
    main = main_file(place)
    finish_swap(main)
    return main


def remarks_on(*, gone: Iterable[str] = (), kept: Iterable[str] = (), replaced: Iterable[str] = ()) -> tuple[str, ...]:
    """Return sentences about the files of a base that a change removes or keeps, and folders that it replaces."""
    said = (
        ("file", sorted(gone), "removed as outdated"),
        ("file", sorted(kept), "kept unread, perhaps outdated now"),
        ("folder", sorted(replaced), "replaced"),
    )
    return tuple(
        f"{len(names)} {noun}{'s' if len(names) > 1 else ''} {what}: {', '.join(names)}"
        for noun, names, what in said
        if names
    )


def changeable(place: Path) -> Path:
    """Return the .cbh of a base that can be changed in place."""
    main = settled(place)
    if main.suffix.lower() != MAIN:
        raise UsageError("the main file of a base must end with .cbh for the base to be changed; rename it", path=main)
    return main


def open_files(place: Path, *, everything: bool = False) -> BaseFiles:
    """Return a consistent set of files of a base, even while other programs change it.

    Raises:
        UsageError: The base is changed again and again.
    """
    for _ in range(_TRIES):
        files = BaseFiles(settled(place), everything=everything)
        if files.are_of_one_base():
            return files
        files.close()
    raise UsageError("is constantly being changed by another program; try again later", path=place)


class Swap(swapping.Swap):
    """A change of the files of one base, and of media folders."""

    def __init__(self, main: Path) -> None:
        super().__init__(_files(main))
        self.main = main

    def commit(
        self,
        *,
        present: dict[str, Path],
        outdated: Iterable[str] = (),
        unread: Collection[str] = UNREAD,
        overwrite: bool = True,
    ) -> tuple[str, ...]:
        """Move the new files into place; ``present`` are the existing files, by suffix.

        Files that are ``outdated``, because they belong to the former base, are removed, except those that tabiya
        cannot read (``unread``). Returns a sentence about each of the two groups.
        """
        try:
            finals = {suffix: present.get(suffix, sister(self.main, suffix)) for suffix in self.opened}
            folders = {suffix: self._final_folder(suffix) for suffix in self.folders}
        except BaseException:
            self.discard()
            raise
        old = {suffix: present[suffix].name for suffix in outdated if suffix in present.keys() - self.opened}
        gone = [name for suffix, name in old.items() if suffix not in unread]
        kept = [name for suffix, name in old.items() if suffix in unread]
        replaced = [folder.name for folder in folders.values() if folder.exists()]
        self.put_in_place(finals | folders, gone=gone, overwrite=overwrite)
        return remarks_on(gone=gone, kept=kept, replaced=replaced)

    def _final_folder(self, suffix: str) -> Path:
        found = folders_of(self.main.parent, self.main.stem).get(suffix, sister(self.main, suffix))
        if found.exists() and not found.is_dir():
            raise UsageError("cannot be replaced: it is not a folder", path=found)
        return found
