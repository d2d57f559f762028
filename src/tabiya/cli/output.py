"""Output of commands: exit codes, notes and errors on stderr, JSON and safe text on stdout."""

from __future__ import annotations

import json
import os
import sys
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tabiya.cli.exit_codes import ExitCode, code_of
from tabiya.cli.hints import with_options
from tabiya.cli.streams import STANDARD_OUTPUT, silence
from tabiya.errors import (
    CorruptError,
    FormatError,
    LossError,
    TabiyaError,
    UnsupportedError,
    UsageError,
)
from tabiya.formats.url import url_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_AS_JSON: Final[ContextVar[bool]] = ContextVar("_AS_JSON", default=False)
"""Whether the running command prints JSON, on stderr as well."""

_KINDS: Final[dict[type[TabiyaError], str]] = {
    UsageError: "usage",
    LossError: "loss",
    UnsupportedError: "unsupported",
    CorruptError: "corrupt",
    FormatError: "format",
}
"""The ``kind`` of an error in JSON, which scripts depend on; a missing file is ``missing``, any other error ``other``.
"""

_UNSAFE = {
    **dict.fromkeys([*range(0x20), *range(0x7F, 0xA0)], "�"),
    **dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A)], "�"),
    **dict.fromkeys(map(ord, "\t\r\n"), " "),
}
"""Characters that could control a terminal or reverse its text; contents of files must not do that."""
_UNSAFE_IN_LINES = {code: escaped for code, escaped in _UNSAFE.items() if chr(code) not in "\t\r\n"}
_JSON_ESCAPES = {code: f"\\u{code:04x}" for code in _UNSAFE if code >= 0x7F}


def plain(text: object) -> str:
    """Return a text from a file as one line that is safe to show on a terminal."""
    escaped = str(text)
    return escaped if escaped.isascii() and escaped.isprintable() else escaped.translate(_UNSAFE)


def name_of(location: str, standard: str = "standard input") -> str:
    """Return a location for display: ``-`` in words, and the URL of a server without its password."""
    return standard if location == "-" else str(url_of(location) or location)


@contextmanager
def stderr_for(arguments: Sequence[str]) -> Iterator[None]:
    """Print notes and errors as lines of JSON while a command runs whose arguments request JSON."""
    own = arguments[: arguments.index("--")] if "--" in arguments else arguments
    token = _AS_JSON.set("--json" in own or "--nl" in own)
    try:
        yield
    finally:
        _AS_JSON.reset(token)


def note(text: object) -> None:
    """Print a line about the work, never data, to stderr."""
    _print_to_stderr({"note": str(text)} if _AS_JSON.get() else plain(text))


def _print_to_stderr(line: object) -> None:
    try:
        print(line if isinstance(line, str) else json.dumps(line, ensure_ascii=False), file=sys.stderr, flush=True)
    except OSError:  # stderr is closed; the exit code still reports the error
        silence(sys.stderr)


def complain(error: TabiyaError | str, code: ExitCode | None = None, usage: str = "") -> ExitCode:
    """Print an error, in one sentence or as JSON, and return the exit code; ``usage`` is a line printed before it."""
    if not isinstance(error, TabiyaError):
        error = TabiyaError(error)
    if error.path is not None:
        error.path = _as_typed(error.path)
    code = code_of(error) if code is None else code
    if _AS_JSON.get():
        _print_to_stderr({"error": _as_dict(error, code)})
    else:
        _print_to_stderr("\n".join([*([usage] if usage else []), plain(f"tabiya: {with_options(error)}")]))
    return code


def _as_dict(error: TabiyaError, code: ExitCode) -> dict[str, Any]:
    """Return an error for JSON."""
    if code is ExitCode.INTERRUPTED:
        kind = "interrupted"
    elif isinstance(error, FileNotFoundError) or isinstance(error.__cause__, FileNotFoundError):
        kind = "missing"
    else:
        kind = next((word for each, word in _KINDS.items() if isinstance(error, each)), "other")
    return {
        "kind": kind,
        "message": with_options(error.message),
        "path": error.path,
        "game": error.game,
        "offset": error.offset,
        "exit_code": int(code),
    }


class Failures:
    """Continues with the next file after one that cannot be read; ``code`` is the worst so far."""

    def __init__(self) -> None:
        self.code = ExitCode.FINE

    @contextmanager
    def noted(self) -> Iterator[None]:
        """Report the error of one file. A broken standard output is not an error of the file, and ends the command."""
        try:
            yield
        except TabiyaError as error:
            if error.path == STANDARD_OUTPUT:
                raise
            self.add(complain(error))

    def add(self, code: ExitCode) -> None:
        """Record the result of one file."""
        self.code = max(self.code, code)


def _as_typed(path: str) -> str:
    """Return a path relative to the current folder unless typed in full: editors know files by absolute paths."""
    if any(path in argument for argument in sys.argv):
        return path
    try:
        return path.removeprefix(f"{Path.cwd()}{os.sep}")
    except OSError:  # the folder has been removed in the meantime
        return path


def count(number: int, noun: str) -> str:
    """Return a number with its noun: ``1 record``, ``2,000 records``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def json_text(value: object, *, indent: int | None = None) -> str:
    """Return a value as JSON with all control characters escaped, also those that JSON allows in texts."""
    return json.dumps(value, ensure_ascii=False, indent=indent).translate(_JSON_ESCAPES)


def terminal_safe(text: str) -> str:
    """Return text for standard output: on a terminal its control characters are replaced, elsewhere it is exact."""
    return text.translate(_UNSAFE_IN_LINES) if sys.stdout.isatty() else text


def print_json(value: object) -> None:
    """Print one value as JSON, indented for reading."""
    print(json_text(value, indent=2))


@contextmanager
def json_array() -> Iterator[Callable[[Any], None]]:
    """Print a JSON array of any length, member by member: call the function it yields for each."""
    opening = "["

    def put(value: Any) -> None:
        nonlocal opening
        print(opening, json_text(value), sep="", end="")
        opening = ",\n "

    yield put
    print("]" if opening != "[" else "[]")
