"""Standard output and standard error as programs should have them, whatever they are connected to."""

from __future__ import annotations

import io
import os
import sys
from typing import TYPE_CHECKING, Any, Final, TextIO

from tabiya.files.file_errors import errors_of

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = ["STANDARD_OUTPUT", "prepare_streams", "silence"]

STANDARD_OUTPUT: Final = "standard output"
_HOW: Final[dict[str, Any]] = {"encoding": "utf-8", "errors": "backslashreplace"}


def prepare_streams() -> None:
    """Make the standard streams of this process fit for data and for any text."""
    if sys.stdout is None:  # closed by who started us: like any program, we write to nobody
        sys.stdout = open(os.devnull, "w", **_HOW)  # noqa: SIM115, PTH123
    elif not sys.stdout.isatty():
        # Data is UTF-8 on any platform, and buffered: under PYTHONUNBUFFERED a long write may stay incomplete.
        sys.stdout = io.TextIOWrapper(io.BufferedWriter(_Output(1, "wb", closefd=False)), **_HOW)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", **_HOW)  # noqa: SIM115, PTH123
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # never stop over a letter


class _Output(io.FileIO):
    """Standard output, which names itself when it is full."""

    def write(self, data: Buffer, /) -> int:
        with errors_of(STANDARD_OUTPUT):
            return super().write(data)


def silence(stream: TextIO) -> None:
    """Let what is still buffered go nowhere: at the end of the process it would fail once more."""
    with open(os.devnull, "wb") as nowhere:  # noqa: PTH123 - a device
        os.dup2(nowhere.fileno(), stream.fileno())
