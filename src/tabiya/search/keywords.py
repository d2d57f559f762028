"""The keywords of conditions on positions, as options of the command line and in queries in JSON.

``keyword_conditions.py`` defines their meaning; this module contains only the help texts and must not load anything
else. Several values of one keyword mean *or*, several keywords mean *and*.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class Keyword(NamedTuple):
    """A keyword with a value."""

    metavar: str
    help: str


KEYWORDS: Final[dict[str, Keyword]] = {
    "fen": Keyword("FEN", "This position, by any move order. Fields left out at the end match anything."),
    "moves": Keyword("MOVES", 'The position after these moves, by any move order: "1. e4 c5 2. Nf3".'),
    "board": Keyword(
        "PATTERN",
        "Pieces that must be on the board: 8/8/p7/8/8/1B3N2/8/8 or Bb3,Nf3,pa6. A any white piece, a any black, ? any, "
        "_ an empty square, [QR] one of these, [^P] any piece except these.",
    ),
    "material": Keyword(
        "MEN", "Exactly these pieces: KRPPKRP. ? + * {1,3} after a letter give their number: KRP+KRP*."
    ),
    "imbalance": Keyword("MEN", "White's extra pieces, v, Black's extra pieces: PPvN, Qv, BvN."),
    "men": Keyword("MEN=N", "Number of these pieces: P=3, Rr=1-2, optionally on some squares: P=1-@7."),
    "passed": Keyword("COLOR[:FILES]", "A passed pawn: white, black:ah."),
    "isolated": Keyword("COLOR[:FILES]", "An isolated pawn."),
    "doubled": Keyword("COLOR[:FILES]", "Doubled pawns."),
    "isolated-queen-pawn": Keyword("COLOR", "An isolated pawn on the d-file."),
    "pawn-files": Keyword("COLOR:FILES", "Pawns on exactly these files: white:abfgh."),
    "castled": Keyword("COLOR[:SIDE]", "Has castled: white, black:O-O-O."),
    "to-move": Keyword("COLOR", "This side is to move."),
    "move": Keyword("MOVE", "This move is played: Nf3, exd5, e8=Q, O-O, Rxf7+, e2e4."),
    "white-move": Keyword("MOVE", "The same, by White."),
    "black-move": Keyword("MOVE", "The same, by Black."),
    "moved": Keyword("PIECES", "One of these pieces moves: QR."),
    "captured": Keyword("PIECES", "One of these pieces is captured; an empty text: no capture."),
    "promotion": Keyword("PIECES", "A pawn promotes to one of these pieces; any: to any piece."),
    "sacrifice": Keyword("PAWNS", "A piece captures one worth at least N pawns less and can be recaptured: 2."),
    "plies": Keyword("RANGE", "Number of half-moves played: 20-40, 20-, -40."),
    "evaluation": Keyword("RANGE", "Evaluation in pawns, for White: 1..3, -0.5..0.5, 2.., ..-2."),
    "judged": Keyword("[COLOR:]JUDGEMENT", "The move is at least an inaccuracy, mistake or blunder: white:mistake."),
    "missed-win": Keyword("COLOR", "The move misses a win: white, black, any."),
    "swing": Keyword("POINTS", "The move changes the win chances by at least so many points: 30."),
    "clock": Keyword("[COLOR:]RANGE", "Seconds on the clock of the side that moves, after the move: ..10, white:..60."),
    "time-spent": Keyword("[COLOR:]RANGE", "Seconds spent on the move: 60.., black:..2."),
    "outcome": Keyword("OUTCOME", "White, or the player of --for, has won, drawn or lost: won, drawn, lost."),
}
"""Keywords with a value, by name. Several values of one keyword are alternatives."""

FLAGS: Final[dict[str, str]] = {
    "opposite-bishops": "One bishop each, on squares of different colours.",
    "check": "The side to move is in check.",
    "gives-check": "The move gives check.",
    "mate": "The side to move is mated.",
    "stalemate": "The side to move is stalemated.",
    "last": "The game ends here.",
}
"""Keywords without a value, by name."""

MODIFIERS: Final[dict[str, str]] = {
    "lasting": "All of this holds for at least N positions in a row.",
    "either-color": "Or all of this with White and Black exchanged.",
    "mirrored": "Or all of this with the board mirrored from left to right.",
    "ignore-castling": "Castling rights of --fen and --moves may be any.",
    "chess960": "Search games of Chess960 for --fen and --moves, too.",
}
"""Keywords that modify the whole condition, by name; only ``lasting`` takes a number."""

SIDE: Final[dict[str, Keyword]] = {
    "for": Keyword(
        "NAME",
        "Only games of this player, part of the name; all conditions on positions are from the player's side, as if "
        "the player had White.",
    ),
}
"""The keyword that determines the side of all conditions."""
