"""Serve databases and books: ``tabiya serve`` as one call."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tabiya.errors import UsageError

if TYPE_CHECKING:
    from tabiya.analysis.options import OptionValue
    from tabiya.web.site import Site

PORT: Final = 8960
UPLOAD: Final = 1 << 30
_MOST_PROCESSES: Final = 64
_MOST_SECONDS: Final = 86_400


def serve(
    sources: str | PathLike[str] | Iterable[str | PathLike[str]] = (),
    *,
    root: str | PathLike[str] | None = None,
    write: bool = False,
    host: str = "127.0.0.1",
    port: int = PORT,
    allow_origins: Iterable[str] = (),
    max_upload: int = UPLOAD,
    engines: Iterable[str] = (),
    engine_options: Mapping[str, OptionValue] | None = None,
    engine_processes: int = 2,
    engine_seconds: float = 120.0,
    recent: bool = False,
    threads: int = 1,
    browser: bool = True,
    ready: Callable[[Site], None] | None = None,
) -> None:
    """Show databases and books on a web page of this machine, until the process is interrupted.

    Args:
        sources: databases and books of any format, or folders with such files; without any, the page is empty at first
            and opens files that are dropped onto it or games that are pasted.
        root: a folder; all files below it are served, too.
        write: allow the page to save games into databases that can be changed.
        host: the address to listen on; any but a local one allows other machines to connect.
        port: the port to listen on; 0 picks a free one.
        allow_origins: other sites that may query the explorer, ``https://example.org``.
        max_upload: maximum size in bytes of files dropped onto the page.
        engines: UCI engines that the page may run, as for ``tabiya.Engine``; without any it cannot run a program.
        engine_options: options of these engines, by name.
        engine_processes: maximum number of engine processes; each viewer has at most one.
        engine_seconds: maximum duration of an analysis of one position.
        recent: remember the named files in the user's state folder, and let the page open those named before. Only
            if ``host`` is a local address, since the page shows their paths.
        threads: number of threads that read and search.
        browser: open the page in the browser.
        ready: called with the site when the server is ready; ``site.addresses`` are its addresses.

    Raises:
        UsageError: A source or an engine does not exist, the port is taken, or Starlette and uvicorn are not installed.
    """
    try:
        from tabiya.web.analyses import Analyses  # noqa: PLC0415 - needs Starlette
        from tabiya.web.recent import Recent  # noqa: PLC0415
        from tabiya.web.safety import Rules, checked_origins  # noqa: PLC0415 - needs Starlette
        from tabiya.web.server import listening, run  # noqa: PLC0415
        from tabiya.web.site import Site  # noqa: PLC0415
        from tabiya.web.sources import Sources  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise UsageError(f"the page needs more packages ({error.name}): pip install tabiya[web]") from error
    named = [fspath(sources)] if isinstance(sources, (str, PathLike)) else [fspath(each) for each in sources]
    folder = None if root is None else Path(root)
    if folder is not None and not folder.is_dir():
        raise UsageError("is not a folder", path=folder)
    found = Sources(root=folder, threads=threads, most_bytes=max_upload)
    for location in named:
        found.add(location)
    if not (1 <= engine_processes <= _MOST_PROCESSES and 1 <= engine_seconds <= _MOST_SECONDS):
        raise UsageError(
            f"engines have 1 to {_MOST_PROCESSES} processes and 1 to {_MOST_SECONDS} seconds, "
            f"not {engine_processes} and {engine_seconds:g}"
        )
    analyses = Analyses(tuple(engines), dict(engine_options or {}), engine_processes, float(engine_seconds))
    analyses.commands()
    origins = checked_origins(allow_origins)
    listener = listening(host, port)
    rules = Rules(host, listener.getsockname()[1], allowed_origins=origins)
    site = Site(found, rules, write=write, analyses=analyses, recent=Recent() if recent and rules.is_loopback else None)
    site.remember(named)
    run(site, listener, browser=browser, ready=ready)
