"""A change of the files of one base."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabiya.errors import FormatError
from tabiya.files.transaction import Transaction
from tabiya.formats.scid.opening import files_of_base

if TYPE_CHECKING:
    from pathlib import Path

    from tabiya.formats.scid.index_file import Generation


def change_base(generation: Generation, paths: dict[str, Path], *, overwrite: bool = True) -> Transaction:
    """Begin a change of a base: the keys of its files are their suffixes."""
    files = files_of_base(generation, paths[generation.index])
    if not files.folder.is_dir():
        raise FormatError("there is no such folder", path=files.folder)
    return Transaction(files, overwrite=overwrite, paths=paths)
