"""The meaning of the keywords for conditions on positions: one table for the command line and for queries in JSON."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Final

from tabiya.errors import UsageError
from tabiya.search.boards import Count, ExactPosition, Pattern, ToMove
from tabiya.search.conditions import Condition
from tabiya.search.evaluated import ClockBetween, EvaluationBetween, Judged, MissedWin, Swing, TimeSpent
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
    ResultIs,
    Sacrifice,
    Stalemate,
)
from tabiya.search.pieces import COLOR_NAMES
from tabiya.search.structure import (
    Castled,
    DoubledPawns,
    IsolatedPawns,
    IsolatedQueenPawn,
    PassedPawns,
    PawnFiles,
)


def _count(text: str) -> Condition:
    found = re.fullmatch(r"\s*([A-Za-z?]+)=(\d{1,2})(?:(-)(\d{1,2})?)?(?:@(.+))?", text)
    if found is None:
        raise UsageError(f"{text!r} is not a number of pieces: give pieces and a number, as P=3, Rr=1-2 or P=1-@7")
    pieces, least, ranging, most, squares = found.groups()
    least_count = int(least)
    most_count = least_count if ranging is None else int(most) if most else 64
    return Count(pieces, least_count, most_count, on=squares or "")


def _color_first(text: str) -> tuple[str, str, str]:
    """Return a colour and the rest of the text; the colour is read first, so that an error shows the whole text."""
    color, colon, rest = text.partition(":")
    if rest and color.strip().lower() not in COLOR_NAMES:
        raise UsageError(f"{text!r} does not begin with a colour: give white or black, a colon and the rest")
    return color, colon, rest


def _colored(make: Callable[..., Condition], text: str) -> Condition:
    """``white``, or ``white:abc`` with files or a side to castle to."""
    color, _, rest = _color_first(text)
    return make(color, rest) if rest else make(color)


def _pawn_files(text: str) -> Condition:
    color, _, files = _color_first(text)
    if not files:
        raise UsageError(f"{text!r} names no files: give a colour and the files of its pawns, as white:abfgh")
    return PawnFiles(color, files)


def _range(text: str) -> Condition:
    found = re.fullmatch(r"\s*(\d{1,9})?(?:(-)(\d{1,9})?)?\s*", text)
    if found is None or not (found[1] or found[3]):
        raise UsageError(f"{text!r} is not a range of half-moves: give 20-40, 20- or -40")
    first = int(found[1] or 0)
    return Plies(first, int(found[3])) if found[3] else Plies(first) if found[2] else Plies(first, first)


def _sacrifice(text: str) -> Condition:
    if not re.fullmatch(r"\d{1,9}", text):
        raise UsageError(f"{text!r} is not a number of pawns")
    return Sacrifice(int(text))


def _number(text: str, what: str) -> float:
    if not re.fullmatch(r"-?\d{1,7}(\.\d{1,4})?", text.strip()):
        raise UsageError(f"{text!r} is not {what}")
    return float(text)


def _values(text: str, what: str) -> dict[str, float]:
    """Return the bounds of a range, ``1..3``, ``1..`` or ``..3``; of a single number both."""
    low, dots, high = text.partition("..")
    if not dots:
        return dict.fromkeys(("low", "high"), _number(text, what))
    found = {name: _number(part, what) for name, part in (("low", low), ("high", high)) if part.strip()}
    if not found:
        raise UsageError(f"{text!r} is not {what}")
    return found


def _evaluation(text: str) -> Condition:
    return EvaluationBetween(**_values(text, "a range of evaluations: give pawns as 1..3, -0.5..0.5, 2.. or ..-2"))


def _seconds(make: Callable[..., Condition], text: str) -> Condition:
    color, rest = _perhaps_color(text)
    return make(**_values(rest, "a range of seconds: give ..10, 60.. or white:5..20"), color=color)


def _perhaps_color(text: str) -> tuple[str | None, str]:
    """Return the colour before a colon, if there is one, and the rest."""
    if ":" not in text:
        return None, text
    color, _, rest = _color_first(text)
    return color, rest


def _judged(text: str) -> Condition:
    color, least = _perhaps_color(text)
    return Judged(least.strip(), color)


def _missed_win(text: str) -> Condition:
    return MissedWin(None if text == "any" else text)


def _swing(text: str) -> Condition:
    return Swing(_number(text, "a number of points of win chances, as 30"))


_OUTCOMES: Final = {"won": "1-0", "drawn": "1/2-1/2", "lost": "0-1"}


def _outcome(text: str) -> Condition:
    if text not in _OUTCOMES:
        raise UsageError(f"{text!r} is not the outcome of a game: {', '.join(_OUTCOMES)}")
    return ResultIs(_OUTCOMES[text])


def _promotion(text: str) -> Condition:
    return Promotion("" if text == "any" else text)


MEANINGS: Final[dict[str, Callable[[str], Condition]]] = {
    "fen": ExactPosition,
    "moves": ExactPosition,
    "board": Pattern,
    "material": Material,
    "imbalance": Imbalance,
    "men": _count,
    "passed": partial(_colored, PassedPawns),
    "isolated": partial(_colored, IsolatedPawns),
    "doubled": partial(_colored, DoubledPawns),
    "isolated-queen-pawn": IsolatedQueenPawn,
    "pawn-files": _pawn_files,
    "castled": partial(_colored, Castled),
    "to-move": ToMove,
    "move": MovePlayed,
    "white-move": partial(MovePlayed, color="white"),
    "black-move": partial(MovePlayed, color="black"),
    "moved": Moved,
    "captured": Captured,
    "promotion": _promotion,
    "sacrifice": _sacrifice,
    "plies": _range,
    "evaluation": _evaluation,
    "judged": _judged,
    "missed-win": _missed_win,
    "swing": _swing,
    "clock": partial(_seconds, ClockBetween),
    "time-spent": partial(_seconds, TimeSpent),
    "outcome": _outcome,
}
"""The condition for a value of each of the ``KEYWORDS``."""

FLAG_MEANINGS: Final[dict[str, Condition]] = {
    "opposite-bishops": OppositeBishops(),
    "check": Check(),
    "gives-check": GivesCheck(),
    "mate": Mate(),
    "stalemate": Stalemate(),
    "last": LastPosition(),
}
"""The condition for each of the ``FLAGS``."""
