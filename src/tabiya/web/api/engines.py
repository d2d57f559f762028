"""Engines: their list, and live analysis as a stream of events."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Final

from starlette.responses import StreamingResponse

from tabiya.web.analyses import MOST_LINES
from tabiya.web.api.positions import position_of
from tabiya.web.request import ApiError, Call

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.types import Receive, Scope, Send

    from tabiya.web.analyses import LiveAnalysis
    from tabiya.web.answers import engines
    from tabiya.web.site import Site

_LONGEST_VIEWER: Final = 64
_SECONDS_BETWEEN_EVENTS: Final = 0.1
_SECONDS_OF_SILENCE: Final = 10.0
"""After them a comment is sent, which shows whether anybody still listens."""


def list_engines(site: Site, _call: Call) -> engines.Engines:
    """Return the engines that may run, and the limits."""
    analyses = site.analyses
    return {
        "engines": [{"id": str(place), "name": name} for place, name in enumerate(analyses.names(), 1)],
        "most_lines": MOST_LINES,
        "most_seconds": analyses.seconds,
        "most_processes": analyses.most,
    }


def analyse_position(site: Site, call: Call) -> EventStream:
    """Begin an analysis and return its events."""
    viewer = checked_viewer(call.text("viewer"))
    analyses = site.analyses
    position, _ = position_of(call)
    most = int(analyses.seconds)
    seconds = float(call.number("seconds", most, 1, most)) if most else analyses.seconds
    lines = call.number("lines", 1, 1, MOST_LINES)
    return EventStream(analyses.begin(call.place("engine") - 1, viewer, position, lines, seconds))


def checked_viewer(viewer: str | None) -> str:
    """Return the name of a viewer."""
    if viewer is not None and len(viewer) > _LONGEST_VIEWER:
        raise ApiError(422, f"“viewer” has at most {_LONGEST_VIEWER} characters.")
    return viewer or ""


class EventStream(StreamingResponse):
    """Server-sent events of an analysis, at most ten updates per second; the search ends with the connection."""

    def __init__(self, analysis: LiveAnalysis) -> None:
        super().__init__(_events(analysis), media_type="text/event-stream")
        self._analysis = analysis

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the events, and stop the search whatever ends the connection."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._analysis.stop()


async def _events(analysis: LiveAnalysis) -> AsyncIterator[str]:
    loop, changed = asyncio.get_running_loop(), asyncio.Event()

    def notify() -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(changed.set)

    analysis.when_changed(notify)
    while not analysis.is_over:
        try:
            async with asyncio.timeout(_SECONDS_OF_SILENCE):
                await changed.wait()
        except TimeoutError:
            yield ": no news\n\n"
            continue
        changed.clear()
        for event in analysis.take():
            yield f"event: {event['kind']}\ndata: {json.dumps(event, ensure_ascii=False)}\n\n"
        await asyncio.sleep(_SECONDS_BETWEEN_EVENTS)
