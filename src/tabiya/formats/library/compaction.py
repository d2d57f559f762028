"""A library as a whole: rewritten without deleted records, or copied file by file."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pyarrow as pa

from tabiya.errors import UsageError
from tabiya.files.file_errors import errors_of
from tabiya.formats.library.change import LibraryChange
from tabiya.formats.library.contents import Library
from tabiya.formats.library.database import LibraryDatabase
from tabiya.formats.library.manifest import MANIFEST, Manifest, file_name
from tabiya.formats.library.writer import LibraryWriter
from tabiya.formats.operations.whole_database import Compacted, Copied
from tabiya.game import GameBatch

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def compact(path: Path, *, keep_deleted: bool = False, threads: int = 1) -> Compacted:
    """Rewrite a library as one segment and, unless they are to be kept, without records marked as deleted.

    Records after a deleted one are renumbered; their origins are unchanged.
    """
    with errors_of(path):
        index = Manifest.read(path)
        writer = LibraryWriter(
            path, overwrite=True, strict=True, positions=index.positions, variations=index.variations
        )
        with writer, LibraryDatabase(path) as old:  # opened when no other writer can append to it
            writer.account_for(old)
            writer.write(_chosen(old, threads, keep_deleted=keep_deleted), threads=threads)
            removed = len(old) - writer.written
        return Compacted(removed, writer.remarks)


def _chosen(library: LibraryDatabase, threads: int, *, keep_deleted: bool) -> Iterator[GameBatch]:
    for batch in library.batches(threads=threads):
        deleted = batch.record_batch["deleted"].to_numpy(zero_copy_only=False)
        if keep_deleted or not deleted.any():
            yield batch
        elif not deleted.all():
            yield GameBatch(batch.record_batch.filter(pa.array(~deleted)))


def copy_library(source: Path, target: Path, *, overwrite: bool = False) -> Copied:
    """Copy all files of a library, byte by byte; if the target is another folder, the copy gets the same name in it."""
    with errors_of(source):
        library = Library(source)
    try:
        with errors_of(target):
            if target.is_dir() and not (target / MANIFEST).exists():
                target = target / source.resolve().name
            if target.resolve() == source.resolve():
                raise UsageError("is also the source; choose another name for the target", path=target)
            change = LibraryChange(target, overwrite=overwrite)
            try:
                return _copy_all(library, change)
            finally:
                change.discard()
    finally:
        library.close()


def _copy_all(library: Library, change: LibraryChange) -> Copied:
    """Segments get new numbers, because those of a replaced library are in use until the end."""
    number, entries = change.manifest.next, []
    for segment in library.segments:
        for kind in segment.entry.files:
            with (change.folder / file_name(kind, number)).open("wb") as file:
                data = segment.data(kind)
                file.writelines(data.chunks())
                data.close()
        entries.append(replace(segment.entry, number=number))
        number += 1
    manifest = replace(library.manifest, segments=tuple(entries), next=number)
    change.commit(manifest)
    return Copied([MANIFEST, *sorted(manifest.file_names())], ())
