"""Comments of PGN: commands and text, converted to annotations and back.

All dialects are read. Unreadable parts stay in the text unchanged, and are reported. Writing is exact in the lossless
profile: if reading the text form would not return the same payload, it is followed by ``[%raw base64]`` with the
payload. Only the registry knows the kinds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from tabiya.chess import Color
from tabiya.errors import FormatError
from tabiya.game.annotations.annotation import Annotation, Side
from tabiya.game.annotations.dialects import Dialect, Profile
from tabiya.game.annotations.encoding import UTF8, TextEncoding
from tabiya.game.annotations.escapes import format_base64, format_command, parse_base64, parse_language
from tabiya.game.annotations.guiding import parse_guiding_text
from tabiya.game.annotations.marks import NagSequence, Symbols
from tabiya.game.annotations.nags import encode_nags
from tabiya.game.annotations.prose import Text, TextAfter, TextBefore
from tabiya.game.annotations.registry import COMMANDS, KINDS, decode_payload, encode_payload, typed
from tabiya.game.annotations.tokens import BLANKS, Token, is_exact, settle, split
from tabiya.game.annotations.value import Raw, Value
from tabiya.game.record import GuidingText

VERBATIM_COMMANDS: Final = frozenset({"timestamp", "wdl"})
"""Commands of other programs that have no value here; they are not reported as problems."""
_CLOCKS: Final = {Color.WHITE: "clkw", Color.BLACK: "clkb"}
EDITED: Final = "a text was edited, so its stored payload was ignored"
_LONGEST_QUOTE: Final = 60
_NOT_PLAIN: Final = re.compile(r"[\x00-\x1f\x7f}]|^ | $|  |\[%raw\b")


@dataclass(frozen=True, slots=True)
class Comment:
    """The contents of a comment."""

    annotations: tuple[Annotation, ...] = ()
    """In the order found; the text outside of commands comes last."""
    game: tuple[Annotation, ...] = ()
    """Texts about the whole game, ``[%game …]``."""
    texts: tuple[GuidingText, ...] = ()
    """Guiding texts, ``[%text …]``."""
    nags: Annotation | None = None
    """The NAGs before the comment, stored as ``[%raw …]`` at its start specifies."""
    problems: tuple[str, ...] = ()
    """Sentences about unreadable parts, which stay in the text."""
    partly: tuple[str, ...] = ()
    """Sentences about unreadable parts of commands; the other parts are the value."""


@dataclass(frozen=True, slots=True)
class Formatted:
    """A comment without its braces, empty if there is nothing to write."""

    text: str = ""
    lost: tuple[int, ...] = ()
    """The kinds of annotations that could not be written completely; usually only in the plain profile."""


def parse_comment(
    comment: str,
    *,
    mover: Color = Color.WHITE,
    side: Side = Side.AFTER,
    encoding: TextEncoding = UTF8,
    nags: Annotation | None = None,
) -> Comment:
    """Return the annotations of a comment, given without its braces.

    Args:
        comment: The original text, including line breaks.
        mover: The side that made the annotated move; ``[%clk …]`` is the clock of that side.
        side: The place of the comment.
        encoding: The encoding of the texts of this game, from its tag TextEncoding.
        nags: The NAGs before the comment.
    """
    return _Reader(mover, side, encoding, nags).read(settle(comment))


class _Reader:
    """Collects the contents of the tokens of one comment."""

    def __init__(self, mover: Color, side: Side, encoding: TextEncoding, nags: Annotation | None) -> None:
        self._mover = mover
        self._side = side
        self._encoding = encoding
        self._nags = nags
        self._nags_note: Annotation | None = None
        self._annotations: list[Annotation] = []
        self._game: list[Annotation] = []
        self._texts: list[GuidingText] = []
        self._problems: list[str] = []
        self._partly: list[str] = []
        self._plain: list[str] = []
        self._last: list[Annotation] | None = None
        """The list whose last member the next ``%raw`` applies to."""
        self._at_front = True

    def read(self, text: str) -> Comment:
        eaten = False
        for token in split(text):
            # The blank after a command belongs to it, so that "a [%pre b] c" leaves "a c".
            source = token.source[1:] if eaten and token.source[0] in " \t\v\f" else token.source
            eaten = bool(token.name) and self._apply(token)
            if not eaten and source:
                self._plain.append(source)
            if source.strip(BLANKS):
                self._at_front = False
                if not eaten:
                    self._last = None
        rest = "".join(self._plain).strip(BLANKS)
        if rest:
            self._annotations.append(self._text(rest, 0))
        return Comment(
            *(tuple(self._annotations), tuple(self._game), tuple(self._texts), self._nags_note),
            problems=tuple(self._problems),
            partly=tuple(self._partly),
        )

    def _apply(self, token: Token) -> bool:
        """Read a command; False if it has to stay in the text."""
        try:
            lang = parse_language(token.language)
            self._command(token.name, lang, token.arguments)
        except FormatError as error:
            if token.name not in VERBATIM_COMMANDS:
                self._problems.append(f"{error.message}: {token.source[:_LONGEST_QUOTE]}")
            return False
        return True

    def _command(self, name: str, lang: int, arguments: str) -> None:
        special = SPECIAL_COMMANDS.get(name)
        if special is not None:
            special(self, lang, arguments)
            return
        if lang:
            raise FormatError("this command has no languages")
        self._add(self._value(_CLOCKS[self._mover] if name == "clk" else name, arguments))

    def _value(self, name: str, arguments: str) -> Annotation:
        """Return the annotation of a command in the registry."""
        reason = FormatError("an unknown command")
        for cls, parse in COMMANDS.get(name, ()):
            if cls.in_base64() and name == cls.command:
                return self._placed(decode_payload(cls.kind, parse_base64(arguments), self._encoding))
            try:
                value = parse(arguments)
                annotation = value.annotation(encoding=self._encoding)
            except FormatError as error:
                reason = error
                if cls.reads_parts and name == cls.command and is_exact(arguments):
                    with suppress(FormatError):
                        return self._placed(self._part(cls, arguments))
                continue
            if cls.keeps_spelling and (spelling := cls.spelling(arguments)) != value.format():
                annotation = replace(annotation, raw=spelling.encode())
            return self._placed(annotation)
        raise reason

    def _part(self, cls: type[Value], arguments: str) -> Annotation:
        """Return the annotation of the readable parts of a command."""
        value, unread = cls.parse_parts(arguments)
        raw = arguments.encode()
        if not cls.is_spelling(raw):
            raise FormatError("this spelling looks like a payload")
        annotation = replace(value.annotation(encoding=self._encoding), raw=raw)
        if unread:
            quoted = format_command(cls.command, arguments)[:_LONGEST_QUOTE]
            self._partly.append(f"{unread[:_LONGEST_QUOTE]!r} is not understood: {quoted}")
        return annotation

    def _placed(self, annotation: Annotation) -> Annotation:
        # Annotations that are late by themselves stay late; all others take the place of the comment.
        return annotation if annotation.side is Side.LATE else replace(annotation, side=self._side)

    def _add(self, annotation: Annotation) -> None:
        self._annotations.append(annotation)
        self._last = self._annotations

    def _text(self, text: str, lang: int) -> Annotation:
        """Return a text at the place of the comment."""
        cls = TextBefore if self._side is Side.BEFORE else TextAfter
        return cls(text, lang).annotation(side=self._side)

    # Commands that do not correspond to a single kind.

    def _post(self, lang: int, arguments: str) -> None:
        self._add(self._text(TextAfter.parse(arguments).text, lang))

    def _pre(self, lang: int, arguments: str) -> None:
        self._add(TextBefore.parse(arguments).annotation(lang=lang))

    def _late(self, lang: int, arguments: str) -> None:
        self._add(TextAfter.parse(arguments).annotation(side=Side.LATE, lang=lang))

    def _whole_game(self, lang: int, arguments: str) -> None:
        self._game.append(TextAfter.parse(arguments).annotation(lang=lang))
        self._last = self._game

    def _guiding_text(self, lang: int, arguments: str) -> None:
        if lang:
            raise FormatError("the language of a guiding text comes before its title")
        self._texts.append(parse_guiding_text(arguments))
        self._last = None

    def _any_kind(self, lang: int, arguments: str) -> None:
        """``[%cba 1A base64]``."""
        number, _, data = arguments.strip(BLANKS).partition(" ")
        if not re.fullmatch(r"[0-9A-Fa-f]{2,4}", number):
            raise FormatError(f"{number!r} is not the number of a kind")
        annotation = decode_payload(int(number, 16), parse_base64(data), self._encoding)
        self._add(self._placed(replace(annotation, lang=lang or annotation.lang)))

    def _raw(self, lang: int, arguments: str) -> None:
        """``[%raw base64]`` applies to the previous annotation, if that has not been edited since."""
        if lang:
            raise FormatError("a payload has no language")
        payload = parse_base64(arguments)
        found = self._last[-1] if self._last else self._nags if self._at_front else None
        if found is None:
            raise FormatError("this payload does not belong to an annotation")
        stored = self._stored(found, payload)
        if stored is None:
            self._problems.append(EDITED)
        elif self._last:
            self._last[-1] = stored
        else:
            self._nags_note = stored
        self._last = None

    def _stored(self, found: Annotation, payload: bytes) -> Annotation | None:
        """Return the annotation of a payload, if it has the same meaning as the one found."""
        kind = Symbols.kind if found.kind == NagSequence.kind else found.kind
        stored = decode_payload(kind, payload, self._encoding)
        if found.raw is not None and KINDS[kind].reads_parts and KINDS[kind].is_spelling(found.raw):
            # The spelling contains more than the payload, which must not replace it.
            return found if stored.raw is None and stored.data == found.data else None
        ours, theirs = typed(found, self._encoding), typed(stored, self._encoding)
        if isinstance(ours, Raw) or isinstance(theirs, Raw) or ours.readable() != theirs.readable():
            return None
        return replace(stored, side=found.side)


SPECIAL_COMMANDS: Final = {
    "post": _Reader._post,
    "pre": _Reader._pre,
    "late": _Reader._late,
    "game": _Reader._whole_game,
    "text": _Reader._guiding_text,
    "cba": _Reader._any_kind,
    "raw": _Reader._raw,
}


def movetext_nags(annotation: Annotation) -> list[int]:
    """Return the NAGs that an annotation adds to the movetext; none for other kinds."""
    value = typed(annotation)
    return list(value.nags) if isinstance(value, (Symbols, NagSequence)) else []


def format_comment(
    annotations: Iterable[Annotation],
    *,
    mover: Color = Color.WHITE,
    side: Side = Side.AFTER,
    whole_game: bool = False,
    encoding: TextEncoding = UTF8,
    profile: Profile = Profile.LOSSLESS,
    dialect: Dialect = Dialect.LICHESS,
) -> Formatted:
    """Return one comment for these annotations; the NAGs themselves precede it, see ``movetext_nags``.

    ``side`` is the place of the comment. ``whole_game``: it precedes the first move and applies to the game.
    """
    ordered = sorted(annotations, key=_place)
    if profile is Profile.PLAIN:
        return _format_plain(ordered, mover, encoding, dialect, side)
    writer = _Writer(mover, side, encoding, whole_game=whole_game)
    parts = [writer.format(annotation, is_last=annotation is ordered[-1]) for annotation in ordered]
    return Formatted(" ".join(part for part in parts if part), tuple(writer.lost))


def _place(annotation: Annotation) -> int:
    """Symbols come first, because their payload must follow the NAGs directly."""
    cls = KINDS.get(annotation.kind, Value)
    return -1 if cls.in_movetext else int(cls.place)


class _Writer:
    """Writes the commands of one comment in the lossless profile."""

    def __init__(self, mover: Color, side: Side, encoding: TextEncoding, *, whole_game: bool) -> None:
        self._mover = mover
        self._side = side
        self._whole_game = whole_game
        self._encoding = encoding
        self.lost: list[int] = []
        """Kinds of annotations that are not read back unchanged: stored in a form that no program writes."""

    def format(self, annotation: Annotation, *, is_last: bool) -> str:
        """Return the command, followed by the payload if the command alone is not exact."""
        value = typed(annotation, self._encoding)
        if isinstance(value, Text):
            if is_last and self._is_plain(annotation, value):
                return value.text
            command = format_command(self._text_command(annotation), value.format(), annotation.lang)
        elif isinstance(value, (Symbols, NagSequence)):
            nags = encode_nags(value.nags) if value.nags else None
            if nags is not None and _content(nags) == _content(annotation):
                return ""
            return self._exact("", annotation, nags)
        else:
            command = self._command(annotation, value)
        found = self._read(command)
        if found is not None and _content(found) == _content(annotation):
            return command
        return self._exact(f"{command} ", annotation)

    def _exact(self, command: str, annotation: Annotation, nags: Annotation | None = None) -> str:
        """Return the command followed by the payload."""
        text = f"{command}{format_command('raw', format_base64(encode_payload(annotation, self._encoding)))}"
        found = self._read(text, nags)
        if found is None or _content(found) != _content(annotation):
            self.lost.append(annotation.kind)
        return text

    def _command(self, annotation: Annotation, value: Value | Raw) -> str:
        payload = format_base64(encode_payload(annotation, self._encoding))
        cls = KINDS.get(annotation.kind, Value)
        if cls.command and cls.in_base64() and not annotation.lang:
            return format_command(cls.command, payload)
        if isinstance(value, Value) and value.command:
            try:
                if value.annotation().lang == annotation.lang:
                    arguments = _spelling(annotation, value) or value.format()
                    return format_command(value.command_for(self._mover), arguments)
            except FormatError:
                pass  # a value without a readable form
        return format_command("cba", f"{annotation.kind:02X} {payload}".rstrip(), annotation.lang)

    def _read(self, command: str, nags: Annotation | None = None) -> Annotation | None:
        comment = parse_comment(command, mover=self._mover, side=self._side, encoding=self._encoding, nags=nags)
        found = (*comment.annotations, *comment.game) if nags is None else (comment.nags,)
        return found[0] if len(found) == 1 else None

    def _text_command(self, annotation: Annotation) -> str:
        if self._whole_game and annotation.side is not Side.LATE:
            return "game"
        if annotation.side is self._side:
            return "pre" if self._side is Side.BEFORE else "post"
        return {Side.BEFORE: "pre", Side.AFTER: "post", Side.LATE: "late"}[annotation.side]

    def _is_plain(self, annotation: Annotation, value: Text) -> bool:
        """Return whether a text without a command is read back unchanged."""
        if annotation.lang or annotation.raw is not None or self._whole_game or annotation.side is not self._side:
            return False
        if not value.text or _NOT_PLAIN.search(value.text):
            return False
        return "[%" not in value.text or self._read(value.text) == annotation


def _content(annotation: Annotation) -> tuple[object, ...]:
    return annotation.kind, annotation.data, annotation.raw, annotation.lang


def _spelling(annotation: Annotation, value: Value) -> str:
    """Return the spelling found in PGN, if there is one and it still matches the value."""
    if annotation.raw is None or not value.is_spelling(annotation.raw):
        return ""
    try:
        spelling = annotation.raw.decode()
        if not value.reads_parts:
            return spelling if type(value).parse(spelling) == value else ""
        return spelling if is_exact(spelling) and type(value).parse_parts(spelling)[0] == value else ""
    except (UnicodeDecodeError, FormatError):
        return ""


# --- the plain profile -----------------------------------------------------------------------------------------------

_COMMON_COMMANDS: Final = {
    "eval": re.compile(r"#[+-]?\d+(?:,\d+)?|[+-]?\d+\.\d{1,2}(?:,\d+)?"),
    "emt": re.compile(r"\d+:\d\d:\d\d(?:\.\d+)?"),
    "clk": re.compile(r"\d+:\d\d:\d\d(?:\.\d+)?"),
}
"""Spellings that are kept as found: python-chess and Lichess read them."""
_PLAIN_BREAKS: Final = re.compile(r"[\x00-\x20\x7f]+")


def _format_plain(
    annotations: list[Annotation], mover: Color, encoding: TextEncoding, dialect: Dialect, side: Side
) -> Formatted:
    parts: list[str] = []
    lost: list[int] = []
    for annotation in annotations:
        value = typed(annotation, encoding)
        if isinstance(value, Text):
            text = _PLAIN_BREAKS.sub(" ", value.text).strip().replace("{", "(").replace("}", ")")
            parts.append(text)
            whole = text == value.text and not annotation.lang and annotation.side is side
        elif isinstance(value, (Symbols, NagSequence)):
            continue
        elif isinstance(value, Raw):
            whole = False
        else:
            commands = _plain_commands(annotation, value, mover, dialect)
            parts += commands
            spelled = annotation.raw is not None and value.reads_parts
            whole = _reads_as(commands, value, mover) and not spelled
        if not whole:
            lost.append(annotation.kind)
    return Formatted(" ".join(part for part in parts if part), tuple(lost))


def _plain_commands(annotation: Annotation, value: Value, mover: Color, dialect: Dialect) -> list[str]:
    command = value.command_for(mover)
    if command in _CLOCKS.values():
        return []  # the clock of the other side: other programs do not read it
    spelling = _spelling(annotation, value)
    known = _COMMON_COMMANDS.get(command)
    if dialect is Dialect.LICHESS and spelling and known is not None and known.fullmatch(spelling):
        return [format_command(command, spelling)]
    return value.format_plain(dialect)


def _reads_as(commands: list[str], value: Value, mover: Color) -> bool:
    """Return whether these commands contain the whole value; marks may be in separate commands."""
    found = [typed(a) for command in commands for a in parse_comment(command, mover=mover).annotations]
    if len(found) == 1:
        return found[0] == value
    joined = b"".join(other.encode() for other in found)
    return bool(found) and joined == value.encode() and all(type(other) is type(value) for other in found)
