"""A comment as a sequence of texts and commands. Only this module knows the syntax of ``[%name:LANG arguments]``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tabiya.files.parallel import stop_if_cancelled

BLANKS: Final = " \t\v\f\r\n"
"""Blanks according to PGN; other blanks of Unicode are letters."""

_RUN: Final = re.compile(r"(?<![ \t\v\f])[ \t\v\f]*(?:\r\n|\r|\n)[ \t\v\f\r\n]*")
_BREAK: Final = re.compile(r"\r\n|\r|\n")
_HEAD: Final = re.compile(r"\[%([A-Za-z0-9_]+)(?::([A-Za-z0-9_]+))?(?:[ \t\v\f\n]|(?=\]))", re.ASCII)
_BODY: Final = re.compile(r"[^\]\\]*(?:\\.[^\]\\]*)*", re.DOTALL)
_CHANGES: Final = re.compile(r"[\x00-\x1f\x7f}\ud800-\udfff]|^ | $|  ")


@dataclass(frozen=True, slots=True)
class Token:
    """A part of a comment: a text, or a command if it has a name."""

    source: str
    """The original text."""
    name: str = ""
    language: str = ""
    arguments: str = ""
    """With escapes."""


def settle(comment: str) -> str:
    """Return a comment without surrounding blanks; a line break in it is one blank, an empty line a paragraph."""
    text = comment.strip(BLANKS)
    if "\n" not in text and "\r" not in text:
        return text
    return _RUN.sub(lambda run: " " if len(_BREAK.findall(run.group())) == 1 else "\n\n", text)


def is_exact(arguments: str) -> bool:
    """Return whether arguments are read back unchanged from a comment of PGN."""
    return _BODY.fullmatch(arguments) is not None and _CHANGES.search(arguments) is None


def split(text: str) -> Iterator[Token]:
    """Yield the texts and commands of a settled comment; their joined sources are the comment. Linear.

    A command ends at the first ``]`` without a backslash before it; an unclosed command is a text.
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
            break  # not closed, so no command after it is closed either
        stop_if_cancelled()
        if start > begin:
            yield Token(text[begin:start])
        yield Token(text[start : end + 1], head[1], head[2] or "", text[head.end() : end])
        begin = place = end + 1
    if begin < len(text):
        yield Token(text[begin:])
