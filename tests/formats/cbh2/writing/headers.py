"""The header file, ``.2cbh`` (facts page, section 4): tables of fields, everything else is zero."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import Final

RECORD_SIZE: Final = 192
GAME, TEXT, ANALYSIS = "game", "text", "analysis"

_MARKS: Final = {"marks": (0x00, "<B"), "kind": (0x02, "<B"), "type": (0x03, "<B")}
_GAME_FIELDS: Final = {
    **_MARKS,
    "moves_at": (0x08, "<q"),
    "annotations_at": (0x10, "<q"),
    "white": (0x18, "<q"),
    "black": (0x20, "<q"),
    "tournament": (0x28, "<q"),
    "annotator": (0x30, "<q"),
    "source": (0x38, "<q"),
    "white_team": (0x40, "<q"),
    "black_team": (0x48, "<q"),
    "tag": (0x50, "<q"),
    "result": (0x58, "<B"),
    "line_evaluation": (0x59, "<B"),
    "round": (0x5A, "<h"),
    "subround": (0x5C, "<h"),
    "board": (0x5E, "<h"),
    "white_elo": (0x60, "<H"),
    "white_rating_type": (0x62, "14s"),
    "black_elo": (0x70, "<H"),
    "black_rating_type": (0x72, "14s"),
    "eco": (0x80, "<H"),
    "medals": (0x82, "<H"),
    "flags": (0x84, "<I"),
    "magnitudes": (0x88, "<H"),
    "full_moves": (0x8A, "<h"),
    "greater_material": (0x8C, "<I"),
    "lesser_material": (0x90, "<I"),
    "created": (0x98, "<q"),
    "changed": (0xA0, "<q"),
    "endgames": (0xA8, "6s"),
    "classification": (0xB0, "6s"),
    "version": (0xB8, "<i"),
    "date": (0xBC, "<i"),
}
_TEXT_FIELDS: Final = {
    **_MARKS,
    "moves_at": (0x08, "<q"),
    "tournament": (0x10, "<q"),
    "source": (0x18, "<q"),
    "annotator": (0x20, "<q"),
    "tag": (0x28, "<q"),
    "created": (0x30, "<q"),
    "media": (0x38, "<q"),
    "version": (0x40, "<i"),
}
_ANALYSIS_FIELDS: Final = {
    **_MARKS,
    "moves_at": (0x08, "<q"),
    "annotations_at": (0x10, "<q"),
    "tag": (0x18, "<q"),
    "source": (0x20, "<q"),
    "annotator": (0x28, "<q"),
    **{f"unknown_{place:#x}": (place, "<q") for place in range(0x30, 0x58, 8)},
}
FIELDS: Final[Mapping[str, Mapping[str, tuple[int, str]]]] = {
    GAME: _GAME_FIELDS,
    TEXT: _TEXT_FIELDS,
    ANALYSIS: _ANALYSIS_FIELDS,
}
_TYPE: Final = {GAME: 1, TEXT: 3, ANALYSIS: 1}
_KIND: Final = {GAME: 1, TEXT: 1, ANALYSIS: 2}
_DELETED: Final = 0x80
REFERENCES: Final = ("white", "black", "tournament", "annotator", "source", "white_team", "black_team", "tag")
NO_TEAM: Final = -1
NO_MEDIA: Final = 0xFFFFFFFF

Values = dict[str, int | bytes]


def header_record(kind: str, values: Mapping[str, int | bytes], *, deleted: bool = False) -> bytes:
    """The record of a game, a guiding text or an analysis; a field without a value is 0."""
    type_ = _TYPE[kind]
    marks: Values = {"marks": type_ | _DELETED * deleted, "kind": _KIND[kind], "type": type_}
    record = bytearray(RECORD_SIZE)
    for name, value in {**marks, **values}.items():
        offset, layout = FIELDS[kind][name]
        struct.pack_into(layout, record, offset, value)
    return bytes(record)


def file_header(records: int, version: int = 5) -> bytes:
    """The header of a file with so many records."""
    generation = {3: 34, 5: 38}[version]
    head = bytes(8) + struct.pack("<HHBBHi", generation, RECORD_SIZE, 0, version, 0, records + 1)
    return head.ljust(RECORD_SIZE, b"\0")
