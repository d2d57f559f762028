"""All kinds of annotation, by number and by command."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from tabiya.errors import FormatError
from tabiya.files.parallel import stop_if_cancelled
from tabiya.game.annotations.annotation import Annotation
from tabiya.game.annotations.encoding import UTF8, TextEncoding
from tabiya.game.annotations.evaluations import Evaluation, EvaluationProfile
from tabiya.game.annotations.graphics import Arrows, Squares
from tabiya.game.annotations.marks import (
    CriticalPosition,
    Medals,
    NagSequence,
    PawnStructure,
    PiecePath,
    Symbols,
    VariationColor,
)
from tabiya.game.annotations.media import CorrespondenceHeader, CorrespondenceMove, Picture, Sound, Video, WebLink
from tabiya.game.annotations.prose import TextAfter, TextBefore, Unreadable
from tabiya.game.annotations.quotation import Quotation
from tabiya.game.annotations.times import BlackClock, TimeControl, TimeSpent, VideoStreamTime, WhiteClock
from tabiya.game.annotations.training import Training
from tabiya.game.annotations.value import Raw, Value

VALUES: Final[tuple[type[Value], ...]] = (
    TextAfter,
    Symbols,
    Squares,
    Arrows,
    TimeSpent,
    Training,
    Sound,
    Picture,
    Quotation,
    PawnStructure,
    PiecePath,
    WhiteClock,
    BlackClock,
    CriticalPosition,
    CorrespondenceMove,
    WebLink,
    Video,
    Evaluation,
    Medals,
    VariationColor,
    TimeControl,
    VideoStreamTime,
    EvaluationProfile,
    CorrespondenceHeader,
    TextBefore,
    NagSequence,
    Unreadable,
)
"""Every class, in the order of the kinds."""

KINDS: Final[dict[int, type[Value]]] = {cls.kind: cls for cls in VALUES}

Parser = Callable[[str], Value]


def name_of_kind(kind: int) -> str | None:
    """Return the name of a kind for display; None if tabiya does not know it."""
    cls = KINDS.get(kind)
    return None if cls is None else cls.plural


def _commands() -> dict[str, list[tuple[type[Value], Parser]]]:
    commands: dict[str, list[tuple[type[Value], Parser]]] = {}
    for cls in VALUES:
        if cls.command:
            commands.setdefault(cls.command, []).append((cls, cls.parse))
        for command, method in cls.other_commands.items():
            commands.setdefault(command, []).append((cls, getattr(cls, method)))
    return commands


COMMANDS: Final = _commands()
"""The classes for each command, each with the function that parses its arguments."""


def typed(annotation: Annotation, encoding: TextEncoding = UTF8) -> Value | Raw:
    """Return the value of an annotation; ``Raw`` if its kind is unknown or its payload is invalid."""
    stop_if_cancelled()
    cls = KINDS.get(annotation.kind)
    if cls is None:
        return Raw(annotation.kind, annotation.data)
    try:
        return cls.of(annotation, encoding)
    except FormatError as error:
        return Raw(annotation.kind, annotation.data, str(error))


def decode_payload(kind: int, payload: bytes, encoding: TextEncoding = UTF8) -> Annotation:
    """Return the annotation of a payload of ChessBase. Never fails.

    A payload that encoding its value would not return is kept in ``raw``; one without a value is the data itself.
    """
    cls = KINDS.get(kind)
    if cls is None or cls.in_base64():
        return Annotation(kind, payload)  # it is not edited as text, so it is its own canonical form
    try:
        value = cls.decode(payload, encoding)
        annotation = value.annotation(encoding=encoding)
        exact = value.encode(encoding) == payload
    except FormatError:
        return Annotation(kind, payload)
    return annotation if exact else replace(annotation, raw=payload)


def encode_payload(annotation: Annotation, encoding: TextEncoding = UTF8) -> bytes:
    """Return the payload of an annotation for ChessBase; if it came from a payload, the same bytes."""
    cls = KINDS.get(annotation.kind)
    if annotation.raw is not None and (cls is None or not cls.is_spelling(annotation.raw)):
        return annotation.raw
    return annotation.data if cls is None else cls.payload(annotation, encoding)
