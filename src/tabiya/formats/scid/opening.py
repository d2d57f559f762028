"""Opens the three files of a base, even while other programs change them."""

from __future__ import annotations

import os
from pathlib import Path

from tabiya.files.file_bytes import FileBytes
from tabiya.files.recovery import FileSet, recover, until_consistent
from tabiya.formats.scid.base_files import GENERATIONS, base_at, generation_of
from tabiya.formats.scid.index_file import Generation


def files_of_base(generation: Generation, index: Path) -> FileSet:
    """Return the files of a base, named after the index (links resolved): generations may share a stem."""
    index = index.resolve()
    return FileSet(index, index.name, frozenset(generation.suffixes))


def open_base(place: Path) -> tuple[Generation, dict[str, FileBytes]]:
    """Open a consistent set of files of a base, even while other programs change it.

    Raises:
        UsageError: The base is changed again and again.
    """

    def opened() -> tuple[Generation, dict[str, FileBytes]] | None:
        _finish_all(place)
        generation, paths = base_at(place)
        index = paths[generation.index]
        base = files_of_base(generation, index)
        # The index is renamed last: if it is unchanged, so are the other files.
        files = {suffix: FileBytes(paths[suffix]) for suffix in reversed(generation.suffixes)}
        if not base.is_decided and os.path.samestat(files[generation.index].status, index.stat()):
            return generation, files
        for file in files.values():
            file.close()
        recover(base)  # the path may have been another name of it
        return None

    return until_consistent(opened, place)


def _finish_all(place: Path) -> None:
    """Finish interrupted changes of the bases at a path."""
    if place.is_dir():
        return
    generation = generation_of(place)
    if generation is not None:
        suffix = generation.index.upper() if place.suffix.isupper() else generation.index
        recover(files_of_base(generation, place.with_suffix(suffix)))
        return
    for each in GENERATIONS:
        recover(files_of_base(each, place.with_name(place.name + each.index)))
