"""``.cbh``: a record of 46 bytes for each game and guiding text, after a header of the same size."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from tabiya.binary import Layout
from tabiya.chessbase.codes import RESULTS
from tabiya.chessbase.field_codecs import INVALID_DATE, Codec, bits, digits, number_where, parse_number
from tabiya.chessbase.game_flags import KNOWN_FLAGS
from tabiya.chessbase.header_codecs import ECO_EXTRAS, ECO_SUB
from tabiya.chessbase.header_fields import Field, HeaderLayout, Table
from tabiya.chessbase.record_marks import KEPT_MARKS, Mark

if TYPE_CHECKING:
    import pyarrow as pa

RECORD_SIZE: Final = 46

HEADER: Final = Layout(
    "cbh header",
    ">",
    Field(0, "u8", "unknown_0"),
    Field(1, "u16", "generation", "0x24 until ChessBase 8, 0x2C from 9 on", 0x2C),
    Field(3, "u16", "record_size", "46", RECORD_SIZE),
    Field(5, "u8", "version", "1, or 5 by ChessBase 17 and later", 1),
    Field(6, "u32", "next_game", "number of records + 1", 1),
    Field(10, "2s", "unknown_10"),
    Field(12, "u32", "next_sound"),
    Field(16, "u32", "next_picture"),
    Field(20, "u32", "next_video"),
    Field(24, "16s", "unknown_24"),
    Field(40, "u32", "next_game_again", "0 in the old generation", 1),
    Field(44, "2s", "unknown_44"),
)


def _unusual_marks(table: Table, field: Field) -> pa.Array:
    marks = table[field.name] & np.uint8(KEPT_MARKS)
    return digits(marks, keep=marks != Mark.USED)


_MARKS: Final = Codec(_unusual_marks, parse_number)
_OTHER_FLAGS: Final = bits(0xFFFFFFFF & ~KNOWN_FLAGS)

_RESULTS: Final = "0 0-1, 1 draw, 2 1-0, 3 line, 4 -:+, 5 =:=, 6 +:-, 7 0-0"
_ECO: Final = "(1 + number) << 7 | sub code; from 64576 on a Chess960 number"

GAME: Final = HeaderLayout(
    "cbh game",
    ">",
    Field(0, "u8", "marks", "bit 0 always, 1 guiding text, 7 deleted", 1, extra="cbh.marks", codec=_MARKS),
    Field(1, "u32", "cbg_offset"),
    Field(5, "u32", "cba_offset", "0 without annotations"),
    Field(9, "u24", "white", "id in .cbp"),
    Field(12, "u24", "black", "id in .cbp"),
    Field(15, "u24", "tournament", "id in .cbt"),
    Field(18, "u24", "annotator", "id in .cbc"),
    Field(21, "u24", "source", "id in .cbs"),
    Field(24, "u24", "date", "day, month << 5, year << 9", extra="cbh.date", codec=INVALID_DATE),
    Field(27, "u8", "result", _RESULTS, extra="cbh.result", codec=number_where(lambda codes: codes >= len(RESULTS))),
    Field(28, "u8", "line_evaluation", "a NAG; for lines", extra="cbh.line_evaluation"),
    Field(29, "u8", "round"),
    Field(30, "u8", "subround"),
    Field(31, "u16", "white_elo"),
    Field(33, "u16", "black_elo"),
    Field(35, "u16", "eco", _ECO, extra="cbh.eco_sub", codec=ECO_SUB, extras=ECO_EXTRAS),
    Field(37, "u16", "medals", extra="cbh.medals"),
    Field(39, "u32", "flags", "which kinds of annotation there are, and more", extra="cbh.flags", codec=_OTHER_FLAGS),
    Field(43, "u16", "magnitudes", "how much of it"),
    Field(45, "u8", "moves", "full moves of the main line, at most 255"),
)
"""A writer recomputes flags and magnitudes that follow from moves and annotations, and the number of moves.

``eco_sub`` and ``chess960_number`` are not fields but parts of ``eco``, which a writer combines.
"""

TEXT: Final = HeaderLayout(
    "cbh text",
    ">",
    Field(0, "u8", "marks", "as in a game", 3, extra="cbh.marks", codec=_MARKS),
    Field(1, "u32", "cbg_offset"),
    Field(5, "u16", "unknown_5", extra="cbh.text_unknown_5", rank=1),
    Field(7, "u24", "tournament"),
    Field(10, "u24", "source", "before the annotator, unlike in a game"),
    Field(13, "u24", "annotator"),
    Field(16, "u8", "round"),
    Field(17, "u8", "subround"),
    Field(18, "u32", "flags", "of media only", extra="cbh.flags"),
    Field(22, "24s", "unknown_22", extra="cbh.text_unknown_22", rank=1),
)


def looks_like_header(head: bytes) -> bool:
    """Return whether a file begins like a .cbh."""
    if len(head) < HEADER.size:
        return False
    header = HEADER.read(head)
    return (
        header["unknown_0"] == 0
        and header["generation"] in (0x24, 0x2C)
        and header["record_size"] == RECORD_SIZE
        and header["next_game"] != 0
    )
