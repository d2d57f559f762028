"""``tabiya split``: split one database into many."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

import tabiya
from tabiya.cli import options
from tabiya.cli.commands.sort import Memory
from tabiya.cli.exit_codes import ExitCode
from tabiya.cli.option_groups import Options, expanded
from tabiya.cli.options import all_cores, open_database
from tabiya.cli.output import count, note
from tabiya.cli.progress import progress_bar
from tabiya.cli.reports import ReportFile, ReportTarget

if TYPE_CHECKING:
    from tabiya.cli.options import Sources
    from tabiya.cli.record_options import Choice

_MOST_LISTED = 10


@expanded
def split(
    *,
    sources: Sources,
    output: Annotated[
        str,
        typer.Option("--output", "-o", metavar="TEMPLATE", help="Names of the files: '{event}.pgn', 'part-{n:3}.pgn'."),
    ],
    by: Annotated[
        str | None, typer.Option(metavar="FIELDS", help="One file for each value of these fields, separated by commas.")
    ] = None,
    games: Annotated[int | None, typer.Option(min=1, metavar="N", help="Number of records in each file.")] = None,
    size: Annotated[
        str | None, typer.Option(metavar="SIZE", help="A file ends when it reaches this size: 500k, 10MB.")
    ] = None,
    reading: Options,
    target_format: Annotated[
        str | None, typer.Option("--to", metavar="FORMAT", help="Format of the files (default: by the suffix).")
    ] = None,
    writing: Options,
    strict: Annotated[bool, typer.Option("--strict", help="Stop, and exit with 3, if anything would be lost.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace existing files.")] = False,
    memory: Memory = None,
    threads: options.Threads = None,
    json: options.JsonReport = False,
    report_file: ReportFile = None,
    where: Choice,
    limit: options.Limit = None,
) -> None:
    """Split databases into many files: by fields, by number of games, or by file size.

    Fields are those of "tabiya sort", in braces in the template; {n} counts the files. Characters that are invalid in
    file names become _, unknown values "unknown". Folders are created. All files appear together at the end. Existing
    files are replaced only with --force; each file then appears when it is complete. Conditions are those of "tabiya
    list".

    Example:
        tabiya split games.pgn --by event -o "events/{event}.pgn"
        tabiya split games.pgn --by white,year -o "{white}/{year}.pgn"
        tabiya split games.pgn --games 10000 -o "part-{n:3}.pgn"
        tabiya split games.pgn --size 100MB -o "part-{n:3}.pgn"
    """
    report_target = ReportTarget(report_file, json=json, force=force, targets=(), sources=sources.paths)
    with (
        open_database(sources, where=where, limit=limit, **reading) as database,
        progress_bar(sources.name) as progress,
    ):
        report = tabiya.split(
            database,
            output,
            by=by,
            games=games,
            size=size,
            target_format=target_format,
            threads=threads or all_cores(),
            strict=strict,
            overwrite=force,
            memory=memory,
            progress=progress,
            **writing,
        )
    report_target.put(report.as_dict())
    note(f"{count(report.written, 'record')} written to {count(len(report.files), 'file')}")
    for file in report.files[:_MOST_LISTED]:
        note(f"  {file.path}: {count(file.records, 'record')}")
    if len(report.files) > _MOST_LISTED:
        note(f"  and {len(report.files) - _MOST_LISTED:,} more")
    for line in str(report.losses).splitlines():
        note(line)
    if not report.clean:
        raise typer.Exit(ExitCode.PROBLEMS)
