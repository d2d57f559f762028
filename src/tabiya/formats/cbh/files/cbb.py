"""``.cbb``: 52 bytes per game that let ChessBase skip games when it searches for a position.

Big-endian. ChessBase creates it again if it is missing. Most bits state that certain pieces were on certain squares at
any time of the game, including its start position; a guiding text has zeros.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from tabiya.binary import Field, Layout, Records

RECORD: Final = Layout(
    "cbb record",
    ">",
    Field(0, "3s", "unknown_0"),
    Field(3, "u8", "pawns", "bits 0-2 White's pawns at the end, 3 once no pieces; 4-7 Black's"),
    Field(4, "u8", "few", "once no queen, less than 2 rooks, bishops, knights; 0-3 White, 4-7 Black"),
    Field(5, "u8", "none", "once no queen, rook, bishop, knight"),
    Field(6, "5s", "white_pawns", "ranks 3 to 7, a bit per file"),
    Field(11, "5s", "black_pawns", "ranks 2 to 6"),
    Field(16, "u8", "white_king_ranks"),
    Field(17, "u8", "black_king_ranks"),
    Field(18, "u8", "white_king_files"),
    Field(19, "u8", "black_king_files"),
    Field(20, "8s", "white_heavy", "rooks and queens per rank"),
    Field(28, "8s", "black_heavy"),
    Field(36, "8s", "white_light", "knights and bishops per rank"),
    Field(44, "8s", "black_light"),
)
HEADER: Final = Layout(
    "cbb header",
    ">",
    Field(0, "u32", "records"),
    Field(4, "u16", "version", "", 1),
    Field(6, "u16", "record_size", "", RECORD.size),
    Field(8, "44s", "unknown_8"),
)


def records_of(data: Any) -> Records:
    """Return the records, as many as are declared and present."""
    if len(data) < HEADER.size:
        return np.empty(0, RECORD.dtype)
    count = int(HEADER.read(data)["records"])
    return RECORD.view(data, HEADER.size, count)
