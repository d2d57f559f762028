"""Connections that cannot block others: a request must arrive in time, an answer must be read, idle ones are closed.

uvicorn limits the number of connections and the time between an answer and the next request, but not the time for the
head of a request; so a few hundred requests that never end would use up the limit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

if TYPE_CHECKING:
    import asyncio

MOST_CONNECTIONS: Final = 200
"""Above this number, the connection that has waited longest for its client is closed for every new one."""
_HEAD_SECONDS: Final = 10.0
"""Seconds for a request to arrive: its head, or the rest of one that was already answered."""
_STALLED_SECONDS: Final = 60.0
"""Seconds for a client to read part of an answer."""


class Connection(H11Protocol):
    """One connection of the server."""

    _deadline: asyncio.TimerHandle | None = None
    """Runs from the first moment without a request in progress; data that arrives does not extend it."""
    _stalled: asyncio.TimerHandle | None = None
    _since = 0.0
    """When it began to wait for a request, or last received some of a body."""
    _given_up = False
    """Whether this side closed it; uvicorn is notified a moment later."""

    @property
    def waits_for_request(self) -> bool:
        """Whether no request is in progress."""
        cycle: Any = self.cycle  # None before the first request
        return cycle is None or bool(cycle.response_complete)

    @property
    def waits_for_client(self) -> bool:
        """Whether the client has to send something before there is an answer: a request, or the rest of its body."""
        return self.waits_for_request or self.conn.their_state is h11.SEND_BODY

    def connection_made(self, transport: Any) -> None:
        """Begin to wait for a request; if there are too many connections, close the one that waits longest."""
        super().connection_made(transport)
        self._begin_waiting()
        connections = [each for each in self.connections if isinstance(each, Connection) and not each._given_up]
        waiting = [each for each in connections if each is not self and each.waits_for_client]
        if len(connections) > MOST_CONNECTIONS and waiting:
            min(waiting, key=lambda each: each._since)._give_up()

    def data_received(self, data: bytes) -> None:
        """Read what has arrived; a request that is complete ends the waiting."""
        super().data_received(data)
        if not self.waits_for_request:
            self._since = self.loop.time()
            self._stop_waiting()
        elif self._deadline is None:
            self._begin_waiting()

    def on_response_complete(self) -> None:
        """Wait for the next request, which may be there already."""
        self._since = self.loop.time()
        super().on_response_complete()

    def pause_writing(self) -> None:
        """Start the timeout for a client that does not read its answer."""
        super().pause_writing()
        if self._stalled is None:
            self._stalled = self.loop.call_later(_STALLED_SECONDS, self._give_up)

    def resume_writing(self) -> None:
        """Go on with the answer."""
        self._stop_stalling()
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._stop_waiting()
        self._stop_stalling()
        super().connection_lost(exc)

    def _begin_waiting(self) -> None:
        self._since = self.loop.time()
        self._deadline = self.loop.call_later(_HEAD_SECONDS, self._give_up)

    def _give_up(self) -> None:
        self._given_up = True
        self.transport.abort()

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _stop_stalling(self) -> None:
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None
