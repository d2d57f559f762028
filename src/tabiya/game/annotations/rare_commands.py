"""Commands in comments that kernels do not support: the classes convert each different one once.

A kernel that reads comments collects these commands in ``Commands``; ``read_with_answers`` converts them and lets the
kernel read again. So the time depends on the number of different commands, and places are determined by the kernel.
"""

from __future__ import annotations

import secrets
import struct
from enum import IntEnum
from typing import TYPE_CHECKING, Final, TypeVar

from tabiya.chess import Color
from tabiya.errors import FormatError
from tabiya.game.annotations.annotation import TEXT_AFTER, TEXT_BEFORE, UNREADABLE, Annotation, Side
from tabiya.game.annotations.encoding import UTF8, TextEncoding
from tabiya.game.annotations.read_comments_kernel import Commands
from tabiya.game.annotations.vocabulary import command_table, language_table
from tabiya.game.assemble import new_builder

if TYPE_CHECKING:
    from collections.abc import Callable

    from tabiya.game.annotations.comments import Comment
    from tabiya.game.columns_kernel import BatchBuilder

Read = TypeVar("Read")


class What(IntEnum):
    """What a command means: like one of these that kernels know, or something else."""

    REFUSED = 0
    PRE = 4
    POST = 5
    GAME = 6
    LATE = 7
    ERROR = 8
    VALUE = 9
    NAGS = 10
    """The NAGs before the comment have another payload."""
    GUIDING = 11
    """A guiding text."""
    NOTHING = 12


_OF_BLACK, _BEFORE = 1, 2
"""Bits of the first byte of a key."""
_NOT_UNDERSTOOD, _PARTLY = 22, 25
_ANSWER: Final = struct.Struct("=10i")
_MOST_KNOWN: Final = 4096
_LONGEST_KNOWN: Final = 1024
_NO_ANNOTATION: Final = Annotation(0, b"")
_NAGS_HEAD: Final = struct.Struct("=Hi")


def read_with_answers(
    read: Callable[[BatchBuilder, Commands], Read],
    *,
    has_commands: bool = True,
    by_classes: bool = False,
    known: dict[bytes, bytes] | None = None,
) -> tuple[BatchBuilder, Read]:
    """Call a kernel until it has answers for all commands; return the builder that it has filled, and its result.

    Args:
        read: Reads everything into a builder; called again if there are unknown rare commands.
        has_commands: False if no text contains a command, so that the classes need not be imported.
        by_classes: Leave even common commands to the classes, which only takes time.
        known: Answers from earlier calls, so that the next call need not read twice; extended up to a limit.
    """
    commands = Commands(command_table() if has_commands else b"", language_table(), secrets.randbits(64), by_classes)
    if known and has_commands:
        commands.learn(known.copy())
    while True:
        builder = new_builder()
        found = read(builder, commands)
        keys = commands.unanswered()
        if not keys:
            return builder, found
        answers = [_answer(key) for key in keys]
        commands.answer(answers)
        if known is not None and len(known) + len(keys) <= _MOST_KNOWN:
            known.update((k, a) for k, a in zip(keys, answers, strict=True) if len(k) + len(a) <= _LONGEST_KNOWN)


def _answer(key: bytes) -> bytes:
    """Return what a command means, in the form of ``read_comments_kernel``."""
    from tabiya.game.annotations.comments import parse_comment  # noqa: PLC0415 - takes time

    flags, size = key[0], key[1]
    place = 2 + size
    kind, length = _NAGS_HEAD.unpack_from(key, place)
    source = place + _NAGS_HEAD.size + length
    comment = parse_comment(
        key[source:].decode(),
        mover=Color.BLACK if flags & _OF_BLACK else Color.WHITE,
        side=Side.BEFORE if flags & _BEFORE else Side.AFTER,
        encoding=_encoding(key[2:place]),
        nags=Annotation(kind, key[source - length : source]) if kind else None,
    )
    return _answer_of(comment, before=bool(flags & _BEFORE))


def _encoding(name: bytes) -> TextEncoding:
    """Return the encoding of ChessBase's texts that a tag names."""
    try:
        return TextEncoding(name.decode(errors="replace")) if name else UTF8
    except FormatError:
        return UTF8


def _answer_of(comment: Comment, *, before: bool) -> bytes:
    """Return the only thing that is in a comment; several, or a problem, mean that the command was not understood."""
    from tabiya.game.annotations.comments import EDITED  # noqa: PLC0415 - takes time

    refusals = [sentence for sentence in comment.problems if sentence != EDITED]
    problem = (_NOT_UNDERSTOOD, refusals[0]) if refusals else (0, "")
    if comment.partly:
        problem = _PARTLY, comment.partly[0]
    found = [*comment.annotations, *comment.game]
    edited = EDITED in comment.problems
    if comment.nags is not None:
        return _pack(What.NAGS, problem, comment.nags)
    if comment.texts:
        (text,) = comment.texts
        title = Annotation(text.format, text.title.encode(), text.lang, text.formatting)
        return _pack(What.GUIDING, problem, title, body=text.body)
    if refusals or len(found) > 1:
        return _pack(What.REFUSED, problem)
    if not found:
        return _pack(What.NOTHING, problem, edited=edited)
    return _pack(What.GAME if comment.game else _what(found[0], before=before), problem, found[0], edited=edited)


def _what(annotation: Annotation, *, before: bool) -> What:
    """Return which command determines the place of an annotation."""
    if annotation.kind == UNREADABLE:
        return What.ERROR
    if annotation.kind not in (TEXT_AFTER, TEXT_BEFORE):
        return What.VALUE
    if annotation.side is Side.LATE:
        return What.LATE
    return What.PRE if annotation.side is Side.BEFORE and not before else What.POST


def _pack(
    what: What,
    problem: tuple[int, str],
    annotation: Annotation = _NO_ANNOTATION,
    *,
    edited: bool = False,
    body: bytes = b"",
) -> bytes:
    code, sentence = problem
    raw = annotation.raw
    strings = sentence.encode("utf-8", "replace"), annotation.data, raw or b"", body
    numbers = what, code, edited, annotation.kind, annotation.lang, raw is not None
    return _ANSWER.pack(*numbers, *map(len, strings)) + b"".join(strings)
