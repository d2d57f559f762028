"""Conditions on the positions of a game, and their combinations.

A condition holds at some plies of a game; a game is found if it holds at one of them. At each ply the condition looks
at the position reached, at the move played next, and, for conditions on time, at what happened before. ``a & b``,
``a | b`` and ``~a`` look at the same ply; ``a.then(b)`` holds where ``b`` does, if ``a`` held earlier in the game.
"""

from __future__ import annotations

import reprlib
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Final

from tabiya.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

_DEEPEST: Final = 100
MOST_CONDITIONS: Final = 10_000
"""Maximum number of conditions joined by *and* or by *or*."""
_MOST_PARTS: Final = 1_000_000
"""Maximum number of parts of a condition, nested ones included; far more than fit into a program."""
_LONGEST: Final = 0x3FFFFFFF
"""More plies than any game has."""


class Condition:
    """Base class of all conditions on positions."""

    __slots__ = ()

    def _parts(self) -> tuple[Condition, ...]:
        """Return the conditions that this one consists of."""
        return ()

    def _plainer(self) -> Condition:
        """Return an equivalent of simpler conditions, down to ``Instruction``."""
        raise NotImplementedError

    def __and__(self, other: Condition) -> Condition:
        return AllOf(_joined(AllOf, (self, other)))

    def __or__(self, other: Condition) -> Condition:
        return AnyOf(_joined(AnyOf, (self, other)))

    def __invert__(self) -> Condition:
        return Not(self)

    def then(self, later: Condition, *, within: int | None = None) -> Sequence:
        """Require this first and the other later, at most ``within`` plies after it; 1 means the next ply."""
        return Sequence((self, later), within)

    def lasting(self, plies: int) -> Lasting:
        """Require at least ``plies`` consecutive positions; the match is the last of these."""
        return Lasting(self, plies)

    def with_colors_exchanged(self) -> Condition:
        """Return the condition with White and Black exchanged, and the board turned upside down."""
        return Turned(self, colors=True)

    def mirrored(self) -> Condition:
        """Return the same with the board mirrored from left to right: the a-file becomes the h-file."""
        return Turned(self, files=True)

    def for_either_side(self) -> Condition:
        """Return a condition that holds for one side or for the other."""
        return self | self.with_colors_exchanged()


def parts_of(condition: Condition) -> tuple[Condition, ...]:
    """Return the conditions that a condition consists of."""
    return condition._parts()


def any_of(conditions: Iterable[Condition]) -> Condition:
    """Return ``a | b | c`` for any number of conditions; a single condition itself."""
    parts = _joined(AnyOf, conditions)
    return parts[0] if len(parts) == 1 else AnyOf(parts)


def plainer(condition: Condition) -> Condition:
    """Return an equivalent of simpler conditions, down to ``Instruction``."""
    return condition._plainer()


def _joined(kind: type[AllOf | AnyOf], conditions: Iterable[Condition]) -> tuple[Condition, ...]:
    """Return the parts of all these conditions."""
    parts = tuple(part for condition in conditions for part in _same(kind, condition))
    if len(parts) > MOST_CONDITIONS:
        raise UsageError(f"at most {MOST_CONDITIONS:,} conditions can be joined: split the search")
    return parts


def _same(kind: type[AllOf | AnyOf], condition: Condition) -> tuple[Condition, ...]:
    """Return the parts of a condition of this kind, so that ``a & b & c`` is one list; else the condition itself."""
    if not isinstance(condition, Condition):
        raise UsageError(f"{reprlib.repr(condition)} is not a condition on positions")
    return parts_of(condition) if isinstance(condition, kind) else (condition,)


