"""``tabiya book build``: a book from games."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from tabiya import books
from tabiya.cli import options
from tabiya.cli.commands.book.options import print_report
from tabiya.cli.exit_codes import ExitCode
from tabiya.cli.option_groups import Options, expanded
from tabiya.cli.options import Force, JsonReport, Strict, To, all_cores, open_database, source_and_target
from tabiya.cli.progress import progress_bar
from tabiya.cli.reports import ReportFile, ReportTarget

if TYPE_CHECKING:
    from tabiya.cli.options import Sources
    from tabiya.cli.record_options import Choice


@expanded
def build(
    *,
    sources: Sources,
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="TARGET", help="The book to write, instead of the last FILE."),
    ] = None,
    max_ply: Annotated[
        int, typer.Option(min=1, max=255, metavar="N", help="Use only this many half-moves of each game.")
    ] = 40,
    min_games: Annotated[
        int,
        typer.Option(min=1, metavar="N", help="Omit moves (CTG: positions) that occur in fewer games."),
    ] = 3,
    weights: Annotated[
        str, typer.Option(metavar="NAME", help="Weights in Polyglot books: points (2 wins + draws), games, uniform.")
    ] = "points",
    memory: Annotated[
        int, typer.Option(min=64, metavar="MB", help="Memory for counting, in megabytes; the rest goes to TMPDIR.")
    ] = 512,
    reading: Options,
    target_format: To = None,
    strict: Strict = False,
    force: Force = False,
    threads: options.Threads = None,
    json: JsonReport = False,
    report_file: ReportFile = None,
    where: Choice,
) -> None:
    """Build a book from games: .ctg, .bin or .abk.

    With two FILEs the last one is the book; several sources need -o. The book contains the main lines of all games, or
    of those that meet every condition; conditions are those of "tabiya list". Games marked as deleted are ignored. A
    game counts once per position.

    Example:
        tabiya book build games.pgn book.ctg --min-elo 2400
        tabiya book build games.pgn book.bin --max-ply 30 --min-games 5
        tabiya book build "twic/*.pgn" classics.cbh -o book.abk
    """
    sources, target = source_and_target(sources, output)
    report_target = ReportTarget(report_file, json=json, force=force, targets=[target], sources=sources.paths)
    chosen = books.BuildOptions(
        max_ply=max_ply,
        min_games=min_games,
        weights=weights,  # type: ignore[arg-type]  # which rejects unknown ones by name
        memory_megabytes=memory,
    )
    with (
        open_database(sources, where=where, **reading) as database,
        progress_bar(sources.name) as progress,
    ):
        report = books.build_book(
            database,
            target,
            format=target_format,
            options=chosen,
            threads=threads or all_cores(),
            overwrite=force,
            strict=strict,
            progress=progress,
        )
    report_target.put(report.as_dict())
    print_report(report, f"{target} ({report.format})")
    if report.losses:
        raise typer.Exit(ExitCode.PROBLEMS)
