"""How things are said: exit codes, errors on stderr, JSON and safe text on stdout."""

from __future__ import annotations

import json
import os
import re
import sys
from contextlib import contextmanager
from enum import IntEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tabiya.cli.streams import silence
from tabiya.errors import TabiyaError, UsageError
from tabiya.formats.url import url_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = [
    "Code",
    "code_of",
    "complain",
    "count",
    "json_array",
    "name_of",
    "note",
    "plain",
    "print_json",
    "with_options",
]

_UNSAFE = {
    **dict.fromkeys([*range(0x20), *range(0x7F, 0xA0)], "�"),
    **dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A)], "�"),
    **dict.fromkeys(map(ord, "\t\r\n"), " "),
}
"""Characters that could steer a terminal or turn its text around: what a file holds must not do that."""


class Code(IntEnum):
    """Exit codes."""

    FINE = 0
    PROBLEMS = 1
    """Finished, with losses or problems; or two databases differ."""
    USAGE = 2
    UNUSABLE = 3
    """The input cannot be used, or something would be lost under ``--strict``."""
    INTERRUPTED = 130
    BROKEN_PIPE = 141


def code_of(error: TabiyaError) -> Code:
    """Return the exit code for an error."""
    return Code.USAGE if isinstance(error, UsageError) else Code.UNUSABLE


def plain(text: object) -> str:
    """Return a text from a file as one line that is safe to show on a terminal."""
    shown = str(text)
    return shown if shown.isascii() and shown.isprintable() else shown.translate(_UNSAFE)


def name_of(location: str, standard: str = "standard input") -> str:
    """Return a database as it may be shown: ``-`` in words, and the URL of a server without its password."""
    return standard if location == "-" else str(url_of(location) or location)


def with_options(text: object) -> str:
    """Return a sentence of the library as the command line says it: ``shift_dates=True`` is ``--shift-dates`` here."""
    from tabiya.formats.known import options  # noqa: PLC0415 - when there is something to say

    switches = "|".join(option.name for option in (*options("reading"), *options("writing")) if option.type is bool)
    return re.sub(rf"\b({switches})=True\b", lambda found: f"tabiya convert --{found[1].replace('_', '-')}", str(text))


def note(text: object) -> None:
    """Say something about the work, in one line; never data."""
    try:
        print(plain(text), file=sys.stderr, flush=True)
    except OSError:  # there is nobody to tell; the exit code still says it
        silence(sys.stderr)


def complain(error: object) -> None:
    """Say what went wrong, in one sentence."""
    if isinstance(error, TabiyaError) and error.path is not None:
        error.path = _as_typed(error.path)
    note(f"tabiya: {with_options(error)}")


def _as_typed(path: str) -> str:
    """Return a path from here on, if it was not typed in full: what changes files knows them by their full names."""
    if any(path in argument for argument in sys.argv):
        return path
    try:
        return path.removeprefix(f"{Path.cwd()}{os.sep}")
    except OSError:  # the folder has been removed meanwhile
        return path


def count(number: int, noun: str) -> str:
    """``1 record``, ``2,000 records``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def print_json(value: object) -> None:
    """Print one value as JSON, indented for reading."""
    print(json.dumps(value, ensure_ascii=False, indent=2))


@contextmanager
def json_array() -> Iterator[Callable[[Any], None]]:
    """Print a JSON array member by member, however many there are: call what it gives for each."""
    opening = "["

    def put(value: Any) -> None:
        nonlocal opening
        print(opening, json.dumps(value, ensure_ascii=False), sep="", end="")
        opening = ",\n "

    yield put
    print("]" if opening != "[" else "[]")
