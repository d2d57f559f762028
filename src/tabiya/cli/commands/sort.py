"""``tabiya sort``: write records in another order."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

import tabiya
from tabiya.cli import options
from tabiya.cli.commands.convert import print_report
from tabiya.cli.exit_codes import ExitCode
from tabiya.cli.option_groups import Options, expanded
from tabiya.cli.options import all_cores, format_of_target, open_database, source_and_target, standard_stream
from tabiya.cli.progress import progress_bar
from tabiya.cli.reports import ReportFile, ReportTarget

if TYPE_CHECKING:
    from tabiya.cli.options import Sources
    from tabiya.cli.record_options import Choice

Memory = Annotated[
    int | None, typer.Option(min=16, metavar="MB", help="Memory to use (default: 768); the rest goes to disk.")
]


@expanded
def sort(
    *,
    sources: Sources,
    by: Annotated[str, typer.Option(metavar="FIELDS", help="Fields, separated by commas; -FIELD reverses the order.")],
    output: options.Target = None,
    reading: Options,
    target_format: options.To = None,
    writing: Options,
    strict: options.Strict = False,
    force: options.Force = False,
    memory: Memory = None,
    threads: options.Threads = None,
    json: options.JsonReport = False,
    report_file: ReportFile = None,
    where: Choice,
    limit: options.Limit = None,
) -> None:
    """Write records in another order.

    Fields: white, black, event, site, round, annotator, eco, date, year, month, day, result, white_elo, black_elo,
    mean_elo, ply_count, number, and any tag (tag:TimeControl). Case and accents do not matter, and round 9 comes before
    round 10. Unknown values come last. Equal records keep their order. The database may be larger than memory.
    Conditions are those of "tabiya list".

    Example:
        tabiya sort games.pgn sorted.pgn --by date,event,round
        tabiya sort games.pgn best.pgn --by white,date --min-elo 2700
    """
    sources, target = source_and_target(sources, output)
    report_target = ReportTarget(report_file, json=json, force=force, targets=[target], sources=sources.paths)
    with (
        open_database(sources, where=where, limit=limit, **reading) as database,
        progress_bar(sources.name) as progress,
    ):
        report = tabiya.sort(
            database,
            standard_stream(target, sys.stdout),
            by,
            memory=memory,
            target_format=format_of_target(target_format, target),
            threads=threads or all_cores(),
            strict=strict,
            overwrite=force,
            progress=progress,
            **writing,
        )
    report_target.put(report.as_dict())
    print_report(report, target)
    if not report.clean:
        raise typer.Exit(ExitCode.PROBLEMS)
