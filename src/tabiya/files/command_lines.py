"""Commands of other programs as texts that users write, in settings and options."""

from __future__ import annotations

import os
import shlex
import shutil
from typing import Final

_QUOTES: Final = "\"'"


def split_command(command: str, *, windows: bool = os.name == "nt") -> list[str]:
    r"""Return a program and its arguments.

    A text with blanks that is the name of a program is one word: people do not quote ``C:\Program Files\…``.

    Raises:
        ValueError: A quotation has no end.
    """
    if "\0" not in command and shutil.which(command):
        return [command]
    if not windows:
        return shlex.split(command)
    words = shlex.shlex(command, posix=False, punctuation_chars=False)
    words.whitespace_split = True
    words.commenters = words.escape = ""  # backslashes are parts of paths
    return [_unquoted(word) for word in words]


def _unquoted(word: str) -> str:
    """Remove the quotes around a word, which ``shlex`` leaves there outside of POSIX."""
    return word[1:-1] if len(word) > 1 and word[0] == word[-1] and word[0] in _QUOTES else word
