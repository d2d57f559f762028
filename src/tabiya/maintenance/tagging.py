"""Set tags of many games, and edit one game as PGN."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from tabiya.errors import UsageError
from tabiya.game import GameBatch
from tabiya.game.record import RecordKind
from tabiya.maintenance.rewriting import Changed, ChangeReport, retagged, rewrite
from tabiya.maintenance.tag_columns import check_tag, tag_texts

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Unpack

    import numpy as np
    from numpy.typing import NDArray

    from tabiya.formats import Database
    from tabiya.formats.open_and_create import Location, Locations
    from tabiya.maintenance.rewriting import ChangeOptions


def set_tags(
    source: Locations | Database,
    tags: Mapping[str, str | None],
    target: Location | None = None,
    **how: Unpack[ChangeOptions],
) -> ChangeReport:
    """Set tags of many games, ``{"Event": "Wijk aan Zee", "Source": None}``; None removes a tag.

    Records that already have these tags do not change. Without ``target`` and ``in_place`` nothing is written: the
    report states how many records would change.

    Args:
        source: what ``tabiya.open`` takes, or an open database, which remains open.
        tags: the text of each tag, by name.
        target: a new database with all records, changed or not.
        how: ``numbers`` (the records that may change, ascending), ``in_place`` (replace the records where they are, if
            the format supports it), ``dry_run`` (write nothing), ``overwrite``, ``strict``, ``threads``, ``progress``,
            and ``options`` for ``tabiya.convert``.

    Raises:
        UsageError: A tag determines the moves or is invalid, or the format cannot replace records.
    """
    if not tags:
        raise UsageError("there is no tag to set")
    for name, text in tags.items():
        check_tag(name, text)

    def change(batch: GameBatch, chosen: NDArray[np.bool_]) -> Changed:
        records = batch.record_batch
        chosen = chosen & (records["kind"].to_numpy() != RecordKind.TEXT)
        return retagged(
            batch,
            (
                (name, pa.array([text] * len(records), pa.string()), chosen & _differs(tag_texts(records, name), text))
                for name, text in tags.items()
            ),
        )

    return rewrite(source, change, target, **how)


def _differs(old: pa.Array, text: str | None) -> NDArray[np.bool_]:
    differs = pc.is_valid(old) if text is None else pc.fill_null(pc.not_equal(old, text), True)
    mask: NDArray[np.bool_] = differs.to_numpy(zero_copy_only=False)
    return mask