def _checked(parts: Iterable[object]) -> None:
    """Reject other objects, too many conditions, and deep nesting: programs are compiled by recursion.

    A condition that occurs in several places counts each time, but is visited once per level.
    """
    level: dict[int, tuple[object, int]] = {}
    total = 0
    found: Iterable[tuple[object, int]] = ((part, 1) for part in parts)
    for _ in range(_DEEPEST + 1):
        for part, times in found:
            total += times
            if not isinstance(part, Condition):
                raise UsageError(f"{reprlib.repr(part)} is not a condition on positions")
            if total > _MOST_PARTS:
                raise UsageError(f"a condition has at most {_MOST_PARTS:,} parts: split the search")
            level[id(part)] = (part, times + level.get(id(part), (part, 0))[1])
        if not level:
            return
        found = [
            (each, times) for part, times in level.values() if isinstance(part, Condition) for each in parts_of(part)
        ]
        level = {}
    raise UsageError(f"conditions are nested more than {_DEEPEST} deep")


class _Made(Condition):
    """A condition that consists of others."""

    __slots__ = ()

    def __post_init__(self) -> None:
        _checked(self._parts())

    def _plainer(self) -> Condition:
        return self


@dataclass(frozen=True, slots=True)
class AllOf(_Made):
    """All of the conditions hold; ``a & b``."""

    conditions: tuple[Condition, ...]

    def _parts(self) -> tuple[Condition, ...]:
        return self.conditions


@dataclass(frozen=True, slots=True)
class AnyOf(_Made):
    """At least one of the conditions holds; ``a | b``."""

    conditions: tuple[Condition, ...]

    def _parts(self) -> tuple[Condition, ...]:
        return self.conditions


@dataclass(frozen=True, slots=True)
class Not(_Made):
    """The condition does not hold here; ``~a``. ``Never`` finds games in which it holds nowhere."""

    condition: Condition

    def _parts(self) -> tuple[Condition, ...]:
        return (self.condition,)


@dataclass(frozen=True, slots=True)
class Sequence(_Made):
    """The steps hold one after the other; the sequence holds where its last step does.

    Each step comes at least one ply after the one before it, and at most ``within`` plies. ``within=1`` is a streak:
    steps at consecutive plies. A sequence that is a step of another has its own limit between its own steps.
    """

    steps: tuple[Condition, ...]
    within: int | None = None

    def __post_init__(self) -> None:
        if not self.steps:
            raise UsageError("a sequence needs conditions")
        if self.within is not None and self.within < 1:
            raise UsageError(f"the steps of a sequence are at least 1 ply apart, not {self.within}")
        _checked(self.steps)

    def _parts(self) -> tuple[Condition, ...]:
        return self.steps

    def then(self, later: Condition, *, within: int | None = None) -> Sequence:
        """Add a step, at most ``within`` plies after the last one."""
        return Sequence((*self.steps, later) if within == self.within else (self, later), within)


@dataclass(frozen=True, slots=True)
class Lasting(_Made):
    """Holds if the condition holds and has held for at least ``plies`` consecutive positions."""

    condition: Condition
    plies: int

    def __post_init__(self) -> None:
        if not 1 <= self.plies <= _LONGEST:
            raise UsageError(f"a condition can last for 1 position or more, not for {self.plies}")
        _checked(self._parts())

    def _parts(self) -> tuple[Condition, ...]:
        return (self.condition,)


@dataclass(frozen=True, slots=True)
class SoFar(_Made):
    """Holds from the first position on at which the condition does."""

    condition: Condition

    def _parts(self) -> tuple[Condition, ...]:
        return (self.condition,)


@dataclass(frozen=True, slots=True)
class Never(_Made):
    """Holds at the end of a game in which the condition has never held."""

    condition: Condition

    def _parts(self) -> tuple[Condition, ...]:
        return (self.condition,)

    def _plainer(self) -> Condition:
        return AllOf((Instruction(Operation.END), Not(SoFar(self.condition))))


@dataclass(frozen=True, slots=True)
class Turned(_Made):
    """The condition with colours exchanged, or with the board mirrored from left to right, or both."""

    condition: Condition
    colors: bool = False
    files: bool = False

    def _parts(self) -> tuple[Condition, ...]:
        return (self.condition,)


