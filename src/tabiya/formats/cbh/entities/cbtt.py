"""``.cbtt``: additional data about a tournament from newer versions of ChessBase: coordinates, tie-breaks, last day.

The header is little-endian, the records are big-endian: only then are coordinates and dates of real bases correct.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tabiya.binary import Layout, Records, Value
from tabiya.chessbase.field_codecs import DATE, INVALID_DATE, Codec, hexadecimal_texts, nothing, parse_hexadecimal
from tabiya.chessbase.header_fields import Field, HeaderLayout, Table
from tabiya.chessbase.stored_records import declared_layout

if TYPE_CHECKING:
    import pyarrow as pa

HEADER: Final = Layout(
    "cbtt header",
    "<",
    Field(0, "u32", "version", "", 3),
    Field(4, "u32", "record_size", "", 65),
    Field(8, "u32", "highest_id", "0 also if there is no record"),
    Field(12, "20s", "unknown_12", "leftovers"),
)


def _unusual(table: Table, _: Field) -> pa.Array:
    """Return whole records that contain data covered by no other key."""
    unusual = np.zeros(len(table), np.bool_)
    usual = RECORD.new(1)
    for name in table.records.dtype.names or ():
        if name == "rest":
            unusual |= table[name].any(axis=1)
        elif name.startswith("unknown_"):
            different = table[name] != RECORD.column(usual, name)
            unusual |= different.any(axis=1) if different.ndim > 1 else different
        elif RECORD[name].kind == "f64":
            unusual |= ~np.isfinite(table[name]) | (table[name] == 0) & np.signbit(
                table[name]
            )  # 0 has no text of its own
    if not unusual.any():
        return nothing(table)
    return hexadecimal_texts(np.ascontiguousarray(table.records).view(np.uint8).reshape(len(table), -1), unusual)


def _whole_record(text: str) -> dict[str, Value] | None:
    data = parse_hexadecimal(text)
    if data is None:
        return None
    size = next((size for size in sorted(VERSION_SIZES.values()) if size >= len(data)), len(data))
    return RECORD.cut(size).decode(data.ljust(size, b"\0"))


_WHOLE_RECORD: Final = Codec(_unusual, _whole_record)
_END_DATE: Final = "as in .cbh; from version 3 on"
_INVALID_END_DATE: Final = (("cbh.event_end_date", INVALID_DATE),)

RECORD: Final = HeaderLayout(
    "cbtt record",
    ">",
    Field(0, "f64", "latitude", "degrees north", extra="cbh.event_latitude"),
    Field(8, "f64", "longitude", "degrees east", extra="cbh.event_longitude"),
    Field(16, "10s", "unknown_16", extra="cbh.event_more", codec=_WHOLE_RECORD, rank=-1),
    Field(26, "u8", "unknown_26", "7", 7),
    Field(27, "10s", "unknown_27"),
    Field(37, "u8", "unknown_37", "7", 7),
    Field(38, "10s", "unknown_38"),
    Field(48, "u8", "unknown_48", "7", 7),
    Field(49, "u8", "unknown_49"),
    Field(50, "10s", "tie_breaks", "ids, the first most important", b"\x01" * 10, extra="cbh.event_tie_breaks"),
    Field(60, "u8", "tie_breaks_used", extra="cbh.event_tie_breaks_used"),
    Field(61, "u32", "end_date", _END_DATE, extra="cbh.event_end", codec=DATE, extras=_INVALID_END_DATE),
)
"""Stored as parts, preceded by the whole record if a part is not understood."""

CURRENT_VERSION: Final = 3
VERSION_SIZES: Final = {2: 61, CURRENT_VERSION: RECORD.size, 4: 223, 5: 405}
"""The size of a record by version; the data after byte 65 is not understood."""

TIE_BREAKS: Final[dict[int, str]] = {
    1: "unspecified",
    2: "not set",
    10: "Buchholz rating",
    11: "fine Buchholz",
    12: "median Buchholz",
    13: "progress",
    14: "Sonneborn-Berger (Swiss)",
    21: "median Buchholz 2",
    22: "Buchholz cut 1",
    23: "Buchholz cut 2",
    200: "Sonneborn-Berger",
    201: "wins",
    202: "wins as Black",
    203: "games as Black",
    204: "point group",
    206: "Koya",
}
"""Names of tie-breaks by id, as far as known (15, 17, 19 and 20 occur, too)."""


def records_of(data: Any) -> tuple[Layout, Records]:
    """Return the records of a file by tournament id; their number follows from the file size."""
    layout = declared_layout(HEADER, RECORD, data)
    return (RECORD, np.empty(0, RECORD.dtype)) if layout is None else (layout, layout.view(data, HEADER.size))
