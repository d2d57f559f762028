"""Coloured squares and arrows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, Self

from tabiya.chess import Square
from tabiya.errors import FormatError
from tabiya.game.annotations.dialects import Dialect
from tabiya.game.annotations.escapes import compact, format_command, sift
from tabiya.game.annotations.payload import PayloadReader, PayloadWriter
from tabiya.game.annotations.value import Place, Value

_LETTERS: Final = {2: "G", 3: "Y", 4: "R", 7: "B"}
"""ChessBase's colours; 8 and 9 occur, too, but their letters are unknown."""
_COLORS: Final = {letter: color for color, letter in _LETTERS.items()}
COLOR_WORDS: Final = {2: "green", 3: "yellow", 4: "red", 7: "blue"}
"""Their names in Scid."""
_BY_WORD: Final = {word: color for color, word in COLOR_WORDS.items()}


def parse_color(letter: str) -> int:
    """Return the number of a colour; one that ChessBase lacks is the ASCII code of its letter."""
    if not (letter.isascii() and letter.isupper()):
        raise FormatError(f"{letter!r} is not the letter of a colour")
    return _COLORS.get(letter, ord(letter))


def format_color(color: int) -> str:
    """Return the letter of a colour; FormatError if it has none."""
    letter = _LETTERS.get(color) or chr(color)
    if not ("A" <= letter <= "Z") or parse_color(letter) != color:
        raise FormatError(f"colour {color} has no letter")
    return letter


def _split(arguments: str) -> list[str]:
    """Return the members of a list. Extra commas are ignored, and some programs write an empty list."""
    return [member for member in compact(arguments).split(",") if member]


def _draw(arguments: str, shape: str, count: int) -> tuple[int, list[Square]]:
    """Scid's ``[%draw arrow,e2,e4,green]``: return colour and squares."""
    parts = compact(arguments).split(",")
    if parts[0] != shape or len(parts) != count + 2 or parts[-1] not in _BY_WORD:
        raise FormatError(f"this is not a drawing of the form {shape}")
    return _BY_WORD[parts[-1]], [Square.parse(square) for square in parts[1:-1]]


def _mark(arguments: str, count: int) -> tuple[int, list[Square]]:
    """Scid's older ``[%mark e4 green]`` and ``[%arrow c4 f7]``: return colour, red by default, and squares."""
    squares, colors = arguments.split()[:count], arguments.split()[count:] or ["red"]
    if len(squares) != count or len(colors) != 1 or colors[0] not in _BY_WORD:
        raise FormatError(f"this is not a drawing of {count} squares and a colour")
    return _BY_WORD[colors[0]], [Square.parse(square) for square in squares]


@dataclass(frozen=True, slots=True)
class ColoredSquare:
    """A square and its colour: 2 green, 3 yellow, 4 red, 7 blue."""

    color: int
    square: Square

    @classmethod
    def parse(cls, text: str) -> Self:
        """``Ge4``."""
        return cls(parse_color(text[0]), Square.parse(text[1:]))

    def __str__(self) -> str:
        return format_color(self.color) + self.square.text


@dataclass(frozen=True, slots=True)
class Arrow:
    """An arrow and its colour: 2 green, 3 yellow, 4 red, 7 blue."""

    color: int
    source: Square
    target: Square

    @classmethod
    def parse(cls, text: str) -> Self:
        """``Ge2e4``."""
        return cls(parse_color(text[0]), Square.parse(text[1:3]), Square.parse(text[3:]))

    def __str__(self) -> str:
        return format_color(self.color) + self.source.text + self.target.text


def _plain(marks: Sequence[ColoredSquare | Arrow]) -> str:
    """Return those that other programs can read, which support four colours."""
    return ",".join(str(mark) for mark in marks if mark.color in _LETTERS)


