"""The command line: parses arguments, calls the library, shows results. Knows neither formats nor rules.

Modules here import nothing heavy at the top: ``tabiya --help`` must answer at once.
"""

from __future__ import annotations

import sys

__all__ = ["main"]


def main() -> None:
    """Run the command line; Ctrl-C is no traceback, from the first moment on."""
    try:
        from tabiya.cli.app import run  # noqa: PLC0415 - it takes most of the time until a command begins

        run()
    except KeyboardInterrupt:
        sys.exit(130)
