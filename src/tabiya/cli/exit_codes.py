"""Exit codes of the command line."""

from __future__ import annotations

from enum import IntEnum

from tabiya.errors import TabiyaError, UsageError


class ExitCode(IntEnum):
    """Exit codes."""

    FINE = 0
    PROBLEMS = 1
    """Finished, with losses or problems; or two databases differ."""
    USAGE = 2
    UNUSABLE = 3
    """The input is unusable, or something would be lost under ``--strict``."""
    INTERRUPTED = 130
    BROKEN_PIPE = 141


def code_of(error: TabiyaError) -> ExitCode:
    """Return the exit code for an error."""
    return ExitCode.USAGE if isinstance(error, UsageError) else ExitCode.UNUSABLE
