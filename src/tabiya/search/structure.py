"""Conditions on pawns, and on the castling of kings."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from tabiya.chess import Color
from tabiya.errors import UsageError
from tabiya.search.boards import Count
from tabiya.search.conditions import ANYTHING, AllOf, Condition, Instruction, Operation, Sequence
from tabiya.search.moves import MovePlayed
from tabiya.search.pieces import color_of, files_mask

_MOST: Final = 64


class _Kind(IntEnum):
    """Kinds of pawns, as ``instructions.pxd`` numbers them."""

    PASSED = 0
    ISOLATED = 1
    DOUBLED = 2


@dataclass(frozen=True, slots=True)
class _Pawns(Condition):
    color: Color | str
    files: str = ""
    """Count only pawns on these files: ``abc``, ``a-c``; all if empty."""
    least: int = 1
    most: int = _MOST

    def __post_init__(self) -> None:
        if not 0 <= self.least <= self.most:
            raise UsageError(f"there cannot be at least {self.least} and at most {self.most}")
        self._plainer()

    def _pawns(self, kind: _Kind) -> Condition:
        return Instruction(
            Operation.PAWNS,
            kind=kind,
            color=color_of(self.color),
            squares=files_mask(self.files),
            low=min(self.least, _MOST + 1),
            high=min(self.most, _MOST),
        )


@dataclass(frozen=True, slots=True)
class PassedPawns(_Pawns):
    """The number of pawns that no enemy pawn can block or capture: none ahead on their own and adjacent files."""

    def _plainer(self) -> Condition:
        return self._pawns(_Kind.PASSED)


@dataclass(frozen=True, slots=True)
class IsolatedPawns(_Pawns):
    """The number of pawns without own pawns on the adjacent files."""

    def _plainer(self) -> Condition:
        return self._pawns(_Kind.ISOLATED)


@dataclass(frozen=True, slots=True)
class DoubledPawns(_Pawns):
    """The number of pawns that share their file with an own pawn; ``least`` is 1 although they come in twos."""

    def _plainer(self) -> Condition:
        return self._pawns(_Kind.DOUBLED)


@dataclass(frozen=True, slots=True)
class IsolatedQueenPawn(Condition):
    """One isolated pawn on the d-file."""

    color: Color | str

    def __post_init__(self) -> None:
        self._plainer()

    def _plainer(self) -> Condition:
        pawn = "P" if color_of(self.color) is Color.WHITE else "p"
        return IsolatedPawns(self.color, "d") & Count(pawn, 1, 1, on="d")


@dataclass(frozen=True, slots=True)
class PawnFiles(Condition):
    """Pawns on exactly these files: ``PawnFiles("white", "abfgh")``."""

    color: Color | str
    files: str

    def __post_init__(self) -> None:
        self._plainer()

    def _plainer(self) -> Condition:
        pawn = "P" if color_of(self.color) is Color.WHITE else "p"
        mask = files_mask(self.files) if self.files else 0
        named = [letter for place, letter in enumerate("abcdefgh") if mask >> place & 1]
        empty_files = [letter for letter in "abcdefgh" if letter not in named]
        parts: list[Condition] = [Count(pawn, 1, on=letter) for letter in named]
        return AllOf((*parts, Count(pawn, 0, 0, on=" ".join(empty_files)))) if empty_files else AllOf(tuple(parts))


@dataclass(frozen=True, slots=True)
class Castled(Condition):
    """This side has castled earlier in the game; ``side`` is ``O-O``, ``O-O-O`` or, if empty, either."""

    color: Color | str
    side: str = ""

    def __post_init__(self) -> None:
        if self.side not in {"", "O-O", "O-O-O"}:
            raise UsageError(f"{self.side!r} is not a side to castle to: O-O or O-O-O")
        self._plainer()

    def _plainer(self) -> Condition:
        color = color_of(self.color)
        if self.side:
            return Sequence((MovePlayed(self.side, color), ANYTHING))
        return Sequence((MovePlayed("O-O", color) | MovePlayed("O-O-O", color), ANYTHING))
