"""Putting right names in the place of others, where somebody has said what is right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from tabiya.maintenance.corrections import Corrections, read_corrections
from tabiya.maintenance.rewriting import ChangeReport, retagged, rewrite, rows_among
from tabiya.maintenance.tag_columns import tag_texts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from os import PathLike

    import numpy as np
    from numpy.typing import NDArray

    from tabiya.formats import Database
    from tabiya.formats.choose import Location, Locations
    from tabiya.formats.progress import Watcher

__all__ = ["correct_names"]

_TAGS: Final = {"White": "player", "Black": "player", "Event": "event", "Site": "site", "Round": "round"}


def correct_names(
    source: Locations | Database,
    corrections: Corrections | Mapping[str, str] | str | PathLike[str],
    target: Location | None = None,
    *,
    numbers: NDArray[np.int64] | None = None,
    in_place: bool = False,
    dry_run: bool = False,
    overwrite: bool = False,
    strict: bool = False,
    threads: int = 1,
    progress: Watcher = None,
    options: Mapping[str, Any] | None = None,
) -> ChangeReport:
    """Put right names in the place of others: of players, events, sites and rounds.

    Without ``target`` and ``in_place`` nothing is written: the report tells how many records would change.

    Args:
        source: what ``tabiya.open`` takes, or an open database, which stays open.
        corrections: a file (see ``read_corrections``): a table that was checked, or a spelling file of Scid; or names
            of players by other names, ``{"Kortschnoj": "Korchnoi, Viktor"}``.
        target: a new database with all records, changed or not.
        numbers: the records that may change, ascending; all if None.
        in_place: replace the records where they are, in formats that can.
        dry_run: write nothing.
        overwrite: replace an existing target.
        strict: raise ``LossError`` if anything would get lost.
        threads: how many threads work.
        progress: called after every batch that was read.
        options: what ``tabiya.convert`` is told besides.

    Raises:
        FormatError: The file with the corrections makes no sense.
        UsageError: The format cannot replace records.
    """
    if isinstance(corrections, Corrections):
        known = corrections
    elif hasattr(corrections, "items"):
        known = Corrections({("player", name): right for name, right in corrections.items()})
    else:
        known = read_corrections(corrections)

    def corrected(records: pa.RecordBatch) -> Iterator[tuple[str, pa.Array, NDArray[np.bool_]]]:
        chosen = rows_among(records, numbers)
        for tag, kind in _TAGS.items():
            texts = tag_texts(records, tag).dictionary_encode()
            right = pa.array([known.correct(kind, name) for name in texts.dictionary.to_pylist()], pa.string())
            new = right.take(texts.indices)
            differs = pc.fill_null(pc.not_equal(new, texts.dictionary_decode()), False)
            yield tag, new, chosen & differs.to_numpy(zero_copy_only=False)

    return rewrite(
        source,
        lambda batch: retagged(batch, corrected(batch.record_batch)),
        target,
        in_place=in_place,
        dry_run=dry_run,
        overwrite=overwrite,
        strict=strict,
        threads=threads,
        progress=progress,
        options=options,
    )
