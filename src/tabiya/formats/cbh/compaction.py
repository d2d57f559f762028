"""A base as a whole: rewritten without gaps, or copied file by file."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from tabiya.errors import UsageError
from tabiya.files.file_errors import errors_of
from tabiya.files.transaction import refuse_existing
from tabiya.formats.cbh.database import CbhDatabase
from tabiya.formats.cbh.files.base_files import KNOWN_SUFFIXES, BaseFiles, companion, files_of, folders_of, target_file
from tabiya.formats.cbh.files.opening import changeable, open_files
from tabiya.formats.cbh.writer import CbhWriter
from tabiya.formats.cbh.writing.base_transaction import BaseTransaction
from tabiya.formats.operations.whole_database import Compacted, Copied
from tabiya.formats.url import local_path
from tabiya.game import GameBatch

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def compact(place: str | Path, *, keep_deleted: bool = False, threads: int = 1) -> Compacted:
    """Rewrite a base without gaps, unused entities and, unless they are to be kept, records marked as deleted.

    A base that cannot be rewritten without loss is not changed. Boosters are removed, files that tabiya cannot read are
    kept; the result names both.

    Raises:
        LossError: Something cannot be written again.
    """
    path = local_path(place)
    with errors_of(path):
        main = changeable(path)
        with CbhWriter(main, overwrite=True, strict=True) as writer, CbhDatabase(main) as base:
            total = len(base)
            writer.follow(base)
            writer.write(_chosen(base, threads, keep_deleted=keep_deleted), threads=threads)
    return Compacted(total - writer.written, writer.remarks)


def _chosen(base: CbhDatabase, threads: int, *, keep_deleted: bool) -> Iterator[GameBatch]:
    for batch in base.batches(threads=threads):
        deleted: NDArray[np.bool_] = batch.record_batch["deleted"].to_numpy(zero_copy_only=False)
        if keep_deleted or not deleted.any():
            yield batch
        elif not deleted.all():
            yield GameBatch(batch.record_batch.filter(pa.array(~deleted)))


def copy_base(source: str | Path, target: str | Path, *, overwrite: bool = False) -> Copied:
    """Copy all files of a base, byte by byte, even if some are missing; its media folders are copied too.

    If the target is a folder, the copy gets the same name in it. A replaced base loses the media folders that the new
    one has, too, and keeps all others; files that tabiya cannot read and that the new base does not have remain.
    """
    old, new = local_path(source), local_path(target)
    with errors_of(old):
        files = open_files(old, everything=True)
    try:
        with errors_of(new):
            final = target_file(new / files.main.name if new.is_dir() else new).resolve()
            if final == files.main.resolve():
                raise UsageError("is also the source; choose another name for the target", path=new)
            refuse_existing(final, overwrite=overwrite)
            with BaseTransaction(final, overwrite=overwrite) as transaction:
                return _copy_all(files, transaction, final)
    finally:
        files.close()


def _copy_all(files: BaseFiles, transaction: BaseTransaction, final: Path) -> Copied:
    for suffix in files.paths:
        transaction.open(suffix).writelines(files.chunks(suffix))
    folders = folders_of(files.main.parent, files.main.stem)
    for suffix, folder in folders.items():
        shutil.copytree(folder, transaction.folder(suffix), dirs_exist_ok=True)
    present = files_of(final.parent, final.stem)
    remarks = transaction.replace(outdated=KNOWN_SUFFIXES - files.paths.keys())
    names = sorted(present.get(suffix, companion(final, suffix)).name for suffix in (*files.paths, *folders))
    return Copied(names, remarks)
