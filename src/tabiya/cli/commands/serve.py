"""``tabiya serve``: a page in the browser for the user's own files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

import tabiya
from tabiya.cli import options
from tabiya.cli.options import all_cores, engine_options_of
from tabiya.cli.output import note

if TYPE_CHECKING:
    from tabiya.web.site import Site

_MEGABYTE = 1 << 20


def serve(
    sources: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FILE...",
            help="Databases and books of any format, or folders with such files.",
        ),
    ] = None,
    *,
    root: Annotated[
        str | None,
        typer.Option(metavar="FOLDER", help="Also serve all files below this folder, as they are at the time."),
    ] = None,
    write: Annotated[
        bool, typer.Option("--write", help="Allow the page to save games into databases that can be changed.")
    ] = False,
    host: Annotated[
        str,
        typer.Option(
            metavar="NAME", help="Address to listen on; any but a local one allows other machines to connect."
        ),
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, metavar="N", help="Port to listen on; 0 picks a free one.")
    ] = 8960,
    allow_origin: Annotated[
        list[str] | None,
        typer.Option(metavar="SITE", help="Allow this site to query the explorer: https://example.org. Repeatable."),
    ] = None,
    explorer_token: Annotated[
        str | None,
        typer.Option(
            metavar="WORD",
            envvar="TABIYA_EXPLORER_TOKEN",
            help="Let programs that send this token query the explorer, and nothing else.",
        ),
    ] = None,
    max_upload: Annotated[
        int, typer.Option(min=1, metavar="MB", help="Maximum size of files dropped onto the page.")
    ] = 1024,
    engine: Annotated[
        list[str] | None,
        typer.Option(metavar="PROGRAM", help="Let the page analyse with this UCI engine. Repeatable."),
    ] = None,
    engine_option: options.EngineOptions = None,
    engine_processes: Annotated[
        int, typer.Option(min=1, max=64, metavar="N", help="Maximum number of engine processes.")
    ] = 2,
    engine_seconds: Annotated[
        int, typer.Option(min=1, max=86400, metavar="SECONDS", help="Maximum duration of an analysis of one position.")
    ] = 120,
    no_recent: Annotated[
        bool, typer.Option("--no-recent", help="Neither remember these files nor offer those opened before.")
    ] = False,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Only print the address of the page.")] = False,
) -> None:
    """Open a page in the browser for databases and books: view, explore, search, annotate and convert games.

    The start page lists the files named here and those named in earlier runs; drop files onto it, or paste games. The
    list of earlier files is in the user's state folder; a page that other machines can open does not have it.

    All data remains on this machine: the server accepts connections from this machine only, requires the token in the
    address, reads only the files named here, those named before if you open them from the list, and those below --root,
    and changes nothing without --write. The page loads nothing from other servers; it can run no program but the
    engines named with --engine. Ctrl-C ends it.

    Example:
        tabiya serve
        tabiya serve games.pgn Mega.cbh book.ctg
        tabiya serve --root ~/chess --write
        tabiya serve games.pgn --engine stockfish
        tabiya serve corpus.tabiya --no-browser --allow-origin https://lichess.org
    """

    def ready(site: Site) -> None:
        if not site.has_page:
            note("the page itself was not built (make web), so only the API answers; see /api/docs there")
        if not site.rules.is_loopback:
            note(f"{host} gives other machines access: anyone with an address and its token can read everything shown")
        print(*site.addresses, sep="\n", flush=True)
        if site.rules.explorer_token is not None:
            note(f"other programs find the explorer at {site.explorer_address}")

    tabiya.serve(
        sources or (),
        root=root,
        write=write,
        host=host,
        port=port,
        allow_origins=allow_origin or (),
        explorer_token=explorer_token,
        max_upload=max_upload * _MEGABYTE,
        engines=engine or (),
        engine_options=engine_options_of(engine_option or []),
        engine_processes=engine_processes,
        engine_seconds=engine_seconds,
        recent=not no_recent,
        threads=all_cores(),
        browser=not no_browser,
        ready=ready,
    )
