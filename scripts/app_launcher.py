"""The program that ``make app`` builds: the command line, and the page when it is started from a desktop.

A double click gives no arguments and no terminal; Windows gives a console window of its own, which ends the program
when it is closed.
"""

from __future__ import annotations

import os
import socket
import sys

from tabiya.cli import main

PORT = 8960


def from_desktop() -> bool:
    """Whether nobody typed the name of the program into a shell."""
    if sys.platform == "win32":
        import ctypes  # noqa: PLC0415 - only this system needs it

        processes = (ctypes.c_uint * 2)()
        return bool(ctypes.windll.kernel32.GetConsoleProcessList(processes, 2) <= 1)
    return not any(stream is not None and os.isatty(stream.fileno()) for stream in (sys.stdin, sys.stdout, sys.stderr))


def free_port() -> int:
    """The usual port, under which the browser remembers settings; any other if it is taken."""
    with socket.socket() as probe:
        if sys.platform != "win32":
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", PORT))
        except OSError:
            return 0
        return PORT


if __name__ == "__main__":
    if len(sys.argv) == 1 and from_desktop():
        sys.argv += ["serve", "--port", str(free_port())]
    main()
