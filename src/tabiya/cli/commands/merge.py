"""``tabiya merge``: merge many databases into one."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

import tabiya
from tabiya.cli import options
from tabiya.cli.commands.convert import print_report
from tabiya.cli.commands.sort import Memory
from tabiya.cli.exit_codes import ExitCode
from tabiya.cli.option_groups import Options, expanded
from tabiya.cli.options import all_cores, format_of_target, given, open_database, standard_stream
from tabiya.cli.output import count, note
from tabiya.cli.progress import progress_bar
from tabiya.cli.reports import ReportFile, ReportTarget
from tabiya.errors import UsageError

if TYPE_CHECKING:
    from tabiya.cli.options import Sources
    from tabiya.cli.record_options import Choice


@expanded
def merge(
    *,
    sources: Sources,
    output: Annotated[
        str,
        typer.Option(
            "--output",
            "-o",
            metavar="TARGET",
            help="The database to write; - is standard output (PGN unless --to is given).",
        ),
    ],
    dedupe: Annotated[
        str | None,
        typer.Option(metavar="HOW", help="Remove duplicates: exact, near or moves (default: keep all records)."),
    ] = None,
    keep: Annotated[
        str | None, typer.Option(metavar="RULES", help="Which of the equal games to keep; see tabiya dedupe.")
    ] = None,
    by: Annotated[str | None, typer.Option(metavar="FIELDS", help="Sort by these fields; see tabiya sort.")] = None,
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
    """Merge databases into one; --dedupe removes duplicates, --by sorts.

    Without --dedupe every record is kept: a game that is in two sources is in the target twice. Without --by records
    are in the order of the sources. Without both this is "tabiya convert". Conditions are those of "tabiya list".

    Example:
        tabiya merge old.pgn new.cbh twic/ -o all.pgn --dedupe near --by date,event,round
        tabiya merge "week-*.pgn" -o month.tabiya --dedupe exact
    """
    report_target = ReportTarget(report_file, json=json, force=force, targets=[output], sources=sources.paths)
    if keep is not None and dedupe is None:
        raise UsageError("--keep chooses between duplicates, so it needs --dedupe")
    with (
        open_database(sources, where=where, limit=limit, **reading) as database,
        progress_bar(sources.name) as progress,
    ):
        report = tabiya.merge(
            database,
            standard_stream(output, sys.stdout),
            dedupe=dedupe,
            by=by,
            memory=memory,
            target_format=format_of_target(target_format, output),
            threads=threads or all_cores(),
            strict=strict,
            overwrite=force,
            progress=progress,
            **given(keep=None if keep is None else keep.split(",")),
            **writing,
        )
    report_target.put(report.as_dict())
    if report.duplicates is not None:
        note(f"{count(report.duplicates.twins, 'duplicate')} left out")
    print_report(report.written, output)
    if not report.clean:
        raise typer.Exit(ExitCode.PROBLEMS)
