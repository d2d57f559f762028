"""Apply name corrections."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pyarrow as pa
import pyarrow.compute as pc

from tabiya.maintenance.corrections import Corrections, read_corrections
from tabiya.maintenance.rewriting import ChangeReport, retagged, rewrite
from tabiya.maintenance.tag_columns import tag_texts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from os import PathLike
    from typing import Unpack

    import numpy as np
    from numpy.typing import NDArray

    from tabiya.formats import Database
    from tabiya.formats.open_and_create import Location, Locations
    from tabiya.maintenance.rewriting import ChangeOptions

_TAGS: Final = {"White": "player", "Black": "player", "Event": "event", "Site": "site", "Round": "round"}


def correct_names(
    source: Locations | Database,
    corrections: Corrections | Mapping[str, str] | str | PathLike[str],
    target: Location | None = None,
    **how: Unpack[ChangeOptions],
) -> ChangeReport:
    """Apply name corrections to players, events, sites and rounds.

    Without ``target`` and ``in_place`` nothing is written: the report states how many records would change.

    Args:
        source: what ``tabiya.open`` takes, or an open database, which remains open.
        corrections: a file (see ``read_corrections``): a table that was checked, or a spelling file of Scid; or a
            mapping of player names to correct names, ``{"Kortschnoj": "Korchnoi, Viktor"}``.
        target: a new database with all records, changed or not.
        how: ``numbers`` (the records that may change, ascending), ``in_place`` (replace the records where they are, if
            the format supports it), ``dry_run`` (write nothing), ``overwrite``, ``strict``, ``threads``, ``progress``,
            and ``options`` for ``tabiya.convert``.

    Raises:
        FormatError: The file with the corrections is invalid.
        UsageError: The format cannot replace records.
    """
    if isinstance(corrections, Corrections):
        known = corrections
    elif hasattr(corrections, "items"):
        known = Corrections({("player", name): right for name, right in corrections.items()})
    else:
        known = read_corrections(corrections)

    def corrected(
        records: pa.RecordBatch, chosen: NDArray[np.bool_]
    ) -> Iterator[tuple[str, pa.Array, NDArray[np.bool_]]]:
        for tag, kind in _TAGS.items():
            texts = tag_texts(records, tag).dictionary_encode()
            right = pa.array([known.correct(kind, name) for name in texts.dictionary.to_pylist()], pa.string())
            new = right.take(texts.indices)
            differs = pc.fill_null(pc.not_equal(new, texts.dictionary_decode()), False)
            yield tag, new, chosen & differs.to_numpy(zero_copy_only=False)

    return rewrite(source, lambda batch, chosen: retagged(batch, corrected(batch.record_batch, chosen)), target, **how)
