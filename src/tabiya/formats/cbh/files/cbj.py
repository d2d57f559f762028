"""``.cbj``: additional data about a game from newer versions of ChessBase.

The header is little-endian, the records are big-endian. Every version made the record longer; fields that a record is
too short for, and missing records, have their defaults.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tabiya.binary import Layout, Records
from tabiya.chessbase.field_codecs import Codec, hexadecimal_texts, parse_hexadecimal
from tabiya.chessbase.header_codecs import MATERIALS
from tabiya.chessbase.header_fields import Field, HeaderLayout, Table
from tabiya.chessbase.rating_types import USUAL_RATING_TYPE
from tabiya.chessbase.stored_records import StoredRecords, declared_layout

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

NO_ID: Final = -1

HEADER: Final = Layout(
    "cbj header",
    "<",
    Field(0, "u32", "version", "", 11),
    Field(4, "u32", "record_size", "", 120),
    Field(8, "u32", "records", "may be fewer than there are games"),
    Field(12, "20s", "unknown_12", "leftovers"),
)


def usual_rating_types(elos: NDArray[Any]) -> NDArray[np.uint8]:
    """Return the default rating types: FIDE for a player with a rating, else none."""
    types = np.frombuffer(bytes(len(USUAL_RATING_TYPE)) + USUAL_RATING_TYPE, np.uint8).reshape(2, -1)
    found: NDArray[np.uint8] = types[(elos != 0).astype(np.intp)]
    return found


def _rating_types(table: Table, field: Field) -> pa.Array:
    given = np.ascontiguousarray(table[field.name])
    usual = usual_rating_types(table[field.name.replace("rating_type", "elo")])
    # Sixteen bytes are two numbers: comparing these is many times faster than checking every byte.
    halves, usual_halves = given.view(np.uint64), usual.view(np.uint64)
    return hexadecimal_texts(given, (halves[:, 0] != usual_halves[:, 0]) | (halves[:, 1] != usual_halves[:, 1]))


_RATING_TYPE: Final = Codec(_rating_types, parse_hexadecimal)

RECORD: Final = HeaderLayout(
    "cbj record",
    ">",
    Field(0, "i32", "white_team", "id in .cbe, -1 none", NO_ID),
    Field(4, "i32", "black_team", "id in .cbe, -1 none", NO_ID),
    Field(8, "i32", "media", "offset of a manifest in .cbm, -1 none", NO_ID),
    Field(12, "u64", "cba_offset", "the offset of .cbh with 64 bits"),
    Field(20, "u32", "material_1", "of the last position, the larger value", extra="cbh.material", codec=MATERIALS),
    Field(24, "u32", "material_2", "the smaller value"),
    Field(28, "u16", "checksum", "sum of the ten words before it from 8 on", 0xFFFE),
    Field(30, "u64", "cbg_offset", "the offset of .cbh with 64 bits; 0 in some files"),
    Field(38, "16s", "white_rating_type", extra="cbh.white_rating_type", codec=_RATING_TYPE, rank=-1),
    Field(54, "16s", "black_rating_type", extra="cbh.black_rating_type", codec=_RATING_TYPE, rank=-1),
    Field(70, "u32", "unknown_70", extra="cbh.unknown_70"),
    Field(74, "u32", "unknown_74", extra="cbh.unknown_74"),
    Field(78, "u16", "version", "how often the game was saved", 1, extra="cbh.version"),
    Field(80, "u64", "created", "1/1024 s since 2008-12-01", extra="cbh.created"),
    Field(88, "20s", "endgames", "longest type and four types with their first ply", extra="cbh.endgames"),
    Field(108, "u64", "saved", "100 ns since 1582-10-15, 0 never", extra="cbh.saved"),
    Field(116, "i32", "tag", "id in .cbl, -1 none", NO_ID),
    rest=Field(120, "0s", "rest", extra="cbh.header_rest"),
)
"""A writer recomputes offsets and checksum."""

CURRENT_VERSION: Final = 11
VERSION_SIZES: Final = {1: 8, 3: 20, 4: 30, 5: 30, 6: 38, 7: 74, 8: 78, CURRENT_VERSION: RECORD.size}
"""The size of a record by version, as far as seen."""

_SUMMED = slice(8, 28)


def records_of(data: Any) -> tuple[Layout, StoredRecords]:
    """Return the records of a file, as many as are declared and present, and their layout; none if it is too short."""
    layout = declared_layout(HEADER, RECORD, data)
    if layout is None:
        return RECORD, StoredRecords(RECORD)
    return layout, StoredRecords(layout, data, HEADER.size, HEADER.read(data)["records"])


def checksums(records: Records | StoredRecords) -> NDArray[np.uint16]:
    """Return the correct checksum of records of full size: the sum of ten words, without carry."""
    matrix = np.ascontiguousarray(records).view(np.uint8).reshape(len(records), RECORD.size)
    words = np.ascontiguousarray(matrix[:, _SUMMED]).view(">u2")
    sums: NDArray[np.uint16] = words.sum(axis=1, dtype=np.uint32).astype(np.uint16)
    return sums
