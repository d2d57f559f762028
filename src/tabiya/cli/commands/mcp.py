"""``tabiya mcp``: databases and books for language models."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import Annotated

import typer

import tabiya
from tabiya.cli.exit_codes import ExitCode
from tabiya.cli.options import all_cores, engine_options_of
from tabiya.cli.output import complain
from tabiya.errors import TabiyaError


def mcp(
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
        typer.Option(metavar="FOLDER", help="Also all files below this folder, as they are at the time."),
    ] = None,
    engine: Annotated[
        list[str] | None,
        typer.Option(metavar="PROGRAM", help="Let the model analyse positions with this UCI engine. Repeatable."),
    ] = None,
    engine_option: Annotated[
        list[str] | None,
        typer.Option("--option", metavar="NAME=VALUE", help="Set an option of the engines: Hash=256. Repeatable."),
    ] = None,
    engine_processes: Annotated[
        int, typer.Option(min=1, max=64, metavar="N", help="Maximum number of engine processes.")
    ] = 2,
    engine_seconds: Annotated[
        int, typer.Option(min=1, max=86400, metavar="SECONDS", help="Maximum duration of an analysis of one position.")
    ] = 120,
) -> None:
    """Let a language model search, explore and show your games, over the Model Context Protocol (MCP).

    A client such as Claude Desktop starts this command and talks to it over standard input and output. The model can
    list databases, search games, explore positions, show games, report about players, read opening books and, with
    --engine, analyse positions. It can read the files named here or below --root and no others, and change nothing.
    The command ends when the client closes its input.

    Example:
        tabiya mcp Mega.cbh games.pgn book.ctg
        tabiya mcp --root ~/chess --engine stockfish
    """
    code = int(ExitCode.FINE)
    try:
        tabiya.serve_mcp(
            sources or (),
            root=root,
            engines=engine or (),
            engine_options=engine_options_of(engine_option or []),
            engine_processes=engine_processes,
            engine_seconds=engine_seconds,
            threads=all_cores(),
        )
    except KeyboardInterrupt:
        code = 130
    except SystemExit as ending:  # SIGTERM
        code = ending.code if isinstance(ending.code, int) else 1
    except TabiyaError as error:
        if error.path != "standard input and output":  # the server has not started
            raise
        code = ExitCode.BROKEN_PIPE if isinstance(error.__cause__, BrokenPipeError) else complain(error)
    # A thread of the SDK waits for input, and the interpreter would wait for that thread.
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, TabiyaError):
            stream.flush()
    os._exit(code)
