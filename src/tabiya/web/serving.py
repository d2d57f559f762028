"""Serve databases and books: ``tabiya serve`` as one call."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tabiya.errors import UsageError

if TYPE_CHECKING:
    from tabiya.web.site import Site

PORT: Final = 8960
UPLOAD: Final = 1 << 30


def serve(
    sources: str | PathLike[str] | Iterable[str | PathLike[str]] = (),
    *,
    root: str | PathLike[str] | None = None,
    write: bool = False,
    host: str = "127.0.0.1",
    port: int = PORT,
    allow_origins: Iterable[str] = (),
    max_upload: int = UPLOAD,
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
        threads: number of threads that read and search.
        browser: open the page in the browser.
        ready: called with the site when the server is ready; ``site.addresses`` are its addresses.

    Raises:
        UsageError: A source does not exist, the port is taken, or Starlette and uvicorn are not installed.
    """
    try:
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
    origins = checked_origins(allow_origins)
    listener = listening(host, port)
    site = Site(found, Rules(host, listener.getsockname()[1], allowed_origins=origins), write=write)
    run(site, listener, browser=browser, ready=ready)
