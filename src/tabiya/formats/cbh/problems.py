"""Problems of ChessBase databases; those from 170 on are found only by ``checking``."""

from __future__ import annotations

from typing import Final

SENTENCES: Final[dict[int, str]] = {
    100: "the moves of this game were not found: the .cbg file is missing or too short",
    101: "the moves reach beyond the end of their file",
    102: "the moves are stored in an unknown encoding; their bytes are kept",
    103: "the start position is invalid; the bytes of the moves are kept",
    104: "a move is invalid or illegal; the moves stop there, and their bytes are kept",
    105: "the end marker of the moves is missing",
    106: "the stored size of the moves is invalid",
    107: "the start position lacked a castling right that the game uses; the right was added",
    108: "the moves are legal only if a fourth piece of a kind reuses the number of a captured one",
    109: "the variations are nested too deeply; the bytes of the moves are kept",
    110: "the annotations of this game were not found",
    111: "the annotations reach beyond the end of their file",
    112: "the annotations are damaged; the unread rest is kept as bytes",
    113: "annotations refer to moves that do not exist; they were attached to the last move",
    114: "annotations refer to moves that could not be read; their bytes are kept",
    115: "too many records share these moves, so they were not read again",
    120: "a file of the base is missing",
    121: "a file of the base is shorter than it should be",
    122: "a file of the base is older than the others",
    123: "the record refers to an entity that is not in the base",
    124: "the record refers to an entity that is deleted",
    125: "the record is not marked as in use",
    126: "the body of the text is missing from its file",
    127: "a file of the base is damaged",
    140: "the guiding text is damaged; its bytes are kept as they are",
    141: "the guiding text is of an unknown version; its bytes are kept as they are",
    170: "a header does not match its file",
    171: "the offset of the moves or annotations does not point to a body",
    172: "bodies overlap",
    173: "the search tree of an entity file is damaged",
    174: "the game count of an entity is wrong",
    175: "a checksum is wrong",
    176: "the header does not match the moves and annotations",
    177: "an entity is not used by any record",
    178: "two files disagree about where a game is stored",
}

LEFT_OUT: Final[dict[int, str]] = {
    115: "moves or annotations that too many records share",
}
