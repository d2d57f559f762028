"""The three files of a base change together, by means of a journal: see ``files.swapping``."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from tabiya.errors import FormatError, UsageError
from tabiya.files import swapping
from tabiya.files.file_bytes import FileBytes
from tabiya.files.swapping import FileSet, finish_swap
from tabiya.formats.scid.base_files import GENERATIONS, base_at, generation_of
from tabiya.formats.scid.index_file import Generation

_TRIES: Final = 100


def _files(generation: Generation, index: Path) -> FileSet:
    """Return the files of a base, named after the index (links resolved): generations may share a stem."""
    index = index.resolve()
    return FileSet(index, index.name, frozenset(generation.suffixes))


def open_base(place: Path) -> tuple[Generation, dict[str, FileBytes]]:
    """Open a consistent set of files of a base, even while other programs change it.

    Raises:
        UsageError: The base is changed again and again.
    """
    for _ in range(_TRIES):
        _finish_all(place)
        generation, paths = base_at(place)
        index = paths[generation.index]
        base = _files(generation, index)
        # The index is renamed last: if it is unchanged, so are the other files.
        files = {suffix: FileBytes(paths[suffix]) for suffix in reversed(generation.suffixes)}
        if not base.is_decided and os.path.samestat(files[generation.index].status, index.stat()):
            return generation, files
        for file in files.values():
            file.close()
        finish_swap(base)  # the path may have been another name of it
    raise UsageError("is constantly being changed by another program; try again later", path=place)


def _finish_all(place: Path) -> None:
    """Finish interrupted changes of the bases at a path."""
    if place.is_dir():
        return
    generation = generation_of(place)
    if generation is not None:
        suffix = generation.index.upper() if place.suffix.isupper() else generation.index
        finish_swap(_files(generation, place.with_suffix(suffix)))
        return
    for each in GENERATIONS:
        finish_swap(_files(each, place.with_name(place.name + each.index)))


class Swap(swapping.Swap):
    """A change of the files of one base: ``open`` creates new ones, ``commit`` moves them into place."""

    def __init__(self, generation: Generation, paths: dict[str, Path]) -> None:
        self._paths = {suffix: path.resolve() for suffix, path in paths.items()}
        index = self._paths[generation.index]
        if not index.parent.is_dir():
            raise FormatError("there is no such folder", path=index.parent)
        if {path.with_suffix("") for path in self._paths.values()} != {index.with_suffix("")}:
            what = "cannot be changed, because links lead to its three files in different folders or under other names"
            raise UsageError(what, path=paths[generation.index])
        super().__init__(_files(generation, index))

    def commit(self, *, overwrite: bool = True) -> None:
        """Move the new files into place, the index last."""
        self.put_in_place(self._paths, gone=[], overwrite=overwrite)
