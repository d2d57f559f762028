"""Texts before and after a move."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabiya.errors import FormatError, UsageError
from tabiya.game.annotations.annotation import TEXT_AFTER, TEXT_BEFORE, Annotation, Side, replace

if TYPE_CHECKING:
    from collections.abc import Iterable


def encode_text(text: str, side: Side = Side.AFTER, lang: int = 0) -> Annotation:
    """Return a text as an annotation; ``lang`` is ChessBase's nation code, 0 for all languages."""
    if not isinstance(text, str):
        raise UsageError(f"a comment is a text, not {text!r}")
    try:
        data = text.encode()
    except UnicodeEncodeError as error:
        raise FormatError(f"a text that has no UTF-8 form: {text[error.start : error.end]!a}") from error
    return Annotation(TEXT_BEFORE if side is Side.BEFORE else TEXT_AFTER, data, lang, side=side)


def decode_text(annotation: Annotation) -> str:
    """Return the text of an annotation; invalid UTF-8 becomes replacement characters."""
    return annotation.data.decode(errors="replace")


def join_texts(annotations: Iterable[Annotation], kind: int) -> str:
    """Return all texts of one kind, in all languages, in their order, separated by blanks."""
    return " ".join(decode_text(annotation) for annotation in annotations if annotation.kind == kind)


def set_text(annotations: list[Annotation], text: str, side: Side) -> None:
    """Replace all texts of the kind for this side by one; an empty text removes them."""
    new = encode_text(text, side)
    replace(annotations, (new.kind,), [new] if text else [])
