"""Engine evaluations of a position, and of all positions of a game."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import ClassVar, Final, Self

from tabiya.errors import FormatError
from tabiya.game.annotations.dialects import Dialect
from tabiya.game.annotations.escapes import compact, format_command
from tabiya.game.annotations.payload import PayloadReader, PayloadWriter
from tabiya.game.annotations.value import Place, Value

_PAWNS: Final = 0
_MATE: Final = 1

_EVALUATION: Final = re.compile(
    r"(?:[#M](?P<mate>[+-]?\d{1,5})|(?P<sign>[+-]?)(?P<whole>\d{0,6})(?P<decimals>\.\d{0,9})?)(?:(?P<mark>[/,])(?P<depth>\d{1,5}))?",
    re.ASCII,
)


@dataclass(frozen=True, slots=True)
class Evaluation(Value):
    """An engine's evaluation from White's point of view: centipawns, or the number of moves to mate."""

    kind: ClassVar[int] = 0x21
    plural: ClassVar[str] = "evaluations"
    command: ClassVar[str] = "eval"
    layout: ClassVar[str] = "<hhh"
    place: ClassVar[Place] = Place.EVALUATION
    keeps_spelling: ClassVar[bool] = True

    value: int
    type: int = _PAWNS
    """0: centipawns; 1: moves to mate, negative if Black mates; others (3, 32) are unknown."""
    depth: int = 0
    """In plies; 0 if unknown."""

    @property
    def is_mate(self) -> bool:
        """Whether ``value`` counts moves to mate."""
        return self.type == _MATE

    @classmethod
    def parse(cls, arguments: str) -> Self:
        """``+1.50/20``, ``#-3/25``; also ``0.17``, ``2.35,30``, ``M5`` and ChessBase's ``-106,29``.

        An integer before a comma is in ChessBase's centipawns. Further decimals are rounded.
        """
        found = _EVALUATION.fullmatch(compact(arguments))
        if found is None:
            raise FormatError(f"{arguments!r} is not an evaluation")
        depth = int(found["depth"] or 0)
        if found["mate"]:
            return cls(int(found["mate"]), _MATE, depth)
        whole, decimals = found["whole"], found["decimals"]
        if not whole and (decimals or ".") == ".":
            raise FormatError(f"{arguments!r} is not an evaluation")
        number = Decimal(f"{whole or 0}{decimals or ''}")
        if decimals is not None or found["mark"] != ",":
            number *= 100
        value = int(number.to_integral_value(ROUND_HALF_UP))
        return cls(-value if found["sign"] == "-" else value, _PAWNS, depth)

    def format(self) -> str:
        """``+1.50/20``, ``#-3/25``."""
        if self.depth < 0:
            raise FormatError(f"a depth of {self.depth}")
        return self._value("+") + (f"/{self.depth}" if self.depth else "")

    def _value(self, plus: str) -> str:
        if self.type == _MATE:
            return f"#{self.value}"
        if self.type != _PAWNS:
            raise FormatError(f"an evaluation of type {self.type}")
        sign = "-" if self.value < 0 else plus
        return f"{sign}{abs(self.value) // 100}.{abs(self.value) % 100:02}"

    def format_plain(self, dialect: Dialect) -> list[str]:
        """``[%eval 1.50,20]``; for ChessBase ``[%eval 150,20]``."""
        try:
            value = self._value("")
        except FormatError:
            return []
        depth = max(self.depth, 0)
        if dialect is Dialect.CHESSBASE and not self.is_mate:
            return [format_command(self.command, f"{self.value},{depth}")]
        return [format_command(self.command, value + (f",{depth}" if depth else ""))]


_NONE: Final = 0xFF
_NO_VALUE: Final = 32767
_MATE_VALUE: Final = 30000
_LONGEST_MATE: Final = 1000


@dataclass(frozen=True, slots=True)
class ProfileEntry:
    """The evaluation after a ply, from White's point of view.

    ``type`` 0: centipawns; 1: plies to mate, 0 if it is on the board; 255: none; others are unknown.
    """

    type: int = _NONE
    depth: int = 0
    value: int = 0


_EMPTY: Final = ProfileEntry()


@dataclass(frozen=True, slots=True)
class EvaluationProfile(Value):
    """The evaluations of a whole game: entry k is after ply k of the main line, entry 0 at the start.

    The text form is ChessBase's ``%evp``, as far as that is exact: it has no depths.
    """

    kind: ClassVar[int] = 0x26
    plural: ClassVar[str] = "evaluation profiles"
    command: ClassVar[str] = "evp"
    place: ClassVar[Place] = Place.EVALUATION

    entries: tuple[ProfileEntry, ...]

    @classmethod
    def _read(cls, reader: PayloadReader) -> Self:
        count = reader.number(">H")
        if len(reader) != 4 * count:
            raise FormatError(f"{count} entries in {len(reader)} bytes")
        return cls(
            tuple(ProfileEntry(reader.number("B"), reader.number("B"), reader.number(">h")) for _ in range(count))
        )

    def _write(self, writer: PayloadWriter) -> None:
        writer.number(">H", len(self.entries))
        for entry in self.entries:
            writer.number("B", entry.type)
            writer.number("B", entry.depth)
            writer.number(">h", entry.value)

    @classmethod
    def parse(cls, arguments: str) -> Self:
        """``first,last,v…``: centipawns; 30000 − n is mate in n plies, 32767 no value."""
        members = compact(arguments).split(",")
        if not all(re.fullmatch(r"[+-]?[0-9]{1,5}", member) for member in members):
            raise FormatError("a profile is a list of numbers")
        first, last, *values = map(int, members) if len(members) > 1 else (0, 0)
        if not 0 <= first <= last + 1 <= 0xFFFF or len(values) != last + 1 - first:
            raise FormatError(f"{len(values)} values for the entries {first} to {last}")
        return cls((*[_EMPTY] * first, *map(_parse_entry, values)))

    def format(self) -> str:
        """Return the inverse of ``parse``; FormatError if an entry cannot be represented."""
        values = self._values()
        if self.parse(values) != self:
            raise FormatError("a profile with depths or with unknown types")
        return values

    def _values(self) -> str:
        count = len(self.entries)
        first = next((k for k, entry in enumerate(self.entries) if entry.type != _NONE), count)
        if first == count:
            raise FormatError("a profile without values")
        values: list[int] = []
        for entry in self.entries[first:]:
            values.append(_format_entry(entry, values[-1] if values else 0))
        return ",".join(map(str, [first, count - 1, *values]))

    def format_plain(self, dialect: Dialect) -> list[str]:
        """``[%evp …]``, for ChessBase."""
        try:
            return [format_command(self.command, self._values())] if dialect is Dialect.CHESSBASE else []
        except FormatError:
            return []


def _parse_entry(value: int) -> ProfileEntry:
    if value == _NO_VALUE:
        return _EMPTY
    plies = _MATE_VALUE - abs(value)
    if 0 <= plies < _LONGEST_MATE:
        return ProfileEntry(_MATE, 0, plies if value > 0 else -plies)
    return ProfileEntry(_PAWNS, 0, value)


def _format_entry(entry: ProfileEntry, before: int) -> int:
    """``before`` is the previous value: it determines which side is mated."""
    if entry.type == _MATE:
        white = entry.value > 0 or (entry.value == 0 and before > 0)
        return _MATE_VALUE - entry.value if white else -_MATE_VALUE - entry.value
    return entry.value if entry.type == _PAWNS else _NO_VALUE
