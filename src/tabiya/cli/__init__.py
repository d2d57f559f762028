"""The command line: parses arguments, calls the library, shows results. Knows neither formats nor rules.

Modules here import nothing heavy at the top: ``tabiya --help`` must answer at once.
"""

from __future__ import annotations

import signal
import sys
from importlib.abc import MetaPathFinder
from typing import NoReturn

__all__ = ["main"]


def main() -> None:
    """Run the command line; Ctrl-C is no traceback, from the first moment on, and to be ended leaves no files."""
    signal.signal(signal.SIGTERM, _ended)
    sys.meta_path.insert(0, _WithoutPandas())
    try:
        from tabiya.cli.app import run  # noqa: PLC0415 - it takes most of the time until a command begins

        run()
    except KeyboardInterrupt:
        sys.exit(130)


class _WithoutPandas(MetaPathFinder):
    """Hides pandas: pyarrow would import it for its first array, which takes longer than most commands do."""

    def find_spec(self, fullname: str, path: object, target: object = None) -> None:  # noqa: ARG002 - as all finders
        if fullname == "pandas":
            raise ModuleNotFoundError("no command needs pandas")


def _ended(number: int, _: object) -> NoReturn:
    sys.exit(128 + number)
