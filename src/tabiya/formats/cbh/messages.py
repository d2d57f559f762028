"""Messages of ChessBase databases; those from 170 on are found only by ``checking``."""

from __future__ import annotations

from typing import Final

from tabiya.formats.losses import LossKinds

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

REFUSALS: Final = (
    "",
    "its start position is invalid",
    "its start position has more than 32 pieces, the most that a ChessBase database can hold",
    "its moves are not legal",
    "one of its annotations refers to a move that does not exist",
    "its moves or its annotations are larger than 16 MB",
    "its moves are not decoded, and it has no original ChessBase bytes",
)
"""Reasons why a record cannot be written, in words; 0 means no failure."""

BODY_LOSSES: Final = LossKinds(
    {
        "cbh-clock": "half-move clocks of start positions",
        "cbh-number": "move numbers of start positions other than 1 to 255",
        "cbh-start": "start positions that are spelled differently when read back",
        "cbh-variant": "standard games with Chess960 castling, which are read back as Chess960",
        "cbh-length": "annotations longer than 65,529 bytes",
        "cbh-language": "languages of annotations that have none in ChessBase",
        "cbh-bytes": "original bytes or spellings of annotations",
    }
)
"""In the order of the kernel's numbers."""

HEADER_LOSSES: Final = LossKinds(
    {
        "cbh-names": "names longer than their field, cut",
        "cbh-spellings": "names that change when read back: empty ones, and ones ending with a comma",
        "cbh-blanks": "names in which only blanks change, as from Carlsen,M to Carlsen, M",
        "cbh-rounds": "rounds other than a number, or two with a dot",
        "cbh-ecos": "ECO codes other than A00 to E99, or in games of Chess960",
        "cbh-dates": "dates that ChessBase has no code for",
        "cbh-elos": "ratings of 0, which are read back as no rating",
        "cbh-results": "games without a result, which are read back as lines",
        "cbh-text-fields": "players, dates and similar fields of guiding texts, which have no place for them",
        "cbh-game-texts": "guiding texts within games",
        "cbh-tag-values": "tags with a value that ChessBase has no place for",
        "cbh-tag-order": "games whose tags are read back in another order",
        "cbh-details": "ChessBase details that contradict their game, or that are unknown",
    },
    rank=600,
    step=1,
)
