"""Conditions on the move that is played in a position, and on the consequences of moves."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from tabiya.errors import UsageError
from tabiya.search.conditions import AllOf, Condition, Instruction, Operation
from tabiya.search.pieces import ALL_SQUARES, EMPTY, any_color, color_of, squares_of

if TYPE_CHECKING:
    from tabiya.chess import Color
    from tabiya.game import Result

_ANY_PIECE: Final = 0x7E7E
_WHITE_PIECES: Final = 0x7E
_ANY_PROMOTION: Final = 0xFF
_PROMOTED: Final = 0xFE
_TYPES: Final = "-PNBRQK"
_CASTLING: Final = {"O-O": 2, "0-0": 2, "O-O-O": 3, "0-0-0": 3}
_NO_CASTLING: Final = 1
_LONGEST: Final = 0x3FFFFFFF
_SAN: Final = re.compile(
    r"(?P<piece>[KQRBN])?(?P<file>[a-h])?(?P<rank>[1-8])?(?P<takes>[x:])?-?(?P<target>[a-h][1-8])"
    r"(?:=?(?P<promotion>[QRBN]))?(?P<mark>[+#])?[!?]*"
)
_FROM_TO: Final = re.compile(r"(?P<source>[a-h][1-8])-?(?P<target>[a-h][1-8])=?(?P<promotion>[qrbnQRBN])?")


def _move(color: Color | None = None, **fields: int) -> Instruction:
    """Return a question for a move; omitted fields match anything."""
    whose = _ANY_PIECE if color is None else _WHITE_PIECES << 8 * color
    given = {"pieces": _ANY_PIECE, "squares": ALL_SQUARES, "targets": ALL_SQUARES, "captured": _ANY_PIECE | EMPTY}
    fields = {**given, "promotions": _ANY_PROMOTION, **fields}
    return Instruction(Operation.MOVE, **{**fields, "pieces": fields["pieces"] & whose})


@dataclass(frozen=True)
class MovePlayed(Condition):
    """This move is played: ``Nf3``, ``Nbd2``, ``exd5``, ``Rxf7+``, ``e8=Q``, ``O-O``, or from and to, ``e2e4``.

    Omitted details match anything: ``Nd2`` is any knight's move to d2, also a capture, and ``e8`` a pawn move with any
    promotion. ``x`` requires a capture, ``+`` check, ``#`` mate.
    """

    move: str
    color: Color | str | None = None
    """The side that moves; None for either side."""

    def __post_init__(self) -> None:
        self._instruction  # noqa: B018 - evaluated to validate it

    @cached_property
    def _instruction(self) -> Condition:
        color = None if self.color is None else color_of(self.color)
        text = self.move.strip()
        if text.rstrip("+#!?") in _CASTLING:
            castling = _move(color, pieces=any_color("K"), kind=_CASTLING[text.rstrip("+#!?")])
            return AllOf((castling, *_marked(text)))
        found = _FROM_TO.fullmatch(text)
        if found:
            promotions = _promotions(found["promotion"]) if found["promotion"] else _ANY_PROMOTION
            source, target = squares_of(found["source"]), squares_of(found["target"])
            return _move(color, squares=source, targets=target, promotions=promotions)
        return self._san(text, color)

    def _san(self, text: str, color: Color | None) -> Condition:
        found = _SAN.fullmatch(text)
        if found is None or (found["piece"] and found["promotion"]):
            raise UsageError(f"{self.move!r} is not a move: give it as Nf3, exd5, e8=Q, O-O or e2e4")
        source = ALL_SQUARES
        for part in (found["file"], found["rank"]):
            source &= squares_of(part) if part else ALL_SQUARES
        move = _move(
            color,
            pieces=any_color(found["piece"] or "P"),
            squares=source,
            targets=squares_of(found["target"]),
            captured=_ANY_PIECE if found["takes"] else _ANY_PIECE | EMPTY,
            promotions=_promotions(found["promotion"]) if found["promotion"] else _ANY_PROMOTION,
            kind=_NO_CASTLING,
        )
        return AllOf((move, *_marked(text)))

    def _plainer(self) -> Condition:
        return self._instruction


def _marked(text: str) -> list[Condition]:
    """Return the conditions of the check mark of a move."""
    marks: list[Condition] = [GivesCheck(mate="#" in text)] if "+" in text or "#" in text else []
    return marks


def _promotions(pieces: str) -> int:
    """Return the set of promotions to these pieces."""
    wrong = [piece for piece in pieces if piece.upper() not in "QRBN"]
    if wrong:
        raise UsageError(f"{wrong[0]!r} is not a piece that a pawn promotes to: give Q, R, B or N")
    return sum(1 << _TYPES.index(piece) for piece in set(pieces.upper()))


@dataclass(frozen=True, slots=True)
class Moved(Condition):
    """One of these pieces moves, ``QR``; castling is a move of the king."""

    pieces: str
    color: Color | str | None = None

    def __post_init__(self) -> None:
        if not self.pieces:
            raise UsageError("no piece to move is given")
        self._plainer()

    def _plainer(self) -> Condition:
        return _move(None if self.color is None else color_of(self.color), pieces=any_color(self.pieces))


@dataclass(frozen=True, slots=True)
class Captured(Condition):
    """One of these pieces is captured; with an empty text, a move is played that captures nothing."""

    pieces: str
    color: Color | str | None = None
    """The side that captures."""

    def __post_init__(self) -> None:
        self._plainer()

    def _plainer(self) -> Condition:
        taken = any_color(self.pieces) if self.pieces else EMPTY
        return _move(None if self.color is None else color_of(self.color), captured=taken)


@dataclass(frozen=True, slots=True)
class Promotion(Condition):
    """A pawn promotes to one of these pieces; to any piece by default."""

    pieces: str = ""
    color: Color | str | None = None

    def __post_init__(self) -> None:
        self._plainer()

    def _plainer(self) -> Condition:
        promotions = _promotions(self.pieces) if self.pieces else _PROMOTED
        return _move(None if self.color is None else color_of(self.color), promotions=promotions)


@dataclass(frozen=True, slots=True)
class Sacrifice(Condition):
    """A piece captures one of lower value, by at least ``pawns`` pawns, where it can be recaptured: Bxh7+, Rxc3.

    A pawn counts 1, knight and bishop 3, rook 5, queen 9. The soundness of the sacrifice is not checked.
    """

    pawns: int = 2

    def __post_init__(self) -> None:
        if not 1 <= self.pawns <= _LONGEST:
            raise UsageError(f"a sacrifice costs at least 1 pawn, not {self.pawns}")

    def _plainer(self) -> Condition:
        return _move(captured=_ANY_PIECE) & Instruction(Operation.SACRIFICE, low=self.pawns)


@dataclass(frozen=True, slots=True)
class GivesCheck(Condition):
    """The move gives check, or mate."""

    mate: bool = False

    def _plainer(self) -> Condition:
        return Instruction(Operation.GIVES_CHECK, low=int(self.mate))


@dataclass(frozen=True, slots=True)
class Check(Condition):
    """The side to move is in check."""

    def _plainer(self) -> Condition:
        return Instruction(Operation.CHECK)


@dataclass(frozen=True, slots=True)
class Mate(Condition):
    """The side to move is mated."""

    def _plainer(self) -> Condition:
        return Instruction(Operation.MATE)


@dataclass(frozen=True, slots=True)
class Stalemate(Condition):
    """The side to move has no legal move, and is not in check."""

    def _plainer(self) -> Condition:
        return Instruction(Operation.STALEMATE)


@dataclass(frozen=True, slots=True)
class LastPosition(Condition):
    """The game ends here, or the line, if variations are searched."""

    def _plainer(self) -> Condition:
        return Instruction(Operation.END)


@dataclass(frozen=True, slots=True)
class Plies(Condition):
    """The number of half-moves played is in a range: ``Plies(0, 40)`` is the opening."""

    first: int = 0
    last: int = _LONGEST

    def __post_init__(self) -> None:
        if not 0 <= self.first <= self.last:
            raise UsageError(f"plies go from 0 on; there are none from {self.first} to {self.last}")

    def _plainer(self) -> Condition:
        return Instruction(Operation.PLY, low=min(self.first, _LONGEST), high=min(self.last, _LONGEST))


@dataclass(frozen=True, slots=True, init=False)
class ResultIs(Condition):
    """The game has one of these results: ``1-0``, ``1/2-1/2``; ``*`` also matches a missing result."""

    results: tuple[str | Result, ...]

    def __init__(self, *results: str | Result) -> None:
        object.__setattr__(self, "results", results)
        if not results:
            raise UsageError("no result is named")
        self._plainer()

    def _plainer(self) -> Condition:
        from tabiya.game.tag_values import result_of  # noqa: PLC0415 - with its dependencies

        return Instruction(Operation.RESULT, pieces=sum({1 << result_of(result) for result in self.results}))