class Operation(IntEnum):
    """What an instruction of a program tests; the numbers are those of ``instructions.pxd``."""

    ALWAYS = 0
    PIECE = 1
    ONLY = 2
    PIECES = 3
    COUNT = 4
    SURPLUS = 5
    PAWNS = 6
    TURN = 7
    CASTLING = 8
    EN_PASSANT = 9
    MOVE = 10
    GIVES_CHECK = 11
    SACRIFICE = 12
    CHECK = 13
    MATE = 14
    STALEMATE = 15
    END = 16
    RESULT = 17
    PLY = 18
    USUAL = 19
    EARLIER = 20
    LASTING = 21
    SO_FAR = 22
    VALUE = 23


_NO_RIGHTS: Final = 16
"""No castling rights: a position with castling rights has no mirror image that can arise."""
_SCORE: Final = 0
"""The value that has a sign for White and Black, see evaluated.py."""
_OTHER_RESULT: Final = (0, 2, 1, 3, 4, 6, 5, 7, 8)


@dataclass(frozen=True, slots=True)
class Instruction(Condition):
    """One instruction of a program; ``instructions.pxd`` explains the fields for each operation."""

    operation: Operation
    squares: int = 0
    targets: int = 0
    low: int = 0
    high: int = 0
    pieces: int = 0
    captured: int = 0
    kind: int = 0
    color: int = 0
    promotions: int = 0

    def _plainer(self) -> Condition:
        return self

    def turned(self, *, colors: bool, files: bool) -> Instruction:
        """Return the question with colours exchanged, or with the board mirrored from left to right, or both."""
        turned_files = self._mirrored() if files else self
        return turned_files._with_other_colors() if colors else turned_files

    def _mirrored(self) -> Instruction:
        kind, low = self.kind, self.low
        if self.operation is Operation.MOVE:
            kind = (0, 1, 3, 2)[kind]
        elif self.operation is Operation.CASTLING and low:
            low = _NO_RIGHTS
        elif self.operation is Operation.EN_PASSANT and low < 64:
            low ^= 7
        return self._with(squares=_mirror(self.squares), targets=_mirror(self.targets), kind=kind, low=low)

    def _with_other_colors(self) -> Instruction:
        kind, color, low, high = self.kind, self.color, self.low, self.high
        pieces = _swapped_colors(self.pieces)
        match self.operation:
            case Operation.PIECE | Operation.ONLY:
                kind ^= 8
            case Operation.TURN | Operation.PAWNS:
                color ^= 1
            case Operation.SURPLUS:
                low, high = -high, -low
            case Operation.VALUE if kind == _SCORE:
                low, high = -high, -low
            case Operation.CASTLING if low < _NO_RIGHTS:
                low = low >> 2 | (low & 3) << 2
            case Operation.EN_PASSANT if low < 64:
                low ^= 56
            case Operation.RESULT:
                pieces = sum(1 << other for result, other in enumerate(_OTHER_RESULT) if self.pieces >> result & 1)
        return self._with(
            squares=_upside_down(self.squares),
            targets=_upside_down(self.targets),
            pieces=pieces,
            captured=_swapped_colors(self.captured),
            kind=kind,
            color=color,
            low=low,
            high=high,
        )

    def _with(self, **changes: int) -> Instruction:
        fields = {name: getattr(self, name) for name in Instruction.__slots__}
        return Instruction(**{**fields, **changes})


def _upside_down(squares: int) -> int:
    return int.from_bytes(squares.to_bytes(8, "little"), "big")


def _mirror(squares: int) -> int:
    return sum(1 << (square ^ 7) for square in range(64) if squares >> square & 1)


def _swapped_colors(pieces: int) -> int:
    """Return a set of pieces in the other colour; empty squares stay."""
    return pieces & 1 | pieces >> 8 & 0x7E | (pieces & 0x7E) << 8


ANYTHING: Final = Instruction(Operation.ALWAYS)
"""Holds at every ply."""
