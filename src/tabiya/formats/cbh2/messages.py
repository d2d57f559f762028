"""Problems of 2CBH databases."""

from __future__ import annotations

from typing import Final

SENTENCES: Final[dict[int, str]] = {
    210: "the moves of this game were not found: the .2cbg file is missing or too short",
    211: "the record reaches beyond the end of its file, or into the next one",
    212: "there is no intact record of moves or annotations at the offset",
    213: "the checksum of the record is wrong; it was read, and its bytes are kept",
    214: "the record of moves or annotations is of an unknown type; its bytes are kept",
    215: "the start position is invalid; the bytes of the moves are kept",
    216: "a move is invalid or illegal; the moves stop there, and their bytes are kept",
    217: "the end marker of the moves is missing",
    218: "the start position lacked a castling right that the game uses; the right was added",
    219: "the variations are nested too deeply; the bytes of the moves are kept",
    220: "the annotations of this game were not found",
    221: "the annotations are damaged; the unread rest is kept as bytes",
    222: "an annotation is of an unknown type; it and those after it are kept as bytes",
    223: "annotations refer to moves that do not exist; they were attached to the last move",
    224: "annotations refer to moves that could not be read; their bytes are kept",
    225: "too many records share these moves or annotations, so they were not read again",
    226: "a file of the database is missing",
    227: "a file of the database is shorter than it should be",
    228: "a file of the database is of an unknown version; it was read like version 5",
    229: "the record refers to an entity that is not in the database",
    240: "the record refers to an entity that is deleted",
    241: "the record is not marked as in use",
    242: "the record refers to an entity whose data are damaged; the unread part is missing",
    243: "the body of the text is missing from its file",
    244: "the guiding text is damaged or of an unknown version; its bytes are kept",
    245: "a file of the database is damaged",
}

LEFT_OUT: Final[dict[int, str]] = {
    225: "moves or annotations of a 2CBH that too many records share",
    242: "damaged data of players, tournaments and other entities",
}

NUMBERED: Final = frozenset({214, 222})
"""Problems whose text is a number, and no content of a game."""
SHARED_BODY: Final = 225
MISSING_FILE: Final = 226
SHORT_FILE: Final = 227
UNKNOWN_VERSION: Final = 228
MISSING_ENTITY: Final = 229
DELETED_ENTITY: Final = 240
UNUSED_RECORD: Final = 241
DAMAGED_ENTITY: Final = 242
MISSING_TEXT: Final = 243
DAMAGED_TEXT: Final = 244
DAMAGED_FILE: Final = 245
CUT_RECORD: Final = 211
DAMAGED_FRAME: Final = 212
WRONG_CHECKSUM: Final = 213
UNKNOWN_TAG: Final = 214
