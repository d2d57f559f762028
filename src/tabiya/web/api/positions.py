"""The rules of chess for clients: legal moves of a position, and whether a position is possible."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING, Any, Final

from tabiya.chess import Color, Move, Position
from tabiya.openings import opening_at
from tabiya.web.request import ApiError, Call

if TYPE_CHECKING:
    from tabiya.openings import Opening
    from tabiya.web.answers import games
    from tabiya.web.site import Site

MOST_PLAYED: Final = 1000
_PROMOTIONS: Final = {2: "n", 3: "b", 4: "r", 5: "q"}
LONGEST_FEN: Final = 200


def show_position(_site: Site, call: Call) -> games.PositionAnswer:
    """Return a position with its legal moves."""
    position, played = position_of(call)
    return {**_values(position), "played": played}


def chess960_position(_site: Site, call: Call) -> games.PositionAnswer:
    """Return a start position of Chess960, by number or at random."""
    number = call.number("number", random.randrange(960), 0, 959)
    return {**_values(Position.chess960_start(number)), "number960": number, "played": []}


def position_of(call: Call, *, chess960: bool = False) -> tuple[Position, list[games.PlayedMove]]:
    """Return the position that ``fen`` and ``play`` lead to, and the moves on the way."""
    fen, moves = call.text("fen"), re.split(r"[,\s]+", call.text("play") or "")
    if (fen is not None and len(fen) > LONGEST_FEN) or len(moves) > MOST_PLAYED:
        raise ApiError(422, "The position or the list of moves is too long.")
    position = Position() if fen is None else Position.from_fen(fen, chess960=chess960 or call.flag("chess960"))
    played: list[games.PlayedMove] = []
    for text in filter(None, moves):
        move = position.parse_san(text)
        played.append(_move(position, move) | {"number": position.fullmove_number, "color": _turn(position)})
        position = position.play(move)
    return position, played


def opening_answer(opening: Opening | None) -> games.Opening | None:
    """Return the code and the name of an opening."""
    return None if opening is None else {"eco": opening.eco, "name": opening.name}


def _values(position: Position) -> games.PositionAnswer:
    moves = [_move(position, move) for move in position.legal_moves()]
    check = position.is_check()
    problems = position.problems()
    return {
        "fen": position.fen(),
        "chess960": position.chess960,
        "turn": _turn(position),
        "check": check,
        "state": "playing" if moves else "mate" if check else "stalemate",
        "key": f"{position.key:016x}",
        "opening": opening_answer(opening_at(position.key)),
        "sound": not problems,
        "problems": [f"{problem[:1].upper()}{problem[1:]}." for problem in problems],
        "moves": moves,
        "null_move": None if check else _move(position, Move.NULL),
    }


def _turn(position: Position) -> games.Color:
    return "white" if position.turn is Color.WHITE else "black"


def _move(position: Position, move: Move) -> Any:
    """Return a move, and the position after it: a ``LegalMove``, or a ``NullMove``."""
    after = position.play(move)
    uci = position.uci(move)
    answer: dict[str, Any] = {"uci": uci, "san": position.san(move), "fen": after.fen(), "check": after.is_check()}
    if move.is_null:
        return answer
    target = position.piece_at(move.to_square)
    mover = position.piece_at(move.from_square) or ""
    castles = target is not None and target.isupper() == mover.isupper()
    answer |= {"from": move.from_square.text, "to": move.to_square.text}
    answer["promotion"] = None if move.promotion is None else _PROMOTIONS[move.promotion]
    aside = mover in "Pp" and move.from_square.file != move.to_square.file
    answer["capture"] = not castles and (target is not None or aside)
    if castles:
        side = "g" if move.to_square.file > move.from_square.file else "c"
        answer |= {"to": f"{side}{move.from_square.text[1]}", "rook": move.to_square.text}
    return answer
