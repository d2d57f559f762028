"""A base as a whole: rewritten without gaps and with correct values in its index, or copied file by file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tabiya.errors import UsageError
from tabiya.files.file_errors import errors_of
from tabiya.files.transaction import refuse_existing
from tabiya.formats.operations.whole_database import Compacted, Copied
from tabiya.formats.scid.base_files import target_of
from tabiya.formats.scid.base_transaction import change_base
from tabiya.formats.scid.checking import corrected
from tabiya.formats.scid.codes import DELETED
from tabiya.formats.scid.database import ScidDatabase
from tabiya.formats.scid.writer import BaseBuilder, check_writable

if TYPE_CHECKING:
    from pathlib import Path


def compact(path: Path, *, keep_deleted: bool = False, threads: int = 1) -> Compacted:
    """Rewrite a base without gaps, unused names and, unless they are to be kept, games marked as deleted.

    Game data is copied unchanged. Wrong values of the index that are derived from a game are corrected; the remarks
    state how many.
    """
    with errors_of(path), ScidDatabase(path) as base:
        check_writable(base.generation, base.files[0])
        total, repaired = len(base), 0
        _, paths = target_of(base.files[0], base.generation)
        with change_base(base.generation, paths) as transaction:
            builder = BaseBuilder(transaction, base.generation)
            builder.follow(base)
            lists = [[*names.bytes_of(), b""] for names in base.names.lists]
            start = 0
            for batch in base.batches(threads=threads):
                entries, wrong = corrected(base, batch, start)
                start += len(batch)
                kept = np.full(len(entries), fill_value=True) if keep_deleted else entries["flags"] & DELETED == 0
                repaired += int((np.logical_or.reduce(list(wrong.values())) & kept).sum())
                builder.copy(base, entries[kept], lists)
            builder.finish()
            removed = total - builder.count
            transaction.commit()
    remarks = (f"the index had wrong values for {repaired:,} games, which were corrected",) if repaired else ()
    return Compacted(removed, remarks)


def copy_base(path: Path, target: Path, *, overwrite: bool = False) -> Copied:
    """Copy the files of a base, byte by byte. If the target is a folder, the copy gets the same name in it."""
    with errors_of(path), ScidDatabase(path) as base:
        generation = base.generation
        with errors_of(target):
            place = target / base.files[0].name if target.is_dir() else target
            kind, paths = target_of(place, generation)
            if kind is not generation:
                raise UsageError(f"a copy ends with {generation.index}; to make another kind, convert it", path=target)
            index = paths[generation.index]
            if index.resolve() == base.files[0].resolve():
                raise UsageError("is also the source; choose another name for the target", path=target)
            for each in reversed(paths.values()):
                refuse_existing(each, overwrite=overwrite)
            with change_base(generation, paths, overwrite=overwrite) as transaction:
                for suffix in generation.suffixes:
                    transaction.open(suffix).writelines(base.file(suffix).chunks())
                transaction.commit()
        return Copied(sorted(path.name for path in paths.values()), ())
