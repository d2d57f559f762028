"""A comment as a row of texts and commands: the one place that knows how ``[%name:LANG arguments]`` is written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tabiya.files.parallel import end_if_unwanted

__all__ = ["BLANKS", "Token", "is_exact", "settle", "split"]

BLANKS: Final = " \t\v\f\r\n"
"""What PGN takes for blanks; other blanks of Unicode are letters to it."""

_RUN: Final = re.compile(r"(?<![ \t\v\f])[ \t\v\f]*(?:\r\n|\r|\n)[ \t\v\f\r\n]*")
_BREAK: Final = re.compile(r"\r\n|\r|\n")
_HEAD: Final = re.compile(r"\[%([A-Za-z0-9_]+)(?::([A-Za-z0-9_]+))?(?:[ \t\v\f\n]|(?=\]))", re.ASCII)
_BODY: Final = re.compile(r"[^\]\\]*(?:\\.[^\]\\]*)*", re.DOTALL)
_CHANGES: Final = re.compile(r"[\x00-\x1f\x7f}\ud800-\udfff]|^ | $|  ")


@dataclass(frozen=True, slots=True)
class Token:
    """A stretch of a comment: a text, or a command if it has a name."""

    source: str
    """Exactly as it stands."""
    name: str = ""
    language: str = ""
    arguments: str = ""
    """With escapes."""


def settle(comment: str) -> str:
    """Return a comment without the blanks around it; a line break in it is one blank, an empty line a paragraph."""
    text = comment.strip(BLANKS)
    if "\n" not in text and "\r" not in text:
        return text
    return _RUN.sub(lambda run: " " if len(_BREAK.findall(run.group())) == 1 else "\n\n", text)


def is_exact(arguments: str) -> bool:
    """Return whether arguments, written into a comment of PGN as they are, are read back just so."""
    return _BODY.fullmatch(arguments) is not None and _CHANGES.search(arguments) is None


def split(text: str) -> Iterator[Token]:
    """Yield the texts and commands of a settled comment; their sources joined are the comment. Linear.

    A command ends at the first ``]`` without a backslash before it; what is not closed is a text.
    """
    begin = place = 0
    while (start := text.find("[%", place)) >= 0:
        head = _HEAD.match(text, start)
        if head is None:
            place = start + 2
            continue
        body = _BODY.match(text, head.end())
        end = body.end() if body else len(text)
        if end >= len(text) or text[end] != "]":
            break  # nothing closes it, and so nothing closes any command behind it
        end_if_unwanted()
        if start > begin:
            yield Token(text[begin:start])
        yield Token(text[start : end + 1], head[1], head[2] or "", text[head.end() : end])
        begin = place = end + 1
    if begin < len(text):
        yield Token(text[begin:])
