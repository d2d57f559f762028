"""Serve databases and books: ``tabiya serve`` as one call."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tabiya.errors import UsageError

if TYPE_CHECKING:
    from tabiya.analysis.options import OptionValue
    from tabiya.web.analyses import Analyses
    from tabiya.web.site import Site
    from tabiya.web.sources import Sources

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
    explorer_token: str | None = None,
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
        explorer_token: a token of 12 letters or more that other programs send for the explorer, and nothing else.
        max_upload: maximum size in bytes of files dropped onto the page.
        engines: UCI engines that the page may run, as for ``tabiya.Engine``; without any it cannot run a program.
        engine_options: options of these engines, by name.
        engine_processes: maximum number of engine processes; a viewer has one for a position and one for a whole game.
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
        from tabiya.web.recent import Recent  # noqa: PLC0415 - needs Starlette
        from tabiya.web.safety import Rules, checked_origins, checked_token  # noqa: PLC0415
        from tabiya.web.server import listening, run  # noqa: PLC0415
        from tabiya.web.site import Site  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise UsageError(f"the page needs more packages ({error.name}): pip install tabiya[web]") from error
    sources = names_of(sources)  # an iterable can be read once
    found = sources_of(sources, root=root, threads=threads, max_upload=max_upload)
    analyses = analyses_of(engines, engine_options, engine_processes, engine_seconds)
    origins, token = checked_origins(allow_origins), checked_token(explorer_token)
    listener = listening(host, port)
    rules = Rules(host, listener.getsockname()[1], allowed_origins=origins, explorer_token=token)
    site = Site(found, rules, write=write, analyses=analyses, recent=Recent() if recent and rules.is_loopback else None)
    site.remember(sources)
    run(site, listener, browser=browser, ready=ready)


def names_of(sources: str | PathLike[str] | Iterable[str | PathLike[str]]) -> list[str]:
    """Return the names that a user gave: one, or several."""
    return [fspath(sources)] if isinstance(sources, (str, PathLike)) else [fspath(each) for each in sources]


def sources_of(
    sources: str | PathLike[str] | Iterable[str | PathLike[str]],
    *,
    root: str | PathLike[str] | None = None,
    threads: int = 1,
    max_upload: int = UPLOAD,
) -> Sources:
    """Return the databases and books that a user names, and those below a folder."""
    from tabiya.web.sources import Sources  # noqa: PLC0415 - takes a while

    folder = None if root is None else Path(root)
    if folder is not None and not folder.is_dir():
        raise UsageError("is not a folder", path=folder)
    found = Sources(root=folder, threads=threads, most_bytes=max_upload)
    for location in names_of(sources):
        found.add(location)
    return found


def analyses_of(
    engines: Iterable[str], options: Mapping[str, OptionValue] | None, processes: int, seconds: float
) -> Analyses:
    """Return the engines that may run, within limits."""
    from tabiya.web.analyses import Analyses  # noqa: PLC0415 - takes a while

    if not (1 <= processes <= _MOST_PROCESSES and 1 <= seconds <= _MOST_SECONDS):
        raise UsageError(
            f"engines have 1 to {_MOST_PROCESSES} processes and 1 to {_MOST_SECONDS} seconds, "
            f"not {processes} and {seconds:g}"
        )
    analyses = Analyses(tuple(engines), dict(options or {}), processes, float(seconds))
    analyses.commands()
    return analyses
