"""The command line: parses arguments, calls the library, shows results. Knows neither formats nor rules.

Modules here import nothing heavy at the top: ``tabiya --help`` must answer at once.
"""

from __future__ import annotations

import signal
import sys
from typing import NoReturn

__all__ = ["main"]


def main() -> None:
    """Run the command line; Ctrl-C is no traceback, from the first moment on, and to be ended leaves no files."""
    signal.signal(signal.SIGTERM, _ended)
    try:
        from tabiya.cli.app import run  # noqa: PLC0415 - it takes most of the time until a command begins

        run()
    except KeyboardInterrupt:
        sys.exit(130)


def _ended(number: int, _: object) -> NoReturn:
    sys.exit(128 + number)
