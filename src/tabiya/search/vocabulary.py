"""What can be asked of positions in words: one table for the command line and for queries in JSON.

Every word takes a text; several texts of one word mean *or*, several words mean *and*.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

from tabiya.errors import UsageError
from tabiya.search.boards import Count, ExactPosition, Pattern, ToMove
from tabiya.search.conditions import Condition
from tabiya.search.material import Imbalance, Material, OppositeBishops
from tabiya.search.moves import (
    Captured,
    Check,
    GivesCheck,
    LastPosition,
    Mate,
    Moved,
    MovePlayed,
    Plies,
    Promotion,
    Sacrifice,
    Stalemate,
)
from tabiya.search.structure import (
    Castled,
    DoubledPawns,
    IsolatedPawns,
    IsolatedQueenPawn,
    PassedPawns,
    PawnFiles,
)

__all__ = ["FLAGS", "WORDS", "Word"]


@dataclass(frozen=True, slots=True)
class Word:
    """A word that takes a text."""

    condition: Callable[[str], Condition]
    metavar: str
    help: str


def _count(text: str) -> Condition:
    found = re.fullmatch(r"\s*([A-Za-z?]+)=(\d{1,2})(?:(-)(\d{1,2})?)?(?:@(.+))?", text)
    if found is None:
        raise UsageError(f"{text!r} is no number of men: give men and how many, as P=3, Rr=1-2 or P=1-@7 on squares")
    men, least, ranging, most, squares = found.groups()
    least_count = int(least)
    most_count = least_count if ranging is None else int(most) if most else 64
    return Count(men, least_count, most_count, on=squares or "")


def _colored(make: Callable[..., Condition], text: str) -> Condition:
    """``white``, or ``white:abc`` with files or a side to castle to."""
    color, _, rest = text.partition(":")
    return make(color, rest) if rest else make(color)


def _pawn_files(text: str) -> Condition:
    color, _, files = text.partition(":")
    if not files:
        raise UsageError(f"{text!r} names no files: give a colour and the files of its pawns, as white:abfgh")
    return PawnFiles(color, files)


def _range(text: str) -> Condition:
    found = re.fullmatch(r"\s*(\d{1,9})?(-)?(\d{1,9})?\s*", text)
    if found is None or not (found[1] or found[3]):
        raise UsageError(f"{text!r} is no range of half-moves: give 20-40, 20- or -40")
    first = int(found[1] or 0)
    return Plies(first, int(found[3])) if found[3] else Plies(first) if found[2] else Plies(first, first)


def _whole(text: str) -> int:
    if not re.fullmatch(r"\d{1,9}", text):
        raise UsageError(f"{text!r} is not a number of pawns")
    return int(text)


def _colors_of(make: Callable[[str], Condition], text: str) -> Condition:
    return make("" if text == "any" else text)


WORDS: Final[dict[str, Word]] = {
    "fen": Word(ExactPosition, "FEN", "This position, by whatever moves. Fields left out at the end may be anything."),
    "moves": Word(ExactPosition, "MOVES", 'The position after these moves, by whatever moves: "1. e4 c5 2. Nf3".'),
    "board": Word(
        Pattern,
        "PATTERN",
        "Only these men must stand: 8/8/p7/8/8/1B3N2/8/8 or Bb3,Nf3,pa6. A any white man, a any black, ? any, "
        "_ an empty square, [QR] one of these, [^P] any man but these.",
    ),
    "material": Word(Material, "MEN", "Just these men: KRPPKRP. ? + * {1,3} after a letter say how many: KRP+KRP*."),
    "imbalance": Word(Imbalance, "MEN", "What White has more, v, what Black has more: PPvN, Qv, BvN."),
    "men": Word(_count, "MEN=N", "How many of some men: P=3, Rr=1-2, and on which squares: P=1-@7."),
    "passed": Word(partial(_colored, PassedPawns), "COLOR[:FILES]", "A passed pawn: white, black:ah."),
    "isolated": Word(partial(_colored, IsolatedPawns), "COLOR[:FILES]", "An isolated pawn."),
    "doubled": Word(partial(_colored, DoubledPawns), "COLOR[:FILES]", "Doubled pawns."),
    "isolated-queen-pawn": Word(IsolatedQueenPawn, "COLOR", "An isolated pawn on the d-file."),
    "pawn-files": Word(_pawn_files, "COLOR:FILES", "Pawns on these files and on no others: white:abfgh."),
    "castled": Word(partial(_colored, Castled), "COLOR[:SIDE]", "Has castled: white, black:O-O-O."),
    "to-move": Word(ToMove, "COLOR", "This side is to move."),
    "move": Word(MovePlayed, "MOVE", "This move is played: Nf3, exd5, e8=Q, O-O, Rxf7+, e2e4."),
    "white-move": Word(partial(MovePlayed, color="white"), "MOVE", "The same, by White."),
    "black-move": Word(partial(MovePlayed, color="black"), "MOVE", "The same, by Black."),
    "moved": Word(Moved, "PIECES", "One of these pieces moves: QR."),
    "captured": Word(Captured, "PIECES", "One of these pieces is taken; an empty text: a move that takes nothing."),
    "promotion": Word(partial(_colors_of, Promotion), "PIECES", "A pawn turns into one of these, or into any."),
    "sacrifice": Word(
        lambda text: Sacrifice(_whole(text)), "N", "A man takes what is worth N pawns less, and can be taken: 2."
    ),
    "plies": Word(_range, "RANGE", "So many half-moves have been played: 20-40, 20-, -40."),
}
"""By name: what takes a text. Texts of one word are alternatives."""

FLAGS: Final[dict[str, tuple[Condition, str]]] = {
    "opposite-bishops": (OppositeBishops(), "One bishop each, on squares of different colours."),
    "check": (Check(), "The side to move is in check."),
    "gives-check": (GivesCheck(), "The move gives check."),
    "mate": (Mate(), "The side to move is mated."),
    "stalemate": (Stalemate(), "The side to move is stalemated."),
    "last": (LastPosition(), "The game ends here."),
}
"""By name: what is asked or not."""
