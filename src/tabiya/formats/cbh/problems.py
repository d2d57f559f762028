"""What may be wrong with a base of ChessBase; from 170 on what only ``checking`` looks for."""

from __future__ import annotations

from typing import Final

__all__ = ["LEFT_OUT", "SENTENCES"]

SENTENCES: Final[dict[int, str]] = {
    100: "there are no moves for this game: the file is missing, or the place is outside of it",
    101: "the moves reach beyond the end of their file",
    102: "the moves are encoded in a way that nobody has described; they are kept as they are",
    103: "the start position makes no sense; the moves are kept as they are",
    104: "a move makes no sense or is not legal; the moves end before it, and their bytes are kept",
    105: "the moves end without a mark of their end",
    106: "the moves have a size that makes no sense",
    107: "the game castles without the right in its start position, which was added",
    108: "the moves make sense only if a fourth piece takes the number of one that was captured",
    109: "the variations are nested too deeply; the moves are kept as they are",
    110: "there are no annotations at the place that the game names",
    111: "the annotations reach beyond the end of their file",
    112: "the annotations are damaged; the rest of them is kept as it is",
    113: "annotations belong to moves that are not there; they hang on the last move",
    114: "annotations belong to moves that could not be read; their bytes are kept",
    115: "so many records share this body that it was not read again",
    120: "a file of the base is missing",
    121: "a file of the base is shorter than it should be",
    122: "a file of the base is older than the others",
    123: "the record refers to something that the base does not have",
    124: "the record refers to something that is deleted",
    125: "the record is not marked as one that is in use",
    126: "the text is missing in the file of bodies",
    127: "a file of the base is damaged",
    140: "the guiding text is damaged; its bytes are kept as they are",
    141: "the guiding text is of an unknown version; its bytes are kept as they are",
    170: "a header does not fit its file",
    171: "the place of the moves or annotations is not that of a body",
    172: "bodies overlap",
    173: "the search tree of an entity file is not sound",
    174: "an entity counts its games wrongly",
    175: "a checksum is wrong",
    176: "the header does not fit the moves and annotations",
    177: "nothing refers to an entity",
    178: "two files tell different places for the same body",
}

LEFT_OUT: Final[dict[int, str]] = {
    115: "moves or annotations that too many records share",
}
