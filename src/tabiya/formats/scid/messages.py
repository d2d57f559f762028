"""Messages of Scid databases; those from 330 on are found only by ``checking``."""

from __future__ import annotations

from typing import Final

from tabiya.formats.losses import LossKinds

SENTENCES: Final[dict[int, str]] = {
    300: "the tags in the game data run past its end, so nothing after them can be read; the bytes are kept",
    301: "the start position is invalid, so the moves cannot be read; the bytes are kept",
    302: "a move is that of a piece that is not there; the moves stop there, and the bytes are kept",
    303: "a move is illegal; the moves stop there, and the bytes are kept",
    304: "a variation comes before the first move of its line; the moves stop there, and the bytes are kept",
    305: "a variation ends that never began; the moves stop there, and the bytes are kept",
    306: "a variation does not end",
    307: "variations are nested too deeply; the moves stop there, and the bytes are kept",
    308: "the end marker of the moves is missing; the bytes are kept",
    309: "the text of a comment is missing; the moves stop there, and the bytes are kept",
    310: "there are more texts than comments; the bytes are kept",
    311: "a variation has no moves",
    320: "the game data lies outside of its file, so there are no moves",
    321: "too many games share this game data, so it was not read again",
    322: "the game refers to a name that is not in the name file",
    323: "the index has fewer records than its header states",
    330: "the index holds a wrong value, which searches of Scid rely on",
    331: "the data of two games overlaps",
    332: "the game data crosses the border of a block, which Scid cannot read",
    333: "the names are not in the order that old versions of Scid expect",
    334: "a name is stored twice",
}

LEFT_OUT: Final[dict[int, str]] = {
    321: "game data that too many games share",
}

LOSSES: Final = LossKinds(
    {
        "scid-game": "games that Scid cannot hold, left out",
        "scid-nags": "NAGs beyond seven on a move, one sign of a move and one assessment",
        "scid-tags": "tags that are too long, cut or left out",
        "scid-names": "names of more than 244 bytes, cut",
        "scid-place": "games with annotations in a place or form that Scid does not have",
        "scid-damage": "damaged games whose stored bytes no longer match, written as they were read",
        "scid-extras": "details marked as Scid's that Scid has no place for, left out",
        "scid-start": "games that Scid refuses to read: the side to move could take the king",
    },
    rank=100,
    step=1,
)

REFUSALS: Final = {
    2: "a move is illegal, or a variation does not fit",
    3: "its start position is invalid, or has more than 16 pieces of a side",
    4: "variations are nested more than 4096 deep",
    5: "an annotation refers to a move, or a side of a move, that does not exist",
    6: "its data would have more than 131,071 bytes",
}
"""Reasons why a game cannot be written, by its status from ``write_games``."""
