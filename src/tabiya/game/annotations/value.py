"""Common base of all kinds of annotation: a value with a binary and a text form."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import ClassVar, Self

from tabiya.chess import Color
from tabiya.errors import FormatError
from tabiya.game.annotations.annotation import Annotation, Side
from tabiya.game.annotations.dialects import Dialect
from tabiya.game.annotations.encoding import UTF8, TextEncoding
from tabiya.game.annotations.escapes import compact, format_base64, parse_base64
from tabiya.game.annotations.payload import PayloadReader, PayloadWriter


class Place(IntEnum):
    """The order in which commands are written into one comment."""

    GRAPHICS = 0
    TIMES = 1
    EVALUATION = 2
    OTHER = 3
    TEXT = 4


class Value:
    """An annotation as a value; each kind is a frozen dataclass derived from this.

    A kind with a fixed record as fields has a ``layout``, in the format of ``struct``; others override ``_read`` and
    ``_write``. A kind without ``parse`` and ``format`` is written to PGN as its payload in base64.
    """

    __slots__ = ()
    __match_args__: ClassVar[tuple[str, ...]] = ()

    kind: ClassVar[int]
    """The number of the kind in ChessBase."""
    plural: ClassVar[str]
    """The plural name of the kind, for display."""
    command: ClassVar[str] = ""
    """The name of the command in PGN; without one the payload goes into ``[%cba kind base64]``."""
    layout: ClassVar[str] = ""
    place: ClassVar[Place] = Place.OTHER
    keeps_spelling: ClassVar[bool] = False
    """Whether ``Annotation.raw`` keeps the spelling found in PGN; such kinds have exactly one payload per value."""
    reads_parts: ClassVar[bool] = False
    """Whether ``parse_parts`` reads partly valid commands; ``raw`` then keeps their spelling."""
    in_movetext: ClassVar[bool] = False
    """Whether the text form is part of the movetext, not of a comment."""
    other_commands: ClassVar[Mapping[str, str]] = {}
    """Commands of other programs, with the class method that parses each."""

    @classmethod
    def spelling(cls, arguments: str) -> str:
        """Return arguments in the form that ``raw`` keeps, for kinds that keep their spelling."""
        return compact(arguments)

    @classmethod
    def is_spelling(cls, raw: bytes) -> bool:  # noqa: ARG003 - some kinds keep both
        """Return whether the ``raw`` bytes of an annotation are a spelling found in PGN, not a payload."""
        return cls.keeps_spelling or cls.reads_parts

    # Bytes.

    @classmethod
    def decode(cls, payload: bytes, encoding: TextEncoding = UTF8) -> Self:
        """Return the value of a payload; FormatError if it is invalid."""
        reader = PayloadReader(payload, encoding)
        value = cls._read(reader)
        reader.end()
        return value

    def encode(self, encoding: TextEncoding = UTF8) -> bytes:
        """Return the payload of this value; FormatError if a field is out of range."""
        writer = PayloadWriter(encoding)
        self._write(writer)
        return bytes(writer.data)

    @classmethod
    def _read(cls, reader: PayloadReader) -> Self:
        return cls(*struct.unpack(cls.layout, reader.take(struct.calcsize(cls.layout))))

    def _write(self, writer: PayloadWriter) -> None:
        values = [getattr(self, name) for name in self.__match_args__]
        try:
            writer.put(struct.pack(self.layout, *values))
        except struct.error as error:
            raise FormatError(f"a number is out of range: {self}") from error

    # Text.

    @classmethod
    def in_base64(cls) -> bool:
        """Return whether the argument of the command is the payload itself."""
        return cls.format is Value.format

    @classmethod
    def parse(cls, arguments: str) -> Self:
        """Return the value of a command's arguments; FormatError if they are invalid."""
        return cls.decode(parse_base64(arguments))

    @classmethod
    def parse_parts(cls, arguments: str) -> tuple[Self, str]:
        """Return the value of the valid parts, and the other parts; FormatError if the meaning is not clear.

        Only for arguments that ``parse`` rejects, and kinds with ``reads_parts``.
        """
        raise FormatError(f"{arguments!r} cannot be read in part")

    def format(self) -> str:
        """Return the arguments of the command; FormatError if the value has no such form."""
        return format_base64(self.encode())

    def format_plain(self, dialect: Dialect) -> list[str]:  # noqa: ARG002 - some kinds need it
        """Return the commands that other programs read; none if they do not support this kind."""
        return []

    # In a game.

    @classmethod
    def of(cls, annotation: Annotation, encoding: TextEncoding = UTF8) -> Self:
        """Return the value of an annotation of this kind."""
        return cls.decode(annotation.data, encoding)

    @classmethod
    def payload(cls, annotation: Annotation, encoding: TextEncoding = UTF8) -> bytes:  # noqa: ARG003 - texts need it
        """Return ChessBase's payload of an annotation of this kind, ignoring ``raw``."""
        return annotation.data

    def readable(self) -> object:
        """Return the contents visible in the text form: payloads with equal contents are interchangeable."""
        return self.format()

    def command_for(self, mover: Color) -> str:  # noqa: ARG002 - clocks need it
        """Return the name of the command on a move of this side."""
        return self.command

    def annotation(self, *, side: Side | None = None, lang: int = 0, encoding: TextEncoding = UTF8) -> Annotation:
        """Return the value as an annotation of a move; without a ``side``, on the usual side of its kind."""
        return Annotation(self.kind, self.encode(encoding), lang, side=Side.AFTER if side is None else side)


@dataclass(frozen=True, slots=True)
class Data(Value):
    """A kind with an unknown payload format: kept unchanged."""

    data: bytes

    @classmethod
    def _read(cls, reader: PayloadReader) -> Self:
        return cls(reader.rest())

    def _write(self, writer: PayloadWriter) -> None:
        writer.put(self.data)


@dataclass(frozen=True, slots=True)
class Raw:
    """An annotation without a value: of an unknown kind, or with an invalid payload. Kept unchanged."""

    kind: int
    data: bytes
    reason: str = ""
    """Why the payload could not be read; empty if the kind is unknown."""

    def encode(self, encoding: TextEncoding = UTF8) -> bytes:  # noqa: ARG002 - like a value
        """Return the payload, unchanged."""
        return self.data

    def annotation(self, *, side: Side | None = None, lang: int = 0, encoding: TextEncoding = UTF8) -> Annotation:
        """Return the payload as an annotation of a move."""
        return Annotation(self.kind, self.encode(encoding), lang, side=Side.AFTER if side is None else side)
