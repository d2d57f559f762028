"""``tabiya convert``: copy records from one database to another."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import typer

from tabiya import formats
from tabiya.cli import options
from tabiya.cli.exit_codes import ExitCode
from tabiya.cli.hints import with_options
from tabiya.cli.option_groups import Options, expanded
from tabiya.cli.options import (
    all_cores,
    format_of_target,
    given,
    is_encrypted,
    open_database,
    password_of,
    source_and_target,
    standard_stream,
)
from tabiya.cli.output import count, note
from tabiya.cli.progress import progress_bar
from tabiya.cli.reports import ReportFile, ReportTarget, place_of
from tabiya.errors import UsageError
from tabiya.formats.url import url_of

if TYPE_CHECKING:
    from tabiya.cli.options import Sources
    from tabiya.cli.record_options import Choice
    from tabiya.formats import ConversionReport

_MOST_PROBLEMS = 5


@expanded
def convert(
    *,
    sources: Sources,
    output: options.Target = None,
    reading: Options,
    target_format: options.To = None,
    writing: Options,
    strict: options.Strict = False,
    force: options.Force = False,
    threads: options.Threads = None,
    json: options.JsonReport = False,
    report_file: ReportFile = None,
    where: Choice,
    limit: options.Limit = None,
) -> None:
    """Convert databases into another format.

    With two FILEs the last one is the target; several sources need -o, so that a pattern never overwrites its last
    file. All records are converted, or those that meet every condition; conditions are those of "tabiya list". The
    target appears only when it is complete. Losses are reported at the end; the exit code is then 1, and also if the
    source has problems, or if the segments of a target library could not be merged.

    Example:
        tabiya convert games.pgn games.pgn.zst
        tabiya convert games.pgn games.bcgn --level 2
        tabiya convert games.pgn games.cbv
        tabiya convert games.pgn carlsen.pgn --player carlsen --min-elo 2500
        tabiya convert a.pgn b.cbh folder/ more.zip -o all.pgn
        tabiya convert week.pgn all.pgn --append
        zstdcat games.pgn.zst | tabiya convert - small.pgn --profile plain --force
    """
    sources, target = source_and_target(sources, output)
    report_target = ReportTarget(report_file, json=json, force=force, targets=[target], sources=sources.paths)
    password = reading.get("password")
    if password is not None and not any(
        is_encrypted(each) or url_of(each) is not None for each in (*sources.paths, target)
    ):
        raise UsageError(
            "--password applies to encrypted archives (.cbz) and servers, and neither source nor target is one"
        )
    with (
        open_database(sources, where=where, limit=limit, **reading) as database,
        progress_bar(sources.name) as progress,
    ):
        lock = password_of(target, password, new=True)
        report = formats.convert(
            database,
            standard_stream(target, sys.stdout),
            target_format=format_of_target(target_format, target),
            formats=formats.FORMATS,
            threads=threads or all_cores(),
            strict=strict,
            overwrite=force,
            progress=progress,
            **writing,
            **given(password=lock),
        )
    report_target.put(report.as_dict())
    print_report(report, target)
    if not report.clean:
        raise typer.Exit(ExitCode.PROBLEMS)


def print_report(report: ConversionReport, target: str) -> None:
    """Print what was written, what was lost, and the problems of the source."""
    place = place_of(target, report)
    note(f"{count(report.written, 'record')} written to {place} ({report.source_format} to {report.target_format})")
    losses = str(report.losses) if report.read else "there were no records to write"
    for line in (*losses.splitlines(), *report.remarks, *report.unfinished):
        note(line)
    if report.problems:
        listed = report.first_problems[:_MOST_PROBLEMS]
        more = ", the first of them:" if report.problems > len(listed) else ":"
        note(f"the source has {count(report.problems, 'problem')}{more}")
        for problem in listed:
            note(f"  {with_options(problem)}")
