"""``.cbgi``: a copy of the offsets of all games in ``.cbg``. ChessBase creates it again if it is missing.

Little-endian: the number of records, then an offset each; for guiding texts it is 0 or the offset of the text,
depending on the version. The file grows in steps of 512 kB, filled with zeros.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tabiya.binary import Field, Layout

if TYPE_CHECKING:
    from numpy.typing import NDArray

HEADER: Final = Layout("cbgi header", "<", Field(0, "u32", "records"))
OFFSET: Final = Layout("cbgi record", "<", Field(0, "u32", "offset", "in .cbg"))
_GROWTH: Final = 131_072


def offsets_of(data: Any) -> NDArray[np.uint32]:
    """Return the offsets, as many as are declared and present."""
    if len(data) < HEADER.size:
        return np.empty(0, np.uint32)
    count = int(HEADER.read(data)["records"])
    records = OFFSET.view(data, HEADER.size, count)
    return OFFSET.column(records, "offset")


def encode_offsets(offsets: NDArray[np.uint32]) -> bytes:
    """Return the file of these offsets; the inverse of ``offsets_of``."""
    records = OFFSET.new(-(-max(1, len(offsets)) // _GROWTH) * _GROWTH)
    OFFSET.put(records[: len(offsets)], "offset", offsets)
    return HEADER.encode({"records": len(offsets)}) + records.tobytes()