@dataclass(frozen=True, slots=True)
class Squares(Value):
    """Coloured squares."""

    kind: ClassVar[int] = 0x04
    plural: ClassVar[str] = "coloured squares"
    command: ClassVar[str] = "csl"
    place: ClassVar[Place] = Place.GRAPHICS
    reads_parts: ClassVar[bool] = True
    other_commands: ClassVar = {"draw": "parse_draw", "mark": "parse_mark"}

    squares: tuple[ColoredSquare, ...] = ()

    @classmethod
    def _read(cls, reader: PayloadReader) -> Self:
        squares = []
        while len(reader):
            squares.append(ColoredSquare(reader.number("B"), reader.square()))
        return cls(tuple(squares))

    def _write(self, writer: PayloadWriter) -> None:
        for mark in self.squares:
            writer.number("B", mark.color)
            writer.square(mark.square)

    @classmethod
    def parse(cls, arguments: str) -> Self:
        """``Ge4,Re5``."""
        return cls(tuple(map(ColoredSquare.parse, _split(arguments))))

    @classmethod
    def parse_parts(cls, arguments: str) -> tuple[Self, str]:
        """``Ge4,Xz9``: return the valid squares and the other members."""
        squares, unread = sift(_split(arguments), ColoredSquare.parse)
        return cls(tuple(squares)), unread

    def format(self) -> str:
        """``Ge4,Re5``."""
        return ",".join(map(str, self.squares))

    @classmethod
    def parse_draw(cls, arguments: str) -> Self:
        """``full,e4,red``."""
        color, (square,) = _draw(arguments, "full", 1)
        return cls((ColoredSquare(color, square),))

    @classmethod
    def parse_mark(cls, arguments: str) -> Self:
        """``e4 green``."""
        color, (square,) = _mark(arguments, 1)
        return cls((ColoredSquare(color, square),))

    def format_plain(self, dialect: Dialect) -> list[str]:
        """``[%csl Ge4]``, or ``[%draw full,e4,green]`` for Scid."""
        known = [mark for mark in self.squares if mark.color in _LETTERS]
        if dialect is Dialect.SCID:
            return [format_command("draw", f"full,{m.square.text},{COLOR_WORDS[m.color]}") for m in known]
        return [format_command("csl", _plain(known))] if known else []


@dataclass(frozen=True, slots=True)
class Arrows(Value):
    """Coloured arrows."""

    kind: ClassVar[int] = 0x05
    plural: ClassVar[str] = "arrows"
    command: ClassVar[str] = "cal"
    place: ClassVar[Place] = Place.GRAPHICS
    reads_parts: ClassVar[bool] = True
    other_commands: ClassVar = {"draw": "parse_draw", "arrow": "parse_arrow"}

    arrows: tuple[Arrow, ...] = ()

    @classmethod
    def _read(cls, reader: PayloadReader) -> Self:
        arrows = []
        while len(reader):
            arrows.append(Arrow(reader.number("B"), reader.square(), reader.square()))
        return cls(tuple(arrows))

    def _write(self, writer: PayloadWriter) -> None:
        for arrow in self.arrows:
            writer.number("B", arrow.color)
            writer.square(arrow.source)
            writer.square(arrow.target)

    @classmethod
    def parse(cls, arguments: str) -> Self:
        """``Ge2e4,Rd7d5``."""
        return cls(tuple(map(Arrow.parse, _split(arguments))))

    @classmethod
    def parse_parts(cls, arguments: str) -> tuple[Self, str]:
        """``Ge2e4,Xz9``: return the valid arrows and the other members."""
        arrows, unread = sift(_split(arguments), Arrow.parse)
        return cls(tuple(arrows)), unread

    def format(self) -> str:
        """``Ge2e4,Rd7d5``."""
        return ",".join(map(str, self.arrows))

    @classmethod
    def parse_draw(cls, arguments: str) -> Self:
        """``arrow,e2,e4,green``."""
        color, (source, target) = _draw(arguments, "arrow", 2)
        return cls((Arrow(color, source, target),))

    @classmethod
    def parse_arrow(cls, arguments: str) -> Self:
        """``c4 f7 green``."""
        color, (source, target) = _mark(arguments, 2)
        return cls((Arrow(color, source, target),))

    def format_plain(self, dialect: Dialect) -> list[str]:
        """``[%cal Ge2e4]``, or ``[%draw arrow,e2,e4,green]`` for Scid."""
        known = [mark for mark in self.arrows if mark.color in _LETTERS]
        if dialect is Dialect.SCID:
            return [
                format_command("draw", f"arrow,{m.source.text},{m.target.text},{COLOR_WORDS[m.color]}") for m in known
            ]
        return [format_command("cal", _plain(known))] if known else []
