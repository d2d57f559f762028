"""``.2cbh``: a header of 192 bytes, and a record of the same size for each game, guiding text and analysis."""

from __future__ import annotations

from enum import IntFlag
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tabiya.binary import Field as PlainField
from tabiya.binary import Layout
from tabiya.chessbase.codes import RESULTS
from tabiya.chessbase.field_codecs import INVALID_DATE, Codec, bits, digits, number_where
from tabiya.chessbase.game_flags import KNOWN_FLAGS
from tabiya.chessbase.header_codecs import ECO_EXTRAS, ECO_SUB, MATERIALS
from tabiya.chessbase.header_fields import Field, HeaderLayout, Table
from tabiya.chessbase.record_marks import KEPT_MARKS, Mark
from tabiya.formats.cbh2.rating_types import CLASSIC_RATING_TYPE, OTHER_RATING_TYPE

if TYPE_CHECKING:
    import pyarrow as pa

RECORD_SIZE: Final = 192
NO_ID: Final = -1
HIGHEST_ROUND: Final = 0x7FFF

HEADER: Final = Layout(
    "2cbh header",
    "<",
    PlainField(0, "8s", "unknown_0", "zeros", b""),
    PlainField(8, "u16", "generation", "38 with version 5, 34 with version 3", 38),
    PlainField(10, "u16", "record_size", "192", RECORD_SIZE),
    PlainField(12, "u8", "unknown_12"),
    PlainField(13, "u8", "version", "5, in older databases 3", 5),
    PlainField(14, "u16", "unknown_14"),
    PlainField(16, "i32", "next_game", "number of records + 1", 1),
    PlainField(20, "172s", "unknown_20", "zeros", b""),
)
KNOWN_VERSIONS: Final = {(38, 5), (34, 3)}


class Kind(IntFlag):
    """The third byte of a record."""

    USUAL = 1
    ANALYSIS = 2


def _odd_marks(table: Table, field: Field) -> pa.Array:
    marks = table[field.name]
    return digits(marks, keep=(marks & np.uint8(KEPT_MARKS)) != Mark.USED)


def _odd_marks_again(table: Table, field: Field) -> pa.Array:
    marks = table[field.name]
    return digits(marks, keep=marks != table["marks"] & np.uint8(0x7F))


_CLASSIC_STAMPS: Final = 1 << 40
"""Stamps below this number count 1/2^10 s, as in classic bases; others 1/2^22 s."""
_FINER: Final = np.int64(12)


def _classic_creation(table: Table, field: Field) -> pa.Array:
    stamps = table[field.name]
    return digits(np.where(stamps < _CLASSIC_STAMPS, stamps, stamps >> _FINER), keep=stamps > 0)


_MARKS: Final = Codec(_odd_marks)
_MARKS_AGAIN: Final = Codec(_odd_marks_again)
_CREATED: Final = Codec(_classic_creation)
_FINE_CREATED: Final = number_where(lambda stamps: (stamps >= _CLASSIC_STAMPS) | (stamps < 0))
_SAVED: Final = number_where(lambda stamps: stamps != 0)
_UNUSUAL_KIND: Final = number_where(lambda kinds: kinds != Kind.USUAL)
_ODD_RESULT: Final = number_where(lambda codes: codes >= len(RESULTS))
_NEGATIVE: Final = number_where(lambda rounds: rounds > HIGHEST_ROUND)
_BOARD: Final = number_where(lambda boards: (boards > 0) & (boards <= HIGHEST_ROUND))
_OTHER_FLAGS: Final = bits(0xFFFFFFFF & ~KNOWN_FLAGS)
_SAVES: Final = number_where(lambda counts: counts != 1)
_MEDIA: Final = number_where(lambda offsets: (offsets != 0) & (offsets != 0xFFFFFFFF))
_LARGE: Final = number_where(lambda values: values != 0)

# Extras that classic bases have are in their order there: date, then the others of .cbh, then those of .cbj.
_RATINGS, _MATERIAL, _VERSION, _CREATION, _LAST_SAVE = range(1, 6)

_HEAD: Final = (
    Field(0, "u8", "marks", "bit 0 always, 1 guiding text, 7 deleted", 1, extra="2cbh.marks", codec=_MARKS),
    Field(1, "u8", "unknown_1", extra="2cbh.unknown_1"),
    Field(2, "u8", "kind", "1 game or text, 2 analysis", 1, extra="2cbh.kind", codec=_UNUSUAL_KIND),
    Field(3, "u8", "marks_again", "without bit 7", 1, extra="2cbh.marks_again", codec=_MARKS_AGAIN),
    Field(4, "u32", "unknown_4", extra="2cbh.unknown_4"),
    Field(8, "i64", "cbg_offset", "of the moves or the text"),
)


def _created(offset: int) -> Field:
    meaning = "1/2^22 s since 2008-12-01 in Berlin; below 2^40 1/2^10 s"
    extras = (("2cbh.created", _FINE_CREATED),)
    return Field(offset, "i64", "created", meaning, extra="cbh.created", codec=_CREATED, extras=extras, rank=_CREATION)


