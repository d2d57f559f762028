"""All keys that games may have for one position."""

from __future__ import annotations

from itertools import chain, combinations

from tabiya.chess import Color, Position

_RIGHTS = "KQkq"


def keys_of(position: Position, *, any_rights: bool = False) -> list[int]:
    """Return Polyglot's keys of a position, its own first.

    Polyglot includes the file of a double step wherever an enemy pawn is beside it, even if it cannot capture; other
    programs write ``-`` then. Such a position has several keys, and a game may have reached it under any of them.
    ``any_rights`` adds the keys of the position with other castling rights.
    """
    board, turn, rights, _, *_ = position.fen().split()
    sets = chain.from_iterable(combinations(_RIGHTS, count) for count in range(len(_RIGHTS), -1, -1))
    castling = [rights, *("".join(each) or "-" for each in sets)] if any_rights else [rights]
    square = position.legal_ep_square
    given = square.text if square is not None else None
    rank = 6 if position.turn is Color.WHITE else 3
    passed = [given] if given is not None else ["-", *(f"{file}{rank}" for file in "abcdefgh")]
    keys = {position.key: None}
    for each in castling:
        for ep in passed:
            variant = Position.from_fen(f"{board} {turn} {each} {ep}", chess960=position.chess960)
            if given is not None or variant.legal_ep_square is None:
                keys[variant.key] = None
    return list(keys)
