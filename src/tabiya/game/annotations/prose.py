"""Texts as values: before and after a move, and unreadable parts.

In a batch these kinds differ from all others: ``Annotation.data`` is only the text in UTF-8, and ``lang`` its language
(or the reason). ``decode`` and ``encode`` use the payload of ChessBase: a zero, the language, the bytes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

from tabiya.errors import FormatError
from tabiya.game.annotations.annotation import TEXT_AFTER, TEXT_BEFORE, UNREADABLE, Annotation, Reason, Side
from tabiya.game.annotations.encoding import UTF8, TextEncoding, show_signs
from tabiya.game.annotations.escapes import escape, quote, unescape, words
from tabiya.game.annotations.payload import PayloadReader, PayloadWriter
from tabiya.game.annotations.value import Place, Value


@dataclass(frozen=True, slots=True)
class Text(Value):
    """A text in a language (ChessBase's nation code; 0 is all languages)."""

    place: ClassVar[Place] = Place.TEXT
    side: ClassVar[Side] = Side.AFTER

    text: str
    lang: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", show_signs(self.text))

    @classmethod
    def _read(cls, reader: PayloadReader) -> Self:
        # A text follows any two prefix bytes; if they are unusual, the payload itself must be kept.
        prefix = reader.take(min(len(reader), 2))
        return cls(reader.encoding.decode(reader.rest()), prefix[1] if len(prefix) > 1 else 0)

    def _write(self, writer: PayloadWriter) -> None:
        writer.number("B", 0)
        writer.number("B", self.lang)
        writer.put(writer.encoding.encode(self.text))

    @classmethod
    def parse(cls, arguments: str) -> Self:
        """Return the text with its escapes; the language is part of the command's name."""
        return cls(unescape(arguments))

    def format(self) -> str:
        """Return the text with escapes."""
        return escape(self.text)

    def readable(self) -> object:
        """Return the text and its language."""
        return self.text, self.lang

    @classmethod
    def payload(cls, annotation: Annotation, encoding: TextEncoding = UTF8) -> bytes:
        """Return the two prefix bytes, and the text in the encoding of the base."""
        return cls.of(annotation, encoding).encode(encoding)

    @classmethod
    def of(cls, annotation: Annotation, encoding: TextEncoding = UTF8) -> Self:
        """Return the value of an annotation, whose data is UTF-8."""
        return cls(encoding.decode(annotation.data), annotation.lang)

    def annotation(
        self,
        *,
        side: Side | None = None,
        lang: int = 0,
        encoding: TextEncoding = UTF8,  # noqa: ARG002 - in a batch texts are UTF-8
    ) -> Annotation:
        """Return the text as an annotation of a move."""
        try:
            data = self.text.encode()
        except UnicodeEncodeError as error:
            raise FormatError("a text that has no UTF-8 form") from error
        return Annotation(self.kind, data, lang or self.lang, side=self.side if side is None else side)


@dataclass(frozen=True, slots=True)
class TextAfter(Text):
    """A text after a move, or about the whole game."""

    kind: ClassVar[int] = TEXT_AFTER
    plural: ClassVar[str] = "texts after moves"
    command: ClassVar[str] = "post"


@dataclass(frozen=True, slots=True)
class TextBefore(Text):
    """A text before a move."""

    kind: ClassVar[int] = TEXT_BEFORE
    plural: ClassVar[str] = "texts before moves"
    command: ClassVar[str] = "pre"
    side: ClassVar[Side] = Side.BEFORE


@dataclass(frozen=True, slots=True)
class Unreadable(Value):
    """The unreadable rest of a line, verbatim. A kind specific to tabiya."""

    kind: ClassVar[int] = UNREADABLE
    plural: ClassVar[str] = "unreadable moves"
    command: ClassVar[str] = "error"

    text: str
    reason: Reason = Reason.UNREADABLE

    @classmethod
    def _read(cls, reader: PayloadReader) -> Self:
        return cls(reader.rest().decode(errors="replace"))

    def _write(self, writer: PayloadWriter) -> None:
        writer.put(UTF8.encode_name(self.text))

    @classmethod
    def parse(cls, arguments: str) -> Self:
        """``illegal "Nf9 e5"``."""
        match list(words(arguments)):
            case [(word, False), (text, True)] if word.upper() in Reason.__members__ and word.islower():
                return cls(text, Reason[word.upper()])
        raise FormatError('this is not a reason and a text in quotes, such as illegal "Nf9"')

    def format(self) -> str:
        """``illegal "Nf9 e5"``."""
        return f"{self.reason.name.lower()} {quote(self.text)}"

    @classmethod
    def of(cls, annotation: Annotation, encoding: TextEncoding = UTF8) -> Self:
        """Return the value of an annotation; its language is the reason."""
        if annotation.lang not in set(Reason):
            raise FormatError(f"{annotation.lang} is not a reason")
        return cls(encoding.decode_name(annotation.data), Reason(annotation.lang))

    def annotation(self, *, side: Side | None = None, lang: int = 0, encoding: TextEncoding = UTF8) -> Annotation:
        """Return the rest as an annotation of the last move before it: a variation after that move, a line late."""
        if side is None:
            side = Side.AFTER if self.text.startswith("(") else Side.LATE
        return Annotation(self.kind, self.encode(encoding), lang or self.reason, side=side)
