"""``.cbj``: what newer versions of ChessBase know about a game besides its record in ``.cbh``.

The header is little-endian, the records are big-endian. Every version made the record longer; fields that a record is
too short for, and records that are missing altogether, have their defaults.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tabiya.formats.cbh.files.layout import MOST_RECORD, Field, Layout, Records
from tabiya.formats.cbh.files.stored_records import StoredRecords

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["CURRENT_VERSION", "HEADER", "RECORD", "VERSION_SIZES", "checksums", "records_of"]

NO_ID: Final = -1

HEADER: Final = Layout(
    "cbj header",
    "<",
    Field(0, "u32", "version", "", 11),
    Field(4, "u32", "record_size", "", 120),
    Field(8, "u32", "records", "may be fewer than there are games"),
    Field(12, "20s", "unknown_12", "leftovers"),
)

RECORD: Final = Layout(
    "cbj record",
    ">",
    Field(0, "i32", "white_team", "id in .cbe, -1 none", NO_ID),
    Field(4, "i32", "black_team", "id in .cbe, -1 none", NO_ID),
    Field(8, "i32", "media", "offset of a manifest in .cbm, -1 none", NO_ID),
    Field(12, "u64", "cba_offset", "the offset of .cbh with 64 bits"),
    Field(20, "u32", "material_1", "of the last position, the larger value"),
    Field(24, "u32", "material_2", "the smaller value"),
    Field(28, "u16", "checksum", "sum of the ten words before it from 8 on", 0xFFFE),
    Field(30, "u64", "cbg_offset", "the offset of .cbh with 64 bits; 0 in some files"),
    Field(38, "16s", "white_rating_type"),
    Field(54, "16s", "black_rating_type"),
    Field(70, "u32", "unknown_70"),
    Field(74, "u32", "unknown_74"),
    Field(78, "u16", "version", "how often the game was saved", 1),
    Field(80, "u64", "created", "1/1024 s since 2008-12-01"),
    Field(88, "20s", "endgames", "longest type and four types with their first ply"),
    Field(108, "u64", "saved", "100 ns since 1582-10-15, 0 never"),
    Field(116, "i32", "tag", "id in .cbl, -1 none", NO_ID),
)

CURRENT_VERSION: Final = 11
VERSION_SIZES: Final = {1: 8, 3: 20, 4: 30, 5: 30, 6: 38, 7: 74, 8: 78, CURRENT_VERSION: RECORD.size}
"""The size of a record by version, as far as seen."""

_SUMMED = slice(8, 28)


def records_of(data: Any) -> tuple[Layout, StoredRecords]:
    """The records of a file, as many as are declared and there, and their layout; none if it is too short."""
    if len(data) < HEADER.size:
        return RECORD, StoredRecords(RECORD)
    header = HEADER.decode(bytes(data[: HEADER.size]))
    size, count = int(header["record_size"]), int(header["records"])
    if not 0 < size <= MOST_RECORD:
        return RECORD, StoredRecords(RECORD)
    layout = RECORD.cut(size)
    return layout, StoredRecords(layout, data, HEADER.size, count)


def checksums(records: Records | StoredRecords) -> NDArray[np.uint16]:
    """The right checksum of records of full size: the sum of ten words, without carry."""
    matrix = np.ascontiguousarray(records).view(np.uint8).reshape(len(records), RECORD.size)
    words = np.ascontiguousarray(matrix[:, _SUMMED]).view(">u2")
    sums: NDArray[np.uint16] = words.sum(axis=1, dtype=np.uint32).astype(np.uint16)
    return sums
