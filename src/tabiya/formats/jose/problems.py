"""What may be wrong with a game of jose, or with its tables."""

from __future__ import annotations

from typing import Final

__all__ = ["LEFT_OUT", "SENTENCES"]

SENTENCES: Final[dict[int, str]] = {
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
}

LEFT_OUT: Final[dict[int, str]] = {
    167: "rows after damage in a table",
    169: "rows of a table that make no sense",
}
