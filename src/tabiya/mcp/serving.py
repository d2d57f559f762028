"""Serve databases and books to a language model: ``tabiya mcp`` as one call."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from os import PathLike
from typing import TYPE_CHECKING

from tabiya.errors import UsageError
from tabiya.web.serving import sources_of

if TYPE_CHECKING:
    from tabiya.analysis.options import OptionValue


def serve_mcp(
    sources: str | PathLike[str] | Iterable[str | PathLike[str]] = (),
    *,
    root: str | PathLike[str] | None = None,
    engines: Iterable[str] = (),
    engine_options: Mapping[str, OptionValue] | None = None,
    engine_processes: int = 2,
    engine_seconds: float = 120.0,
    threads: int = 1,
) -> None:
    """Answer the questions of a language model over standard input and output, until the input ends.

    Nothing but the Model Context Protocol is written to standard output, and no file is changed.

    Args:
        sources: databases and books of any format, or folders with such files.
        root: a folder; all files below it can be read, too.
        engines: UCI engines that may analyse positions, as for ``tabiya.Engine``; without any there is no analysis.
        engine_options: options of these engines, by name.
        engine_processes: maximum number of engine processes.
        engine_seconds: maximum duration of an analysis of one position.
        threads: number of threads that read and search.

    Raises:
        UsageError: A source or an engine does not exist, or the SDK of the protocol is not installed.
    """
    try:
        from tabiya.mcp.server import run  # noqa: PLC0415 - needs the SDK
        from tabiya.web.safety import Rules  # noqa: PLC0415 - needs Starlette
        from tabiya.web.serving import analyses_of  # noqa: PLC0415
        from tabiya.web.site import Site  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise UsageError(f"the server needs more packages ({error.name}): pip install tabiya[mcp]") from error
    analyses = analyses_of(engines, engine_options, engine_processes, engine_seconds)
    site = Site(sources_of(sources, root=root, threads=threads), Rules(), analyses=analyses)
    try:
        run(site)
    finally:
        site.close()