def _rating(side: str, offset: int) -> tuple[Field, Field]:
    return (
        Field(offset, "u16", f"{side}_elo"),
        Field(
            *(offset + 2, "14s", f"{side}_rating_type"),
            extra=f"cbh.{side}_rating_type",
            codec=CLASSIC_RATING_TYPE,
            extras=((f"2cbh.{side}_rating_type", OTHER_RATING_TYPE),),
            rank=_RATINGS,
        ),
    )


_RESULT: Final = "0 0-1, 1 draw, 2 1-0, 3 line, 4 -:+, 5 =:=, 6 +:-, 7 0-0"
_ECO: Final = "(1 + number) << 7 | sub code; from 64576 on a Chess960 number"
_BOARDS: Final = (("2cbh.board", _NEGATIVE),)

GAME: Final = HeaderLayout(
    "2cbh game",
    "<",
    *_HEAD,
    Field(16, "i64", "cba_offset", "of the annotations"),
    Field(24, "i64", "white", "id of a player"),
    Field(32, "i64", "black", "id of a player"),
    Field(40, "i64", "tournament", "id"),
    Field(48, "i64", "annotator", "id of a player"),
    Field(56, "i64", "source", "id"),
    Field(64, "i64", "white_team", "id, -1 none", NO_ID),
    Field(72, "i64", "black_team", "id, -1 none", NO_ID),
    Field(80, "i64", "tag", "id"),
    Field(88, "u8", "result", _RESULT, extra="cbh.result", codec=_ODD_RESULT),
    Field(89, "u8", "line_evaluation", "a NAG; for lines", extra="cbh.line_evaluation"),
    Field(90, "u16", "round", extra="2cbh.round", codec=_NEGATIVE),
    Field(92, "u16", "subround", extra="2cbh.subround", codec=_NEGATIVE),
    Field(94, "u16", "board", tag="Board", codec=_BOARD, extras=_BOARDS),
    *_rating("white", 96),
    *_rating("black", 112),
    Field(128, "u16", "eco", _ECO, extra="cbh.eco_sub", codec=ECO_SUB, extras=ECO_EXTRAS),
    Field(130, "u16", "medals", extra="cbh.medals"),
    Field(132, "u32", "flags", "which kinds of annotation there are, and more", extra="cbh.flags", codec=_OTHER_FLAGS),
    Field(136, "u16", "magnitudes", "how much of it"),
    Field(138, "i16", "moves", "full moves of the main line"),
    Field(
        140,
        "u32",
        "material_1",
        "of the last position, the larger value",
        extra="cbh.material",
        codec=MATERIALS,
        rank=_MATERIAL,
    ),
    Field(144, "u32", "material_2", "the smaller value"),
    Field(148, "u32", "unknown_148", extra="2cbh.unknown_148"),
    _created(152),
    Field(160, "u64", "saved", "100 ns since 1582-10-15, 0 never", extra="cbh.saved", codec=_SAVED, rank=_LAST_SAVE),
    Field(168, "u64", "endgames", "48 bits, one per pair of piece sets", extra="2cbh.endgames", codec=_LARGE),
    Field(176, "u64", "classification", "48 bits, the tag Beauty", extra="2cbh.classification", codec=_LARGE),
    Field(
        184,
        "i32",
        "version",
        "how often the game was saved",
        1,
        extra="cbh.version",
        codec=_SAVES,
        rank=_VERSION,
    ),
    Field(188, "u32", "date", "day, month << 5, year << 9", extra="cbh.date", codec=INVALID_DATE, rank=-1),
)
"""Flags of annotations, magnitudes and the number of moves follow from the moves and annotations."""

TEXT: Final = HeaderLayout(
    "2cbh text",
    "<",
    *_HEAD,
    Field(16, "i64", "tournament", "id"),
    Field(24, "i64", "source", "id"),
    Field(32, "i64", "annotator", "id of a player"),
    Field(40, "i64", "title", "id of a tag"),
    _created(48),
    Field(
        56,
        "u64",
        "media",
        "offset of media; its form is unknown",
        0xFFFFFFFF,
        extra="2cbh.media",
        codec=_MEDIA,
    ),
    Field(
        64,
        "i32",
        "version",
        "how often the text was saved",
        1,
        extra="cbh.version",
        codec=_SAVES,
        rank=_VERSION,
    ),
    Field(68, "124s", "unknown_68", extra="2cbh.text_unknown_68"),
)

ANALYSIS: Final = HeaderLayout(
    "2cbh analysis",
    "<",
    *_HEAD,
    Field(16, "i64", "cba_offset", "of the annotations"),
    Field(24, "i64", "tag", "id of the title"),
    Field(32, "i64", "source", "id"),
    Field(40, "i64", "annotator", "id of the author, a player"),
    Field(48, "144s", "unknown_48", "five numbers, then zeros", extra="2cbh.analysis_unknown_48"),
)


def looks_like_header(head: Any) -> bool:
    """Return whether a file begins like a .2cbh, of whatever version."""
    if len(head) < HEADER.size:
        return False
    header = HEADER.read(head)
    return header["record_size"] == RECORD_SIZE and not any(header["unknown_0"])
