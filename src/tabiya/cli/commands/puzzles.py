"""``tabiya puzzles``: puzzles from the mistakes in games."""

from __future__ import annotations

import sys
from itertools import islice
from typing import TYPE_CHECKING, Annotated

import typer

import tabiya
from tabiya.cli import options
from tabiya.cli.exit_codes import ExitCode
from tabiya.cli.option_groups import Options, expanded
from tabiya.cli.options import all_cores, open_database, standard_stream
from tabiya.cli.output import count, name_of, note
from tabiya.cli.progress import progress_bar

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabiya.analysis import Puzzle
    from tabiya.cli.options import Sources
    from tabiya.cli.record_options import Choice


@expanded
def puzzles(
    *,
    sources: Sources,
    output: Annotated[
        str,
        typer.Option(
            "--output",
            "-o",
            metavar="TARGET",
            help="The puzzles: .csv in the columns of Lichess, .pgn or any other format; - is standard output (CSV).",
        ),
    ],
    engine: Annotated[str, typer.Option(metavar="PROGRAM", help="UCI engine that finds the solutions.")] = "stockfish",
    engine_option: options.EngineOptions = None,
    depth: Annotated[int, typer.Option(min=1, metavar="N", help="Depth of the engine in half-moves.")] = 16,
    verify_depth: Annotated[int, typer.Option(min=1, metavar="N", help="Depth of the second examination.")] = 20,
    limit: options.Limit = None,
    force: options.Force = False,
    threads: options.Threads = None,
    where: Choice,
    source_format: options.From = None,
    reading: Options,
    password: options.Password = None,
) -> None:
    """Make puzzles from games that contain evaluations.

    A puzzle is a position after a mistake in which one move wins and the others do not, at every move of a solution of
    two moves or more. The evaluations in the games show the mistakes; an engine finds the solution, and examines it
    again at a second depth. Ctrl-C ends the search; puzzles that are found are written.

    Example:
        tabiya puzzles lichess.pgn -o puzzles.csv
        tabiya puzzles my-games.pgn --player alice -o puzzles.pgn --engine stockfish --depth 18 --verify-depth 24
    """
    with (
        open_database(sources, format=source_format, where=where, password=password, **reading) as games,
        progress_bar(sources.name) as progress,
        tabiya.Engine(engine, options=options.engine_options_of(engine_option or [])) as program,
    ):
        found = tabiya.puzzles(
            games, program, depth=depth, verify_depth=verify_depth, threads=threads or all_cores(), progress=progress
        )
        search = _Interruptible(islice(found, limit))
        written = tabiya.write_puzzles(
            search,
            standard_stream(output, sys.stdout),
            format="csv" if output == "-" else None,
            overwrite=force,
        )
    note(f"{count(written, 'puzzle')} written to {name_of(output, 'standard output')}")
    if search.is_interrupted:
        note("interrupted: only a part of the games was searched")
        raise typer.Exit(ExitCode.INTERRUPTED)


class _Interruptible:
    """Puzzles up to an interrupt, which ends the search but not the writing of what was found."""

    def __init__(self, found: Iterator[Puzzle]) -> None:
        self._found = found
        self.is_interrupted = False

    def __iter__(self) -> Iterator[Puzzle]:
        return self

    def __next__(self) -> Puzzle:
        try:
            return next(self._found)
        except KeyboardInterrupt:
            self.is_interrupted = True
            raise StopIteration from None
