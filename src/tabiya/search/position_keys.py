"""All keys that games may have for one position."""

from __future__ import annotations

from itertools import chain, combinations, product
from typing import TYPE_CHECKING, Final

from tabiya.chess import Color, Position
from tabiya.positions.chess960 import chess960_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_RIGHTS: Final = "KQkq"
_MOST_SETS: Final = 64
"""Maximum number of sets of castling rights for which a position of Chess960 is looked up."""


def keys_of(position: Position, *, any_rights: bool = False) -> list[int]:
    """Return Polyglot's keys of a position, its own first.

    Polyglot includes the file of a double step wherever an enemy pawn is beside it, even if it cannot capture; other
    programs write ``-`` then. Such a position has several keys, and a game may have reached it under any of them.
    ``any_rights`` adds the keys of the position with other castling rights.
    """
    sets = chain.from_iterable(combinations(_RIGHTS, count) for count in range(len(_RIGHTS), -1, -1))
    own = position.fen().split()[2]
    castling = [own, *("".join(each) or "-" for each in sets)] if any_rights else [own]
    variants = _with_rights(position, castling, chess960=position.chess960)
    return list(dict.fromkeys([position.key, *(variant.key for variant in variants)]))


def chess960_keys_of(position: Position, *, any_rights: bool = False) -> list[int] | None:
    """Return the keys that games of Chess960 have for a position in an index; None if these are too many to look up."""
    castling: Iterable[str] = [position.fen().split()[2]]
    if any_rights:
        sets = castling_fields(position)
        if sets is None:
            return None
        castling = sets
    variants = _with_rights(position, castling, chess960=True)
    return list(dict.fromkeys([chess960_key(position), *map(chess960_key, variants)]))


def castling_fields(position: Position) -> list[str] | None:
    """Return all castling fields of a FEN with these pieces in Chess960; None if there are too many."""
    ranks = position.fen().partition(" ")[0].split("/")
    choices: list[list[str]] = []
    for rank, king, rook in ((ranks[-1], "K", "R"), (ranks[0], "k", "r")):
        squares = "".join("." * int(piece) if piece.isdigit() else piece for piece in rank)
        home = squares.find(king)
        files = [file for file, piece in enumerate(squares) if piece == rook and home >= 0]
        for side in ([file for file in files if file > home], [file for file in files if file < home]):
            letters = [chr(ord("A" if king == "K" else "a") + file) for file in side]
            choices.append(["", *letters])
    count = 1
    for choice in choices:
        count *= len(choice)
    return ["".join(each) or "-" for each in product(*choices)] if count <= _MOST_SETS else None


def _with_rights(position: Position, castling: Iterable[str], *, chess960: bool) -> Iterator[Position]:
    """Yield the position with other castling rights, with and without a double step that cannot be captured."""
    board, turn, *_ = position.fen().split()
    square = position.legal_ep_square
    given = square.text if square is not None else None
    rank = 6 if position.turn is Color.WHITE else 3
    passed = [given] if given is not None else ["-", *(f"{file}{rank}" for file in "abcdefgh")]
    for each, ep in product(castling, passed):
        variant = Position.from_fen(f"{board} {turn} {each} {ep}", chess960=chess960)
        if given is not None or variant.legal_ep_square is None:
            yield variant
