"""What readers had to repair, in sentences. The codes are those of the kernels; codes never change their meaning."""

from __future__ import annotations

from typing import Final

__all__ = ["LEFT_OUT", "SENTENCES", "sentence"]

SENTENCES: Final[dict[int, str]] = {
    1: "a text is not UTF-8 and was read by its code page",
    2: 'a tag is not written as [Name "value"]',
    3: "the name of a tag has other capitals than usual",
    4: "the text goes on for too long without a new game; the rest was left out",
    5: "the packed file is damaged or breaks off here",
    10: "this is not a move; the rest of the line is kept as text",
    11: "the move is not legal; the rest of the line is kept as text",
    12: "the move is ambiguous; the rest of the line is kept as text",
    13: "a variation stands before the move that it replaces",
    14: "a variation has no moves",
    15: "a variation is not closed",
    16: "a variation is closed that was not opened",
    17: "a comment is not closed",
    18: "the result after the moves is missing",
    19: "the result after the moves is not that of the tag",
    20: "a word that says nothing here was passed over",
    21: "this record has more problems than are listed",
    22: "a command in a comment was not understood; it stays in the text",
    23: "what stands beside the text of an annotation no longer fits it, so the text counts",
    24: "there is no space after a move; the move and what follows it were read separately",
    30: "the start position makes no sense; the moves are kept as text",
    31: "the rules of this variant are not known; the moves are kept as text",
    40: "the game cannot be replayed",
    50: "the length of the entry is wrong; it was read up to the next one",
    51: "the file breaks off in this entry",
    52: "the header of the entry makes no sense; its bytes are kept",
    53: "the start position of the entry makes no sense; its bytes are kept",
    54: "a text runs past the header of its entry, or is missing there",
    55: "no legal move has this number; the moves end before it, and their bytes are kept",
    56: "the bytes of the moves end too early; they are kept",
    57: "bytes that belong to nothing are kept",
    58: "the tag FEN is not the start position that is stored, which counts; its text is kept",
    59: "a date makes no sense; its bytes are kept",
    60: "an ECO code makes no sense; its bytes are kept",
    61: "flags are set that mean nothing",
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
    142: "a file in the archive is damaged; it was read up to there",
    150: "this code means nothing to jose; the game ends before it",
    151: "the piece that should move is not there; the game ends before it",
    152: "this move is impossible; the game ends before it",
    153: "a variation stands before any move; the game ends before it",
    154: "the end of a variation that did not begin; the game ends before it",
    155: "a move leaves the own king in check",
    156: "the mark at the end of the game is missing",
    157: "something stands after the mark at the end of the game",
    158: "the text of a comment is missing; the game ends before it",
    159: "there are more texts than comments",
    160: "the start position makes no sense, and neither do the moves without it",
    161: "too many variations stand inside each other; the game ends before them",
    162: "a text holds half of a character",
    163: "the game breaks off in the middle of a code",
    164: "the result of the game is not the one after its moves",
    165: "the dates seem to be a day early: shift_dates=True corrects them",
    166: "there are more or fewer evaluations than moves",
    167: "the table breaks off or is damaged here; the rows after that were left out",
    169: "this row of the table makes no sense",
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
"""By code of a problem. Code 0 is a problem whose text is a sentence by itself."""

LEFT_OUT: Final[dict[int, str]] = {
    4: "the rest of a text that is too long",
    5: "what follows damage in a packed file",
    115: "moves or annotations that too many records share",
    142: "what follows damage in an archive",
    167: "rows after damage in a table",
    169: "rows of a table that make no sense",
}
"""By code of a problem: what the reader did not take over of that which stands in the source, not even as bytes.

Such a problem is a loss of every conversion. All others are repairs, or tell of what the source itself does not have.
"""


def sentence(code: int, text: str) -> str:
    """A problem for people: what it is, and the text it is about."""
    words = SENTENCES.get(code)
    if words is None:
        return text or f"problem {code}"
    return f"{words}: {text}" if text else words
