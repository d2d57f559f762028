"""Standard output and standard error, set up for programs, whatever they are connected to."""

from __future__ import annotations

import io
import os
import sys
from typing import TYPE_CHECKING, Any, Final, TextIO

from tabiya.files.file_errors import errors_of

if TYPE_CHECKING:
    from typing_extensions import Buffer

STANDARD_OUTPUT: Final = "standard output"
_HOW: Final[dict[str, Any]] = {"encoding": "utf-8", "errors": "backslashreplace"}


def prepare_streams() -> None:
    """Set up the standard streams of this process for data and for any text."""
    if sys.stdout is None:  # closed by the parent process: discard the output, as other programs do
        sys.stdout = open(os.devnull, "w", **_HOW)  # noqa: SIM115, PTH123
    elif not sys.stdout.isatty():
        # Data is the same on any platform, UTF-8 with plain line ends, and buffered: under PYTHONUNBUFFERED a long
        # write may stay incomplete.
        sys.stdout = io.TextIOWrapper(io.BufferedWriter(_Output(1, "wb", closefd=False)), newline="\n", **_HOW)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", **_HOW)  # noqa: SIM115, PTH123
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # never stop over a letter


class _Output(io.FileIO):
    """Standard output, whose errors name it when the disk is full."""

    def write(self, data: Buffer, /) -> int:
        with errors_of(STANDARD_OUTPUT):
            return super().write(data)


def silence(stream: TextIO) -> None:
    """Discard what is still buffered: writing it at the end of the process would fail again."""
    with open(os.devnull, "wb") as nowhere:  # noqa: PTH123 - a device
        os.dup2(nowhere.fileno(), stream.fileno())
