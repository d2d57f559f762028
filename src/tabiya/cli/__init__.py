"""The command line: parses arguments, calls the library, prints results. It contains no formats and no chess rules.

Modules here import nothing heavy at the top: ``tabiya --help`` must respond at once.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from typing import Final

__all__ = ["main"]


_ENDING: Final = [
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK") if hasattr(signal, name)
]
_SECONDS_OF_GRACE: Final = 3


def main() -> None:
    """Run the command line; from the start, a signal that ends it leaves no traceback and no files."""
    handler = _Ending()
    for number in _ENDING:
        if signal.getsignal(number) is not signal.SIG_IGN:  # under nohup, for example
            signal.signal(number, handler)
    sys.meta_path.insert(0, _WithoutPandas())
    try:
        from tabiya.cli.app import run  # noqa: PLC0415 - it takes most of the time until a command begins

        run()
    except KeyboardInterrupt:
        sys.exit(130)


class _WithoutPandas:
    """Hides pandas: pyarrow would import it for its first array, which takes longer than most commands."""

    def find_spec(self, fullname: str, path: object, target: object = None) -> None:  # noqa: ARG002 - as all finders
        if fullname == "pandas":
            raise ModuleNotFoundError("no command needs pandas")


class _Ending:
    """Ends the command at the first signal. A second one must not disturb the cleanup: ``timeout`` always sends two."""

    def __init__(self) -> None:
        self._first: float | None = None

    def __call__(self, number: int, _: object) -> None:
        now = time.monotonic()
        if self._first is None:
            self._first = now
            if number == signal.SIGINT:
                raise KeyboardInterrupt
            sys.exit(128 + number)
        if now - self._first > _SECONDS_OF_GRACE:
            os._exit(128 + number)
