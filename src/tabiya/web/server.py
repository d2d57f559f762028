"""Running the server: a socket, the address to open, and an orderly end."""

from __future__ import annotations

import socket
import threading
import webbrowser
from typing import TYPE_CHECKING, Any, Final

import uvicorn

from tabiya.errors import UsageError
from tabiya.files.file_errors import sentence_of
from tabiya.web.app import application

if TYPE_CHECKING:
    from collections.abc import Callable

    from tabiya.web.site import Site

__all__ = ["listening", "run"]

_CONNECTIONS: Final = 256
_KEEP_ALIVE: Final = 15
_LONGEST_HEAD: Final = 64 << 10
_LAST_SECONDS: Final = 5


def listening(host: str, port: int) -> socket.socket:
    """Return a socket that listens; port 0 is any that is free.

    Raises:
        UsageError: The port is taken, or there is no such host.
    """
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        # With the protocol, or asyncio leaves Nagle's algorithm on, and answers wait 40 ms for the client's word.
        listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        raise UsageError(f"cannot listen on {host} port {port}: {sentence_of(error)}; choose another --port") from error
    return listener


class _Server(uvicorn.Server):
    """Tells when it is ready."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._ready()


def run(
    site: Site, listener: socket.socket, *, browser: bool = False, ready: Callable[[Site], None] | None = None
) -> None:
    """Serve until the process is interrupted; everything temporary is removed then."""

    def begin() -> None:
        if ready is not None:
            ready(site)
        threading.Thread(target=site.sources.warm, name="tabiya-opening", daemon=True).start()
        if browser:  # which may take a while to come back
            threading.Thread(target=webbrowser.open, args=(site.address,), daemon=True).start()

    config: Any = uvicorn.Config(
        application(site),
        log_level="warning",
        access_log=False,
        server_header=False,
        limit_concurrency=_CONNECTIONS,
        timeout_keep_alive=_KEEP_ALIVE,
        timeout_graceful_shutdown=_LAST_SECONDS,
        h11_max_incomplete_event_size=_LONGEST_HEAD,
        proxy_headers=False,
        ws="none",
    )
    try:
        _Server(config, begin).run(sockets=[listener])
    finally:
        site.close()
        listener.close()
