"""Marks that consist of a few numbers: symbols, medals, critical positions, colours of variations and the like."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, Final, Self

from tabiya.chess import Square
from tabiya.errors import FormatError
from tabiya.game.annotations.annotation import NAGS, SYMBOLS, Annotation
from tabiya.game.annotations.dialects import Dialect
from tabiya.game.annotations.escapes import compact, format_command, sift
from tabiya.game.annotations.nags import decode_nags, encode_nags
from tabiya.game.annotations.payload import PayloadReader, PayloadWriter
from tabiya.game.annotations.times import parse_number
from tabiya.game.annotations.value import Value


def _parse_nags(text: str) -> list[int]:
    nags = re.findall(r"\$([0-9]{1,5})", text)
    if not nags or re.sub(r"\$[0-9]{1,5}|\s", "", text):
        raise FormatError(f"{text!r} are not NAGs")
    return [int(nag) for nag in nags]


@dataclass(frozen=True, slots=True)
class Symbols(Value):
    """A NAG in each of three slots, 0 if empty. In PGN these are NAGs in the movetext, not a command."""

    kind: ClassVar[int] = SYMBOLS
    plural: ClassVar[str] = "NAGs"
    in_movetext: ClassVar[bool] = True

    move: int = 0
    """For the move: 1 !, 2 ?, …"""
    position: int = 0
    """For the position: 14 +=, 18 +-, …"""
    prefix: int = 0
    """Before the move: 140 with the idea, 142 better is, …"""

    @property
    def nags(self) -> list[int]:
        """The NAGs in the order of their slots."""
        return [nag for nag in (self.move, self.position, self.prefix) if nag]

    @classmethod
    def _read(cls, reader: PayloadReader) -> Self:
        slots = reader.take(min(len(reader), 3))
        if not any(slots):
            raise FormatError("there are no symbols")
        return cls(*slots)

    def _write(self, writer: PayloadWriter) -> None:
        for slot in (self.move, self.position, self.prefix):
            writer.number("B", slot)
        while writer.data and not writer.data[-1]:
            del writer.data[-1]

    @classmethod
    def parse(cls, arguments: str) -> Self:
        """``$1 $14``."""
        annotation = encode_nags(_parse_nags(arguments))
        if annotation.kind != SYMBOLS:
            raise FormatError("these NAGs do not fit ChessBase's three slots")
        return cls.decode(annotation.data)

    def format(self) -> str:
        """``$1 $14``, for the movetext."""
        return " ".join(f"${nag}" for nag in self.nags)


@dataclass(frozen=True, slots=True)
class NagSequence(Value):
    """NAGs that do not fit the three slots: in another order, repeated, two of a class. A kind specific to tabiya."""

    kind: ClassVar[int] = NAGS
    plural: ClassVar[str] = "lists of NAGs"
    in_movetext: ClassVar[bool] = True

    nags: tuple[int, ...]

    @classmethod
    def _read(cls, reader: PayloadReader) -> Self:
        if reader.size % 2 or not reader.size:
            raise FormatError("NAGs have two bytes each")
        return cls(tuple(decode_nags(Annotation(NAGS, reader.rest()))))

    def _write(self, writer: PayloadWriter) -> None:
        for nag in self.nags:
            writer.number("<H", nag)

    @classmethod
    def parse(cls, arguments: str) -> Self:
        """``$14 $1``."""
        return cls(tuple(_parse_nags(arguments)))

    def format(self) -> str:
        """``$14 $1``, for the movetext."""
        return " ".join(f"${nag}" for nag in self.nags)


MEDALS: Final = (
    *("best", "decided", "model", "novelty", "pawn", "strategy", "tactics", "attack"),
    *("defense", "sacrifice", "material", "piece", "endgame", "tactblunder", "stratblunder", "user"),
)
"""The medals by bit. Public documents swap defence and sacrifice; comments beside real medals show this order."""


@dataclass(frozen=True, slots=True)
class Medals(Value):
    """Medals for a game or a move, as bits."""

    kind: ClassVar[int] = 0x22
    plural: ClassVar[str] = "medals"
    command: ClassVar[str] = "medal"
    layout: ClassVar[str] = ">I"
    reads_parts: ClassVar[bool] = True
    other_commands: ClassVar = {"mdl": "parse_mdl"}

    bits: int

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the medals that have one."""
        return tuple(name for bit, name in enumerate(MEDALS) if self.bits >> bit & 1)

    @classmethod
    def parse(cls, arguments: str) -> Self:
        """``tactics,sacrifice``."""
        return cls(_bits(map(_medal, compact(arguments).split(","))))

    @classmethod
    def parse_parts(cls, arguments: str) -> tuple[Self, str]:
        """``foo,Tactics``: return the known medals and the other words, regardless of case."""
        medals, unread = sift(compact(arguments).split(","), lambda name: _medal(name.lower()))
        return cls(_bits(medals)), unread

    def format(self) -> str:
        """``tactics,sacrifice``."""
        if not 0 < self.bits < 1 << len(MEDALS):
            raise FormatError(f"medals without names: {self.bits:#x}")
        return ",".join(self.names)

    @classmethod
    def parse_mdl(cls, arguments: str) -> Self:
        """ChessBase's ``512``."""
        return cls(parse_number(arguments))

    def format_plain(self, dialect: Dialect) -> list[str]:
        """``[%mdl 512]``, for ChessBase."""
        return [format_command("mdl", str(self.bits))] if dialect is Dialect.CHESSBASE else []


