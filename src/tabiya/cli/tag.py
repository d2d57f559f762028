"""``tabiya tag``: set tags of many games."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

import tabiya
from tabiya.cli import options
from tabiya.cli.changing import DryRun, InPlace, Output, change_options, tell_change
from tabiya.cli.option_groups import Options, expanded
from tabiya.cli.options import open_database
from tabiya.cli.progress import progress_bar
from tabiya.cli.reports import Report, ReportFile
from tabiya.errors import UsageError

if TYPE_CHECKING:
    from tabiya.cli.conditions import Choice
    from tabiya.cli.options import Sources

__all__ = ["tag"]


@expanded
def tag(
    *,
    sources: Sources,
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=TEXT", help="A tag and its new text. Repeatable.")
    ] = None,
    remove: Annotated[list[str] | None, typer.Option(metavar="NAME", help="A tag to remove. Repeatable.")] = None,
    output: Output = None,
    in_place: InPlace = False,
    dry_run: DryRun = False,
    target_format: options.To = None,
    force: options.Force = False,
    strict: options.Strict = False,
    threads: options.Threads = None,
    where: Choice,
    json: options.Json = False,
    report_file: ReportFile = None,
    source_format: options.From = None,
    reading: Options,
    password: options.Password = None,
) -> None:
    """Set or remove tags of many games.

    All games, or those that meet every condition; conditions are those of "tabiya list". With -o all records go to a
    new database; --in-place changes them where they are, in formats that can. Without either you see how many records
    would change.

    Example:
        tabiya tag games.pgn --set Event="Club championship" --set Site=Graz -o tagged.pgn
        tabiya tag MyBase.cbh --event "wijk aan zee" --date 2020 --set EventCountry=NED --in-place
        tabiya tag games.pgn --remove Source --dry-run
    """
    tags: dict[str, str | None] = dict.fromkeys(remove or ())
    for text in settings or ():
        name, equals, value = text.partition("=")
        if not equals:
            raise UsageError(f"{text!r} does not set a tag: give NAME=TEXT")
        tags[name] = value
    told = Report(report_file, json=json, force=force, targets=[output], sources=sources.paths)
    with (
        open_database(sources, format=source_format, password=password, **reading) as database,
        progress_bar(sources.name) as progress,
    ):
        how = change_options(
            database,
            where,
            output,
            target_format=target_format,
            threads=threads,
            in_place=in_place,
            dry_run=dry_run,
            overwrite=force,
            strict=strict,
            progress=progress,
        )
        report = tabiya.set_tags(database, tags, **how)
    told.put(report.as_dict())
    tell_change(report, sources.name, output, in_place=in_place, dry_run=dry_run)
