"""Running the server: a socket, the address to open, and an orderly end."""

from __future__ import annotations

import ctypes
import socket
import sys
import threading
import webbrowser
from contextlib import suppress
from typing import TYPE_CHECKING, Final

import pyarrow as pa
import uvicorn
from starlette.concurrency import run_in_threadpool

from tabiya.errors import UsageError
from tabiya.files.file_errors import sentence_of
from tabiya.web.app import application
from tabiya.web.connections import MOST_CONNECTIONS, Connection

if TYPE_CHECKING:
    from collections.abc import Callable

    from tabiya.web.site import Site

_SPARE: Final = 56
"""Connections beyond ``MOST_CONNECTIONS``: this many more requests may be in progress before one is refused."""
_KEEP_ALIVE: Final = 15
_LONGEST_HEAD: Final = 64 << 10
_LAST_SECONDS: Final = 5
_M_ARENA_MAX: Final = -8
"""The number of the option in glibc's malloc.h."""
_ARENAS: Final = 2


def listening(host: str, port: int) -> socket.socket:
    """Return a socket that listens; port 0 is any that is free.

    Raises:
        UsageError: The port is taken, or there is no such host.
    """
    listener = None
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        # The protocol is required: otherwise asyncio leaves Nagle's algorithm on, and answers wait 40 ms for the
        # client.
        listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        # On Windows, SO_REUSEADDR would let two programs listen on the same port.
        option = getattr(socket, "SO_EXCLUSIVEADDRUSE", socket.SO_REUSEADDR)
        listener.setsockopt(socket.SOL_SOCKET, option, 1)
        if host == "::":  # all addresses, those of IPv4 too
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        listener.bind((host, port))
    except OSError as error:
        if listener is not None:
            listener.close()
        raise UsageError(f"cannot listen on {host} port {port}: {sentence_of(error)}; choose another --port") from error
    return listener


class _Server(uvicorn.Server):
    """Calls a function when it is ready, and another one before it waits for connections to end."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None], ending: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready
        self._ending = ending

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await run_in_threadpool(self._ending)
        await super().shutdown(sockets)


def run(
    site: Site, listener: socket.socket, *, browser: bool = False, ready: Callable[[Site], None] | None = None
) -> None:
    """Serve until the process is interrupted; everything temporary is removed then."""

    def begin() -> None:
        if ready is not None:
            ready(site)
        threading.Thread(target=site.sources.warm, name="tabiya-opening").start()
        if browser:  # which may take a while to return
            threading.Thread(target=webbrowser.open, args=(site.address,), daemon=True).start()

    _share_memory()
    try:
        _Server(server_config(site), begin, site.analyses.close).run(sockets=[listener])
    finally:
        site.close()
        listener.close()


def _share_memory() -> None:
    """Let threads share freed memory: glibc and Arrow keep it per thread, which doubles the memory of a server."""
    pa.set_memory_pool(pa.system_memory_pool())
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):  # another C library
            ctypes.CDLL(None).mallopt(_M_ARENA_MAX, _ARENAS)


def server_config(site: Site) -> uvicorn.Config:
    """Return the server configuration: its limits, and what it does not reveal."""
    return uvicorn.Config(
        application(site),
        http=Connection,
        log_level="warning",
        access_log=False,
        server_header=False,
        limit_concurrency=MOST_CONNECTIONS + _SPARE,
        timeout_keep_alive=_KEEP_ALIVE,
        timeout_graceful_shutdown=_LAST_SECONDS,
        h11_max_incomplete_event_size=_LONGEST_HEAD,
        proxy_headers=False,
        ws="none",
    )