def _medal(name: str) -> int:
    if name not in MEDALS:
        raise FormatError(f"{name!r} is not a medal")
    return MEDALS.index(name)


def _bits(medals: Iterable[int]) -> int:
    return sum(1 << medal for medal in set(medals))


PHASES: Final = {1: "opening", 2: "middlegame", 3: "endgame"}


@dataclass(frozen=True, slots=True)
class CriticalPosition(Value):
    """A turning point: 1 of the opening, 2 of the middlegame, 3 of the endgame."""

    kind: ClassVar[int] = 0x18
    plural: ClassVar[str] = "critical positions"
    command: ClassVar[str] = "crit"
    layout: ClassVar[str] = ">B"
    reads_parts: ClassVar[bool] = True

    phase: int

    @classmethod
    def parse(cls, arguments: str) -> Self:
        """``opening``."""
        word = compact(arguments)
        for phase, name in PHASES.items():
            if name == word:
                return cls(phase)
        raise FormatError(f"{word!r} is not a phase of a game")

    @classmethod
    def parse_parts(cls, arguments: str) -> tuple[Self, str]:
        """``none``, which is phase 0, and ``Opening``: regardless of case."""
        word = compact(arguments).lower()
        return (cls(0) if word == "none" else cls.parse(word)), ""

    def format(self) -> str:
        """``opening``."""
        if self.phase not in PHASES:
            raise FormatError(f"phase {self.phase} has no name")
        return PHASES[self.phase]


@dataclass(frozen=True, slots=True)
class VariationColor(Value):
    """The colour in which a variation is printed."""

    kind: ClassVar[int] = 0x23
    plural: ClassVar[str] = "variation colours"
    command: ClassVar[str] = "varcolor"
    layout: ClassVar[str] = ">BBBB"
    keeps_spelling: ClassVar[bool] = True

    flags: int
    """1: only the main line; 2: only the moves."""
    blue: int
    green: int
    red: int

    @property
    def only_main_line(self) -> bool:
        """Whether variations of the variation keep their colour."""
        return bool(self.flags & 1)

    @property
    def only_moves(self) -> bool:
        """Whether texts keep their colour."""
        return bool(self.flags & 2)

    @classmethod
    def spelling(cls, arguments: str) -> str:
        """Return the colour with its flags after one blank, otherwise as found."""
        return " ".join(arguments.split())

    @classmethod
    def parse(cls, arguments: str) -> Self:
        """``#RRGGBB ML``; the flags in any order."""
        found = re.fullmatch(r"#([0-9A-Fa-f]{6})(M?L?|LM)", compact(arguments))
        if found is None:
            raise FormatError(f"{arguments!r} is not a colour such as #FF0000")
        red, green, blue = bytes.fromhex(found[1])
        return cls(("L" in found[2]) | 2 * ("M" in found[2]), blue, green, red)

    def format(self) -> str:
        """``#RRGGBB ML``."""
        if self.flags > 3:
            raise FormatError(f"unknown flags: {self.flags}")
        letters = ("", " L", " M", " ML")[self.flags]
        return f"#{self.red:02X}{self.green:02X}{self.blue:02X}{letters}"


@dataclass(frozen=True, slots=True)
class PawnStructure(Value):
    """A mark for the pawn structure; only 3 has been seen."""

    kind: ClassVar[int] = 0x14
    plural: ClassVar[str] = "pawn structures"
    command: ClassVar[str] = "pawnstruct"
    layout: ClassVar[str] = ">B"

    number: int

    @classmethod
    def parse(cls, arguments: str) -> Self:
        """``3``."""
        return cls(parse_number(arguments))

    def format(self) -> str:
        """``3``."""
        return str(self.number)


_USUAL_PATH: Final = 3


@dataclass(frozen=True, slots=True)
class PiecePath(Value):
    """A mark for the path of the piece on a square; its number has always been 3."""

    kind: ClassVar[int] = 0x15
    plural: ClassVar[str] = "piece paths"
    command: ClassVar[str] = "path"
    reads_parts: ClassVar[bool] = True

    square: Square
    number: int

    @classmethod
    def _read(cls, reader: PayloadReader) -> Self:
        number = reader.number("B")
        return cls(reader.square(), number)

    def _write(self, writer: PayloadWriter) -> None:
        writer.number("B", self.number)
        writer.square(self.square)

    @classmethod
    def parse(cls, arguments: str) -> Self:
        """``e4 3``."""
        square, _, number = arguments.strip().partition(" ")
        return cls(Square.parse(square), parse_number(number))

    @classmethod
    def parse_parts(cls, arguments: str) -> tuple[Self, str]:
        """``e4``: without its number, which defaults to 3."""
        return cls(Square.parse(arguments), _USUAL_PATH), ""

    def format(self) -> str:
        """``e4 3``."""
        return f"{self.square.text} {self.number}"
