"""Messages of jose's games and tables."""

from __future__ import annotations

from typing import Final

from tabiya.formats.losses import LossKinds

SENTENCES: Final[dict[int, str]] = {
    150: "an unknown code; the game was read up to it",
    151: "a move starts from an empty square; the game was read up to it",
    152: "a move is impossible; the game was read up to it",
    153: "a variation comes before the first move; the game was read up to it",
    154: "a variation ends that never began; the game was read up to it",
    155: "a move leaves its own king in check",
    156: "the end marker of the game is missing",
    157: "there is data after the end marker of the game",
    158: "the text of a comment is missing; the game was read up to it",
    159: "there are more texts than comments",
    160: "the start position is invalid, so the moves cannot be read",
    161: "variations are nested too deeply; the game was read up to them",
    162: "a text holds half of a character",
    163: "the game ends in the middle of a code",
    164: "the result of the game differs from the one after its moves",
    165: "the dates seem to be a day early: shift_dates=True corrects them",
    166: "there are more or fewer evaluations than moves",
    167: "the table is truncated or damaged here; the remaining rows were skipped",
    169: "this row of the table is invalid",
}

LEFT_OUT: Final[dict[int, str]] = {
    167: "rows after damage in a table",
    169: "invalid rows of a table",
}

LOSSES: Final = LossKinds(
    {
        "jose-tag": "tags that do not fit into the Info column of jose",
        "jose-place": "games with annotations in a place or form that jose does not have",
        "jose-game": "games that jose cannot encode, left out",
        "jose-damage": "damaged games whose stored bytes no longer match, written as they were read",
    },
    rank=100,
    step=1,
)
