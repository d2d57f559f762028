"""Sounds, pictures, videos, links, and the kinds of correspondence chess."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

from tabiya.errors import FormatError
from tabiya.game.annotations.escapes import quote, words
from tabiya.game.annotations.payload import PayloadReader, PayloadWriter
from tabiya.game.annotations.value import Data, Value


@dataclass(frozen=True, slots=True)
class Sound(Data):
    """A sound: judging by other kinds, the number of a file, ``<base>.wav/<n>.wav``."""

    kind: ClassVar[int] = 0x10
    plural: ClassVar[str] = "sounds"
    command: ClassVar[str] = "sound"


@dataclass(frozen=True, slots=True)
class Picture(Data):
    """A picture: the digits of the number of a file, ``<base>.bmp/<n>.bmp``."""

    kind: ClassVar[int] = 0x11
    plural: ClassVar[str] = "pictures"
    command: ClassVar[str] = "picture"

    @property
    def number(self) -> int | None:
        """The number of the file."""
        return int(self.data) if self.data.isdigit() else None


@dataclass(frozen=True, slots=True)
class Video(Value):
    """A video with a caption in a language."""

    kind: ClassVar[int] = 0x20
    plural: ClassVar[str] = "videos"
    command: ClassVar[str] = "video"

    lang: int
    caption: str

    @classmethod
    def _read(cls, reader: PayloadReader) -> Self:
        reader.expect("B", 1, "the first byte")
        return cls(reader.number("B"), reader.encoding.decode_name(reader.rest()))

    def _write(self, writer: PayloadWriter) -> None:
        writer.number("B", 1)
        writer.number("B", self.lang)
        writer.put(writer.encoding.encode_name(self.caption))


@dataclass(frozen=True, slots=True)
class CorrespondenceMove(Data):
    """Data about a move of correspondence chess; its form is unknown."""

    kind: ClassVar[int] = 0x19
    plural: ClassVar[str] = "correspondence moves"
    command: ClassVar[str] = "corr"


@dataclass(frozen=True, slots=True)
class CorrespondenceHeader(Data):
    """Data about a game of correspondence chess; its form is unknown."""

    kind: ClassVar[int] = 0x61
    plural: ClassVar[str] = "correspondence headers"


@dataclass(frozen=True, slots=True)
class WebLink(Value):
    """An address and the text to show for it."""

    kind: ClassVar[int] = 0x1C
    plural: ClassVar[str] = "web links"
    command: ClassVar[str] = "weblink"

    url: str
    text: str = ""

    @classmethod
    def _read(cls, reader: PayloadReader) -> Self:
        reader.expect("<H", reader.size, "the length")  # the length includes itself
        return cls(reader.pascal(), reader.pascal())

    def _write(self, writer: PayloadWriter) -> None:
        strings = PayloadWriter(writer.encoding)
        strings.pascal(self.url)
        strings.pascal(self.text)
        writer.number("<H", 2 + len(strings.data))
        writer.put(bytes(strings.data))

    @classmethod
    def parse(cls, arguments: str) -> Self:
        """``"url" "text"``; the text is optional."""
        found = [word for word, _ in words(arguments)]
        if not 1 <= len(found) <= 2:
            raise FormatError("a link is an address and a text")
        return cls(*found)

    def format(self) -> str:
        """``"url" "text"``."""
        return f"{quote(self.url)} {quote(self.text)}"
